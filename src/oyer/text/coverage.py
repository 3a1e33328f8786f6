"""Which tokens of a text a claim takes up (JL-EXTRANEOUS, TL-EXTRANEOUS)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable

from oyer.text import words
from oyer.text.kept import keep
from oyer.text.quotes import QuoteSource, find
from oyer.text.segments import Segment, sentences
from oyer.types import Span


class Tokens:
    """The tokens of a text, for counting those that claims take up; each counts once."""

    __slots__ = ("_ends", "_indexes", "_source", "_starts", "total")

    def __init__(self, source: QuoteSource) -> None:
        places = words.spans(source.text)
        self._source = source
        self._indexes: dict[str, _Index] = {}  # by language
        self._starts = [start for start, _ in places]
        self._ends = [end for _, end in places]
        self.total = len(places)

    def under(self, start: int, end: int) -> range:
        """The tokens that text[start:end] touches."""
        return range(bisect_right(self._ends, start), bisect_left(self._starts, end))

    def count_taken(self, claims: Iterable[tuple[str, Span | None]], language: str) -> int:
        """How many tokens the claims (text, located span) take up together."""
        taken: set[int] = set()
        loose = 0  # of claims that stand nowhere: as many as they have
        for claim, span in claims:
            place = self.place(claim, span, language)
            if place is None:
                loose += words.count(claim)
            else:
                taken.update(place)
        return min(self.total, len(taken) + loose)

    def place(self, claim: str, span: Span | None, language: str) -> range | None:
        """The tokens of one claim: its span's, its own words', or the sentence's it means."""
        found = span or find(claim, self._source) or self._closest(claim, language)
        return None if found is None else self.under(found.start, found.end)

    def _closest(self, claim: str, language: str) -> Span | None:
        """The sentence that shares the most keywords with the claim, at least half of its."""
        if language not in self._indexes:
            self._indexes[language] = _Index(self._source.text, language)
        best = self._indexes[language].closest(words.keywords(claim, language))
        return Span(self._source.name, best.start, best.end, "folded") if best else None


@keep
def tokens(source: QuoteSource) -> Tokens:
    """The tokens of a text, kept for a while: several judges see one summary."""
    return Tokens(source)


class _Index:
    """Which sentences have a keyword, so that no claim walks through all of them."""

    def __init__(self, text: str, language: str) -> None:
        self._sentences = sentences(text)
        self._having: dict[str, list[int]] = {}
        for i, sentence in enumerate(self._sentences):
            for keyword in words.keywords(sentence.text, language):
                self._having.setdefault(keyword, []).append(i)

    def closest(self, wanted: frozenset[str]) -> Segment | None:
        shared = Counter(i for keyword in wanted for i in self._having.get(keyword, ()))
        if not shared:
            return None
        most = max(shared.values())
        if 2 * most < len(wanted):
            return None
        return self._sentences[min(i for i, count in shared.items() if count == most)]
