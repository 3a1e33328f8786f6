"""The article's key points, and how far the summary tells them."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from oyer.judges.embedded.salience import carries, density, share
from oyer.judges.embedded.sentences import claims
from oyer.judges.embedded.silent import opening
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import Words

FEWEST, MOST, SHORTEST = 4, 7, 6
LEAD = 3  # the first sentences are points whatever their words: a writer puts first what matters
ROLL = 2 / 3  # of a stretch's telling words that are names: a list of people
STOPS = ".!?…。"
FULLY, PARTIAL = 0.8, 0.5  # of the weight of a point's words
MANY, SHORT = 0.3, 0.79  # of its words by number: with fewer it is told a little short of fully
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

    @property
    def label(self) -> str:
        return "Fully" if self.share >= FULLY else "Partial" if self.share >= PARTIAL else "Not"


@dataclass(frozen=True, slots=True)
class Telling:
    """A sentence of the summary as a teller of points: its words, each as far as a claim with it
    is to be trusted, and the numbers and words of its claims."""

    trusted: dict[str, float]
    claims: tuple[tuple[int, frozenset[str]], ...]


def teller(claims: Sequence[tuple[int, frozenset[str], float]]) -> Telling:
    """From the claims of one sentence: number, words and support."""
    trusted: dict[str, float] = {}
    for _, words, support in claims:
        for stem in words:
            trusted[stem] = max(trusted.get(stem, 0.0), min(1.0, support / SURE))
    return Telling(trusted, tuple((number, words) for number, words, _ in claims))


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
    """Sentences of six words and more; of a short article clauses, or else pieces of it."""

    def long_enough(span: tuple[int, int]) -> bool:
        return len(source.text[slice(*span)].split()) >= SHORTEST

    whole = [s for s in source.spans if long_enough(s)]
    if len(whole) >= FEWEST:
        mute = {s for n, s in enumerate(source.spans) if n in source.silent or roll(source, n)}
        spans = [_without_label(source.text, s) for s in whole if s not in mute]
        return spans if len(spans) >= FEWEST else whole
    parts = [s for s in claims(source.text, source.language) if long_enough(s)]
    return parts if len(parts) >= FEWEST else _pieces(source.text)


def _without_label(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Without the speaker's letter, number or bullet that a line begins with."""
    return span[0] + opening(text[slice(*span)]), span[1]


def roll(source: SourceText, sentence: int) -> bool:
    """A list of names, such as those who were present, says nothing of its own."""
    w, span = source.words, range(*source.bounds[sentence])
    named = sum(w.capital[i] and w.stems[i] in source.names for i in span)
    return 2 * named > len(span) and named > ROLL * sum(carries(w.norms[i]) for i in span)


def _lead(text: str, stretches: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """The first sentences; headings are none where most stretches end as sentences do."""
    ended = [(a, b) for a, b in stretches if text[a:b].rstrip("\"'”’)]")[-1:] in STOPS]
    return (ended if 2 * len(ended) > len(stretches) else stretches)[:LEAD]


def _pieces(text: str) -> list[tuple[int, int]]:
    """A short text in up to four pieces of six words and more, cut where sentences, lines or
    commas end as far as possible."""
    tokens = [(m.start(), m.end()) for m in re.finditer(r"\S+", text)]
    cuts = [0, len(tokens)]
    while len(cuts) <= FEWEST:
        low, high = max(pairwise(cuts), key=lambda run: run[1] - run[0])
        places = range(low + SHORTEST, high - SHORTEST + 1)
        if not places:
            break
        middle, room = (low + high) / 2, (high - low) // SHORTEST
        scarce = len(tokens) < 2 * FEWEST * SHORTEST
        cuts.append(min(places, key=lambda at: (
            scarce and room - (at - low) // SHORTEST - (high - at) // SHORTEST,
            _seam(text, tokens, at), abs(at - middle),
        )))  # fmt: skip
        cuts.sort()
    return [(tokens[a][0], tokens[b - 1][1]) for a, b in pairwise(cuts) if b > a]


def _seam(text: str, tokens: Sequence[tuple[int, int]], at: int) -> int:
    """How good a place before a token is to cut: 0 after a sentence or line, 1 after a comma."""
    before, gap = text[tokens[at - 1][1] - 1], text[tokens[at - 1][1] : tokens[at][0]]
    return 0 if before in ".!?" or "\n" in gap else 1 if before in ",;:" else 2


def _point(
    source: SourceText, span: tuple[int, int], weights: Mapping[str, float], leads: bool
) -> Point:
    w = source.words
    inside = range(*(bisect_left(w.starts, place) for place in span))
    carrying = dict.fromkeys(w.stems[i] for i in inside if carries(w.norms[i]))
    own = {s: weights[s] for s in carrying if s in weights}
    return Point(*span, own, density(own.values()) + leads)


def _likeness(a: Point, b: Point) -> float:
    shared = a.weights.keys() & b.weights.keys()
    return len(shared) / max(1, min(len(a.weights), len(b.weights)))


def tell_point(point: Point, tellers: Sequence[Telling], focus: float) -> ToldPoint:
    """How much of the point the one sentence tells that tells most of it: words scattered over a
    summary tell no point. Weighty words stand in many sentences: one alone tells half of what it
    weighs, and a few of many tell no point in full."""
    best = max((_part(point, teller) for teller in tellers), default=0.0)
    claims = [claim for teller in tellers for claim in teller.claims]
    which = max(claims, key=lambda c: _overlap(point, c), default=(-1, frozenset()))[0]
    return ToldPoint(focus * best, which if best else -1)


def _part(point: Point, teller: Telling) -> float:
    part = share(point.weights, teller.trusted)
    shared, size = len(point.weights.keys() & teller.trusted.keys()), len(point.weights)
    if shared < min(2, size):
        part /= 2
    return min(part, SHORT) if shared < MANY * size else part


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
