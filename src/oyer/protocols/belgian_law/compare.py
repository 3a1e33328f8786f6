"""Source against extraction: what is expected, what is supported, what is missing.

The engine never calls a provision hallucinated or missing because of its own ignorance: against an
act that it does not know for certain, on either side, the article decides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import chain

from oyer.cite import Citation, Language, cite, day_of_decision
from oyer.protocols.belgian_law.extraction import Extraction, Item
from oyer.protocols.belgian_law.notation import Place, canonical, item_forms, write_place
from oyer.protocols.belgian_law.rules import Rules
from oyer.protocols.belgian_law.second_look import in_words, path_near, unread, word_for_word

_STEP = re.compile(r"(.*?)(\d{1,9})(\D*)", re.DOTALL)
_SCATTERED = re.compile(r"\{\d(?: \d)+")  # a formula that took a number apart: "{9 5 ,}"
_LIKELY = 0.5  # a citation that is less likely right than wrong is not expected
_LETTER = re.compile(r"([a-z])\)?")


@dataclass(frozen=True, slots=True)
class CitedProvision:
    """One provision of the source, with every place that cites it."""

    key: str
    path: tuple[str, ...]
    places: tuple[Citation, ...]

    @property
    def best(self) -> Citation:
        """The place to show: a certain one, if there is one."""
        return next((place for place in self.places if place.certain), self.places[0])

    @property
    def sure(self) -> bool:
        """Whether the engine knows the act for certain at some place."""
        return any(place.act.id is not None and place.certain for place in self.places)

    @property
    def listed(self) -> bool:
        """CitedProvision only inside lists and ranges: a shorter path does not do for it."""
        return all(place.via in ("list", "range") for place in self.places)

    @property
    def act(self) -> str | None:
        return self.best.act.id

    @property
    def label(self) -> str:
        name = self.best.act.name or "unknown act"
        return f"art. {', '.join((self.key, *self.path))} · {name}"


@dataclass(frozen=True, slots=True)
class ProvisionComparison:
    """What the protocol counts, with the provisions and items behind each number."""

    cited: tuple[CitedProvision, ...]
    expected: tuple[CitedProvision, ...]
    missing: tuple[CitedProvision, ...]
    support: tuple[tuple[CitedProvision, ...], ...]  # of each item; empty: not supported
    duplicates: tuple[int, ...]  # items that repeat an earlier one
    unsure: tuple[tuple[int, Citation], ...]  # items that stand where the engine read nothing
    citations: tuple[Citation, ...]
    runs: tuple[tuple[Citation, ...], ...]  # the ranges of the text
    index: Mapping[str, list[tuple[tuple[str, ...], CitedProvision]]] = field(
        repr=False
    )  # by article

    @property
    def extracted(self) -> int:
        return len(self.support)

    @property
    def matched(self) -> int:
        return len(self.expected) - len(self.missing)

    @property
    def unsupported(self) -> tuple[int, ...]:
        return tuple(i for i, places in enumerate(self.support) if not places)

    @property
    def recall(self) -> Fraction:
        """BL-RECALL."""
        return rate(self.matched, len(self.expected), nothing=not self.extracted)

    @property
    def precision(self) -> Fraction:
        """BL-PRECISION."""
        return rate(self.held, self.extracted, nothing=not self.expected)

    @property
    def held(self) -> int:
        """Items that are supported and no copy of an earlier one."""
        return self.extracted - len(self.unsupported) - self.copies

    @property
    def copies(self) -> int:
        """Supported items that repeat an earlier one."""
        return len(set(self.duplicates) - set(self.unsupported))

    @property
    def certain(self) -> Fraction:
        """BL-CONFIDENCE: the share of citations whose act is certain."""
        known = sum(1 for c in self.citations if c.certain and c.act.id is not None)
        return Fraction(known, len(self.citations)) if self.citations else Fraction(1)


def rate(part: int, whole: int, *, nothing: bool) -> Fraction:
    """part / max(whole, 1); 1 when nothing is cited and nothing extracted."""
    return Fraction(1) if not whole and nothing else Fraction(part, max(whole, 1))


@lru_cache(maxsize=4)
def citations(text: str, language: Language, when: str | None = None) -> tuple[Citation, ...]:
    """The engine's reading, kept: a judge, its check and its score read the same decision."""
    return tuple(cite(text, language, when))


def compare(case: Extraction, rules: Rules) -> ProvisionComparison:
    """The whole comparison of one case."""
    found = citations(case.text, case.language, day_of_decision(case.decision))
    cited = gather(found)
    ranges = runs(found)
    expected = _expect(cited, ranges, rules)
    by_article = _index(cited)
    support = [_support(item, by_article) for item in case.items]
    second_looks = {n: word_for_word(case.items[n], case) for n, s in enumerate(support) if not s}
    items = _by_article(case.items)
    unsure: list[tuple[int, Citation]] = []
    for n, place in second_looks.items():
        item = case.items[n]
        if place is not None:
            continue
        if _read_otherwise(item, by_article):
            second_looks[n] = path_near(item, _own_places(item, by_article), case.text)
            unsure += [(n, own)] if (own := second_looks[n]) else []
            continue
        look = unread(item, case, found, rules)
        second_looks[n] = look[0] if look else None
        unsure += [(n, look[0])] if look and not look[1] else []
    restated = [case.items[n] for n, place in second_looks.items() if place is not None]
    return ProvisionComparison(
        cited=cited,
        expected=expected,
        missing=tuple(
            provision
            for provision in expected
            if not _is_matched(provision, items) and not _is_restated(provision, restated)
        ),
        support=tuple(places or _as_support(second_looks[n]) for n, places in enumerate(support)),
        duplicates=_duplicates(case.items),
        unsure=tuple(unsure),
        citations=found,
        runs=ranges,
        index=by_article,
    )


def _own_places(
    item: Item, by_article: Mapping[str, list[tuple[tuple[str, ...], CitedProvision]]]
) -> list[Citation]:
    """Where this article of this act is cited, with whatever path; not where a degree sign says
    that a number is no paragraph."""
    places: list[Citation] = []
    for key, path in item_forms(item):
        for cited_path, provision in by_article.get(key, ()):
            same = path and item.act.id == provision.act
            if same and not degree_as_paragraph(path, cited_path):
                places += provision.places
    return places


def degree_as_paragraph(path: tuple[str, ...], cited: tuple[str, ...]) -> bool:
    """The item says § 3 where the source says 3°."""
    return any(
        part.startswith("§") and part not in cited and f"{part[1:]}°" in cited for part in path
    )


def _read_otherwise(
    item: Item, by_article: Mapping[str, list[tuple[tuple[str, ...], CitedProvision]]]
) -> bool:
    """Whether the engine read this very article, though of another act or with another path."""
    return any(key in by_article for key, _ in item_forms(item))


def gather(citations: Iterable[Citation]) -> tuple[CitedProvision, ...]:
    """The distinct provisions, in the order of the text; one in two notations is one."""
    places: dict[tuple[str, Place], list[Citation]] = defaultdict(list)
    for citation in citations:
        act, key, path = citation.provision
        places[act, canonical(key, path, citation.act.type)].append(citation)
    return tuple(CitedProvision(all_[0].key, all_[0].path, tuple(all_)) for all_ in places.values())


def runs(citations: Sequence[Citation]) -> tuple[tuple[Citation, ...], ...]:
    """The ranges: neighbours of one phrase, each one step after the other."""
    ranges: list[list[Citation]] = []
    for citation in citations:
        if citation.via != "range":
            continue
        last = ranges[-1][-1] if ranges else None
        if last is not None and last.group == citation.group and _follows(last, citation):
            ranges[-1].append(citation)
        else:
            ranges.append([citation])
    return tuple(tuple(run) for run in ranges if len(run) > 1)


def same_act(item: Item, provision: CitedProvision) -> bool:
    """The same act, or one of the two is not known."""
    return item.act.id == provision.act or item.act.id is None or not provision.sure


def begins(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    return long[: len(short)] == short


def step(part: str) -> tuple[str, int, str] | None:
    """A key or part of a path, counted: ("XX.", 99, "bis"), ("§", 2, ""), ("", 3, ")") of c)."""
    counted = _STEP.fullmatch(part[-40:])
    if counted:
        return counted[1], int(counted[2]), counted[3]
    letter = _LETTER.fullmatch(part)
    return ("", ord(letter[1]) - ord("a") + 1, ")") if letter else None


def _follows(last: Citation, this: Citation) -> bool:
    """One step further: in the article, or in the last part of the path."""
    if last.key != this.key:
        a, b = step(last.key), step(this.key)
        same = last.path == this.path
    else:
        same = bool(last.path and this.path) and last.path[:-1] == this.path[:-1]
        a, b = (step(last.path[-1]), step(this.path[-1])) if same else (None, None)
    return same and a is not None and b is not None and 0 <= b[1] - a[1] <= 1


def _place(provision: CitedProvision) -> Place:
    return canonical(provision.key, provision.path, provision.best.act.type)


def _forms(provision: CitedProvision) -> tuple[Place, ...]:
    """As compared, and as written when that differs: an item whose act is unknown may say "6.1"."""
    place = _place(provision)
    plain = write_place(provision.key, provision.path)
    return (place,) if place == plain else (place, plain)


def _index(
    cited: Iterable[CitedProvision],
) -> dict[str, list[tuple[tuple[str, ...], CitedProvision]]]:
    index: dict[str, list[tuple[tuple[str, ...], CitedProvision]]] = defaultdict(list)
    for provision in cited:
        for key, path in _forms(provision):
            index[key].append((path, provision))
    return index


def _expect(
    cited: tuple[CitedProvision, ...], ranges: tuple[tuple[Citation, ...], ...], rules: Rules
) -> tuple[CitedProvision, ...]:
    """BL-EXPECTED."""
    inner = frozenset[int]()
    if rules.expansion == "ends":
        inside = chain.from_iterable(run[1:-1] for run in ranges)
        inner = frozenset(id(citation) for citation in inside)
    by_article = _index(cited)
    doubtful: set[Place] = set()
    expected: list[CitedProvision] = []
    for provision in cited:
        if _is_subsumed(provision, by_article[_place(provision)[0]]):
            continue
        if all(id(place) in inner or _is_doubtful(place) for place in provision.places):
            continue
        if not provision.sure and _place(provision) in doubtful:
            continue  # of which act is not known: it counts once, not once an act
        if not provision.sure:
            doubtful.add(_place(provision))
        expected.append(provision)
    return tuple(expected)


def _is_doubtful(place: Citation) -> bool:
    """ "le paragraphe 2 du même article" has no number; a doubtful one may be none: both support
    an item, but nobody must extract them."""
    numbered = any(c.isdigit() for c in place.quote) or place.key in ("1", "unique")
    return not numbered or place.confidence < _LIKELY or bool(_SCATTERED.search(place.quote))


def _is_subsumed(
    provision: CitedProvision, others: list[tuple[tuple[str, ...], CitedProvision]]
) -> bool:
    """A bare article cited with a path too; or one of a doubtful act that a sure one covers.

    A doubt about the act must not make one provision two.
    """
    path = _place(provision)[1]
    for longer, other in others:
        if other is provision or not begins(path, longer):
            continue
        if not provision.sure and other.sure:
            return True
        if not path and longer and (other.act == provision.act or provision.act is None):
            return True
    return False


def _support(
    item: Item, by_article: dict[str, list[tuple[tuple[str, ...], CitedProvision]]]
) -> tuple[CitedProvision, ...]:
    """BL-SUPPORTED: the provisions of the source that carry this item, best first."""
    ranked: dict[int, tuple[int, CitedProvision]] = {}
    for key, path in item_forms(item):
        for cited_path, provision in by_article.get(key, ()):
            rank = _rank(item, path, provision, cited_path)
            if rank is not None and rank < ranked.get(id(provision), (9, provision))[0]:
                ranked[id(provision)] = (rank, provision)
    return tuple(provision for _, provision in sorted(ranked.values(), key=lambda pair: pair[0]))


def _rank(
    item: Item, path: tuple[str, ...], provision: CitedProvision, cited: tuple[str, ...]
) -> int | None:
    """How well a citation carries an item: 0 best, None not at all."""
    if item.act.id is not None and item.act.id == provision.act:
        return (0 if path == cited else 1) if begins(path, cited) else None
    if not same_act(item, provision):
        return None
    if path == cited:
        return 2
    return 3 if begins(path, cited) or begins(cited, path) else None


def _as_support(place: Citation | None) -> tuple[CitedProvision, ...]:
    return () if place is None else (CitedProvision(place.key, place.path, (place,)),)


def _is_restated(provision: CitedProvision, items: list[Item]) -> bool:
    """Whether an item says this very citation in its own words, though of another act."""
    forms = set(_forms(provision))
    for item in items:
        if forms.isdisjoint(item_forms(item)):
            continue
        if any(in_words(place, item) for place in provision.places):
            return True
    return False


def _by_article(items: Iterable[Item]) -> dict[str, list[tuple[tuple[str, ...], Item]]]:
    index: dict[str, list[tuple[tuple[str, ...], Item]]] = defaultdict(list)
    for item in items:
        for key, path in item_forms(item):
            index[key].append((path, item))
    return index


def _is_matched(
    provision: CitedProvision, items: dict[str, list[tuple[tuple[str, ...], Item]]]
) -> bool:
    for key, path in _forms(provision):
        for item_path, item in items.get(key, ()):
            covers = item_path == path or (begins(item_path, path) and not provision.listed)
            if covers and same_act(item, provision):
                return True
    return False


def _duplicates(items: Iterable[Item]) -> tuple[int, ...]:
    """Items with the act, article and path of an earlier one."""
    known: set[tuple[str, str, tuple[str, ...]]] = set()
    again = []
    for item in items:
        if item.article is None:
            continue
        key, path = canonical(item.article, item.path, item.act.type)
        this = (item.act.id or f"?{(item.name or '').casefold()}", key, path)
        if this in known:
            again.append(item.index)
        known.add(this)
    return tuple(again)
