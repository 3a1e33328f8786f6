"""Probes of a judge of extractions: one provision is broken, and the engine knows what it costs."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from oyer.types import Case, Probe

Item = dict[str, Any]
Break = Callable[[list[Item], Random], bool]


def probes() -> tuple[Probe, ...]:
    """The ways in which an extraction breaks."""
    return (
        Probe("provision dropped", "score", "falls", _broken(_drop)),
        Probe("article changed", "score", "falls", _broken(_number)),
        Probe("provision invented", "score", "falls", _broken(_invent)),
        Probe("type outside the set", "score", "falls", _broken(_type)),
        Probe("provision twice", "score", "does not rise", _broken(_twice)),
        Probe("order of provisions", "score", "stays", _broken(_shuffle), slack=0.05),
    )


def _broken(break_one: Break) -> Callable[[Case, Random], Case | None]:
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
        made = copy.deepcopy(extracted)
        items = made.get("citedProvisions")
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            return None
        if len(items) < 2 or not break_one(items, chance):
            return None
        return replace(case, fields={**case.fields, "extracted": made})

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


def _twice(items: list[Item], chance: Random) -> bool:
    items.append(copy.deepcopy(chance.choice(items)))
    return True


def _shuffle(items: list[Item], chance: Random) -> bool:
    before = list(items)
    chance.shuffle(items)
    return items != before
