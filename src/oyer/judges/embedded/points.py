"""The article's key points, and how far the summary tells them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from oyer.judges.embedded import vectors
from oyer.judges.embedded.sentences import claims
from oyer.judges.embedded.source import Source
from oyer.judges.embedded.words import is_content, read

FEWEST, MOST, SHORTEST = 4, 7, 6
FULLY, PARTIAL = 0.4, 0.2  # of a point's telling words: summaries compress
SURE = 0.7  # a claim of this support tells what it tells in full


@dataclass(frozen=True, slots=True)
class Point:
    """A salient stretch of the article: its place, and its telling words with their weights."""

    start: int
    end: int
    weights: dict[str, float]
    salience: float


@dataclass(frozen=True, slots=True)
class Told:
    """How much of a point the summary tells, and which of its claims tells most of it."""

    share: float
    claim: int

    @property
    def label(self) -> str:
        return "Fully" if self.share >= FULLY else "Partial" if self.share >= PARTIAL else "Not"


def telling(text: str) -> dict[str, float]:
    """The stems and numbers of a text that tell it from others, with their weights."""
    words = read(text)
    found: dict[str, float] = {}
    for norm, stem in zip(words.norms, words.stems, strict=True):
        if norm[0].isdigit():
            found[norm] = 0.6
        elif is_content(norm):
            found[stem] = max(found.get(stem, 0.0), 0.25 + vectors.rarity(norm))
    return found


def key_points(source: Source) -> list[Point]:
    """Four to seven salient stretches that do not repeat each other."""
    stretches = _stretches(source)
    points = [_point(source, n, span) for n, span in enumerate(stretches)]
    wanted = min(MOST, max(FEWEST, len(stretches) // 2))
    chosen: list[Point] = []
    for point in sorted(points, key=lambda p: (-p.salience, p.start)):
        if len(chosen) < wanted and all(_likeness(point, other) < 0.5 for other in chosen):
            chosen.append(point)
    for point in sorted(points, key=lambda p: (-p.salience, p.start)):
        if len(chosen) < FEWEST and point not in chosen:  # a short article: likeness is allowed
            chosen.append(point)
    return sorted(chosen, key=lambda p: -p.salience)


def _stretches(source: Source) -> list[tuple[int, int]]:
    """Sentences of six words and more; of a short article, their clauses."""

    def long_enough(span: tuple[int, int]) -> bool:
        return len(source.text[slice(*span)].split()) >= SHORTEST

    whole = [s for s in source.spans if long_enough(s)]
    if len(whole) >= FEWEST:
        return whole
    parts = [s for s in claims(source.text) if long_enough(s)]
    return max((parts, whole), key=len) or list(source.spans)


def _point(source: Source, at: int, span: tuple[int, int]) -> Point:
    weights = telling(source.text[slice(*span)])
    shared = sum(w * math.log1p(source.counts.get(stem, 1) - 1) for stem, w in weights.items())
    centrality = shared / math.sqrt(8 + len(weights))
    return Point(*span, weights, (0.4 + centrality) * (0.3 + math.exp(-at / 2)))


def _likeness(a: Point, b: Point) -> float:
    shared = a.weights.keys() & b.weights.keys()
    return len(shared) / max(1, min(len(a.weights), len(b.weights)))


@dataclass(frozen=True, slots=True)
class Telling:
    """A claim as a teller of points: its number, its words, and how surely it holds."""

    number: int
    words: dict[str, float]
    support: float

    @property
    def trust(self) -> float:
        return min(1.0, self.support / SURE)


def told(point: Point, tellers: Sequence[Telling]) -> Told:
    """How much of the point these claims tell: mostly by one of them, the others helping."""
    total = sum(point.weights.values()) or 1.0
    seen: dict[str, float] = {}
    best, which = 0.0, -1
    for teller in tellers:
        shared = point.weights.keys() & teller.words.keys()
        share = teller.trust * math.fsum(point.weights[s] for s in shared) / total
        if share > best:
            best, which = share, teller.number
        for stem in shared:
            seen[stem] = max(seen.get(stem, 0.0), teller.trust)
    union = math.fsum(point.weights[s] * trust for s, trust in seen.items()) / total
    return Told(0.6 * best + 0.4 * union, which)
