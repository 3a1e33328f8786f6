"""How much each word of an article matters to a summary of it, and how tightly a summary tells."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

from oyer.judges.embedded import vectors
from oyer.judges.embedded.source import Source
from oyer.judges.embedded.words import Words, is_content, is_number, read

#: A logistic line: that a summary keeps a word. train/salience.py fits it and prints these.
START, OFTEN, EARLY, RARE = -4.31, 1.14, 2.94, 0.21
ENOUGH = 20  # telling words before which a repetition is no sign of anything
LEAST = 0.5  # what is said three times is still said
REACH = 8  # sentences after which a word that comes for the first time counts for less


def carries(norm: str) -> bool:
    """A word or number that tells something."""
    return is_content(norm) or is_number(norm)


def stems(words: Words) -> list[str]:
    """The telling stems of a text, in its order, repeated where it repeats them."""
    return [s for n, s in zip(words.norms, words.stems, strict=True) if carries(n)]


def telling(text: str) -> list[str]:
    return stems(read(text))


def marks(source: Source) -> dict[str, tuple[float, float, float]]:
    """Stem -> how often it stands in the article (log), how early it first does, how rare it is."""
    found: dict[str, tuple[float, float, float]] = {}
    for stem, places in source.places.items():
        norm = source.words.norms[places[0]]
        if carries(norm):
            early = math.exp(-source.sentence_of[places[0]] / REACH)
            found[stem] = math.log(len(places)), early, vectors.rarity(norm)
    return found


def weights(source: Source) -> dict[str, float]:
    """Stem -> its weight: the square of the chance that a summary keeps it, so that the few words
    that matter weigh more than the many that do not."""
    return {
        stem: (1 + math.exp(-(START + OFTEN * often + EARLY * early + RARE * rare))) ** -2
        for stem, (often, early, rare) in marks(source).items()
    }


def share(weights: Mapping[str, float], trusted: Mapping[str, float]) -> float:
    """How much of the weight is told, each stem as far as it is trusted (0 to 1)."""
    total = math.fsum(weights.values())
    told = math.fsum(w * trusted[stem] for stem, w in weights.items() if stem in trusted)
    return told / total if total else 0.0


def focus(source: Source, claims: Sequence[Sequence[str]]) -> float:
    """1, or less as far as the summary repeats itself more than the article does in as many words.

    It is looked at after each claim, and the least counts: what is added can only lower it, and a
    copy of the article is as focused as the article. Words that the article lacks dilute nothing.
    """
    known = [[stem for stem in claim if stem in source.places] for claim in claims]
    theirs = _distinct(stems(source.words))
    mine = _distinct([stem for claim in known for stem in claim])
    ends = list(accumulate(map(len, known)))
    least = 1.0
    for end in ends:
        if theirs and (end >= ENOUGH or end == ends[-1] > 0):
            expected = theirs[min(end, len(theirs)) - 1] / min(end, len(theirs))
            least = min(least, mine[end - 1] / end / expected)
    return max(LEAST, least**2)


def _distinct(told: Sequence[str]) -> list[int]:
    """How many different stems there are up to each place."""
    seen: set[str] = set()
    counts = []
    for stem in told:
        seen.add(stem)
        counts.append(len(seen))
    return counts
