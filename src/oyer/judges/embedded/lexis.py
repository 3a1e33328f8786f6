"""Small tables of our own about English words: opposites, hedges, months, roles."""

from __future__ import annotations

from functools import lru_cache

from oyer.judges.embedded.words import stem

_OPPOSITES = """
increase decrease|increase reduce|increase decline|rise fall|rise drop|raise lower|raise cut
raise reduce|grow shrink|gain lose|gain loss|win lose|won lost|victory defeat|beat lost|up down
high low|higher lower|highest lowest|more less|more fewer|most least|many few|several few|all none
above below|over under|before after|early late|earlier later|first last|begin end|start finish
start stop|begin stop|open close|open shut|accept reject|accept refuse|accept decline|approve reject
approve deny|allow ban|allow prevent|allow prohibit|permit forbid|permit ban|legal illegal
guilty innocent|convict acquit|arrest release|alive dead|live die|survive die|birth death|born died
love hate|like dislike|support oppose|support reject|agree disagree|for against|good bad
better worse|best worst|positive negative|success failure|succeed fail|successful unsuccessful
possible impossible|likely unlikely|able unable|safe dangerous|safe unsafe|easy difficult|easy hard
simple complex|simple complicated|strong weak|strengthen weaken|fast slow|quick slow|accelerate slow
large small|big small|big little|huge tiny|long short|longer shorter|wide narrow|deep shallow
old new|old young|older younger|modern ancient|modern outdated|rich poor|cheap expensive|free paid
hot cold|warm cool|light dark|day night|morning evening|summer winter|spring autumn|north south
east west|northern southern|eastern western|left right|inside outside|internal external|in out
include exclude|add remove|attach detach|connect disconnect|join leave|arrive leave|arrive depart
enter exit|come go|buy sell|borrow lend|give take|give receive|send receive|push pull|lead follow
male female|man woman|men women|boy girl|husband wife|father mother|son daughter|brother sister
king queen|uncle aunt|boyfriend girlfriend|his her|he she|public private|local global
national international|domestic foreign|urban rural|rural city|major minor|majority minority
maximum minimum|full empty|complete incomplete|whole partial|same different|similar different
true false|right wrong|correct incorrect|correct wrong|real fake|always never|often rarely
often seldom|frequently rarely|frequent rare|common rare|usual unusual|everyone nobody|everything
nothing|optimistic pessimistic|happy sad|happy unhappy|pleased disappointed|satisfied dissatisfied
excited bored|calm angry|confident doubtful|brave afraid|hope fear|praise criticise|praise criticize
praise condemn|encourage discourage|help hinder|protect harm|protect endanger|improve worsen
benefit harm|advantage disadvantage|advantage drawback|strength weakness|profit loss|asset liability
revenue cost|income expense|credit debit|supply demand|import export|create destroy|build demolish
build destroy|expand contract|expand reduce|extend shorten|promote demote|hire fire|employ dismiss
appoint dismiss|present absent|attend miss|remember forget|find lose|hide reveal|hide show
conceal reveal|confirm deny|admit deny|prove disprove|truth lie|peace war|friend enemy|ally enemy
attack defend|offense defense|victim attacker|innocent culprit|healthy sick|healthy ill
effective ineffective|efficient inefficient|sufficient insufficient|adequate inadequate
appropriate inappropriate|relevant irrelevant|important unimportant|significant insignificant
necessary unnecessary|known unknown|familiar unfamiliar|certain uncertain|clear unclear
stable unstable|active inactive|formal informal|direct indirect|dependent independent
visible invisible|flexible rigid|temporary permanent|voluntary mandatory|optional mandatory
optional required|single married|single multiple|single double|ignore consider|ignore notice
avoid seek|delay hasten|forward backward|ahead behind|near far|close distant|top bottom|front back
ceiling floor|upper lower|senior junior|boss employee|teacher student|buyer seller|doctor patient
employer employee|landlord tenant|parent child|plaintiff defendant|superior inferior|perfect flawed
perfect worst|unique common|innovative traditional|advanced basic|enable disable|enable prevent
empower hinder|simplify complicate|minimize maximize|minimise maximise|speed slow|upgrade downgrade
"""
_HEDGES = """may might could would reportedly allegedly alleged possible possibly perhaps probably
expected expect likely potential potentially suggest suggests suggested appear appears appeared
seem seems seemed claim claims claimed accused accuse suspected suspect plan plans planned hope
hopes hoped want wants wanted consider considering considered propose proposed proposal"""
MONTHS = frozenset(
    """january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday""".split()
)
PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis", "anti", "over", "under")


@lru_cache(maxsize=1)
def opposites() -> dict[str, frozenset[str]]:
    """Stem -> the stems of its opposites."""
    table: dict[str, set[str]] = {}
    for pair in _OPPOSITES.replace("\n", "|").split("|"):
        words = pair.split()
        if len(words) == 2:
            a, b = stem(words[0]), stem(words[1])
            table.setdefault(a, set()).add(b)
            table.setdefault(b, set()).add(a)
    return {k: frozenset(v) for k, v in table.items()}


@lru_cache(maxsize=1)
def opposite_words() -> dict[str, tuple[str, ...]]:
    """Word -> its opposites as written in the table: what the pair maker swaps."""
    table: dict[str, set[str]] = {}
    for pair in _OPPOSITES.replace("\n", "|").split("|"):
        words = pair.split()
        if len(words) == 2:
            table.setdefault(words[0], set()).add(words[1])
            table.setdefault(words[1], set()).add(words[0])
    return {k: tuple(sorted(v)) for k, v in table.items()}


@lru_cache(maxsize=65536)
def prefixed(norm: str) -> tuple[str, ...]:
    """The stems a word would have without its negating prefix: unhappy -> happi."""
    return tuple(
        stem(norm[len(p) :]) for p in PREFIXES if norm.startswith(p) and len(norm) > len(p) + 3
    )


HEDGES = frozenset(_HEDGES.split())
