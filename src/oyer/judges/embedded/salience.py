"""How much each word of an article matters to a summary of it, and how tightly a summary tells."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from oyer.judges.embedded import vectors
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import Words, is_content, is_number, read

#: A logistic line: that a summary keeps a word. train/salience.py fits it and prints these.
START, OFTEN, EARLY, RARE = -4.31, 1.14, 2.94, 0.21
ENOUGH = 12  # telling words before which a repetition is no sign of anything
LEAST = 0.63  # floor of the repetition penalty: a fully covered point never drops below Partial
REACH = 8  # sentences after which a word that comes for the first time counts for less


def carries(norm: str) -> bool:
    """A word or number that tells something."""
    return is_content(norm) or is_number(norm)


def stems(words: Words) -> list[str]:
    """The telling stems of a text, in its order, repeated where it repeats them."""
    return [s for n, s in zip(words.norms, words.stems, strict=True) if carries(n)]


def telling(text: str) -> list[str]:
    return stems(read(text))


def marks(source: SourceText) -> dict[str, tuple[float, float, float]]:
    """Stem -> how often it stands in the article (log), how early it first does, how rare it is."""
    found: dict[str, tuple[float, float, float]] = {}
    for stem, places in source.places.items():
        norm = source.words.norms[places[0]]
        if carries(norm):
            early = math.exp(-source.sentence_of[places[0]] / REACH)
            found[stem] = math.log(len(places)), early, vectors.rarity(norm)
    return found


def weights(source: SourceText) -> dict[str, float]:
    """Stem -> its weight: the square of the chance that a summary keeps it, so that the few words
    that matter weigh more than the many that do not."""
    return {
        stem: (1 + math.exp(-(START + OFTEN * often + EARLY * early + RARE * rare))) ** -2
        for stem, (often, early, rare) in marks(source).items()
    }


def density(weights: Collection[float]) -> float:
    """How salient words are together: their mean, as if three of no weight were among them, for a
    few weighty words make no point yet."""
    return math.fsum(weights) / (3 + len(weights))


def bound_shares(weights: Mapping[str, float], most: float) -> dict[str, float]:
    """The weights, none with more than this share of their sum; where they are too few for that,
    equal ones."""
    if len(weights) * most <= 1:
        return dict.fromkeys(weights, 1.0)
    lighter = sorted(weights.values())
    bound = most * math.fsum(lighter)
    while lighter[-1] > bound:
        lighter.pop()
        free = 1 - most * (len(weights) - len(lighter))  # of the sum: what is left to these
        bound = most * math.fsum(lighter) / free
    return {stem: min(weight, bound) for stem, weight in weights.items()}


def share(weights: Mapping[str, float], trusted: Mapping[str, float]) -> float:
    """How much of the weight is told, each stem as far as it is trusted (0 to 1)."""
    total = math.fsum(weights.values())
    known = math.fsum(w * trusted[stem] for stem, w in weights.items() if stem in trusted)
    return known / total if total else 0.0


def focus(source: SourceText, tellings: Sequence[tuple[Sequence[str], Collection[int]]]) -> float:
    """1, or less as far as some run of the summary's sentences repeats itself more than the
    article's sentences that they follow, or than its first sentences, in as many words.

    A sentence comes as its telling stems and the numbers of the article's sentences that it
    follows. What is added can only lower it, and a copy is as focused as its article. Words that
    the article lacks dilute nothing.
    """
    lead = _distinct(stems(source.words))
    known = [([s for s in words if s in source.places], followed) for words, followed in tellings]
    runs = [_run(source, lead, known[at:], whole=at == 0) for at in range(len(known))]
    return max(LEAST, min(runs, default=1.0) ** 2)


def _run(
    source: SourceText,
    lead: Sequence[int],
    tellings: Sequence[tuple[Sequence[str], Collection[int]]],
    whole: bool,
) -> float:
    """How much the runs that begin with the first of these sentences repeat themselves at most."""
    mine: list[str] = []
    theirs: dict[int, list[str]] = {}
    least = 1.0
    for at, (words, followed) in enumerate(tellings):
        mine.extend(words)
        theirs |= {n: _sentence(source, n) for n in followed if n not in theirs}
        size, followers = len(mine), [stem for stems in theirs.values() for stem in stems]
        if followers and (size >= ENOUGH or (whole and at == len(tellings) - 1 and size)):
            end = min(size, len(lead))
            expected = min(len(set(followers)) / len(followers), lead[end - 1] / end)
            least = min(least, len(set(mine)) / size / expected)
    return least


def _sentence(source: SourceText, number: int) -> list[str]:
    w, (low, high) = source.words, source.bounds[number]
    return [w.stems[i] for i in range(low, high) if carries(w.norms[i])]


def _distinct(stems: Sequence[str]) -> list[int]:
    """How many different stems there are up to each place."""
    seen: set[str] = set()
    counts = []
    for stem in stems:
        seen.add(stem)
        counts.append(len(seen))
    return counts
