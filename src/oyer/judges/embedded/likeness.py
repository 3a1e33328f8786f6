"""The sentences that tell of a claim, by words of like meaning as well as by the same ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from oyer.judges.embedded import vectors
from oyer.judges.embedded.concepts import against, base
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import Words, is_content, read

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: The cosine from which two words are a little alike, and how much more makes them one; another
#: word never counts as fully as the same.
ALIKE, RANGE, OTHER = 0.35, 0.5, 0.8
#: What a sentence is worth for words that another one has told already.
AGAIN = 0.2
MOST = 6  # sentences from which on the evidence is not filled up any more


def evidence(source: SourceText, claim: str, room: int) -> list[int]:
    """The sentences that together hold most of a claim, within `room` words, in their order.

    Greedy: the one that adds most comes first. Sums are rounded, so that none depends on the order
    of its parts."""
    import numpy as np

    forms = list_forms(claim)
    weights = np.array([source.weight(stem) for stem in forms])
    held = hold(source, forms)
    have = np.zeros(len(forms))
    left = set(range(len(source.bounds)))
    chosen: list[int] = []
    used = 0
    while left and used < room:
        added = weights[:, None] * (np.maximum(0, held - have[:, None]) + AGAIN * held)
        gains = np.round(added.sum(0), 9)
        best = max(left, key=lambda n: (gains[n], -n))
        left.discard(best)
        if gains[best] <= 0:
            break
        start, end = source.bounds[best]
        if chosen and used + end - start > room:
            if len(chosen) >= MOST:
                break
            continue
        chosen.append(best)
        used += end - start
        have = np.maximum(have, held[:, best])
    return sorted(chosen) or list(range(min(3, len(source.bounds))))


def held_share(source: SourceText, claim: str, weigh: Callable[[str], float]) -> list[float]:
    """Of the weight of a claim's words, how much each sentence has, or has like ones of."""
    import numpy as np

    forms = list_forms(claim)
    weights = np.array([weigh(stem) for stem in forms])
    total = max(float(weights.sum()), 1e-9)
    shares = (weights[:, None] * hold(source, forms)).sum(0) / total
    return [round(float(share), 6) for share in shares]


def list_forms(claim: str) -> dict[str, str]:
    """The stems of a claim's telling words, and how each is written."""
    words = read(claim)
    pairs = zip(words.norms, words.stems, strict=True)
    return {stem: norm for norm, stem in pairs if is_content(norm)}


def hold(source: SourceText, forms: dict[str, str]) -> Floats:
    """How far each sentence has each of the words: 1 for the same stem, less for one alike."""
    import numpy as np

    held = np.zeros((len(forms), len(source.bounds)))
    matrix, stems = source.matrix
    if forms and stems:
        alike = np.clip((vectors.stack(forms.values()) @ matrix.T - ALIKE) / RANGE, 0, OTHER)
        column = {stem: n for n, stem in enumerate(stems)}
        for n, there in enumerate(source.stems_of):
            columns = sorted(column[stem] for stem in there if stem in column)
            if columns:
                held[:, n] = alike[:, columns].max(1)
    for row, stem in enumerate(forms):
        for n in source.postings.get(stem, ()):
            held[row, n] = 1.0
    return np.round(held, 4)


def reach(source: SourceText, words: Words) -> dict[str, float]:
    """The article's stems that new words of a claim are like, and how far: "physicians" tells of
    "doctors". Names, numbers and opposites are like nothing but themselves."""
    import numpy as np

    new = [
        words.norms[i]
        for i in range(len(words))
        if words.content(i) and words.stems[i] not in source.places and not words.capital[i]
    ]
    matrix, theirs = source.matrix
    if not new or not theirs:
        return {}
    alike = np.round(np.clip((vectors.stack(new) @ matrix.T - ALIKE) / RANGE, 0, OTHER), 4)
    found: dict[str, float] = {}
    for column in np.flatnonzero(alike.max(0) > 0):
        row = int(alike[:, column].argmax())
        stem = theirs[column]
        if stem not in source.names and not against(base(new[row]), stem):
            found[stem] = round(float(alike[row, column]), 4)
    return found
