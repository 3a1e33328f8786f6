"""Word vectors and how common words are: 48 small integers a word, 1 MB for 21,719 words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from oyer.judges.embedded.languages import is_foreign

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

#: How rare a word counts that no table has, and how like another one: neither can be told.
UNTOLD, NEUTRAL = 0.8, 0.5
ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "er", "al")


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, int], Matrix]:
    import numpy as np

    with np.load(str(files(__package__) / "vectors.npz")) as stored:
        words = stored["words"].tobytes().decode("ascii").split("\n")
        vectors = stored["vectors"].astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {w: n for n, w in enumerate(words)}, vectors


@lru_cache(maxsize=65536)
def row(norm: str) -> int:
    """The row of a word or of its base form; -1 when it is not in the table."""
    rows = _table()[0]
    found = rows.get(norm)
    if found is not None:
        return found
    for ending in ENDINGS:
        if norm.endswith(ending) and len(norm) > len(ending) + 2:
            base = norm[: -len(ending)]
            found = rows.get(base, rows.get(base + "e"))
            if found is not None:
                return found
    return -1


def rarity(norm: str) -> float:
    """0 for the commonest words, 1 for those outside the table (the table is in that order)."""
    if is_foreign(norm):
        return UNTOLD
    at = row(norm)
    return 1.0 if at < 0 else math.log1p(at / 50) / math.log1p(22000 / 50) * 0.9


def stack(norms: Iterable[str]) -> Matrix:
    """One vector a word; a row of zeros for words outside the table."""
    import numpy as np

    rows = [row(n) for n in norms]
    table = _table()[1]
    found = table[rows] if rows else np.zeros((0, table.shape[1]), np.float32)
    found[[r < 0 for r in rows]] = 0.0
    return found
