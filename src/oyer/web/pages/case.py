"""One case: its texts with marks, the candidates side by side, and why each got its score."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oyer.records import VerdictRecord
from oyer.report.panel_votes import flags, outcome, split, standing, summary
from oyer.report.snapshot import total_range
from oyer.report.standings import NOBODY
from oyer.store import Outcome, Run, StoredVerdict
from oyer.store.browse import Start, read_start
from oyer.types import Ask, Case, JsonObject, Protocol
from oyer.web.findings import VerdictView, view_verdict
from oyer.web.marks import Piece, TextMark, cut
from oyer.web.pages.run import filters_of, wanted_of
from oyer.web.render import Page, link
from oyer.web.site import NotThere, PageRequest, Site

SHORT = 80  # characters of a field that needs no box of its own


@dataclass(frozen=True, slots=True)
class Text:
    """A field of the case in pieces."""

    name: str
    pieces: list[Piece]


@dataclass(frozen=True, slots=True)
class Column:
    """One candidate's text and the verdict on it."""

    candidate: str
    view: VerdictView
    kept: StoredVerdict
    judged: Text | None
    repeats: Sequence[Outcome]
    steps: Sequence[JsonObject]


def show(site: Site, asked: PageRequest) -> Page:
    """The page of a case, by one judge."""
    run = site.run(asked.number("run"))
    case_id = asked.word("id")
    outcomes = site.browser.case(run.id, case_id)
    if not outcomes:
        raise NotThere(f"Run {run.id} has no case '{case_id}'.")
    judges = list(dict.fromkeys(one.judge for one in outcomes))
    wanted = wanted_of(asked)
    judge = asked.word("by") or wanted.judge
    judge = judge if judge in judges else judges[0]
    repeat = int(asked.word("repeat")) if asked.word("repeat").isdigit() else 0
    chosen = _chosen(outcomes, judge, repeat)
    protocol = site.protocol(run)
    columns, texts, short = _columns(site, run, protocol, chosen, outcomes)
    return Page(
        "case.html",
        {
            "page": "runs",
            "run": run,
            "case": case_id,
            "protocol": protocol,
            "scale": total_range(protocol),
            "judges": [(one, _mean(outcomes, one)) for one in judges],
            "judge": judge,
            "columns": columns,
            "panel_of": panel_of,
            "texts": texts,
            "short": short,
            "filters": filters_of(wanted),
            "here": {"id": case_id, "at": asked.word("at")},
            **_neighbours(site, run, asked),
        },
    )


def show_verdict(site: Site, asked: PageRequest) -> Page:
    """A verdict's own address: its case, by its judge."""
    kept = site.store.verdict(asked.path["verdict"])
    here = site.browser.outcome(kept.run, kept.row)
    path = f"/runs/{kept.run}/case"
    target = link(path, id=here.case, by=here.judge, repeat=here.repeat or "")
    return Page("", location=f"{target}#{here.verdict}")


def raw(site: Site, asked: PageRequest) -> dict[str, Any]:
    """What was asked and answered: the prompt, each reply as it came, what it cost."""
    kept = site.store.verdict(str(asked.body.get("verdict", "")))
    run = site.run(kept.run)
    protocol = site.protocol(run)
    case = _case(site, kept)
    replies = []
    for ask in kept.task.ask.split("+"):
        for found in site.store.replies([ask]).get(ask, ())[: max(kept.attempts, 1)]:
            usage = found.reply.usage
            replies.append({
                "judge": found.reply.judge,
                "attempt": found.attempt + 1,
                "text": found.reply.text,
                "usage": f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens, "
                         f"{usage.seconds:.1f} s",
            })  # fmt: skip
    return {
        "replies": replies,
        "prompt": _prompt(protocol, case),
        "record": json.dumps(kept.record, ensure_ascii=False, indent=1),
    }


# ── columns ───────────────────────────────────────────────────────────────────────────────────


def _chosen(outcomes: Sequence[Outcome], judge: str, repeat: int) -> list[Outcome]:
    """One verdict of each candidate: of this judge, in this repeat if there is one."""
    found: dict[str, Outcome] = {}
    for one in outcomes:
        who = one.candidate or NOBODY
        if one.judge == judge and (who not in found or one.repeat == repeat):
            found[who] = one
    return list(found.values())


def _columns(
    site: Site,
    run: Run,
    protocol: Protocol[Any],
    chosen: Sequence[Outcome],
    every: Sequence[Outcome],
) -> tuple[list[Column], list[Text], list[tuple[str, str]]]:
    kept = [next(site.store.verdicts(run.id, one.row - 1, one.row)) for one in chosen]
    cases = [_case(site, one) for one in kept]
    judged = judged_field(protocol, cases)
    views = []
    for at, (one, case) in enumerate(zip(kept, cases, strict=True)):
        own = {name: value for name, value in case.fields.items() if isinstance(value, str)}
        views.append(view_verdict(one.record, protocol, own, at))
    columns = [
        Column(
            candidate=outcome.candidate or NOBODY,
            view=view,
            kept=one,
            judged=_text(judged, case, view.marks) if judged else None,
            repeats=[o for o in every if _is_same_seat(o, outcome)],
            steps=[_step(step, protocol) for step in one.record["trace"]],
        )
        for outcome, one, case, view in zip(chosen, kept, cases, views, strict=True)
    ]
    columns.sort(key=lambda column: -(column.view.record["total"] or -1.0))
    marks = [mark for view in views for mark in view.marks]
    first = cases[0]
    shared = [field.name for field in protocol.fields if field.name != judged]
    long = [name for name in shared if name in first.fields and not _is_short(first, name)]
    texts = [_text(name, first, marks) for name in long]
    short = [(name, str(first.fields[name])) for name in shared if _is_short(first, name)]
    return columns, texts, short


def judged_field(protocol: Protocol[Any], cases: Sequence[Case]) -> str:
    """The field that candidates wrote: as the protocol says, else the last one."""
    if protocol.wording is not None and protocol.wording.judged:
        return protocol.wording.judged
    if protocol.writing is not None:
        return protocol.writing.field
    present = [field.name for field in protocol.fields if field.name in cases[0].fields]
    return present[-1] if present else ""


def _is_same_seat(one: Outcome, other: Outcome) -> bool:
    return one.candidate == other.candidate and one.judge == other.judge


def _is_short(case: Case, name: str) -> bool:
    value = case.fields.get(name)
    return isinstance(value, str) and len(value) <= SHORT and "\n" not in value


def _text(name: str, case: Case, marks: Sequence[TextMark]) -> Text:
    value = case.fields.get(name, "")
    if not isinstance(value, str):
        return Text(name, cut(json.dumps(value, ensure_ascii=False, indent=2), ()))
    return Text(name, cut(value, [mark for mark in marks if mark.source == name]))


def _step(step: Mapping[str, Any], protocol: Protocol[Any]) -> JsonObject:
    """One rule applied, for the derivation."""
    rule = protocol.rules.get(step["rule"])
    cap = protocol.is_cap(step["rule"])
    return {
        **step,
        "text": rule.text if rule else "",
        "cap": cap,
        "bites": cap and step["inputs"].get("before") not in (None, step["value"]),
    }


def panel_of(record: VerdictRecord) -> JsonObject | None:
    """A panel's members, how they voted where they differ, what a person should look at."""
    panel = record.get("panel")
    if not panel:
        return None
    return {
        "members": [(member["judge"], *standing(member)) for member in panel["members"]],
        "ballots": [(ballot, outcome(ballot)) for ballot in split(panel)],
        "summary": summary(record),
        "flags": flags(panel),
    }


# ── how ───────────────────────────────────────────────────────────────────────────────────────


def _case(site: Site, kept: StoredVerdict) -> Case:
    stored = site.store.cases([kept.case_sha]).get(kept.case_sha)
    if stored is None:
        return Case(str(kept.record["case"]), {})
    return stored.case


def _mean(outcomes: Sequence[Outcome], judge: str) -> float | None:
    totals = [one.total for one in outcomes if one.judge == judge and one.total is not None]
    return sum(totals) / len(totals) if totals else None


def _prompt(protocol: Protocol[Any], case: Case) -> str:
    if protocol.prompt is None or not case.fields:
        return ""
    prompt = protocol.prompt(case, Ask(nonce="0" * 16))
    return f"{prompt.system}\n\n{prompt.user}" if prompt.system else prompt.user


def _neighbours(site: Site, run: Run, asked: PageRequest) -> dict[str, str]:
    """The addresses of the cases before and after, in the order of the list that was left."""
    wanted = wanted_of(asked)
    here = read_start(f"after~{asked.word('at')}" if asked.word("at") else "", wanted.order)
    found = {"before_case": "", "after_case": ""}
    if here is None:
        return found
    for name, start in (("before_case", Start(here.key, before=True)), ("after_case", here)):
        page = site.browser.cases(run.id, wanted, start, size=1)
        for case in page.cases:
            place = "~".join(str(part) for part in reversed(case.key))
            path = f"/runs/{run.id}/case"
            found[name] = link(path, id=case.case, at=place, **filters_of(wanted))
    return found
