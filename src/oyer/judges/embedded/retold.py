"""Key points that a summary tells in words of its own.

points.py goes by words: it finds what is told in the article's. Here a Supported claim that has few
of them tells in part the sentence that it is likest, and the encoder, which learnt whether a
sentence follows from a text, reads each point that was not found so beside the Supported claims. An
invented claim tells nothing, in whatever words.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from oyer.judges.embedded import cross, likeness
from oyer.judges.embedded.assess import Assessed, Variant
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.points import PARTIAL, Point, ToldPoint
from oyer.judges.embedded.rows import spoken
from oyer.judges.embedded.source import SourceText, index

ROOM = 60  # words of the summary that a point is read beside
#: Of the weight of a point's words that one sentence of the summary must be like: with less, the
#: encoder is not asked.
ALIKE = 0.2
#: The doubt below which a point is told in part. None is told in full: summaries leave details out
#: that the encoder overlooks.
IN_PART = 1.0

#: The same of a Supported claim's words: with less, it is not known which sentence it tells.
NEAR = 0.1

#: How far the encoder doubts a sentence (the first) beside a text.
Doubt = Callable[[str, str], float]
ToldPoints = tuple[tuple[Point, ToldPoint], ...]


def open_doubt(variant: Variant, language: str) -> Doubt | None:
    """The encoder's doubt; none where the variant has no encoder, or where it cannot read."""
    return cross.open_shipped().doubt if variant == "full" and language == ENGLISH else None


@dataclass(frozen=True)
class Sound:
    """The Supported claims of a summary as a text of their own."""

    text: SourceText
    starts: list[int]  # of each claim in it
    claims: list[int]  # their numbers

    def claim_at(self, sentence: int) -> int:
        start, _ = self.text.spans[sentence]
        return self.claims[bisect(self.starts, start) - 1]


def find_retold(source: SourceText, claims: Sequence[Assessed]) -> dict[int, int]:
    """The Supported claims in words of their own, by their numbers, each with the number of the
    article's sentence that it tells."""
    found: dict[int, int] = {}
    for number, claim in enumerate(claims):
        if not claim.reworded or claim.label != "Supported":
            continue
        held = likeness.held_share(source, claim.text, source.weight)
        best = max(range(len(held)), key=lambda n: (held[n], -n), default=-1)
        if best >= 0 and held[best] >= NEAR:
            found[number] = best
    return found


def claim_telling(sentence: int, retold: Mapping[int, int]) -> int | None:
    """The first claim that tells a sentence in words of its own."""
    return next((claim for claim, told in retold.items() if told == sentence), None)


def read_points(
    source: SourceText,
    points: ToldPoints,
    claims: Sequence[Assessed],
    retold: Mapping[int, int],
    doubt: Doubt,
) -> ToldPoints:
    """The points, each as far as it is told in whatever words."""
    sound = join_supported(claims)
    if not sound.text.spans:
        return points
    return tuple(
        (point, _match(source, point, told, retold) or _read(source, point, told, sound, doubt))
        for point, told in points
    )


def _match(
    source: SourceText, point: Point, told: ToldPoint, retold: Mapping[int, int]
) -> ToldPoint | None:
    """A point that words do not tell, of a sentence that a claim retells."""
    if told.share >= PARTIAL:
        return None
    at = bisect(source.spans, (point.start, len(source.text))) - 1
    claim = claim_telling(at, retold)
    return None if claim is None else ToldPoint(PARTIAL, claim, reworded=True)


def join_supported(claims: Sequence[Assessed]) -> Sound:
    text = ""
    starts, numbers = [], []
    for number, claim in enumerate(claims):
        if claim.label == "Supported":
            starts.append(len(text))
            numbers.append(number)
            text += claim.text.strip().rstrip(",;:.") + ". "
    return Sound(index(text), starts, numbers)


def _read(
    source: SourceText, point: Point, told: ToldPoint, sound: Sound, doubt: Doubt
) -> ToldPoint:
    if told.share >= PARTIAL:
        return told
    sentence = _word(source, point)
    held = likeness.held_share(sound.text, sentence, source.weight)
    best = max(range(len(held)), key=lambda n: (held[n], -n))
    if held[best] < ALIKE:
        return told
    if doubt(sentence, cross.clue(sound.text, sentence, ROOM)) >= IN_PART:
        return told
    return ToldPoint(PARTIAL, sound.claim_at(best), reworded=True)


def _word(source: SourceText, point: Point) -> str:
    """The point as it can be understood alone: a whole sentence has names for "I" and "you"."""
    place = (point.start, point.end)
    if place in source.spans:
        return cross.retell(source, [source.spans.index(place)])
    return spoken(source.text, place)
