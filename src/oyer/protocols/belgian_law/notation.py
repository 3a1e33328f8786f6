"""BL-DECIMAL: one provision in several notations, folded for comparing.

Treaties and EU acts number their paragraphs: 6.1.a, 6, § 1, a), 6, lid 1, onder a) and
6, alinéa 1er, a) are the same provision. Of other acts the notation is the text's own.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Final, TypeAlias

from oyer.cite import TYPES
from oyer.protocols.belgian_law.extraction import Item, anchor_of

Place: TypeAlias = tuple[str, tuple[str, ...]]  # article and path, for comparing
#: Types whose acts number their paragraphs: EU regulation, EU directive, treaty (BL-TYPE).
NUMBERED: Final = frozenset(chain.from_iterable(types[4:7] for types in TYPES.values()))
_DECIMAL: Final = re.compile(r"(\d+)\.(\d+)(?:\.([a-z]|\d+))?")
_FIRST: Final = re.compile(r"(?:§|al)?(\d+)°?")


def canonical(key: str, path: tuple[str, ...], kind: str | None) -> Place:
    """Article and path for comparing: "6.1" of a treaty or EU act is article 6, § 1."""
    anchor = anchor_of(key)
    if kind not in NUMBERED:
        return anchor, path
    decimal = _DECIMAL.fullmatch(anchor)
    if decimal:
        deeper = (f"{decimal[3]})",) if decimal[3] else ()
        return decimal[1], (f"§{decimal[2]}", *deeper, *path)
    first = _FIRST.fullmatch(path[0]) if path else None
    return (anchor, (f"§{first[1]}", *path[1:])) if first else (anchor, path)


def write_place(key: str, path: tuple[str, ...]) -> Place:
    """Article and path as they stand."""
    return anchor_of(key), path


def forms_of(key: str, path: tuple[str, ...]) -> tuple[Place, ...]:
    """An article and path as written, and as a treaty's decimal would be compared."""
    plain = write_place(key, path)
    folded = canonical(key, path, next(iter(NUMBERED)))
    return (plain,) if plain == folded else (plain, folded)


def item_forms(item: Item) -> tuple[Place, ...]:
    """As compared, and as written when that differs; none without an article."""
    if item.article is None:
        return ()
    place, plain = (
        canonical(item.article, item.path, item.act.type),
        write_place(item.article, item.path),
    )
    return (place,) if place == plain else (place, plain)
