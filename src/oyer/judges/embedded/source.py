"""An article, indexed once, so that many claims can be held against it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from oyer.judges.embedded import vectors
from oyer.judges.embedded.anchors import Anchor, anchors
from oyer.judges.embedded.clauses import ToldClause, tell
from oyer.judges.embedded.grids import separate_cells
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.quantities import Quantity, find_quantities
from oyer.judges.embedded.refuted import Refuted, find_refuted
from oyer.judges.embedded.rows import row_at
from oyer.judges.embedded.sentences import sentences
from oyer.judges.embedded.silent import idle, silent
from oyer.judges.embedded.speakers import Speaker, find_speakers
from oyer.judges.embedded.words import NEGATIONS, Words, grams, is_content, masked, read

if TYPE_CHECKING:
    from oyer.judges.embedded.cells import TableCell
    from oyer.judges.embedded.row_lists import Figure

RARE = 0.78  # of a word that is capitalised, to be a name
MAX_WORDS = 20_000  # past this an article is read no further: memory stays bounded


@dataclass(frozen=True)
class SourceText:
    """A text with its words, sentences, and where each stem and n-gram stands."""

    text: str
    words: Words
    spans: tuple[tuple[int, int], ...]  # of sentences, in characters
    bounds: tuple[tuple[int, int], ...]  # of sentences, in words

    @property
    def language(self) -> str:
        return self.words.language

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Stem -> the positions of its words."""
        found: dict[str, list[int]] = {}
        for at, stem in enumerate(self.words.stems):
            found.setdefault(stem, []).append(at)
        return found

    @cached_property
    def roots(self) -> frozenset[str]:
        """The first letters of every word: what the forms of a name have in common."""
        return frozenset(norm[:4] for norm in self.words.norms)

    @cached_property
    def initials(self) -> frozenset[str]:
        """The initials of two to five capitalised words that follow each other."""
        w = self.words
        letters = "".join(n[0] if c else " " for n, c in zip(w.norms, w.capital, strict=True))
        sizes = range(2, 6)
        return frozenset(letters[at : at + k] for at in range(len(letters)) for k in sizes)

    @cached_property
    def sentence_of(self) -> list[int]:
        """Word position -> number of its sentence."""
        numbers = [0] * len(self.words)
        for n, (start, end) in enumerate(self.bounds):
            numbers[start:end] = [n] * (end - start)
        return numbers

    @cached_property
    def stems_of(self) -> list[set[str]]:
        """The content stems of each sentence; to a row of a table those of its headings belong."""
        w = self.words
        return [
            {w.stems[i] for i in range(start, end) if is_content(w.norms[i])} | self._heads_of(n)
            for n, (start, end) in enumerate(self.bounds)
        ]

    def _heads_of(self, sentence: int) -> set[str]:
        row = row_at(self.text, self.spans[sentence][0])
        heads = read(" ".join(row.heads), self.language) if row else None
        return {heads.stems[i] for i in range(len(heads)) if heads.content(i)} if heads else set()

    @cached_property
    def postings(self) -> dict[str, list[int]]:
        """Content stem -> the sentences that have it."""
        found: dict[str, list[int]] = {}
        for n, stems in enumerate(self.stems_of):
            for stem in stems:
                found.setdefault(stem, []).append(n)
        return found

    @cached_property
    def masked(self) -> tuple[str, ...]:
        return masked(self.words.norms)

    @cached_property
    def norms_of(self) -> list[frozenset[str]]:
        """All words of each sentence, every number alike."""
        return [frozenset(self.masked[start:end]) for start, end in self.bounds]

    @cached_property
    def bigrams(self) -> set[tuple[str, ...]]:
        return set(grams(self.masked, 2))

    @cached_property
    def trigrams(self) -> set[tuple[str, ...]]:
        return set(grams(self.masked, 3))

    @cached_property
    def fourgrams(self) -> set[tuple[str, ...]]:
        return set(grams(self.masked, 4))

    @cached_property
    def first_norms(self) -> dict[str, list[int]]:
        """Word -> where it stands: at most 40 places, so that "the" costs no more than a name."""
        found: dict[str, list[int]] = {}
        for at, norm in enumerate(self.masked):
            places = found.setdefault(norm, [])
            if len(places) < 40:
                places.append(at)
        return found

    @cached_property
    def anchors(self) -> list[Anchor]:
        """Numbers, days and names, to each of which the words around it belong."""
        return anchors(self.text, self.words, self.names)

    @cached_property
    def anchors_in(self) -> dict[int, list[Anchor]]:
        """The anchors of each sentence that has some."""
        found: dict[int, list[Anchor]] = {}
        for anchor in self.anchors:
            found.setdefault(self.sentence_of[anchor.at], []).append(anchor)
        return found

    @cached_property
    def told(self) -> ToldClause:
        return tell(self.text, self.words, self.spans, self.bounds)

    @cached_property
    def cells(self) -> list[TableCell]:
        """Stretches with numbers, times or days, each with the words that those belong to."""
        from oyer.judges.embedded.cells import find_cells

        return find_cells(self)

    @cached_property
    def figures(self) -> tuple[list[Figure], list[Figure]]:
        """The numbers of tables, by their rows and by their columns."""
        from oyer.judges.embedded.row_lists import find_figures

        return find_figures(self)

    @cached_property
    def wholes(self) -> list[dict[int, tuple[int, bool]]]:
        """Of each sentence, its dates, clock times and measures."""
        from oyer.judges.embedded.wholes import find_wholes

        return [find_wholes(self, number) for number in range(len(self.bounds))]

    @cached_property
    def quantities(self) -> list[Quantity]:
        """The numbers that a claim may round, in their order."""
        return find_quantities(self.text, self.words)

    @cached_property
    def speakers(self) -> list[Speaker]:
        """Of each sentence, who says it, to whom, and the name that belongs before it."""
        return find_speakers(self.text, self.spans, self.language)

    @cached_property
    def silent(self) -> frozenset[int]:
        """Sentences that say nothing of their own."""
        return silent(self.text, self.spans, self.told.asked, self.language)

    @cached_property
    def untelling(self) -> frozenset[int]:
        """Sentences in which nobody looks for a point or a question: those and courtesies."""
        return self.silent | idle(self.text, self.words, self.spans, self.bounds)

    @cached_property
    def refuted(self) -> list[Refuted]:
        """What is reported only to be refuted."""
        return find_refuted(self)

    @cached_property
    def negatives(self) -> list[int]:
        return [at for at, norm in enumerate(self.words.norms) if norm in NEGATIONS]

    @cached_property
    def matrix(self) -> tuple[vectors.Matrix, list[str]]:
        """The vectors of the article's content words, and their stems, one row each."""
        w = self.words
        forms = {w.stems[i]: w.norms[i] for i in range(len(w)) if w.content(i)}
        return vectors.stack(forms.values()), list(forms)

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(s for i, s in enumerate(self.words.stems) if self.words.content(i))

    @cached_property
    def names(self) -> set[str]:
        """Stems that stand capitalised away from a sentence's start: names, mostly."""
        w, firsts = self.words, {start for start, _ in self.bounds}
        inside = {
            w.stems[i]
            for i in range(len(w))
            if w.capital[i] and i not in firsts and is_content(w.norms[i])
        }
        return inside if self.language == ENGLISH else inside | self.strangers

    @cached_property
    def strangers(self) -> set[str]:
        """Stems of rare words that are capitalised wherever they stand, at a sentence's start too:
        names that `names` cannot know."""
        w = self.words
        small = {w.stems[i] for i in range(len(w)) if not w.capital[i]}
        rare = [i for i in range(len(w)) if w.capital[i] and vectors.rarity(w.norms[i]) >= RARE]
        return {w.stems[i] for i in rare if is_content(w.norms[i])} - small

    def weight(self, stem: str) -> float:
        """How telling a stem is here: rare in the article's sentences weighs more."""
        df = len(self.postings.get(stem, ()))
        return math.log(1 + (len(self.bounds) + 1) / (df + 0.5))


def index(text: str, language: str = ENGLISH) -> SourceText:
    words = read(separate_cells(text), language)
    if len(words) > MAX_WORDS:
        text = text[: words.ends[MAX_WORDS - 1]]
        words = read(separate_cells(text), language)
    spans: list[tuple[int, int]] = []
    bounds: list[tuple[int, int]] = []
    at = 0
    for start, end in sentences(text, language):
        while at < len(words) and words.starts[at] < start:
            at += 1
        first = at
        while at < len(words) and words.starts[at] < end:
            at += 1
        if at > first:
            spans.append((start, end))
            bounds.append((first, at))
    return SourceText(text, words, tuple(spans), tuple(bounds))


def evidence(source: SourceText, stems: set[str], room: int) -> list[int]:
    """The sentences that together hold most of a claim's stems, within `room` words.

    Greedy by marginal weight: a claim that joins two facts finds the sentences of both. Sums are
    exact (fsum): the order of a set, which differs from process to process, changes nothing.
    """
    weights = {s: source.weight(s) for s in stems}
    left = {n for s in stems for n in source.postings.get(s, ())}
    missing, used = set(stems), 0
    chosen: list[int] = []
    while left:
        scored = [
            (
                math.fsum(weights[s] for s in source.stems_of[n] & missing)
                + 0.2 * math.fsum(weights[s] for s in source.stems_of[n] & stems),
                -n,
            )
            for n in left
        ]
        gain, negative = max(scored)
        n = -negative
        size = source.bounds[n][1] - source.bounds[n][0]
        left.discard(n)
        if gain <= 0 or (chosen and used + size > room):
            if len(chosen) >= 4 or gain <= 0:
                break
            continue
        chosen.append(n)
        used += size
        missing -= source.stems_of[n]
        if used >= room:
            break
    return sorted(chosen) or list(range(min(3, len(source.bounds))))
