"""Lists of figures from a table: "Leeds had 120, York 95, Hull 80 and Bath 60 visitors".

Such a claim follows no row as a whole, but each of its pairs follows one. The rules for a single
fact (moved.py, cells.py) hold the whole claim against single rows, and so they see figures in a
wrong place where there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from oyer.judges.embedded.anchors import anchors
from oyer.judges.embedded.cells import KINDS
from oyer.judges.embedded.rows import read_row
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import Words, is_number, read

FEWEST = 2  # labels of a list
Label = tuple[str, ...]  # the stems of its words


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a table, the label that a list may give it to (of its row, or of its column),
    and the other of the two."""

    stem: str
    label: Label
    other: Label


def find_figures(source: SourceText) -> tuple[list[Figure], list[Figure]]:
    """The numbers of the tables, by their rows and by their columns."""
    by_row: list[Figure] = []
    for span in source.spans:
        heads, cells = read_row(source.text, span)
        for head, cell in list(zip(heads, cells, strict=True))[1:]:
            row, column, words = (read(text, source.language) for text in (cells[0], head, cell))
            by_row += [Figure(s, row.stems, column.stems) for s in words.stems if is_number(s)]
    return by_row, [Figure(f.stem, f.other, f.label) for f in by_row]


def matches_table(source: SourceText, claim: str, words: Words) -> bool | None:
    """Whether a claim gives each of its figures to the row or column that has it; None: it is no
    list of figures of a table, or tells more than that."""
    for figures in source.figures:
        pairs = _pair_up(list(_find_mentions(words, figures)))
        cells = {(f.label, f.stem) for f in figures}
        if any(pair not in cells and not _tells(source, *pair) for pair in pairs):
            return False
        meant = _find_meant(words, figures)
        cells = {(f.label, f.stem) for f in figures if f.other in meant}
        if pairs and cells.issuperset(pairs) and not _has_more(source, claim, words, pairs):
            return True
    return None


def _find_mentions(words: Words, figures: Sequence[Figure]) -> Iterator[Label | str]:
    """The labels and the numbers of a table that a claim has, in its order."""
    labels, numbers = {f.label for f in figures if f.label}, {f.stem for f in figures}
    at = 0
    while at < len(words):
        there = [label for label in labels if words.stems[at : at + len(label)] == label]
        if there:
            yield max(there, key=len)
        elif words.stems[at] in numbers:
            yield words.stems[at]
        at += max(map(len, there), default=1)


def _pair_up(mentions: Sequence[Label | str]) -> list[tuple[Label, str]]:
    """Labels with their numbers, which stand in turn, or first the ones and then the others; of
    what is no list none."""
    labels = [mention for mention in mentions if isinstance(mention, tuple)]
    numbers = [mention for mention in mentions if isinstance(mention, str)]
    changes = sum(type(a) is not type(b) for a, b in pairwise(mentions))
    in_order = changes in (1, len(mentions) - 1)
    if not in_order or len(labels) != len(numbers) or len(set(labels)) < FEWEST:
        return []
    return list(zip(labels, numbers, strict=True))


def _tells(source: SourceText, label: Label, number: str) -> bool:
    """Whether a sentence of the article has both: it may say more than the table."""
    stems = source.words.stems
    return any({*label, number} <= set(stems[low:high]) for low, high in source.bounds)


def _find_meant(words: Words, figures: Sequence[Figure]) -> set[Label]:
    """The other labels of which the claim has most words: "visitors" means that column. Where it
    has none of any, each may be meant."""
    shared = {f.other: len(set(f.other) & set(words.stems)) for f in figures}
    most = max(shared.values(), default=0)
    return {label for label, number in shared.items() if number == most}


def _has_more(
    source: SourceText, claim: str, words: Words, pairs: Sequence[tuple[Label, str]]
) -> bool:
    """Whether a number, time or day of the claim is in none of its pairs."""
    paired = {stem for label, number in pairs for stem in (*label, number)}
    found = [anchor for anchor in anchors(claim, words, source.names) if anchor.kind in KINDS]
    return any(not anchor.stems <= paired for anchor in found)
