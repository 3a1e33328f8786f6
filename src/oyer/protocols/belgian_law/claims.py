"""What a judge lists as missing or hallucinated, looked up in the source and the extraction."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from oyer.cite import Act, day_of_decision
from oyer.protocols.belgian_law.compare import CitedProvision
from oyer.protocols.belgian_law.decide import Decision
from oyer.protocols.belgian_law.extraction import Item, anchor_of, article, read_act, short
from oyer.protocols.belgian_law.names import identity
from oyer.protocols.belgian_law.notation import forms_of, item_forms
from oyer.protocols.belgian_law.reply import words_of
from oyer.records import JsonObject
from oyer.text.quotes import find, source

_NUMBERS = ("provisionNumber", "provision", "article", "number", "citation", "provisionNumberKey")
_ACTS = ("parentActName", "act", "actName", "parentAct", "law")
_QUOTES = ("quote", "evidence", "span")
_LONGEST = 600
_PROVISION = re.compile(r"\bart\D{0,12}\d|\bart\D{0,8}[IVXLCDM]+\b", re.IGNORECASE)
_ID = re.compile(r"ART-[^\s\"',;()\[\]]{1,200}-\d+")
_STEP = re.compile(r"§\d\S*|al\d+|\d+°\S*|[a-z]\)|(?:phrase|tiret)\d+")


@dataclass(frozen=True, slots=True)
class ProvisionClaim:
    """One entry of such a list: the provision it means, as far as it says."""

    text: str
    key: str | None
    path: tuple[str, ...]
    act: Act
    quote: str | None
    item: int | None = None  # which item of the extraction: its place,
    id: str | None = None  # ... or its internalProvisionId


def read_claim(entry: object, decision: Decision) -> ProvisionClaim:
    """A string, or an object in our notation or in the extraction's field names."""
    text = words_of(entry)
    fields = entry if isinstance(entry, Mapping) else {}
    number = _first(fields, _NUMBERS) or (None if fields else text)
    name = _first(fields, _ACTS) or (None if fields else text)
    key = _first(fields, ("key", "article"))
    path = fields.get("path")
    if key is not None and isinstance(path, list):
        place = _read_notation(key, path)
    else:
        place = _article(number or key)
    act_id = fields.get("actId")
    case = decision.case
    act = read_act(name, None, None, case.language, day_of_decision(case.decision))
    if isinstance(act_id, str):
        act = Act(act_id, name or "", None, None)
    item = fields.get("item")
    return ProvisionClaim(
        text,
        place[0] if place else None,
        place[1] if place else (),
        act,
        _first(fields, _QUOTES),
        item if isinstance(item, int) and not isinstance(item, bool) else None,
        _first(fields, ("internalProvisionId", "id")),
    )


def _read_notation(key: str, path: list[object]) -> tuple[str, tuple[str, ...]] | None:
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


def _first(fields: JsonObject, names: Iterable[str]) -> str | None:
    return next(
        (fields[n] for n in names if isinstance(fields.get(n), str) and fields[n].strip()), None
    )


@dataclass(frozen=True, slots=True)
class ClaimShelf:
    """The extraction's items as claims may name them: a reply may list thousands."""

    by_id: Mapping[str, tuple[Item, ...]]
    by_article: Mapping[str, tuple[Item, ...]]
    bare: tuple[Item, ...]
    missing: frozenset[int]


def shelve(decision: Decision) -> ClaimShelf:
    """Every way to an item, made once for all claims of a reply."""
    by_id: dict[str, list[Item]] = defaultdict(list)
    by_article: dict[str, list[Item]] = defaultdict(list)
    for item in decision.case.items:
        by_id[item.provision_id or ""].append(item)
        for key, _ in item_forms(item):
            by_article[key].append(item)
    return ClaimShelf(
        {id_: tuple(items) for id_, items in by_id.items()},
        {key: tuple(items) for key, items in by_article.items()},
        tuple(item for item in decision.case.items if item.article is None and item.name),
        frozenset(id(provision) for provision in decision.comparison.missing),
    )


def refute_missing(claim: ProvisionClaim, decision: Decision, shelf: ClaimShelf) -> str | None:
    """Why the claim that this is missing does not hold; None when it does."""
    cited = _provisions_of(claim, decision)
    if any(id(provision) in shelf.missing for provision in cited):
        return None
    if cited:
        return f"{short(claim.text)}: cited, but extracted"
    if _items(claim, decision, shelf):
        return f"{short(claim.text)}: extracted"
    # The words may be there though the engine did not read them as a citation.
    quote = (claim.quote or claim.text)[:_LONGEST]
    is_provision = _PROVISION.search(quote) and anchor_of(claim.key or "") in anchor_of(quote)
    if is_provision and find(quote, source("sourceText", decision.case.text)) is not None:
        return None
    return f"{short(claim.text)}: not found in the source"


def refute_hallucinated(claim: ProvisionClaim, decision: Decision, shelf: ClaimShelf) -> str | None:
    """Why the claim that this is hallucinated does not hold; None when it does."""
    items = _items(claim, decision, shelf)
    if not items:
        return f"{short(claim.text)}: not in the extraction"
    if any(item.index in decision.reasons for item in items):
        return None
    place = decision.comparison.support[items[0].index][0].best
    return f"{short(claim.text)}: the source says “{short(place.quote)}”"


def _provisions_of(claim: ProvisionClaim, decision: Decision) -> list[CitedProvision]:
    """The provisions of the source that the claim is about."""
    if claim.key is None:
        return []
    provisions: list[CitedProvision] = []
    for key, path in forms_of(claim.key, claim.path):
        for cited_path, provision in decision.comparison.index.get(key, ()):
            if cited_path == path and _may_be_same(provision.act, claim.act.id):
                provisions.append(provision)
    return provisions


def _may_be_same(act: str | None, other: str | None) -> bool:
    """The same act, or one of the two is not known."""
    return act == other or act is None or other is None


def _items(claim: ProvisionClaim, decision: Decision, shelf: ClaimShelf) -> list[Item]:
    """The items of the extraction that the claim is about."""
    items = decision.case.items
    if claim.item is not None:
        return [items[claim.item]] if 0 <= claim.item < len(items) else []
    if claim.id is not None:
        return list(shelf.by_id.get(claim.id, ()))
    named: list[Item] = []
    for provision_id in _ID.findall(claim.text):
        named += shelf.by_id.get(provision_id, ())
    if named:
        return named
    if claim.key is None:
        words = identity(claim.text[:_LONGEST])
        return [item for item in shelf.bare if identity(item.name or "") in words]
    forms = forms_of(claim.key, claim.path)
    same: list[Item] = []
    for key in {form[0] for form in forms}:
        for item in shelf.by_article.get(key, ()):
            like = not set(forms).isdisjoint(item_forms(item))
            if like and _may_be_same(item.act.id, claim.act.id):
                same.append(item)
    return same
