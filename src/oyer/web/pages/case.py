"""One case: its texts with marks, the candidates side by side, and why each got its score."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from oyer.records import StepRecord, VerdictRecord, texts_in
from oyer.report import panel_votes
from oyer.report.snapshot import total_range
from oyer.report.standings import NOBODY
from oyer.store import Outcome, Run, StoredVerdict
from oyer.store.browse import Start, read_start
from oyer.types import AnyProtocol, Ask, Case, JsonObject
from oyer.web.findings import VerdictView, view_verdict
from oyer.web.marks import Piece, TextMark, cut, marks_on
from oyer.web.pages.run import filters_of, read_filters
from oyer.web.record_table import RecordTable, table_of
from oyer.web.render import Page, link
from oyer.web.site import JsonAnswer, NotThere, PageRequest, Site

SHORT = 80  # characters of a field that needs no box of its own


LEGEND = {
    "bad": "invented",
    "partial": "in part",
    "missed": "not found",
    "good": "supported",
    "point": "quoted for a key point",
}


@dataclass(frozen=True, slots=True)
class JudgeTab:
    """A judge of this case, its mean here, and the key that leads there."""

    name: str
    mean: float | None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A field of the case: in pieces, or as a table where it is a list of records."""

    name: str
    pieces: list[Piece]
    table: RecordTable | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """One candidate's text and the verdict on it."""

    candidate: str
    view: VerdictView
    verdict: StoredVerdict
    judged: Text | None
    repeats: Sequence[Outcome]
    steps: Sequence[JsonObject]


def show(site: Site, request: PageRequest) -> Page:
    """The page of a case, by one judge."""
    run = site.run(request.number("run"))
    case_id = request.word("id")
    outcomes = site.browser.case(run.id, case_id)
    if not outcomes:
        raise NotThere(f"Run {run.id} has no case '{case_id}'.")
    judges = list(dict.fromkeys(outcome.judge for outcome in outcomes))
    wanted = read_filters(request)
    judge = request.word("by") or wanted.judge
    judge = judge if judge in judges else judges[0]
    repeat = int(request.word("repeat")) if request.word("repeat").isdigit() else 0
    chosen = _choose_outcomes(outcomes, judge, repeat)
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
            "judges": _tabs(outcomes, judges, judge),
            "judge": judge,
            "columns": columns,
            "panel_of": panel_of,
            "texts": texts,
            "legend": _legend(columns),
            "short": short,
            "filters": filters_of(wanted),
            "here": {"id": case_id, "at": request.word("at")},
            **_neighbours(site, run, request),
        },
    )


def show_verdict(site: Site, request: PageRequest) -> Page:
    """A verdict's own address: its case, by its judge."""
    verdict = site.store.verdict(request.path["verdict"])
    here = site.browser.outcome(verdict.run, verdict.row)
    path = f"/runs/{verdict.run}/case"
    target = link(path, id=here.case, by=here.judge, repeat=here.repeat or "")
    return Page("", location=f"{target}#{here.verdict}")


def raw(site: Site, request: PageRequest) -> JsonAnswer:
    """What was asked and answered: the prompt, each reply as it came, what it cost."""
    verdict = site.store.verdict(str(request.body.get("verdict", "")))
    run = site.run(verdict.run)
    protocol = site.protocol(run)
    case = _case(site, verdict)
    replies = []
    for ask in verdict.task.ask.split("+"):
        for answer in site.store.replies([ask]).get(ask, ())[: max(verdict.attempts, 1)]:
            usage = answer.reply.usage
            replies.append({
                "judge": answer.reply.judge,
                "attempt": answer.attempt + 1,
                "text": answer.reply.text,
                "usage": f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens, "
                         f"{usage.seconds:.1f} s",
            })  # fmt: skip
    return {
        "replies": replies,
        "prompt": _prompt(protocol, case),
        "record": json.dumps(verdict.record, ensure_ascii=False, indent=1),
    }


# ── columns ───────────────────────────────────────────────────────────────────────────────────


def _choose_outcomes(outcomes: Sequence[Outcome], judge: str, repeat: int) -> list[Outcome]:
    """One verdict of each candidate: of this judge, in this repeat if there is one."""
    by_candidate: dict[str, Outcome] = {}
    for outcome in outcomes:
        who = outcome.candidate or NOBODY
        if outcome.judge == judge and (who not in by_candidate or outcome.repeat == repeat):
            by_candidate[who] = outcome
    return list(by_candidate.values())


def _columns(
    site: Site,
    run: Run,
    protocol: AnyProtocol,
    chosen: Sequence[Outcome],
    every: Sequence[Outcome],
) -> tuple[list[Column], list[Text], list[tuple[str, str]]]:
    verdicts = [_verdict(site, outcome, run) for outcome in chosen]
    cases = [_case(site, verdict) for verdict in verdicts]
    judged = judged_field(protocol, cases)
    columns = []
    for at, outcome in enumerate(chosen):
        verdict, case = verdicts[at], cases[at]
        view = view_verdict(verdict.record, protocol, _plain_texts(case), at)
        columns.append(
            Column(
                candidate=outcome.candidate or NOBODY,
                view=view,
                verdict=verdict,
                judged=_text(judged, case, view.marks) if judged else None,
                repeats=[other for other in every if _is_same_seat(other, outcome)],
                steps=[_step(step, protocol) for step in verdict.record["trace"]],
            )
        )
    marks = list(chain.from_iterable(column.view.marks for column in columns))
    columns.sort(key=lambda column: -(column.view.record["total"] or -1.0))
    first = cases[0]
    shared = [field.name for field in protocol.fields if field.name != judged]
    long = [name for name in shared if name in first.fields and not _is_short(first, name)]
    texts: list[Text] = []
    for name in long:
        texts += _texts(name, first, marks)
    short = [(name, str(first.fields[name])) for name in shared if _is_short(first, name)]
    return columns, texts, short


def _verdict(site: Site, outcome: Outcome, run: Run) -> StoredVerdict:
    return next(site.store.verdicts(run.id, outcome.row - 1, outcome.row))


def _plain_texts(case: Case) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name, value in case.fields.items():
        texts.update(texts_in(name, value))
    return texts


def judged_field(protocol: AnyProtocol, cases: Sequence[Case]) -> str:
    """The field that candidates wrote: as the protocol says, else the last one."""
    if protocol.judged:
        return protocol.judged
    present = [field.name for field in protocol.fields if field.name in cases[0].fields]
    return present[-1] if present else ""


def _is_same_seat(left: Outcome, right: Outcome) -> bool:
    return left.candidate == right.candidate and left.judge == right.judge


def _is_short(case: Case, name: str) -> bool:
    value = case.fields.get(name)
    return isinstance(value, str) and len(value) <= SHORT and "\n" not in value


def _texts(name: str, case: Case, marks: Sequence[TextMark]) -> list[Text]:
    """A field in its boxes: one, or one for each text of a list (contexts[0], contexts[1] …)."""
    several = list(texts_in(name, case.fields[name]))
    if not several or isinstance(case.fields[name], str):
        return [_text(name, case, marks)]
    return [Text(source, cut(text, marks_on(source, marks))) for source, text in several]


def _text(name: str, case: Case, marks: Sequence[TextMark]) -> Text:
    value = case.fields.get(name, "")
    if not isinstance(value, str):
        pieces = cut(json.dumps(value, ensure_ascii=False, indent=2), ())
        return Text(name, pieces, table_of(value))
    return Text(name, cut(value, marks_on(name, marks)))


def _step(step: StepRecord, protocol: AnyProtocol) -> JsonObject:
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
        "members": [
            (member["judge"], *panel_votes.standing(member)) for member in panel["members"]
        ],
        "ballots": [(ballot, panel_votes.outcome(ballot)) for ballot in panel_votes.split(panel)],
        "summary": panel_votes.summary(record),
        "flags": panel_votes.flags(panel),
    }


# ── how ───────────────────────────────────────────────────────────────────────────────────────


def _case(site: Site, verdict: StoredVerdict) -> Case:
    stored = site.store.cases([verdict.case_sha]).get(verdict.case_sha)
    if stored is None:
        return Case(str(verdict.record["case"]), {})
    return stored.case


def _tabs(outcomes: Sequence[Outcome], judges: Sequence[str], judge: str) -> list[JudgeTab]:
    """The judges of a case; the keys [ and ] go to the one before and to the next."""
    here = judges.index(judge)
    keys = {here - 1: "[", here + 1: "]"}
    return [
        JudgeTab(name, _mean(outcomes, name), keys.get(at, "")) for at, name in enumerate(judges)
    ]


def _legend(columns: Sequence[Column]) -> list[tuple[str, str]]:
    """The kinds of marks that occur here, with their words."""
    marks = chain.from_iterable(column.view.marks for column in columns)
    kinds = {mark.kind for mark in marks}
    return [(kind, word) for kind, word in LEGEND.items() if kind in kinds]


def _mean(outcomes: Sequence[Outcome], judge: str) -> float | None:
    own = [outcome.total for outcome in outcomes if outcome.judge == judge]
    totals = [total for total in own if total is not None]
    return sum(totals) / len(totals) if totals else None


def _prompt(protocol: AnyProtocol, case: Case) -> str:
    if protocol.prompt is None or not case.fields:
        return ""
    prompt = protocol.prompt(case, Ask(nonce="0" * 16))
    return f"{prompt.system}\n\n{prompt.user}" if prompt.system else prompt.user


def _neighbours(site: Site, run: Run, request: PageRequest) -> dict[str, str]:
    """The addresses of the cases before and after, in the order of the list that was left."""
    wanted = read_filters(request)
    here = read_start(f"after~{request.word('at')}" if request.word("at") else "", wanted.order)
    addresses = {"before_case": "", "after_case": ""}
    if here is None:
        return addresses
    for name, start in (("before_case", Start(here.key, before=True)), ("after_case", here)):
        page = site.browser.cases(run.id, wanted, start, size=1)
        for case in page.cases:
            place = "~".join(str(part) for part in reversed(case.key))
            path = f"/runs/{run.id}/case"
            addresses[name] = link(path, id=case.case, at=place, **filters_of(wanted))
    return addresses
