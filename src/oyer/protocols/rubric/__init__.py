"""rubric 1: a judge of a model's response to a prompt by a task's own rubric."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from oyer.errors import InputError
from oyer.protocols.fields import PROMPT, RESPONSE, RUBRIC
from oyer.protocols.rubric.checks import check
from oyer.protocols.rubric.constraints import decide
from oyer.protocols.rubric.digest import digest, read_verdict
from oyer.protocols.rubric.document import Rubric, parse_rubric
from oyer.protocols.rubric.figures import figures
from oyer.protocols.rubric.inspect import inspect_rubric
from oyer.protocols.rubric.output import RubricOutput, render
from oyer.protocols.rubric.pool import pool
from oyer.protocols.rubric.probes import probes
from oyer.protocols.rubric.prompt import LANGUAGES, SHEET, prompt
from oyer.protocols.rubric.reply import RubricFindings, is_verdict, read
from oyer.protocols.rubric.rules import AXES, RULES, VERSION, step
from oyer.protocols.rubric.score import score
from oyer.protocols.rubric.wording import WORDING
from oyer.text.values import flag
from oyer.types import Case, JsonObject, LabelSite, Protocol, Ruling, Step, Writing

__all__ = ["PROTOCOL", "Findings", "Rubric", "parse_rubric"]


def validate(case: Case) -> None:
    """Texts in their places, and a rubric that can be read."""
    for name in ("prompt", "response", "rubric"):
        if not isinstance(case.fields.get(name), str):
            raise InputError("a text is needed here", field=name)
    parse_rubric(case.text("rubric"))


def _flag(value: object) -> bool | None:
    return flag(value).value


def observe(case: Case) -> JsonObject:
    """The rubric's checks, decided by code: on record whether or not a judge can be read."""
    constraints = parse_rubric(case.text("rubric")).constraints
    outcomes = decide(constraints, case.text("response"))
    return {"checks": [outcome.record() for outcome in outcomes]} if outcomes else {}


def settle(case: Case) -> Ruling | None:
    """RB-EMPTY: an empty response needs no judge."""
    if case.text("response").strip():
        return None
    rubric = parse_rubric(case.text("rubric"))
    trace = (step("RB-EMPTY", {"response": ""}, 0),)
    return _zero(rubric, trace, {"critical_fail": False, "notes": ["response.empty"]})


def without_judge(case: Case) -> Ruling | None:
    """RB-CRITICAL: a failed check that is a critical fail is 0 points, whatever a judge says."""
    rubric = parse_rubric(case.text("rubric"))
    if not any(check.critical for check in rubric.constraints):
        return None
    outcomes = decide(rubric.constraints, case.text("response"))
    failed = [outcome for outcome in outcomes if outcome.constraint.critical and not outcome.passed]
    if not failed:
        return None
    ids = list(dict.fromkeys(outcome.constraint.critical for outcome in failed))
    checks = [outcome.constraint.id for outcome in failed]
    trace = (
        step("RB-CRITICAL", {"judge": False, "ids": ids, "checks": checks}, True),
        step("RB-TOTAL", dict.fromkeys(AXES, 0), 0),
    )
    reason = "; ".join(f"{outcome.constraint.id}: {outcome.seen}" for outcome in failed)
    notes = ["critical_fail.by_check"]
    return _zero(rubric, trace, {"critical_fail": True, "notes": notes}, reason[:500])


def _zero(
    rubric: Rubric, trace: tuple[Step, ...], extra: JsonObject, reason: str | None = None
) -> Ruling:
    """No points on any axis, by code alone; `reason`: it is a critical fail."""
    scores: dict[str, Fraction] = dict.fromkeys((*AXES, "total"), Fraction(0))
    weights = rubric.weights_for(rubric.task_type) if rubric.task_type else rubric.weights
    output: RubricOutput = {
        "task_name": rubric.task,
        "task_type": rubric.task_type,
        "inferred_task_type": None,
        "weights": dict(weights) if weights else None,
        "score": dict.fromkeys(AXES, 0),
        "total_score": 0,
        "reasoning": dict.fromkeys(AXES, ""),
        "critical_fail": reason is not None,
        "critical_fail_reason": reason,
        "confidence": "high",
    }
    return Ruling(
        scores=scores,
        total=Fraction(0),
        trace=trace,
        output=output,
        extra={"critical_fail": False, "confidence": "high", **extra},
    )


PROTOCOL: Protocol[RubricFindings] = Protocol(
    id="rubric",
    version=VERSION,
    title="A judge of a response by the task's own rubric: 100 points on three axes",
    fields=(PROMPT, RESPONSE, replace(RUBRIC, inspect=inspect_rubric)),
    rules=RULES,
    scale=dict.fromkeys((*AXES, "total"), (0, 100)),
    is_verdict=is_verdict,
    read=read,
    check=check,
    score=score,
    render=render,
    tally=read_verdict,
    digest=digest,
    figures=figures,
    prompt=prompt,
    describe_template=SHEET.describe,
    validate=validate,
    settle=settle,
    without_judge=without_judge,
    observe=observe,
    pool=pool,
    languages=LANGUAGES,
    writing=Writing("response", "{{prompt}}", max_tokens=4096),
    labels=("critical_fail",),
    wording=WORDING,
    probes=probes(),
    label_sites=(LabelSite("verdict", "", "critical_fail", (False, True), _flag, "critical_fail"),),
)
