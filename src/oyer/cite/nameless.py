"""Acts that no table knows: private documents and abbreviations of the decision's own."""

from __future__ import annotations

import re
from typing import Final

from oyer.cite.names import Mention

_UNKNOWN: Final = re.compile(
    r"(?=[A-Z][a-z.]{0,3}[A-Z])[A-Z][A-Za-z.]{1,9}(?![\w-])(?!\s+[A-ZÀ-Ý]{2,})", re.ASCII
)
_NOT_NAMES: Final = frozenset(
    [
        "en",
        "et",
        "of",
        "ou",
        "van",
        "het",
        "de",
        "du",
        "la",
        "le",
        "les",
        "des",
        "der",
        "eur",
        "bef",
    ]
)


_PRIVATE: Final = re.compile(
    r"(?:statuts?|statut(?:en|air\w*)|statuut|contrats?(?:-type)?|bail|police|polis|compromis|"
    r"acte|akte|testament|charte-partie|avant-projet|projet|proposition|"
    r"(?:model|huur|koop|aannemings|verzekerings)(?:contract|overeenkomst)|contract|bestek|"
    r"voorontwerp|ontwerp|voorstel|(?:wets|ontwerp)(?:voorstel|ontwerp|besluit)|dading|"
    r"(?:algemene\s+)?\w*voorwaarden)(?![\w'])(?:\s+n°\s?\d+)?"
)


def private_at(text: str, position: int) -> Mention | None:
    """ "l'article 14 des statuts": no act of the law, so no act near by is meant either."""
    match = _PRIVATE.match(text, position)
    return Mention(position, match.end(), None, "autre", head=match.end()) if match else None


def unknown_at(text: str, position: int) -> Mention | None:
    """ "artikel 44 RIO": an abbreviation that no table knows names an act of its own."""
    match = _UNKNOWN.match(text, position)
    if not match or match[0].lower().strip(".") in _NOT_NAMES:
        return None
    return Mention(position, match.end(), None, "", head=match.end())
