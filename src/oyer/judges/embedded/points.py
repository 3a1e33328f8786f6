"""The article's key points, and how far the summary tells them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from oyer.judges.embedded import tables
from oyer.judges.embedded.pieces import FEWEST, SHORTEST, pieces
from oyer.judges.embedded.refuted import find_corrected, find_gone, leave_refuted
from oyer.judges.embedded.rows import row_at, spoken
from oyer.judges.embedded.salience import bound_shares, carries, density, share
from oyer.judges.embedded.sentences import claims
from oyer.judges.embedded.silent import COURTESIES, SPEAKER, opening
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import Words

MOST = 7
LEAD = 3  # the first sentences are points whatever their words: a writer puts first what matters
ROLL = 2 / 3  # of a stretch's telling words that are names: a list of people
STOPS = ".!?…。"
FULLY, PARTIAL = 0.8, 0.5  # of the weight of a point's words
HEAVIEST = 0.19  # of that weight: a sentence that lacks just one word tells the point in full
MANY, SHORT = 0.3, 0.79  # of its words by number: with fewer it is told a little short of fully
HALF, MOSTLY = 3, 0.6  # words that tell a half of a point: so many, and this part of its own
EMPTY = COURTESIES & tables.words("not_nouns")  # "yes", "please": no words of a point
NEAR = 3  # words to either side that a quote holds
SURE = 0.7  # a claim of this support tells what it tells in full


@dataclass(frozen=True, slots=True)
class Point:
    """A salient stretch of the article: its place, and its telling words with their weights."""

    start: int
    end: int
    weights: dict[str, float]
    salience: float


@dataclass(frozen=True, slots=True)
class ToldPoint:
    """How much of a point the summary tells, and which of its claims has most of its words."""

    share: float
    claim: int
    reworded: bool = False  # in words of the summary's own (retold.py)

    @property
    def label(self) -> str:
        return "Fully" if self.share >= FULLY else "Partial" if self.share >= PARTIAL else "Not"


@dataclass(frozen=True, slots=True)
class Telling:
    """A sentence of the summary as a teller of points: its words, each as far as a claim with it
    is to be trusted, and the numbers and words of its claims."""

    trusted: dict[str, float]
    told: dict[str, float]  # the same, with words of the article that its own are like
    sound: dict[str, float]  # the same, of claims without a fault
    claims: tuple[tuple[int, frozenset[str]], ...]


@dataclass(frozen=True, slots=True)
class Teller:
    """A claim that tells points: its number, its words, the article's words that those are like,
    how far it is trusted, and whether it is sound: what is not tells no point in full."""

    claim: int
    words: frozenset[str]
    alike: Mapping[str, float]
    trust: float
    sound: bool = True


def join_claims(claims: Sequence[Teller]) -> Telling:
    """The claims of one sentence together."""
    trusted, told = _join_words(claims)
    sound = [claim for claim in claims if claim.sound]
    of_sound = told if len(sound) == len(claims) else _join_words(sound)[1]
    return Telling(trusted, told, of_sound, tuple((c.claim, c.words) for c in claims))


def _join_words(claims: Sequence[Teller]) -> tuple[dict[str, float], dict[str, float]]:
    """The words of claims, each as far as it is trusted; and with those that they are like."""
    trusted: dict[str, float] = {}
    alike: dict[str, float] = {}
    for claim in claims:
        trust = min(1.0, claim.trust / SURE)
        for stem in claim.words:
            trusted[stem] = max(trusted.get(stem, 0.0), trust)
        for stem, near in claim.alike.items():
            alike[stem] = max(alike.get(stem, 0.0), near * trust)
    return trusted, alike | trusted


def key_points(source: SourceText, weights: Mapping[str, float]) -> list[Point]:
    """Four to seven salient stretches that do not repeat each other, the weightiest first."""
    stretches = _stretches(source)
    lead = _lead(source.text, stretches)
    points = [_point(source, span, weights, span in lead) for span in stretches]
    points.sort(key=lambda p: (-p.salience, p.start))
    wanted = min(MOST, max(FEWEST, len(stretches) // 2))
    chosen: list[Point] = []
    for point in points:
        if len(chosen) < wanted and all(_likeness(point, other) < 0.5 for other in chosen):
            chosen.append(point)
    for point in points:
        if len(chosen) < FEWEST and point not in chosen:  # a short article: likeness is allowed
            chosen.append(point)
    return chosen


def _stretches(source: SourceText) -> list[tuple[int, int]]:
    """Sentences of six words and more; of a short article clauses, sentences with shorter ones
    beside them, or else pieces of it."""

    def long_enough(span: tuple[int, int]) -> bool:
        return len(spoken(source.text, span).split()) >= SHORTEST

    said = {n: s for n, s in enumerate(source.spans) if n not in source.untelling}
    said = leave_refuted(source, said)
    told = {n: _without_label(source, s) for n, s in said.items() if not roll(source, n)}
    telling, whole = list(told.values()), list(said.values())
    ways: tuple[Callable[[], Iterable[tuple[int, int]]], ...] = (
        lambda: telling,
        lambda: whole,
        lambda: (s for s in claims(source.text, source.language) if _is_within(s, whole)),
        lambda: (s if long_enough(s) else _with_next(told, n) for n, s in told.items()),
    )
    for stretches in ways:  # the next only where this one has too few
        long = [s for s in stretches() if long_enough(s)]
        if len(long) >= FEWEST:
            return long
    return pieces(source.text, telling or whole)


def _with_next(told: Mapping[int, tuple[int, int]], number: int) -> tuple[int, int]:
    """A sentence with the one after it, or before it where it is the last."""
    after, before = told.get(number + 1), told.get(number - 1)
    start, end = told[number]
    if after is not None:
        return start, after[1]
    return (before[0], end) if before is not None else (start, end)


def _is_within(span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span[0] < end for start, end in spans)


def _without_label(source: SourceText, span: tuple[int, int]) -> tuple[int, int]:
    """Without the speaker's letter, number, bullet or greeting that a line begins with."""
    return span[0] + opening(source.text[slice(*span)], source.language), span[1]


def roll(source: SourceText, sentence: int) -> bool:
    """A list of names, such as those who were present, says nothing of its own; a row of a table
    does."""
    if row_at(source.text, source.spans[sentence][0]):
        return False
    w, span = source.words, range(*source.bounds[sentence])
    named = sum(w.capital[i] and w.stems[i] in source.names for i in span)
    return 2 * named > len(span) and named > ROLL * sum(carries(w.norms[i]) for i in span)


def _lead(text: str, stretches: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """The first sentences; headings are none where most stretches end as sentences do."""
    ended = [(a, b) for a, b in stretches if text[a:b].rstrip("\"'”’)]")[-1:] in STOPS]
    return (ended if 2 * len(ended) > len(stretches) else stretches)[:LEAD]


def _point(
    source: SourceText, span: tuple[int, int], weights: Mapping[str, float], leads: bool
) -> Point:
    w, speaker = source.words, SPEAKER.match(source.text, *span)
    said = bisect_left(w.starts, speaker.end() if speaker else span[0])
    first, last = (bisect_left(w.starts, place) for place in span)
    gone = find_gone(source)
    words = [i for i in range(said, last) if w.starts[i] not in gone]
    words += [i for i in find_corrected(source, span) if i not in words]
    carrying = [w.stems[i] for i in words if carries(w.norms[i]) and w.norms[i] not in EMPTY]
    own = {s: weights[s] for s in dict.fromkeys(carrying) if s in weights}
    mean = math.fsum(own.values()) / max(1, len(own))
    label = dict.fromkeys(w.stems[i] for i in range(first, said) if carries(w.norms[i]))
    # who says it stands in many lines: one word of the point, and no more than that
    own = {s: min(mean, weights[s]) for s in label if s in weights and s not in own} | own
    return Point(*span, bound_shares(own, HEAVIEST), density(own.values()) + leads)


def _likeness(a: Point, b: Point) -> float:
    shared = a.weights.keys() & b.weights.keys()
    return len(shared) / max(1, min(len(a.weights), len(b.weights)))


def tell_point(point: Point, tellers: Sequence[Telling], focus: float) -> ToldPoint:
    """How much of the point the one sentence tells that tells most of it, or two of them, of which
    one tells its beginning and the other the rest: words scattered over a summary tell no point.
    A few weighty words of many tell no point in full, since they stand in many sentences. Nor does
    a claim with a fault: a lie may have all of a point's words."""
    best = _tell_most(point, [teller.told for teller in tellers])
    if best > SHORT:
        best = max(SHORT, _tell_most(point, [teller.sound for teller in tellers]))
    claims = [claim for teller in tellers for claim in teller.claims]
    which = max(claims, key=lambda c: _overlap(point, c), default=(-1, frozenset()))[0]
    return ToldPoint(focus * best, which if best else -1)


def _tell_most(point: Point, sentences: Sequence[Mapping[str, float]]) -> float:
    alone = max((_part(point, told) for told in sentences), default=0.0)
    return max(alone, _in_turn(point, sentences))


def _part(point: Point, told: Mapping[str, float]) -> float:
    part = share(point.weights, told)
    shared = len(point.weights.keys() & told.keys())
    return min(part, SHORT) if shared < MANY * len(point.weights) else part


def _in_turn(point: Point, sentences: Sequence[Mapping[str, float]]) -> float:
    """What two sentences tell of a point that is cut in two: each most of one half."""
    order, total = list(point.weights), math.fsum(point.weights.values())
    best = 0.0
    for cut in range(HALF, len(order) - HALF + 1) if total else ():
        halves = [{s: point.weights[s] for s in half} for half in (order[:cut], order[cut:])]
        first, last = ([_half(half, told) for told in sentences] for half in halves)
        weigh = [math.fsum(half.values()) / total for half in halves]
        parts = [
            weigh[0] * a + weigh[1] * b
            for i, a in enumerate(first)
            for k, b in enumerate(last)
            if i != k and a and b
        ]
        best = max([best, *parts])
    return best


def _half(half: Mapping[str, float], told: Mapping[str, float]) -> float:
    """How much of a half a sentence tells: nothing, where it has less than most of its words."""
    shared = len(half.keys() & told.keys())
    return share(half, told) if shared >= max(HALF, MOSTLY * len(half)) else 0.0


def _overlap(point: Point, claim: tuple[int, frozenset[str]]) -> tuple[int, float, int]:
    """By words first: the weightiest stand in many sentences, the others in the one that tells."""
    number, words = claim
    both = point.weights.keys() & words
    return len(both), math.fsum(point.weights[stem] for stem in both), -number


def place(point: Point, words: Words) -> int:
    """Where a claim tells the point: the word amid most of the weight of the point's words."""
    at = [i for i, stem in enumerate(words.stems) if stem in point.weights]

    def around(i: int) -> tuple[float, int]:
        near = {words.stems[k] for k in at if abs(k - i) <= NEAR}
        return math.fsum(point.weights[stem] for stem in near), -i

    return words.starts[max(at, key=around)] if at else 0
