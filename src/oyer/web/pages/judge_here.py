"""Judge here: a case pasted into the page, judged and kept like any other.

What judges is imported when somebody asks for it: it takes a fifth of the page's start.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from oyer.errors import InputError, UsageError
from oyer.protocols.catalogue import names
from oyer.types import AnyProtocol, Case
from oyer.web.render import Page
from oyer.web.site import JsonAnswer, PageRequest, Site

if TYPE_CHECKING:
    from oyer.runs.plan import Plan

DEFAULT = "embedded"
LONGEST = 400_000  # characters of a field


def show(site: Site, request: PageRequest) -> Page:
    """The form of a protocol."""
    from oyer.judges.availability import survey

    known = names(site.paths)
    wanted = request.word("protocol")
    protocol = site.protocol_named(wanted if wanted in known else known[0])
    known_judges = asyncio.run(survey())
    usable = [judge for judge in known_judges if judge.usable and "@" not in judge.name]
    values = {"page": "judge", "known": known, "protocol": protocol, "usable": usable}
    return Page("judge.html", {**values, "default": DEFAULT})


def estimate(site: Site, request: PageRequest) -> JsonAnswer:
    """What judging it would cost; nothing is asked."""
    from oyer.runs.estimate import forecast

    plan = _plan(site, request)
    expected = forecast([plan], site.where)
    costs = [model["cost_usd"] for model in expected["models"]]
    known = [cost for cost in costs if cost is not None]
    return {
        "free": all(cost == 0 for cost in costs),
        "calls": sum(model["calls"] for model in expected["models"]),
        "cost": sum(known) if len(known) == len(costs) else None,
        "at_most": any(model["bound"] for model in expected["models"]),
    }


def answer(site: Site, request: PageRequest) -> JsonAnswer:
    """Judge it and keep it; says where it is shown."""
    from oyer.runs.session import run_session

    plan = _plan(site, request)
    session = run_session(plan, site.store)
    verdicts = list(site.store.verdicts(session.run.id))
    return {"run": session.run.id, "verdict": str(verdicts[-1].record["id"])}


def _plan(site: Site, request: PageRequest) -> Plan:
    from oyer.runs.plan import make_plan
    from oyer.runs.suite import Suite

    protocol = site.protocol_named(str(request.body.get("protocol", "")))
    case = _case(protocol, request)
    if protocol.validate is not None:
        protocol.validate(case)

    def rows(_: AnyProtocol) -> Iterator[Case]:
        yield case

    suite = Suite(
        file=Path("page"),
        name="judged here",
        protocol=protocol.id,
        judges=(_judge(request),),
        protocol_path=tuple(site.paths),
    )
    return make_plan(suite, rows)


def _judge(request: PageRequest) -> str:
    """A judge by name. One with an address of its own is refused: it would be sent the key."""
    from oyer.judges.names import members, provider_of

    name = str(request.body.get("judge") or DEFAULT).strip()
    if "@" in name or "/" in name.partition(":")[0]:
        raise UsageError("On the page, judges are named without an address.")
    for member in members(name):
        provider_of(member)
    return name


def _case(protocol: AnyProtocol, request: PageRequest) -> Case:
    pasted = request.body.get("fields")
    if not isinstance(pasted, dict):
        raise UsageError("The case has no fields.")
    fields: dict[str, object] = {}
    for field in protocol.fields:
        text = pasted.get(field.name)
        if not isinstance(text, str) or not text.strip():
            continue
        if len(text) > LONGEST:
            raise InputError(f"is longer than {LONGEST:,} characters", field=field.name)
        fields[field.name] = _json(field.name, text) if field.kind == "json" else text
    name = str(request.body.get("id") or "").strip()[:200]
    return Case(
        name or "pasted", fields, candidate=str(request.body.get("candidate") or "") or None
    )


def _json(name: str, text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise InputError(f"is not JSON: {wrong}", field=name) from None
