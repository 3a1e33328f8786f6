"""What can be measured about a claim and its article without understanding either.

Five groups: overlap (how much of the claim stands in the article, and how tightly), figures and
names (what must not differ), novelty (new words, and how far from any word there), polarity
(negations, opposites, hedges) and order (who did what to whom).

Numbers count only among the figures: elsewhere all numbers are alike, so that a number swapped for
one the article does not have can never make a claim look better.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from oyer.judges.embedded import tables, vectors
from oyer.judges.embedded.compounds import beside
from oyer.judges.embedded.facts import FAULTS, find_faults
from oyer.judges.embedded.languages import is_foreign
from oyer.judges.embedded.lexis import HEDGES, MONTHS, opposites, stems_without_prefix
from oyer.judges.embedded.roundings import read_in_its_numbers
from oyer.judges.embedded.source import SourceText, evidence
from oyer.judges.embedded.synonyms import in_its_words
from oyer.judges.embedded.words import NEGATIONS, Words, grams, is_content, is_number, masked, read

ROOM = 90  # words of evidence that a claim is held against
NEAR = 6  # words between two that belong together
LOOSE_ENDS = tables.words("loose_ends")

NAMES = (
    "length", "content", "article",
    "unigram", "unigram_rare", "bigram", "trigram", "fourgram", "fragment", "fragment_max",
    "pairs", "distance", "best_sentence", "best_sentence_rare", "best_evidence", "evidence_rare",
    "missing_rarity_max", "missing_rarity_sum",
    "numbers", "numbers_missing", "numbers_far", "numbers_misplaced",
    "names", "names_missing", "names_far", "names_misplaced", "dates_missing",
    "novel", "novel_share", "novel_far_share", "sim_mean", "sim_min", "near_mean", "near_min",
    "replaced", "replaced_sim",
    "opposites", "prefixes", "negations", "negation_added", "negation_dropped",
    "hedge_dropped", "hedge_added",
    "order", "inversions", "repeats", "loose_end", "stop_share",
    "junctions", "jumps", "subject_far", "tail_far", "subject_gap",
    "window1", "window2", "window3",
    *FAULTS,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class View:
    """A claim laid beside its article: what every group of features looks at."""

    source: SourceText
    text: str
    words: Words
    content: tuple[int, ...]  # positions of content words in the claim
    chosen: tuple[int, ...]  # the sentences taken as evidence
    best: int  # the one sentence that holds most of the claim
    near: frozenset[str]  # content stems of the evidence

    @property
    def stems(self) -> list[str]:
        return [self.words.stems[i] for i in self.content]

    def known(self, at: int) -> bool:
        return self.words.stems[at] in self.source.places


def view(source: SourceText, claim: str) -> View:
    words = in_its_words(beside(read(claim, source.language), source), source)
    words = read_in_its_numbers(words, source, claim)
    content = tuple(i for i, n in enumerate(words.norms) if is_content(n))
    stems = {words.stems[i] for i in content}
    chosen = tuple(evidence(source, stems, ROOM)) if source.bounds else ()
    best = max(
        chosen,
        key=lambda n: (math.fsum(source.weight(s) for s in stems & source.stems_of[n]), -n),
        default=0,
    )
    near: frozenset[str] = frozenset().union(*(source.stems_of[n] for n in chosen))
    return View(source, claim, words, content, chosen, best, near)


def features(source: SourceText, claim: str) -> list[float]:
    """The claim's features in the order of `NAMES`."""
    return measure(view(source, claim))


def measure(v: View) -> list[float]:
    groups = (overlap, tightness, figures, novelty, polarity, order, splices, windows, faults)
    size = [math.log1p(len(v.words)), float(len(v.content)), math.log1p(len(v.source.words))]
    return [*size, *(value for group in groups for value in group(v))]


def share_pairs(views: Sequence[View]) -> float:
    """Of the word pairs of all claims of a summary, as they are written, how many the article
    has."""
    written = [read(v.text, v.words.language).norms for v in views]
    pairs = [pair for norms in written for pair in grams(masked(norms), 2)]
    return _share(sum(pair in views[0].source.bigrams for pair in pairs), len(pairs))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 1.0


def overlap(v: View) -> list[float]:
    """Words, n-grams and copied fragments of the claim that the article has."""
    s, norms = v.source, masked(v.words.norms)
    rare = {i: vectors.rarity(norms[i]) for i in v.content}
    known = [i for i in v.content if v.known(i)]
    runs = fragments(norms, s)
    return [
        _share(len(known), len(v.content)),
        _share(sum(rare[i] for i in known), sum(rare.values())),
        *(
            _share(sum(g in have for g in grams(norms, n)), max(0, len(norms) - n + 1))
            for n, have in ((2, s.bigrams), (3, s.trigrams), (4, s.fourgrams))
        ),
        math.sqrt(sum(r * r for r in runs) / max(1, len(norms))),
        _share(max(runs, default=0), len(norms)),
    ]


def fragments(norms: Sequence[str], source: SourceText) -> list[int]:
    """Lengths of the claim's maximal runs that stand in the article word for word."""
    return [size for size, _ in copied(norms, source)]


def copied(norms: Sequence[str], source: SourceText) -> list[tuple[int, int]]:
    """The claim's maximal copied runs: length, and where the copy stands in the article."""
    runs, at, have = [], 0, source.masked
    where = source.first_norms
    while at < len(norms):
        longest, found = 0, -1
        for place in where.get(norms[at], ()):
            size = 1
            while (
                at + size < len(norms)
                and place + size < len(have)
                and norms[at + size] == have[place + size]
            ):
                size += 1
            if size > longest:
                longest, found = size, place
        if longest:
            runs.append((longest, found))
        at += max(1, longest)
    return runs


def tightness(v: View) -> list[float]:
    """Whether words that stand together in the claim stand together in the article."""
    s, stems = v.source, v.stems
    together, distances = 0, []
    links = list(pairwise(stems))
    for a, b in links:
        gap = closest(s.places.get(a, ()), s.places.get(b, ()))
        together += gap <= NEAR
        distances.append(min(math.log1p(gap), 6.0))
    rare = {x: vectors.rarity(v.words.norms[i]) for i, x in zip(v.content, stems, strict=True)}
    total, weight = len(set(stems)), sum(rare.values())
    best = s.stems_of[v.best] if s.bounds else set()
    missing = [rare[x] for x in rare if x not in v.near]
    return [
        _share(together, len(links)),
        sum(distances) / len(distances) if distances else 0.0,
        _share(len(best & rare.keys()), total),
        _share(math.fsum(rare[x] for x in best & rare.keys()), weight),
        _share(total - len(missing), total),
        _share(weight - sum(missing), weight),
        max(missing, default=0.0),
        sum(missing),
    ]


def closest(a: Sequence[int], b: Sequence[int]) -> float:
    """The least distance between two ascending lists of positions; they are not the same one."""
    least, i, j = math.inf, 0, 0
    while i < len(a) and j < len(b):
        if a[i] != b[j]:
            least = min(least, abs(a[i] - b[j]))
        if a[i] < b[j]:
            i += 1
        else:
            j += 1
    return least


def figures(v: View) -> list[float]:
    """Numbers, names and dates that are missing, far from the evidence, or out of place."""
    w, s = v.words, v.source
    numbers = [i for i, n in enumerate(w.norms) if is_number(n)]
    near = {s.words.norms[k] for n in v.chosen for k in range(*s.bounds[n])}
    names = [i for i in v.content if is_name(v, i)]
    dates = [i for i in v.content if w.norms[i] in MONTHS]
    return [
        float(len(numbers)),
        float(sum(not v.known(i) for i in numbers)),
        float(sum(w.norms[i] not in near for i in numbers)),
        float(sum(not v.known(i) or is_misplaced(v, i) for i in numbers)),
        float(len(names)),
        float(sum(not v.known(i) for i in names)),
        float(sum(w.stems[i] not in v.near for i in names)),
        float(sum(not v.known(i) or is_misplaced(v, i) for i in names)),
        float(sum(w.stems[i] not in s.places for i in dates)),
    ]


def is_name(v: View, at: int) -> bool:
    """A name: capitalised inside the claim, a name in the article, or in no dictionary."""
    w = v.words
    return (
        (at > 0 and w.capital[at])
        or w.stems[at] in v.source.names
        or (len(w.norms[at]) > 2 and vectors.row(w.norms[at]) < 0 and not is_foreign(w.norms[at]))
    )


def is_misplaced(v: View, at: int) -> bool:
    """None of the word's neighbours in the claim stands near it in the article."""
    w, s = v.words, v.source
    around = [i for i in v.content if i != at and abs(i - at) <= 4 and v.known(i)]
    return bool(around) and all(
        closest(s.places[w.stems[at]], s.places[w.stems[i]]) > NEAR for i in around
    )


def novelty(v: View) -> list[float]:
    """New words, how far in meaning from any word of the article, and what they replace."""
    import numpy as np

    w, s = v.words, v.source
    fresh = [i for i in v.content if w.stems[i] not in v.near]
    novel = [i for i in fresh if not v.known(i)]
    far = near = np.ones(0, np.float32)
    if fresh:
        mine = vectors.stack(w.norms[i] for i in fresh)
        sims = np.round(mine @ s.matrix[0].T, 4)  # the same on any processor
        far = sims.max(1, initial=0.0)
        inside = [n for n, stem in enumerate(s.matrix[1]) if stem in v.near]
        near = sims[:, inside].max(1, initial=0.0)
        untold = [is_foreign(w.norms[i]) for i in fresh]
        far[untold] = near[untold] = vectors.NEUTRAL
    swaps = [x for i in fresh if (x := replaced(v, i)) is not None]
    return [
        float(len(novel)),
        _share(len(novel), len(v.content)) if v.content else 0.0,
        len(fresh) / max(1, len(v.content)),
        float(far.mean()) if fresh else 1.0,
        float(far.min()) if fresh else 1.0,
        float(near.mean()) if fresh else 1.0,
        float(near.min()) if fresh else 1.0,
        float(len(swaps)),
        min(swaps, default=1.0),
    ]


def replaced(v: View, at: int) -> float | None:
    """How like the word it stands for is, when its neighbours frame another word there."""
    w, s = v.words, v.source
    left = next((i for i in reversed(range(max(0, at - 3), at)) if w.content(i)), None)
    right = next((i for i in range(at + 1, min(len(w), at + 4)) if w.content(i)), None)
    if left is None or right is None or not (v.known(left) and v.known(right)):
        return None
    for a in s.places[w.stems[left]]:
        for b in s.places[w.stems[right]]:
            if 0 < b - a <= right - left + 2:
                framed = [s.words.norms[k] for k in range(a + 1, b) if s.words.content(k)]
                if any(is_foreign(n) for n in (w.norms[at], *framed)):
                    return vectors.NEUTRAL
                mine = vectors.stack([w.norms[at]])
                return round(float((mine @ vectors.stack(framed).T).max(initial=0.0)), 4)
    return None


def polarity(v: View) -> list[float]:
    """Negations gained or lost, opposites of the evidence's words, hedges dropped."""
    w, s = v.words, v.source
    have = set(v.stems)
    table = opposites()
    against = sum(
        bool(table.get(w.stems[i], frozenset()) & v.near - have) and w.stems[i] not in v.near
        for i in v.content
    )
    stripped = sum(
        any(p in v.near for p in stems_without_prefix(w.norms[i])) and w.stems[i] not in v.near
        for i in v.content
    )
    negative = [i for i, n in enumerate(w.norms) if n in NEGATIONS]
    first, last = s.bounds[v.best] if s.bounds else (0, 0)
    theirs = s.words.norms[first:last]
    hedges = sum(n in HEDGES for n in theirs)
    mine = sum(n in HEDGES for n in w.norms)
    return [
        float(against),
        float(stripped),
        float(len(negative)),
        float(sum(not _negates(s, _around(v, i)) for i in negative)),
        float(_count_dropped(v, first, last)),
        float(max(0, hedges - mine)),
        float(max(0, mine - hedges)),
    ]


def _around(v: View, at: int) -> list[str]:
    return [v.words.stems[i] for i in v.content if 0 < abs(i - at) <= 3]


def _negates(s: SourceText, stems: Sequence[str]) -> bool:
    """Whether the article negates any of these stems, within four words."""
    return any(closest(s.negatives, s.places[x]) <= 4 for x in stems if x in s.places)


def _count_dropped(v: View, first: int, last: int) -> int:
    """Negations of the best sentence whose next words the claim has, unnegated."""
    s, w = v.source, v.words
    mine = set(v.stems)
    count = 0
    for at in s.negatives:
        if not first <= at < last:
            continue
        after = [s.words.stems[k] for k in range(at + 1, min(last, at + 4)) if s.words.content(k)]
        shared = [x for x in after if x in mine]
        count += bool(shared) and not any(n in NEGATIONS for n in w.norms)
    return count


def faults(v: View) -> list[float]:
    """What a reader sees that is wrong although the words are known (facts.py)."""
    found = find_faults(v.source, v.text, v.words)
    return [float(getattr(found, name)) for name in FAULTS]


def order(v: View) -> list[float]:
    """Whether shared words come in the same order as in the best sentence, and the text's form."""
    s, w = v.source, v.words
    first, last = s.bounds[v.best] if s.bounds else (0, 0)
    where: dict[str, int] = {}
    for at in range(first, last):
        where.setdefault(s.words.stems[at], at)
    path = [where[x] for x in v.stems if x in where]
    steps = list(pairwise(path))
    rising = longest_rise(path)
    doubles = grams(masked(w.norms), 2)
    return [
        _share(rising, len(path)),
        float(sum(a > b for a, b in steps)),
        _share(len(doubles) - len(set(doubles)), len(doubles)) if doubles else 0.0,
        float(bool(w.norms) and w.norms[-1] in LOOSE_ENDS),
        1 - len(v.content) / max(1, len(w)),
    ]


def splices(v: View) -> list[float]:
    """Where pieces of different sentences were joined: the way extractive models go wrong."""
    s = v.source
    places = [at for size, at in copied(masked(v.words.norms), s) if size >= 3]
    homes = [s.sentence_of[at] for at in places]
    steps = [abs(b - a) for a, b in pairwise(homes)]
    best = s.stems_of[v.best] if s.bounds else set()
    head, tail = v.stems[:2], v.stems[-3:]
    rest = v.stems[2:4]
    gap = closest(
        sorted(p for x in head for p in s.places.get(x, ())),
        sorted(p for x in rest for p in s.places.get(x, ())),
    )
    return [
        float(sum(x > 0 for x in steps)),
        math.log1p(max(steps, default=0)),
        sum(x not in best for x in head) / max(1, len(head)),
        sum(x not in best for x in tail) / max(1, len(tail)),
        min(math.log1p(gap), 6.0) if rest else 0.0,
    ]


def windows(v: View) -> list[float]:
    """How much of the claim, its small words too, the best one, two or three sentences hold."""
    s, norms = v.source, masked(v.words.norms)

    def best(width: int) -> float:
        starts = {at for n in v.chosen for at in range(max(0, n - width + 1), n + 1)}
        held = (frozenset().union(*s.norms_of[at : at + width]) for at in sorted(starts))
        return max((_share(sum(n in h for n in norms), len(norms)) for h in held), default=0.0)

    return [best(1), best(2), best(3)]


def longest_rise(path: Sequence[int]) -> int:
    """The length of the longest ascending subsequence."""
    tails: list[int] = []
    for x in path:
        at = bisect_left(tails, x)
        tails[at : at + 1] = [x]
    return len(tails)
