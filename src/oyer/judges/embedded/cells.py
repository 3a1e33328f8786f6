"""Facts that stand side by side: cells of a row, items of a list, halves of a comparison.

"Adults 12 euros, students 7 euros": each number belongs to its own cell. A claim that gives one
cell's number to another cell's words has moved it (`is_exchanged`); one that tells what a sentence
names only as what was before, or instead, has turned it (`is_superseded`); and one that joins two
names, each of which the article joins to another one by the same word, has swapped them
(`is_mispaired`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from oyer.judges.embedded import concepts, languages
from oyer.judges.embedded.anchors import Anchor, anchors
from oyer.judges.embedded.clauses import TELLING, Clause, weigh
from oyer.judges.embedded.concepts import against, base, kin
from oyer.judges.embedded.grids import Row
from oyer.judges.embedded.rows import row_at
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import STOP, Words, is_number, read

KINDS = ("number", "time", "day")
MARKS = frozenset(",;()|\t")
SPLITS = frozenset(("and", "but", "while", "whereas"))
SCANT = 2  # telling words of a cell that leans on the one before it
SHORT = 10  # telling words of a claim that is one fact
HARDLY = 0.25  # of the weight of what is said, that the number's own cells may have at most
CLEARLY = 0.3  # of the weight of what is said, by which the other cell must have more
PAIRED = 6  # telling words of a claim that joins two names
FORMERLY = concepts.words("formerly")


@dataclass(frozen=True, slots=True)
class TableCell:
    """A stretch of a sentence: its telling words, and the numbers, times and days in it."""

    sentence: int
    bases: frozenset[str]
    anchors: tuple[Anchor, ...]
    label: frozenset[str] = frozenset()  # of a row with headings: what it is about
    column: str = ""  # and the heading of the cell

    def of_kind(self, kind: str) -> frozenset[str]:
        return frozenset().union(*(a.stems for a in self.anchors if a.kind == kind))


def find_cells(source: SourceText) -> list[TableCell]:
    """The cells with a number, time or day of every sentence; the label of a line ("Library: …")
    belongs to all of them."""
    cells: list[TableCell] = []
    for number in range(len(source.bounds)):
        cells += _cells_of(source, number)
    return cells


def _cells_of(source: SourceText, number: int) -> list[TableCell]:
    figures = [a for a in source.anchors_in.get(number, ()) if a.kind in KINDS]
    figures = [a for a in figures if not source.text[source.words.starts[a.at] - 1].isalpha()]
    if not figures:
        return []
    row = row_at(source.text, source.spans[number][0])
    if row and row.heads:
        return _cells_of_row(source, number, row, figures)
    words, (low, high) = source.words, source.bounds[number]
    named = {base(words.norms[i]) for i in range(low, high) if words.stems[i] in source.names}
    label, cuts = _cut(source, low, high, figures[0].at)
    head = _bases(words, low, label)
    cells: list[TableCell] = []
    for start, end in pairwise(cuts):
        inside = tuple(a for a in figures if start <= a.at < end)
        if not inside:
            continue
        own = _bases(words, start, end)
        if cells and len(own) <= SCANT:  # "nineteen voted for it and fourteen against"
            own |= _not_against(cells[-1].bases - named, own)
        cells.append(TableCell(number, head | own, inside))
    return cells


def _cells_of_row(
    source: SourceText, number: int, row: Row, figures: list[Anchor]
) -> list[TableCell]:
    """Of a row with headings: what it is about belongs to each cell, and so does its heading."""
    places = [_words_in(source, number, cell) for cell in row.cells]
    label = _bases(source.words, *places[0])
    cells: list[TableCell] = []
    for head, (start, end) in zip(row.heads, places, strict=True):
        inside = tuple(a for a in figures if start <= a.at < end)
        if inside:
            titled = read(head, source.language)
            own = _bases(titled, 0, len(titled)) | _bases(source.words, start, end)
            cells.append(TableCell(number, label | own, inside, label, head))
    return cells


def _words_in(source: SourceText, number: int, cell: tuple[int, int]) -> tuple[int, int]:
    low, high = source.bounds[number]
    start, end = (bisect_left(source.words.starts, place, low, high) for place in cell)
    return start, end


def _cut(source: SourceText, low: int, high: int, first: int) -> tuple[int, list[int]]:
    """Where a line's label ends, and where its cells begin and end; the first figure is in none
    of the label."""
    words, label, cuts = source.words, low, [low]
    for at in range(low + 1, high):
        gap = source.text[words.ends[at - 1] : words.starts[at]]
        if ":" in gap and label == low and at <= first:
            label, cuts = at, [at]
        elif any(c in MARKS for c in gap) or words.norms[at] in SPLITS:
            cuts.append(at)
    return label, [*cuts, high]


def _not_against(bases: frozenset[str], own: frozenset[str]) -> frozenset[str]:
    return frozenset(x for x in bases if not any(against(x, y) for y in own))


def _bases(words: Words, start: int, end: int) -> frozenset[str]:
    norms = [n for n in words.norms[start:end] if n not in STOP or n in TELLING]
    return frozenset(base(n) for n in norms if not is_number(n) and len(n) > 1)


def is_exchanged(source: SourceText, claim: str, words: Words, part: Clause) -> bool:
    """A number, time or day of the claim stands in cells that say less of what it says than
    another cell does, whose number is another one."""
    if len(part.words) > SHORT:
        return False
    mine = [a for a in anchors(claim, words, source.names) if part.start <= a.at < part.end]
    for kind in KINDS:
        here = [a for a in mine if a.kind == kind]
        if here and all(_belongs_elsewhere(source, a, here, words, part) for a in here):
            return True
    return False


def _belongs_elsewhere(
    source: SourceText, anchor: Anchor, mine: list[Anchor], words: Words, part: Clause
) -> bool:
    unit = base(words.norms[anchor.at + 1]) if anchor.at + 1 < part.end else ""
    about = {w.base: weigh(w.norm) for w in part.words if not is_number(w.norm) and w.base != unit}
    own = frozenset().union(*(a.stems for a in mine))
    total = sum(about.values())
    figures = [(cell, cell.of_kind(anchor.kind)) for cell in source.cells]
    there = [cell for cell, stems in figures if stems & anchor.stems]
    rivals = [cell for cell, stems in figures if stems and not stems & own]
    if not there or not rivals or not total:
        return False
    held = max(_holds(about, cell) for cell in there)
    best = max(rivals, key=lambda cell: _holds(about, cell))
    if held <= HARDLY * total and _holds(about, best) - held >= CLEARLY * total:
        return True
    return all(_turns(about, cell, best) for cell in there) or all(
        _is_of_other_row(about, cell, rivals) for cell in there
    )


def _holds(about: dict[str, float], cell: TableCell) -> float:
    return sum(weight for word, weight in about.items() if not kin(word).isdisjoint(cell.bases))


def _is_of_other_row(about: dict[str, float], cell: TableCell, rivals: Sequence[TableCell]) -> bool:
    """The claim tells of another row than the cell's, which has another figure in that column."""

    def is_named(label: frozenset[str]) -> bool:
        return bool(label) and all(not kin(word).isdisjoint(about) for word in label)

    column = [rival for rival in rivals if rival.column and rival.column == cell.column]
    return not is_named(cell.label) and any(is_named(rival.label) for rival in column)


def _turns(about: dict[str, float], cell: TableCell, other: TableCell) -> bool:
    """The cell has the opposite of a word that the other cell of the sentence has."""
    if cell.sentence != other.sentence:
        return False
    words = [word for word in about if word in other.bases and word not in cell.bases]
    return any(_not_against(cell.bases, frozenset([word])) != cell.bases for word in words)


def is_superseded(source: SourceText, words: Words) -> bool:
    """The claim tells of a number or name that the article gives only as the former one."""
    mine = set(words.norms)
    if mine & FORMERLY:
        return False
    language = source.language
    for sentence, old, new in _replacements(source):
        gone, come = _figures(old, language) - _figures(new, language), _figures(new, language)
        if not gone or not gone <= mine or come & mine:
            continue
        rest = _all_bases(sentence, language) - _all_bases(old, language)
        others = [base(n) for n in words.norms if n not in STOP and n not in gone]
        if others and 2 * sum(b in rest for b in others) >= len(others):
            return True
    return False


def _replacements(source: SourceText) -> Iterator[tuple[str, str, str]]:
    """Each sentence that puts something in another's place: itself, what was, and what is."""
    for start, end in source.spans:
        sentence = source.text[start:end]
        for match in languages.pattern(source.language, "instead").finditer(sentence):
            yield sentence, match[1], ""
        for match in languages.pattern(source.language, "replaced").finditer(sentence):
            yield sentence, match[1], match[2]


def _all_bases(text: str, language: str) -> set[str]:
    return {base(n) for n in read(text, language).norms if n not in STOP}


def _figures(text: str, language: str) -> set[str]:
    """The numbers, days and capitalised words of a stretch."""
    words = read(text, language)
    pairs = zip(words.norms, words.capital, strict=True)
    return {norm for norm, capital in pairs if capital or is_number(norm)}


def is_mispaired(source: SourceText, claim: str, words: Words, part: Clause) -> bool:
    """Two names that the article never has together, joined by a word by which it joins each of
    them to another name: "Prado coaches Germany", where Lind does, and Prado coaches Brazil."""
    known = source.names | source.strangers
    names = [a.stems for a in anchors(claim, words, known) if a.kind == "name"]
    if len(names) != 2 or len(part.words) > PAIRED or part.denied:
        return False
    first, second = (_sentences_with(source, stems) for stems in names)
    if not first or not second or first & second:
        return False
    own = names[0] | names[1]
    links = [kin(w.base) for w in part.words if words.stems[w.at] not in own]
    return any(
        _joins(source, first, own, link) and _joins(source, second, own, link) for link in links
    )


def _sentences_with(source: SourceText, stems: frozenset[str]) -> set[int]:
    return set().union(*(source.postings.get(stem, ()) for stem in stems))


def _joins(source: SourceText, places: set[int], own: frozenset[str], link: frozenset[str]) -> bool:
    """Whether a sentence with the name has the word, and another name."""
    names = (source.names | source.strangers) - own
    return any(
        not link.isdisjoint(source.told.bases[n]) and source.stems_of[n] & names for n in places
    )
