"""What the source says in an item's own words, whatever the engine makes of the whole text.

A second look before anything is called hallucinated: an abbreviation that a decision defines oddly,
or an article number that the engine cannot read, must not cost an extraction that quotes it.
"""

from __future__ import annotations

from oyer.cite import Act, Citation, cite
from oyer.protocols.belgian_law.extraction import Extraction, Item, anchor_of, has_token
from oyer.text.quotes import find, source


def word_for_word(item: Item, case: Extraction) -> Citation | None:
    """The item's provisionNumber where it stands in the source, if it says article and act itself.

    One that the engine cannot read at all needs only to stand there.
    """
    if item.number is None or not has_token(item.number):
        return None
    span = find(item.number, source("sourceText", case.text))
    if span is None:
        return None
    quote = case.text[span.start : span.end]
    if item.article is None:
        act, key = Act(None, "", None, None), quote
    else:
        names = (
            c.act for c in cite(quote, case.language) if anchor_of(c.key) == anchor_of(item.article)
        )
        said = next((act for act in names if act.id is not None and act.id == item.act.id), None)
        if said is None:
            return None
        act, key = said, item.article
    return Citation(quote, span.start, span.end, key, item.path, act, "single", False, False)


def in_words(place: Citation, item: Item) -> bool:
    """Whether the item's provisionNumber holds the words of this citation."""
    return " ".join(place.quote.split()) in " ".join((item.number or "").split())
