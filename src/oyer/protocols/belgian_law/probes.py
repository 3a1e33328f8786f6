"""Probes of a judge of extractions: one provision is broken, and the engine knows what it costs."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from oyer.cite.model import TYPES
from oyer.types import Case, Probe

Item = dict[str, Any]
Break = Callable[[list[Item], Random], bool]
_FRENCH = frozenset(TYPES["fr"])


def probes() -> tuple[Probe, ...]:
    """The ways in which an extraction breaks; what each costs, the engine says."""
    faults: tuple[tuple[str, Break], ...] = (
        ("provision dropped", _drop),
        ("all provisions dropped", _drop_all),
        ("article changed", _number),
        ("provision invented", _invent),
        ("act without an article", _bare_act),
        ("id broken", _break_id),
        ("id used twice", _reuse_id),
        ("type outside the set", _type),
        ("type of the other language", _other_language),
        ("key with its paragraph", _keep_paragraph),
        ("key cut short", _cut_key),
        ("date changed", _change_date),
        ("date invented", _invent_date),
        ("one act under two ids", _split_act),
        ("article of another act", _other_act),
    )
    return (
        *(Probe(name, "score", "falls", _breaking(fault)) for name, fault in faults),
        Probe("provision twice", "score", "does not rise", _breaking(_twice)),
        Probe("order of provisions", "score", "stays", _breaking(_shuffle), slack=0.05),
    )


def _breaking(break_one: Break) -> Callable[[Case, Random], Case | None]:
    """The case with its extraction broken; None where there is nothing to break."""

    def change(case: Case, chance: Random) -> Case | None:
        extracted = case.fields.get("extracted")
        if isinstance(extracted, str):
            try:
                extracted = json.loads(extracted)
            except ValueError:
                return None
        if not isinstance(extracted, dict):
            return None
        broken = copy.deepcopy(extracted)
        items = broken.get("citedProvisions")
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            return None
        if len(items) < 2 or not break_one(items, chance):
            return None
        return replace(case, fields={**case.fields, "extracted": broken})

    return change


def _drop(items: list[Item], chance: Random) -> bool:
    items.pop(chance.randrange(len(items)))
    return True


def _number(items: list[Item], chance: Random) -> bool:
    numbered = [item for item in items if str(item.get("provisionNumberKey", "")).isdigit()]
    if not numbered:
        return False
    item = chance.choice(numbered)
    wrong = str(int(item["provisionNumberKey"]) * 3 + 4001)
    item.update(provisionNumberKey=wrong, provisionNumber=f"article {wrong}")
    return True


def _invent(items: list[Item], chance: Random) -> bool:
    item = copy.deepcopy(chance.choice(items))
    item.update(provisionNumberKey="7777", provisionNumber="article 7777")
    if "internalProvisionId" in item:
        item["internalProvisionId"] = f"{str(item['internalProvisionId'])[:-3]}{len(items) + 1:03d}"
    items.append(item)
    return True


def _type(items: list[Item], chance: Random) -> bool:
    chance.choice(items)["parentActType"] = "NEWSPAPER"
    return True


def _drop_all(items: list[Item], _: Random) -> bool:
    items.clear()
    return True


def _bare_act(items: list[Item], chance: Random) -> bool:
    """A whole act, cited nowhere, in the place of a provision."""
    item = copy.deepcopy(chance.choice(items))
    french = item.get("parentActType") in _FRENCH
    name = "loi du 3 mars 1927" if french else "wet van 3 maart 1927"
    item.update(
        provisionNumber=name,
        provisionNumberKey=None,
        parentActName=name,
        parentActDate="1927-03-03",
        parentActType="LOI" if french else "WET",
        **_new_ids(item, 901),
    )
    items.append(item)
    return True


def _break_id(items: list[Item], chance: Random) -> bool:
    known = [item for item in items if ":" in str(item.get("internalProvisionId", ""))]
    if not known:
        return False
    item = chance.choice(known)
    item["internalProvisionId"] = item["internalProvisionId"].replace(":", "_")
    return True


def _reuse_id(items: list[Item], chance: Random) -> bool:
    first, second = chance.sample(items, 2)
    second["internalProvisionId"] = first.get("internalProvisionId")
    return True


def _other_language(items: list[Item], chance: Random) -> bool:
    item = chance.choice(items)
    item["parentActType"] = "WET" if item.get("parentActType") in _FRENCH else "LOI"
    return True


def _keep_paragraph(items: list[Item], chance: Random) -> bool:
    numbered = [item for item in items if item.get("provisionNumberKey")]
    if not numbered:
        return False
    item = chance.choice(numbered)
    item["provisionNumberKey"] = f"{item['provisionNumberKey']}, § 2"
    return True


def _cut_key(items: list[Item], chance: Random) -> bool:
    """10bis as 10, 1675/13 as 1675."""
    cut = []
    for item in items:
        key = str(item.get("provisionNumberKey") or "")
        digits = re.match(r"\d+", key)
        if digits and digits[0] != key:
            cut.append((item, digits[0]))
    if not cut:
        return False
    item, short = chance.choice(cut)
    item["provisionNumberKey"] = short
    return True


def _change_date(items: list[Item], chance: Random) -> bool:
    dated = [item for item in items if item.get("parentActDate") and _has_digit(item)]
    return _set(dated, chance, parentActDate="1899-12-31")


def _invent_date(items: list[Item], chance: Random) -> bool:
    undated = [item for item in items if not item.get("parentActDate") and not _has_digit(item)]
    return _set(undated, chance, parentActDate="1899-12-31")


def _split_act(items: list[Item], chance: Random) -> bool:
    acts = [item.get("internalParentActId") for item in items]
    shared = [item for item in items if acts.count(item.get("internalParentActId")) > 1]
    if not shared:
        return False
    item = chance.choice(shared)
    item["internalParentActId"] = _new_ids(item, 902)["internalParentActId"]
    return True


def _other_act(items: list[Item], chance: Random) -> bool:
    item = chance.choice(items)
    french = item.get("parentActType") in _FRENCH
    name, kind = ("Code forestier", "CODE") if french else ("Boswetboek", "WETBOEK")
    item.update(parentActName=name, parentActType=kind, parentActDate=None)
    item["internalParentActId"] = _new_ids(item, 903)["internalParentActId"]
    return True


def _set(items: list[Item], chance: Random, **changes: str) -> bool:
    """Change one of these; False: there is none."""
    if not items:
        return False
    chance.choice(items).update(changes)
    return True


def _has_digit(item: Item) -> bool:
    return any(sign.isdigit() for sign in str(item.get("parentActName", "")))


def _new_ids(item: Item, number: int) -> Item:
    """The ids of an item with another number at their end."""
    names = ("internalProvisionId", "internalParentActId")
    return {name: f"{str(item.get(name, ''))[:-3]}{number}" for name in names}


def _twice(items: list[Item], chance: Random) -> bool:
    items.append(copy.deepcopy(chance.choice(items)))
    return True


def _shuffle(items: list[Item], chance: Random) -> bool:
    before = list(items)
    chance.shuffle(items)
    return items != before
