"""How sure each way of finding an act is: `tables/confidence.tsv`, as measured."""

from __future__ import annotations

from functools import cache
from typing import Final

from oyer.cite import lexicon

#: `certain` means at least this share of right acts.
CERTAIN: Final = 0.98


@cache
def _confidences() -> dict[str, float]:
    return {way: float(share) for way, share, _ in lexicon.rows("confidence.tsv", 3)}


def confidence(way: str) -> float:
    """The share of right acts among citations found in this way, as measured."""
    return _confidences()[way]
