"""Training pairs of our own making: true sentences shortened or reworded, and spoiled ones.

Each spoiler changes a fact the way summarisers do (names, numbers, dates, negation, relation,
foreign or inserted facts) and marks the words it touched.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from oyer.judges.embedded import lexis
from oyer.judges.embedded.lexis import MONTHS
from oyer.judges.embedded.sentences import sentences
from oyer.judges.embedded.words import STOP

SYNONYMS = """said stated|says states|told informed|bought purchased|buy purchase|big large
start begin|started began|help assist|helped assisted|end finish|show demonstrate|showed revealed
shows indicates|people individuals|kids children|job position|about approximately|around about
more than over|nearly almost|also additionally|however but|because since|get obtain|got received
use utilize|used utilized|using utilizing|need require|needs requires|make create|made created
important crucial|great excellent|good beneficial|problem issue|problems issues|quickly rapidly
asked requested|tried attempted|trying attempting|killed slain|died passed away|police officers
company firm|firm business|home house|car vehicle|man male|woman female|many numerous
several various|whole entire|think believe|thinks believes|thought believed|wants wishes
plan strategy|plans intends|talk discuss|talked discussed|talks discusses|chance opportunity
choose select|chose selected|keep maintain|kept retained|allow permit|allows enables|let allowed
improve enhance|improved enhanced|increase rise|increased rose|increasing raising|reduce lower
reduced lowered|reducing cutting|announced revealed|revealed disclosed|event occasion|happened
occurred|happy glad|angry furious|scared afraid|hard difficult|easy simple|fast quick|major key
provide offer|provides offers|provided gave|gave handed|build construct|built constructed
find discover|found discovered|look appear|looks seems|leave depart|left departed|worker employee
workers employees|student pupil|doctor physician|attorney lawyer|lawyers attorneys|method approach
paper work|propose suggest|proposed introduced|results findings|performance effectiveness
focus concentrate|focused centered|including such as|growth expansion|customers clients
meeting gathering|team group|discussed talked about|decided chose|agreed consented|arrested detained
charged accused|accused blamed|hurt injured|injured wounded|crash accident|attack assault
""".replace("\n", "|")


def _synonyms() -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for pair in SYNONYMS.split("|"):
        words = pair.split()
        if len(words) == 2:
            table.setdefault(words[0], []).append(words[1])
            table.setdefault(words[1], []).append(words[0])
    return table


def opposite_words() -> dict[str, tuple[str, ...]]:
    """Word -> its opposites as the table writes them."""
    table: dict[str, set[str]] = {}
    for one, other in lexis.pairs():
        table.setdefault(one, set()).add(other)
        table.setdefault(other, set()).add(one)
    return {k: tuple(sorted(v)) for k, v in table.items()}


SAME, OPPOSITE = _synonyms(), opposite_words()
BARE = re.compile(r"^(\W*)([\w'’.,:/-]*?\w)?((?:'s|’s)?\W*)$")
NUMBER = re.compile(r"^\d+(?:[.,]\d+)*$")
INSERTS = (
    "in {name}", "according to {name}", "with {name}", "on {day}", "in {year}",
    "for the first time",
    "by {number} percent", "after {number} years", "despite criticism", "without permission",
    "for free", "in secret", "as the only option", "for the last time", "against their will",
)  # fmt: skip
MODIFIERS = (
    "former", "alleged", "temporary", "foreign", "second", "third", "annual", "free", "illegal",
    "private", "only", "mandatory", "anonymous", "fake", "first", "largest", "unpaid", "rejected",
)  # fmt: skip
AUX = (
    "is", "are", "was", "were", "will", "would", "can", "could", "should", "has", "have", "had",
    "does", "did", "do", "may", "must",
)  # fmt: skip


@dataclass(frozen=True)
class Pool:
    """Where spoilers take their material: the article's own names and words, and another's."""

    names: tuple[str, ...]
    foreign_names: tuple[str, ...]
    numbers: tuple[str, ...]
    words: tuple[str, ...]
    own: tuple[str, ...]  # whole sentences of this article
    foreign: tuple[str, ...]  # and of another


Tokens = list[tuple[str, bool]]  # a word as written, and whether it was spoiled
Spoiler = Callable[[Tokens, Pool, random.Random], bool]


def tokens(text: str) -> Tokens:
    return [(w, False) for w in text.split()]


def core(word: str) -> tuple[str, str, str]:
    match = BARE.match(word)
    if not match or not match.group(2):
        return "", word, ""
    return match.group(1), match.group(2), match.group(3)


def name_runs(words: Sequence[str]) -> list[tuple[int, int]]:
    """Runs of capitalised words away from the start: names."""
    runs, at = [], 1
    while at < len(words):
        end = at
        while end < len(words) and (
            core(words[end])[1][:1].isupper() and len(core(words[end])[1]) > 1
        ):
            end += 1
            if core(words[end - 1])[2]:
                break
        if end > at and core(words[at])[1].lower() not in STOP | MONTHS:
            runs.append((at, end))
        at = max(end, at + 1)
    return runs


def pool(article: str, other: str, rng: random.Random) -> Pool:
    def names(text: str) -> tuple[str, ...]:
        found = set()
        for s, e in sentences(text):
            ws = text[s:e].split()
            for a, b in name_runs(ws):
                found.add(
                    " ".join(ws[a:b])
                    .strip(".,;:!?\"'”“’()[]")
                    .removesuffix("'s")
                    .removesuffix("’s")
                )
        return tuple(sorted(n for n in found if n))

    words = tuple(
        sorted(
            {
                core(w)[1]
                for w in article.split()
                if len(core(w)[1]) > 3 and core(w)[1].lower() not in STOP and core(w)[1].islower()
            }
        )
    )
    numbers = tuple(sorted({core(w)[1] for w in article.split() if NUMBER.match(core(w)[1])}))
    return Pool(names(article), names(other), numbers, words, whole(article), whole(other))


def whole(text: str) -> tuple[str, ...]:
    """The sentences of a text that are neither scraps nor endless."""
    return tuple(text[s:e] for s, e in sentences(text) if 6 <= len(text[s:e].split()) <= 35)


def _put(line: Tokens, at: int, end: int, text: str) -> None:
    before, after = core(line[at][0])[0], core(line[end - 1][0])[2]
    new = [(w, True) for w in text.split()] or [("", True)]
    new[0] = (before + new[0][0], True)
    new[-1] = (new[-1][0] + after, True)
    line[at:end] = new


def swap_name(line: Tokens, p: Pool, rng: random.Random) -> bool:
    runs = name_runs([w for w, _ in line])
    choices = p.names if rng.random() < 0.65 else p.foreign_names
    if not runs or not choices:
        return False
    at, end = rng.choice(runs)
    old = " ".join(w for w, _ in line[at:end]).lower()
    fresh = [n for n in choices if n.lower() not in old and old.strip(".,'s") not in n.lower()]
    if not fresh:
        return False
    _put(line, at, end, rng.choice(fresh))
    return True


def swap_number(line: Tokens, p: Pool, rng: random.Random) -> bool:
    places = [i for i, (w, _) in enumerate(line) if NUMBER.match(core(w)[1].lstrip("$£€"))]
    if not places:
        return False
    at = rng.choice(places)
    old = core(line[at][0])[1]
    others = [n for n in p.numbers if n != old]
    if others and rng.random() < 0.4:
        new = rng.choice(others)
    else:
        value = float(old.replace(",", ""))
        if value >= 1900 and value <= 2100 and "." not in old:
            new = str(int(value) + rng.choice((-10, -3, -2, -1, 1, 2, 3, 5)))
        else:
            scaled = value * rng.choice((0.5, 0.8, 0.9, 1.1, 1.25, 1.5, 2, 10)) + (value < 10)
            new = f"{scaled:.{len(old.split('.')[1]) if '.' in old else 0}f}"
    if new == old:
        return False
    _put(line, at, at + 1, new)
    return True


def swap_date(line: Tokens, p: Pool, rng: random.Random) -> bool:
    places = [i for i, (w, _) in enumerate(line) if core(w)[1].lower() in MONTHS - {"may", "march"}]
    if not places:
        return False
    at = rng.choice(places)
    old = core(line[at][0])[1].lower()
    kind = [m for m in MONTHS if m.endswith("day") == old.endswith("day") and m not in (old, "may")]
    _put(line, at, at + 1, rng.choice(sorted(kind)).capitalize())
    return True


def negate(line: Tokens, p: Pool, rng: random.Random) -> bool:
    low = [core(w)[1].lower() for w, _ in line]
    nots = [i for i, w in enumerate(low) if w in ("not", "never")]
    if nots:
        at = rng.choice(nots)
        del line[at]
        near = range(max(0, at - 1), min(len(line), at + 1))
        for i in near:
            line[i] = (line[i][0], True)
        return bool(near)
    places = [i for i, w in enumerate(low) if w in AUX and i + 1 < len(low)]
    if not places:
        return False
    at = rng.choice(places)
    word = line[at][0]
    if rng.random() < 0.4 and low[at] in ("is", "are", "was", "were", "did", "does", "has", "had"):
        line[at] = (word + "n't", True)
    else:
        line[at] = (word, True)
        line.insert(at + 1, (rng.choice(("not", "not", "never")), True))
    return True


def oppose(line: Tokens, p: Pool, rng: random.Random) -> bool:
    table = OPPOSITE
    places = [i for i, (w, _) in enumerate(line) if _opposites(core(w)[1].lower(), table)]
    if not places:
        return False
    at = rng.choice(places)
    _put(line, at, at + 1, rng.choice(_opposites(core(line[at][0])[1].lower(), table)))
    return True


def _opposites(word: str, table: dict[str, tuple[str, ...]]) -> list[str]:
    """The word's opposites in the same inflection, by plain English endings."""
    if word in (
        "in",
        "out",
        "up",
        "down",
        "for",
        "he",
        "she",
        "his",
        "her",
        "over",
        "under",
        "like",
    ):
        return []
    if word in table:
        return list(table[word])
    for ending in ("ing", "ed", "d", "es", "s"):
        base = word.removesuffix(ending)
        for form in (base, base + "e"):
            if base != word and form in table:
                return [_inflect(o, "ed" if ending == "d" else ending) for o in table[form]]
    return []


def _inflect(word: str, ending: str) -> str:
    irregular = {("fall", "ed"): "fell", ("win", "ed"): "won", ("lose", "ed"): "lost",
                 ("rise", "ed"): "rose", ("cut", "ed"): "cut", ("leave", "ed"): "left",
                 ("find", "ed"): "found", ("sell", "ed"): "sold", ("buy", "ed"): "bought",
                 ("begin", "ed"): "began", ("take", "ed"): "took",
                 ("give", "ed"): "gave"}  # fmt: skip
    if (word, ending) in irregular:
        return irregular[word, ending]
    if ending in ("ing", "ed") and word.endswith("e"):
        return word[:-1] + ending
    if ending in ("es", "s"):
        return word + ("es" if word.endswith(("s", "sh", "ch", "x")) else "s")
    return word + ending


def swap_relation(line: Tokens, p: Pool, rng: random.Random) -> bool:
    words = [w for w, _ in line]
    runs = name_runs(words)
    if core(words[0])[1][:1].isupper() and core(words[0])[1].lower() not in STOP:
        runs = [(0, 1), *[r for r in runs if r[0] > 1]]
    runs = [r for i, r in enumerate(runs) if i == 0 or r[0] > runs[i - 1][1]]
    if len(runs) < 2:
        return False
    (a, b), (c, d) = sorted(rng.sample(runs, 2))
    first, second = (" ".join(core(w)[1] for w in words[x:y]) for x, y in ((a, b), (c, d)))
    if first.lower() == second.lower():
        return False
    _put(line, c, d, first)
    _put(line, a, b, second)
    return True


def swap_word(line: Tokens, p: Pool, rng: random.Random) -> bool:
    places = [
        i
        for i, (w, _) in enumerate(line)
        if len(core(w)[1]) > 3 and core(w)[1].islower() and core(w)[1] not in STOP
    ]
    if not places:
        return False
    at = rng.choice(places)
    old = core(line[at][0])[1]
    ending = old[-2:]
    same = [w for w in p.words if w[-2:] == ending and w[:4] != old[:4]]
    if not same or (old in SAME and set(SAME[old]) & set(same)):
        return False
    _put(line, at, at + 1, rng.choice(same))
    return True


def insert_fact(line: Tokens, p: Pool, rng: random.Random) -> bool:
    if rng.random() < 0.4:
        places = [
            i
            for i, (w, _) in enumerate(line[:-1])
            if core(w)[1].lower() in ("the", "a", "his", "their", "its", "her")
        ]
        if not places:
            return False
        line.insert(rng.choice(places) + 1, (rng.choice(MODIFIERS), True))
        return True
    form = rng.choice(INSERTS)
    if "{name}" in form and not p.foreign_names:
        return False
    text = form.format(
        name=rng.choice(p.foreign_names or ("",)), day=rng.choice(sorted(MONTHS)).capitalize(),
        year=rng.randint(1960, 2025), number=rng.randint(2, 90),
    )  # fmt: skip
    last, flag = line[-1]
    stop = last[len(last.rstrip(".!?")) :]
    line[-1] = (last.rstrip(".!?"), flag)
    line.extend((w, True) for w in text.split())
    line[-1] = (line[-1][0] + stop, True)
    return True


def foreign(line: Tokens, p: Pool, rng: random.Random) -> bool:
    if not p.foreign:
        return False
    line[:] = [(w, True) for w in rng.choice(p.foreign).split()]
    return True


def splice(line: Tokens, p: Pool, rng: random.Random) -> bool:
    """Another sentence's subject before this one's verb, as copying summarisers do."""
    turn = _verb([w for w, _ in line])
    heads = [words[: _verb(words)] for words in (s.split() for s in p.own) if _verb(words)]
    mine = {core(w)[1].lower() for w, _ in line}
    heads = [h for h in heads if not mine & {core(w)[1].lower() for w in h if len(core(w)[1]) > 3}]
    if not turn or not heads:
        return False
    line[:turn] = [(w, True) for w in rng.choice(heads)]
    return True


def _verb(words: Sequence[str]) -> int:
    """Where a sentence's first auxiliary stands, if a subject of one to seven words is before."""
    low = [core(w)[1].lower() for w in words[:8]]
    return next((i for i, w in enumerate(low) if i and w in AUX), 0)


SPOILERS: tuple[tuple[Spoiler, int], ...] = (
    (swap_name, 5), (swap_number, 4), (swap_date, 1), (negate, 4), (oppose, 5),
    (swap_relation, 2), (swap_word, 4), (insert_fact, 5), (splice, 5), (foreign, 1),
)  # fmt: skip


def spoil(line: Tokens, p: Pool, rng: random.Random) -> bool:
    """One spoiler that fits, chosen by weight; False when none does."""
    for _ in range(8):
        spoiler = rng.choices([s for s, _ in SPOILERS], [n for _, n in SPOILERS])[0]
        if spoiler(line, p, rng):
            return True
    return False


def shorten(line: Tokens, rng: random.Random) -> None:
    """A compression that stays true: drop a parenthesis, a comma phrase, a leading adverbial."""
    words = [w for w, _ in line]
    commas = [i for i, w in enumerate(words) if w.endswith(",")]
    if len(commas) >= 2 and commas[1] - commas[0] <= 9 and rng.random() < 0.5:
        del line[commas[0] + 1 : commas[1] + 1]
        line[commas[0]] = (words[commas[0]].rstrip(","), line[commas[0]][1])
    elif commas and commas[0] <= 4 and len(words) - commas[0] > 7 and rng.random() < 0.5:
        del line[: commas[0] + 1]
    elif commas and len(words) - commas[-1] < 10 and commas[-1] > 6 and rng.random() < 0.5:
        del line[commas[-1] + 1 :]
        line[-1] = (line[-1][0].rstrip(",") + ".", line[-1][1])


def reword(line: Tokens, rng: random.Random) -> None:
    """Synonyms in place: true, and not to be marked."""
    for i, (word, flag) in enumerate(line):
        before, bare, after = core(word)
        if bare.lower() in SAME and not flag and rng.random() < 0.5:
            line[i] = (before + rng.choice(SAME[bare.lower()]) + after, flag)


def finish(line: Tokens) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The claim's text, and the stretches that were spoiled."""
    text, spans = "", []
    for word, flag in line:
        start = len(text) + (1 if text else 0)
        text = f"{text} {word}" if text else word
        if flag:
            spans.append((start, start + len(word)))
    return text, tuple(spans)


def make(
    base: str, p: Pool, rng: random.Random, spoiled: bool
) -> tuple[str, tuple[tuple[int, int], ...]] | None:
    """One claim from a true text: reworded and shortened, then spoiled or not."""
    line = tokens(base)
    if rng.random() < 0.5:
        shorten(line, rng)
    if rng.random() < 0.6:
        reword(line, rng)
    if len(line) < 4 or (spoiled and not spoil(line, p, rng)):
        return None
    if spoiled and rng.random() < 0.2:
        spoil(line, p, rng)
    return finish(line)
