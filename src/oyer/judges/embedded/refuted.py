"""What a text reports only to refute it: "You write that it was built in 1782; our curator is sure
it was 1791", "It is not true that the pool closes". Its words stand there, yet nobody says it.

A clause is refuted where it is called untrue, or where it is reported and what follows calls it so
or puts another number, day or name in its place. English only.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oyer.judges.embedded import concepts
from oyer.judges.embedded.concepts import base
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.lexis import MONTHS
from oyer.judges.embedded.words import NEGATIONS, STOP, Words, is_number

if TYPE_CHECKING:
    from oyer.judges.embedded.source import SourceText

REPORTING = concepts.words("reporting")
DOUBTING = REPORTING | concepts.words("doubting")
SAYS = f"(?:{'|'.join(sorted(REPORTING))})"
SAYING = "(?:writing|saying|claiming|thinking|believing|assuming)"
WORD = r"[\w'’-]{1,30}"
#: Before "state" or "claims", what makes it no verb.
NO_SUBJECT = "(?:as|the|an?|this|these|those|our|your|my|his|her|their|its|to|of|in|no)"
ACTS = r" and (?:\w+ed|then|so|was|were|is|has|had)\b"
#: What is said to be so: up to a mark, or to another verb.
TOLD = rf"((?:(?!{ACTS})(?:[^,;:.!?–—]|[.,](?=\d))){{1,200}}?)"
ENDS = rf"(?=\W{{0,5}}(?:[,;:.!?–—](?!\d)|$)|{ACTS})"
IS = r"(?: is| are| was| were|['’]s|['’]re)"
VERY = r"(?:\w+ly |just |quite |all )?"
UNTRUE = rf"(?: not|n['’]t) {VERY}(?:true|right|correct|so|the case|accurate)"
FALSE = (
    rf"(?:{UNTRUE}| {VERY}(?:wrong|false|untrue|incorrect|mistaken|inaccurate|unfounded|"
    "an? (?:error|myth|misunderstanding|misprint|legend|rumou?r)))"
)
WHICH = "(?:which|that|this)"
#: "He did not": nothing follows.
NOT_SO = (
    " (?:do|does|did|is|are|was|were|has|have|had|will|would|can|could)"
    r"(?: not|n['’]t)(?=\W{0,5}(?:[,;:.!?–—]|$))"
)
BUT = r"(?:but|yet|however|though|although|whereas)\b"
IN_FACT = r"(?:in fact|actually|in truth|in reality)\b"


def _form(pattern: str) -> re.Pattern[str]:
    """A pattern in which a blank is any blanks."""
    return re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE)


#: What is called untrue: the group.
CALLED = tuple(_form(pattern) for pattern in (
    rf"\b(?:it|that){IS}{UNTRUE} that {TOLD}{ENDS}",
    rf"\bit{IS} (?:an? (?:myth|rumou?r|legend|misunderstanding)|untrue|false) that {TOLD}{ENDS}",
    rf"\b(?:wrong|mistaken|false|incorrect|erroneous)ly (?:{SAYS}|gives?|gave|names?|lists?)"
    rf"(?: that)? {TOLD}{ENDS}",
    rf"\b(?:wrong|mistaken|an? (?:error|mistake)) (?:to {SAYS}|in {SAYING}|when \w+ {SAYS})"
    rf"(?: that)? {TOLD}{ENDS}",
    r"\b(?:report|rumou?r|claim|belief|idea|story|storie|statement|assumption|suggestion)s? that "
    rf"{TOLD}{IS}{FALSE}{ENDS}",
    rf"\bcontrary to (?:what (?:{WORD} ){{1,4}}?{SAYS}|(?:{WORD} ){{1,4}}?that) {TOLD},",
))  # fmt: skip
#: What is reported: the group; and the joint after which it may be refuted.
REPORTED = _form(
    rf"(?<!\bas\s)\b(?!{NO_SUBJECT}\b){WORD} (?:(?:also|still|first|once|all|have|has|had|would) )?"
    rf"(?:{SAYS}|(?:heard|read|told (?:me|us|you))(?= that)|"
    r"(?:gave|gives?)(?=[^,;:.!?]{1,100} as )) "
    rf"(?:that )?((?:(?!,? {BUT}|, {IN_FACT}|, {WHICH}{IS})(?:[^;:!?–—.]|\.(?=\d))){{1,200}})"
    rf"(?:;|\s?[–—]|,? {BUT}|,|[.!]?[\"'”’]?$)"
)
#: What follows and calls it untrue, or may put something else in its place.
REJECTS = _form(
    rf"\W{{0,5}}(?:(?:{BUT}|{IN_FACT}|no\b|well\b)\W{{1,5}}){{0,3}}"
    r"(?:that|this|it|which|they|these|you|he|she|"
    r"all of (?:that|this)|the (?:claim|rumou?r|story|report|date|figure|number)s?)"
    rf"(?:{IS}{FALSE}{ENDS}|{NOT_SO})"
)
CORRECTS = _form(
    rf"\b(?:{BUT}|{IN_FACT}|(?:really|sure|certain|correct|right|wrong|error|mistake|misprint)\b)"
)
STANDS = _form(
    rf"\b(?:it|they|he|she|(?:this|that|there)(?={IS})|"
    r"the (?:right|correct|true|real|actual|proper) \w+)(?=['’\s])"
)
#: What only says that it is so, and what makes it another case: "in winter it is 60".
INDEED = frozenset(("actually", "fact", "really", "truth", "reality", "exactly", "only"))
ELSEWHERE = _form(
    rf"\W{{0,5}}(?!{IN_FACT})(?:in|on|at|during|after|before|since|from|until|for|by)\b"
)
#: An answer that says no, after the name or the letter of who answers; a question that only asks
#: whether something is so, and one that has a "not" of its own, to which "no" may agree.
NO = re.compile(
    r"(?:[^:\n]{1,30}: +)?[\"“]?(?:No|Not at all|Certainly not|Of course not)\b(?=[,.;!:–—-])"
)
TRUE = re.compile(
    r"(?i:\b(?:is|was|are|were) (?:that|this|it|there) (?:\w+ )?(?:true|right|so|anything in it)\?)"
)
PAUSE = re.compile(r"[,;:.!?–—](?!\d)")
YEAR = re.compile(r"1\d\d\d|20\d\d")
MOST, OWN = 0.8, 0.6  # of a claim's words, in what is refuted and around it, and in it alone
FEWEST = 2  # words of a claim that are refuted
ALONE = 6  # words of a correction that is a point by itself
LONGEST = 16  # words of what is reported: of a longer one a figure is one of many
Span = tuple[int, int]  # of words, or of letters


@dataclass(frozen=True, slots=True)
class Refuted:
    """Words of a sentence that are refuted, and those after them that refute them, if any; the
    figures that these put in the place of others, and the others."""

    sentence: int
    told: Span
    instead: Span | None = None
    gone: frozenset[str] = frozenset()
    come: frozenset[str] = frozenset()


def find_refuted(source: SourceText) -> list[Refuted]:
    if source.language != ENGLISH:
        return []
    found: list[Refuted] = []
    for n, (start, end) in enumerate(source.spans):
        for form in CALLED:
            told = [match.span(1) for match in form.finditer(source.text, start, end)]
            found += [Refuted(n, _words_in(source, span)) for span in told]
        found += _reported(source, n)
        found += _answered(source, n)
    return found


def _answered(source: SourceText, n: int) -> Iterator[Refuted]:
    """What a question asks that the next sentence answers with no: "Will you return? – No, …". Of
    "Is that true?" it is the sentence before."""
    text, spans = source.text, source.spans
    asks = text[slice(*spans[n])].rstrip("\"'”’)* ").endswith("?")
    if not asks or n + 1 == len(spans) or not NO.match(text, *spans[n + 1]):
        return
    asked = n - 1 if n and TRUE.search(text, *spans[n]) else n
    if NEGATIONS.isdisjoint(source.words.norms[slice(*source.bounds[asked])]):
        yield Refuted(asked, source.bounds[asked])


def _reported(source: SourceText, n: int) -> Iterator[Refuted]:
    """What the sentence reports, where it goes on to refute it, or the next one does."""
    text, (start, end) = source.text, source.spans[n]
    for match in REPORTED.finditer(text, start, end):
        told = _words_in(source, match.span(1))
        rest, there = (match.end(), end), True
        if not any(c.isalnum() for c in text[slice(*rest)]):
            if n + 1 == len(source.spans):
                continue
            rest, there = source.spans[n + 1], False
        if REJECTS.match(text, *rest):
            yield Refuted(n, told, _words_in(source, rest))
        elif told[1] - told[0] <= LONGEST and (there or CORRECTS.search(text, *rest)):
            yield from _replaced(source, n, told, rest)


def _replaced(source: SourceText, n: int, told: Span, rest: tuple[int, int]) -> Iterator[Refuted]:
    """Another figure of one kind, said of "it" in no other words than the reported ones."""
    if ELSEWHERE.match(source.text, *rest):
        return
    w, known = source.words, {source.words.stems[i] for i in range(*told)}
    old = {_kind(w, i): w.norms[i] for i in range(*told) if _kind(w, i)}
    for match in STANDS.finditer(source.text, *rest):
        low, high = _words_in(source, (match.end(), _pause(source.text, match.end(), rest[1])))
        figures = [i for i in range(low, high) if _kind(w, i) in old]
        others = [i for i in range(low, high) if w.content(i) and w.norms[i] not in INDEED]
        known |= {w.stems[i] for i in figures}
        states = (NEGATIONS | REPORTING).isdisjoint(w.norms[low:high])
        kinds = {_kind(w, i) for i in figures}
        gone = frozenset(norm for kind, norm in old.items() if kind in kinds)
        come = frozenset(w.norms[i] for i in figures)
        same = len(kinds) == 1 and not gone & come
        if states and same and all(w.stems[i] in known for i in others):
            yield Refuted(n, told, _words_in(source, rest), gone, come)
            return


def _pause(text: str, start: int, end: int) -> int:
    """Where the clause ends that begins at a place."""
    mark = PAUSE.search(text, start, end)
    return mark.start() if mark else end


def _kind(words: Words, at: int) -> str:
    """The kind of a figure: a year, another number, a day or month, a name; "": it is none."""
    norm = words.norms[at]
    if is_number(norm):
        return "year" if YEAR.fullmatch(norm) else "number"
    if not words.capital[at] or norm in STOP:
        return ""
    return "day" if norm in MONTHS else "name"


def _words_in(source: SourceText, span: tuple[int, int]) -> Span:
    first, last = (bisect_left(source.words.starts, place) for place in span)
    return first, last


def leave_refuted(source: SourceText, spans: Mapping[int, Span]) -> dict[int, Span]:
    """Sentences without what is told in them only to be corrected, if the correction is a sentence
    by itself; else both are one."""
    left = dict(spans)
    for r in source.refuted:
        if r.instead is None or r.sentence not in left:
            continue
        start, end = left[r.sentence]
        alone = bool(r.come) and r.instead[1] - r.instead[0] >= ALONE
        inside = r.instead[0] < source.bounds[r.sentence][1]
        if inside and alone:
            left[r.sentence] = source.words.starts[r.instead[0]], end
        elif alone:
            del left[r.sentence]
        elif not inside and r.sentence + 1 in left:
            left[r.sentence] = start, left.pop(r.sentence + 1)[1]
    return left


def find_gone(source: SourceText) -> list[int]:
    """Where in the text the figures stand that it corrects."""
    w = source.words
    return [w.starts[i] for r in source.refuted for i in range(*r.told) if w.norms[i] in r.gone]


def find_corrected(source: SourceText, span: Span) -> Iterator[int]:
    """Of what a stretch corrects, the words that still hold: all but the figures."""
    for r in source.refuted:
        low, high = r.instead or (0, 0)
        if r.come and span[0] < source.words.ends[high - 1] and source.words.starts[low] < span[1]:
            yield from (i for i in range(*r.told) if source.words.norms[i] not in r.gone)


def is_refuted(source: SourceText, words: Words) -> bool:
    """The claim tells as a fact what the article only refutes: in so many words, or with the figure
    that it corrects."""
    if not source.refuted or DOUBTING.intersection(words.norms):
        return False
    return any(
        _has_old(source, words, r) if r.come else _has_most(source, words, r)
        for r in source.refuted
    )


def is_corrected(source: SourceText, words: Words) -> bool:
    """The claim has the figure that the article puts in the place of a refuted one."""
    return any(
        r.come & set(words.norms) and not r.gone & set(words.norms) and _is_about(source, words, r)
        for r in source.refuted
    )


def _has_old(source: SourceText, words: Words, refuted: Refuted) -> bool:
    mine = set(words.norms)
    if not refuted.gone & mine or refuted.come & mine or mine & NEGATIONS:
        return False
    return _is_about(source, words, refuted) and not _is_told(source, words, refuted, refuted.gone)


def _is_about(source: SourceText, words: Words, refuted: Refuted) -> bool:
    """Whether half of what a claim says besides the figures stands there, or just before."""
    others = _bases(words, (0, len(words))) - {base(x) for x in refuted.gone | refuted.come}
    context = _context(source, refuted) | _bases(source.words, refuted.instead or (0, 0))
    return bool(others) and 2 * len(others & context) >= len(others)


def _has_most(source: SourceText, words: Words, refuted: Refuted) -> bool:
    denied = not NEGATIONS.isdisjoint(words.norms)
    if denied == NEGATIONS.isdisjoint(source.words.norms[slice(*refuted.told)]):
        return False
    mine, told = _bases(words, (0, len(words))), _bases(source.words, refuted.told)
    inside = len(mine & told)
    if inside < max(FEWEST, OWN * len(mine)):
        return False
    whole = len(mine & _context(source, refuted)) >= MOST * len(mine)
    return whole and not _is_told(source, words, refuted, frozenset())


def _is_told(source: SourceText, words: Words, refuted: Refuted, figures: frozenset[str]) -> bool:
    """Whether another sentence, which refutes nothing, tells the claim."""
    mine = _bases(words, (0, len(words)))
    refuting = {r.sentence for r in source.refuted} | {refuted.sentence + 1}
    for n, bounds in enumerate(source.bounds):
        if n not in refuting and figures <= set(source.words.norms[slice(*bounds)]):
            there = len(mine & _bases(source.words, bounds))
            if there >= (0.5 if figures else MOST) * len(mine):
                return True
    return False


def _context(source: SourceText, refuted: Refuted) -> frozenset[str]:
    """What is refuted, and the sentence before, of which it may say "it"."""
    before = source.bounds[refuted.sentence - 1] if refuted.sentence else (0, 0)
    return _bases(source.words, refuted.told) | _bases(source.words, before)


def _bases(words: Words, span: Span) -> frozenset[str]:
    return frozenset(
        base(n) for n in words.norms[slice(*span)] if is_number(n) or (len(n) > 1 and n not in STOP)
    )
