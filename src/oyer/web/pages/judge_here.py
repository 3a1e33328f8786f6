"""Judge here: a case pasted into the page, judged and kept like any other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oyer.errors import InputError, UsageError
from oyer.judges.availability import survey
from oyer.judges.names import members, provider_of
from oyer.protocols.catalogue import names
from oyer.runs.estimate import forecast
from oyer.runs.plan import Plan, make_plan
from oyer.runs.session import run_session
from oyer.runs.suite import Suite
from oyer.types import Case, Protocol
from oyer.web.render import Page
from oyer.web.site import PageRequest, Site

DEFAULT = "embedded"
LONGEST = 400_000  # characters of a field


def show(site: Site, asked: PageRequest) -> Page:
    """The form of a protocol."""
    known = names(site.paths)
    wanted = asked.word("protocol")
    protocol = site.protocol_named(wanted if wanted in known else known[0])
    usable = [one for one in asyncio.run(survey()) if one.usable and "@" not in one.name]
    values = {"page": "judge", "known": known, "protocol": protocol, "usable": usable}
    return Page("judge.html", {**values, "default": DEFAULT})


def estimate(site: Site, asked: PageRequest) -> dict[str, Any]:
    """What judging it would cost; nothing is asked."""
    plan = _plan(site, asked)
    told = forecast(plan, site.where)
    costs = [model["cost_usd"] for model in told["models"]]
    known = [cost for cost in costs if cost is not None]
    return {
        "free": all(cost == 0 for cost in costs),
        "calls": sum(model["calls"] for model in told["models"]),
        "cost": sum(known) if len(known) == len(costs) else None,
        "at_most": any(model["bound"] for model in told["models"]),
    }


def answer(site: Site, asked: PageRequest) -> dict[str, Any]:
    """Judge it and keep it; says where it is shown."""
    plan = _plan(site, asked)
    session = run_session(plan, site.store)
    kept = list(site.store.verdicts(session.run.id))
    return {"run": session.run.id, "verdict": str(kept[-1].record["id"])}


def _plan(site: Site, asked: PageRequest) -> Plan:
    protocol = site.protocol_named(str(asked.body.get("protocol", "")))
    case = _case(protocol, asked)
    if protocol.validate is not None:
        protocol.validate(case)

    def rows(_: Protocol[Any]) -> Iterator[Case]:
        yield case

    suite = Suite(
        file=Path("page"),
        name="judged here",
        protocol=protocol.id,
        judges=(_judge(asked),),
        protocol_path=tuple(site.paths),
    )
    return make_plan(suite, rows)


def _judge(asked: PageRequest) -> str:
    """A judge by name. One with an address of its own is refused: it would be sent the key."""
    name = str(asked.body.get("judge") or DEFAULT).strip()
    if "@" in name or "/" in name.partition(":")[0]:
        raise UsageError("On the page, judges are named without an address.")
    for one in members(name):
        provider_of(one)
    return name


def _case(protocol: Protocol[Any], asked: PageRequest) -> Case:
    given = asked.body.get("fields")
    if not isinstance(given, dict):
        raise UsageError("The case has no fields.")
    fields: dict[str, Any] = {}
    for field in protocol.fields:
        text = given.get(field.name)
        if not isinstance(text, str) or not text.strip():
            continue
        if len(text) > LONGEST:
            raise InputError(f"is longer than {LONGEST:,} characters", field=field.name)
        fields[field.name] = _json(field.name, text) if field.kind == "json" else text
    name = str(asked.body.get("id") or "").strip()[:200]
    return Case(name or "pasted", fields, candidate=str(asked.body.get("candidate") or "") or None)


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise InputError(f"is not JSON: {wrong}", field=name) from None
