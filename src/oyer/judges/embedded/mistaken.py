"""Why a question about the article has no right answer: the summary is silent, or it says another
thing in the answer's place, or it has the answer only in a claim that does not hold."""

from __future__ import annotations

from typing import Literal

from oyer.judges.embedded.assess import Assessed
from oyer.judges.embedded.features import is_name
from oyer.judges.embedded.lexis import MONTHS
from oyer.judges.embedded.perception import Perceived
from oyer.judges.embedded.phrases import Phrase
from oyer.judges.embedded.rows import read_row
from oyer.judges.embedded.salience import share, stems
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import is_number, read

How = Literal["silent", "wrongly", "unheld"]
ABOUT = 0.5  # of the weight of the sentence that is asked about: a claim with less is on another


def find_mistake(seen: Perceived, phrase: Phrase) -> How:
    """How the summary misses a phrase of the article. Of claims that are Supported none answers
    wrongly: what they leave out they do not say."""
    others = seen.source.stems_of[phrase.sentence] - phrase.stems
    about = {stem: seen.weights.get(stem, 0.0) for stem in others}
    low, high = seen.source.bounds[phrase.sentence]
    there = set(seen.source.words.stems[low:high])
    found: How = "silent"
    for claim in seen.every:
        own = dict.fromkeys(stems(claim.view.words), 1.0)
        if claim.label == "Supported" or share(about, own) < ABOUT:
            continue
        if own.keys() >= (phrase.core or phrase.stems):
            found = "unheld"
        elif _replaces(claim, phrase, there) and _tells_of_cell(seen.source, phrase, claim):
            return "wrongly"
    return found


def _replaces(claim: Assessed, phrase: Phrase, known: set[str]) -> bool:
    """Whether a claim has a number, day or name that the sentence does not have, where that is what
    is asked for. Of other phrases nothing tells that a word stands for them."""
    v, w = claim.view, claim.view.words
    for at, norm in enumerate(w.norms):
        if w.stems[at] in known:
            continue
        day = norm in MONTHS and w.capital[at]
        if phrase.kind == "date" and (day or is_number(norm)):
            return True
        if phrase.kind == "number" and is_number(norm):
            return True
        if phrase.kind == "name" and at in v.content and is_name(v, at) and not day:
            return True
    return False


def _tells_of_cell(source: SourceText, phrase: Phrase, claim: Assessed) -> bool:
    """Whether a claim tells of the row and the column from which a phrase is: another row's number
    answers nothing. Of a sentence that is no row nothing more is known."""
    heads, cells = read_row(source.text, source.spans[phrase.sentence])
    if not cells:
        return True
    mine = set(claim.view.words.stems)
    label, *others = (set(read(cell, source.language).stems) for cell in cells)
    shared = [len(mine & set(read(head, source.language).stems)) for head in heads[1:]]
    meant = [cell for cell, words in zip(others, shared, strict=True) if words == max(shared)]
    return label <= mine and any(phrase.stems <= cell for cell in meant)
