"""What a judge lists as missing or hallucinated, looked up in the source and the extraction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from oyer.cite import Act, article
from oyer.protocols.belgian_law.compare import Cited, canonical
from oyer.protocols.belgian_law.decide import Decision
from oyer.protocols.belgian_law.extraction import Item, read_act, short
from oyer.protocols.belgian_law.names import identity
from oyer.protocols.belgian_law.reply import words_of
from oyer.text.quotes import find, source

_NUMBERS = ("provisionNumber", "provision", "article", "number", "citation", "provisionNumberKey")
_ACTS = ("parentActName", "act", "actName", "parentAct", "law")
_QUOTES = ("quote", "evidence", "span")
_LONGEST = 600
_STEP = re.compile(r"§\d\S*|al\d+|\d+°\S*|[a-z]\)|(?:phrase|tiret)\d+")


@dataclass(frozen=True, slots=True)
class Claim:
    """One entry of such a list: the provision it means, as far as it says."""

    text: str
    key: str | None
    path: tuple[str, ...]
    act: Act
    quote: str | None
    item: int | None = None  # which item of the extraction: its place,
    id: str | None = None  # ... or its internalProvisionId


def read_claim(entry: Any, decision: Decision) -> Claim:
    """A string, or an object in our notation or in the extraction's field names."""
    text = words_of(entry)
    said = entry if isinstance(entry, Mapping) else {}
    number = _first(said, _NUMBERS) or (None if said else text)
    name = _first(said, _ACTS) or (None if said else text)
    key, path = _first(said, ("key", "article")), said.get("path")
    if key is not None and isinstance(path, list):
        place = _noted(key, path)
    else:
        place = _article(number or key)
    act_id = said.get("actId")
    act = read_act(name, None, None, decision.case.language)
    if isinstance(act_id, str):
        act = Act(act_id, name or "", None, None)
    item = said.get("item")
    return Claim(
        text,
        place[0] if place else None,
        place[1] if place else (),
        act,
        _first(said, _QUOTES),
        item if isinstance(item, int) and not isinstance(item, bool) else None,
        _first(said, ("internalProvisionId", "id")),
    )


def _noted(key: str, path: list[Any]) -> tuple[str, tuple[str, ...]] | None:
    """Key and path in our notation; a judge may write "art. 31" and "§ 2" instead."""
    parts = [str(part) for part in path]
    if all(_STEP.fullmatch(part) for part in parts) and not key.casefold().startswith("art"):
        return key, tuple(parts)
    return _article(", ".join([key, *parts]))


def _article(number: str | None) -> tuple[str, tuple[str, ...]] | None:
    if not number:
        return None
    head = number[:_LONGEST]
    return article(head) or (article(f"article {head}") if head[0].isdigit() else None)


def _first(said: Mapping[str, Any], names: Iterable[str]) -> str | None:
    return next((said[n] for n in names if isinstance(said.get(n), str) and said[n].strip()), None)


def refute_missing(claim: Claim, decision: Decision) -> str | None:
    """Why the claim that this is missing does not hold; None when it does."""
    cited = [one for one in decision.found.cited if _means(claim, one)]
    gone = {id(one) for one in decision.found.missing}
    if any(id(one) in gone for one in cited):
        return None
    if cited:
        return f"{short(claim.text)}: cited, but extracted"
    if any(_names(claim, item) for item in decision.case.items):
        return f"{short(claim.text)}: extracted"
    if find(claim.quote or claim.text, source("sourceText", decision.case.text)) is not None:
        return None  # the words are there; the engine did not read them as a citation
    return f"{short(claim.text)}: not found in the source"


def refute_hallucinated(claim: Claim, decision: Decision) -> str | None:
    """Why the claim that this is hallucinated does not hold; None when it does."""
    meant = [item for item in decision.case.items if _names(claim, item)]
    if not meant:
        return f"{short(claim.text)}: not in the extraction"
    if any(item.index in decision.reasons for item in meant):
        return None
    place = decision.found.support[meant[0].index][0].best
    return f"{short(claim.text)}: the source says “{short(place.quote)}”"


def _means(claim: Claim, one: Cited) -> bool:
    """Whether the claim is about this provision of the source."""
    if claim.key is None:
        return False
    if one.act is not None and claim.act.id is not None and one.act != claim.act.id:
        return False
    kind = one.best.act.type
    return canonical(claim.key, claim.path, kind) == canonical(one.key, one.path, kind)


def _names(claim: Claim, item: Item) -> bool:
    """Whether the claim is about this item of the extraction."""
    if claim.item is not None:
        return claim.item == item.index
    if claim.id is not None:
        return claim.id == item.provision_id
    if item.provision_id and item.provision_id in claim.text:
        return True
    if claim.key is None or item.article is None:
        bare = claim.key is None and item.article is None and item.name
        return bool(bare) and identity(item.name or "") in identity(claim.text)
    if claim.act.id is not None and item.act.id is not None and claim.act.id != item.act.id:
        return False
    kind = item.act.type
    return canonical(claim.key, claim.path, kind) == canonical(item.article, item.path, kind)
