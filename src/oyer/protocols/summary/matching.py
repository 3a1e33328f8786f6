"""Which claims of several judges are the same claim: by their place in the summary, then by words.

Two claims are about the same when they share at least half of the tokens of the shorter one. A
claim that stands nowhere in the summary is matched by keywords alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median_low

from oyer.protocols.summary.findings import Claim, Common
from oyer.protocols.summary.measure import Texts
from oyer.text import words
from oyer.text.coverage import Tokens, tokens
from oyer.text.quotes import find
from oyer.types import JsonObject

NOT = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Placed:
    """A member's text with the tokens of the summary that it is about."""

    owner: str
    index: int
    label: str
    place: range | None
    keywords: frozenset[str]
    raw: JsonObject

    def likeness(self, other: Placed) -> tuple[float, float]:
        """How much two texts are about the same: by place, then by words; (0, 0) for not."""
        shared = len(self.keywords & other.keywords)
        alike = shared / max(1, len(self.keywords | other.keywords))
        if not self.place or not other.place:
            return (alike, alike) if 2 * alike >= 1 else NOT
        mine, theirs = self.place, other.place
        common = min(mine.stop, theirs.stop) - max(mine.start, theirs.start)
        if common <= 0 or 2 * common < min(len(mine), len(theirs)):
            return NOT
        return common / (len(mine) + len(theirs) - common), alike

    def is_among(self, others: Sequence[Placed]) -> bool:
        """Whether one of them is about the same."""
        return any(self.likeness(other) != NOT for other in others)


def place_claims(owner: str, common: Common, texts: Texts) -> list[Placed]:
    """A member's claims with their places."""
    own: Tokens = tokens(texts.summary)
    items: Sequence[JsonObject] = common.objects["hallucination"]["claims_checked"]
    placed: list[Placed] = []
    for index, (claim, item) in enumerate(zip(common.claims, items, strict=True)):
        place = _place(claim, own, texts)
        keywords = words.keywords(claim.claim, texts.language)
        raw = {key: value for key, value in item.items() if key != "support"}
        placed.append(Placed(owner, index, claim.label, place, keywords, raw))
    return placed


def _place(claim: Claim, own: Tokens, texts: Texts) -> range | None:
    span = find(claim.span, texts.summary) if claim.span.strip() else None
    return own.place(claim.claim, span, texts.language)


def docket(placed: Mapping[str, Sequence[Placed]]) -> list[Placed]:
    """What is voted on: the list of median length, then what others say of other stretches."""
    if not placed:
        return []
    size = median_low(len(own) for own in placed.values())
    first = next(name for name, own in placed.items() if len(own) == size)
    entries = list(placed[first])
    for name, own in placed.items():
        if name != first:
            entries += [claim for claim in own if not claim.is_among(entries)]
    return entries


def claims_by_entry(entries: Sequence[Placed], own: Sequence[Placed]) -> dict[int, list[Placed]]:
    """A member's claims by the entry that each is about: the likest one.

    An entry that got none may still be part of a longer claim of the member's.
    """
    by_entry: dict[int, list[Placed]] = {}
    for claim in own:
        likest = max(range(len(entries)), key=lambda n: claim.likeness(entries[n]))
        if claim.likeness(entries[likest]) != NOT:
            by_entry.setdefault(likest, []).append(claim)
    for n, entry in enumerate(entries):
        if n not in by_entry:
            over = [claim for claim in own if claim.likeness(entry) != NOT]
            if over:
                by_entry[n] = [max(over, key=entry.likeness)]
    return by_entry
