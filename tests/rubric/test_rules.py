"""Every rule of `rubric`, hit by a row with its reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oyer.protocols.rubric import PROTOCOL
from oyer.protocols.rubric.rules import AXES
from oyer.types import Ask, Case
from oyer.verdicts.record import as_json, record
from tests.rubric.rubric_cases import RESPONSE, codes, judged, rubric, said

NONE = "## Critical Fail Conditions\nnone\n"
CRITICAL = {"critical_fail": True, "critical_fail_reason": "CF-1: invented"}

#: reply, rubric, the three axes, the codes, why
SCORED: list[tuple[dict[str, Any], str, tuple[float, float, float], list[str], str]] = [
    (said(), rubric(), (50, 20, 5), [], "a flawless reply"),
    (said(50.5, 20, 5, total_score=75.5), rubric(), (50.5, 20, 5), [], "half points"),
    (said("50/60", "20", "5点", total_score=75), rubric(), (50, 20, 5), [], "in words"),
    (said("50%", 20, 5, total_score=55), rubric(), (30, 20, 5), [], "a share of its axis"),
    # RB-TYPE
    (said(task_type="creative"), rubric(), (50, 20, 5), ["task_type.wrong"], "rubric decides"),
    (said(task_type="poem"), rubric(), (50, 20, 5), ["task_type.wrong"], "no type at all"),
    (said(task_type="FACT"), rubric(), (50, 20, 5), [], "case does not matter"),
    (said(task_type=...), rubric(), (50, 20, 5), [], "saying nothing is not saying otherwise"),
    (said(inferred_task_type="fact"), rubric(), (50, 20, 5), ["inferred_task_type.misused"], "-"),
    (said(inferred_task_type="null"), rubric(), (50, 20, 5), [], "null in a string"),
    (said(30, 30, 40, weights=..., task_type=..., inferred_task_type="creative"), rubric(None),
     (30, 30, 40), [], "no type in the rubric: the inferred one"),
    (said(40, 20, 40, weights=..., task_type="speculative"), rubric(None),
     (40, 20, 40), [], "else the stated one"),
    (said(60, 30, 10, inferred_task_type="fact", task_type="creative"), rubric(None),
     (60, 30, 10), [], "the inferred one goes first"),
    # RB-WEIGHTS
    (said(weights=dict(zip(AXES, (50, 40, 10), strict=True))), rubric(), (50, 20, 5),
     ["weights.wrong"] * 2, "one for each axis"),
    (said(weights={"logic_and_fact": "sixty"}), rubric(), (50, 20, 5), ["weights.wrong"], "-"),
    (said(weights="60/30/10"), rubric(), (50, 20, 5), [], "not an object: states none"),
    # RB-AXIS
    (said(61, 20, 5, total_score=85), rubric(), (60, 20, 5), ["axis.range"], "clamped"),
    (said(61, 20, 5, total_score=86), rubric(), (60, 20, 5), ["axis.range", "arithmetic"],
     "the total is of what counts"),
    (said(10**250, 20, 5, total_score=85), rubric(), (60, 20, 5), ["axis.range"], "huge"),
    # RB-TOTAL
    (said(total_score=76), rubric(), (50, 20, 5), ["arithmetic"], "a wrong sum"),
    (said(total_score="75/100"), rubric(), (50, 20, 5), [], "a share of 100"),
    (said(total_score=None), rubric(), (50, 20, 5), ["arithmetic"], "stated as nothing"),
    (said(total_score=...), rubric(), (50, 20, 5), [], "not stated"),
    # RB-CRITICAL
    (said(0, 0, 0, **CRITICAL), rubric(), (0, 0, 0), [], "as it should be"),
    (said(**CRITICAL), rubric(), (0, 0, 0), ["critical.nonzero"], "0 whatever it says"),
    (said(0, 0, 0, total_score=9, **CRITICAL), rubric(), (0, 0, 0), ["critical.nonzero"], "-"),
    (said(score=..., total_score=..., **CRITICAL), rubric(), (0, 0, 0), [], "no points needed"),
    (said(-1, "x", None, total_score=0, **CRITICAL), rubric(), (0, 0, 0), [], "nor readable ones"),
    (said(score={}, total_score=0, **CRITICAL), rubric(), (0, 0, 0), [], "empty points"),
    (said(0, 0, 0, critical_fail="True", critical_fail_reason="x"), rubric(), (0, 0, 0), [], "-"),
    (said(0, 0, 0, critical_fail=True), rubric(), (0, 0, 0), ["critical.no_reason"], "applied"),
    (said(0, 0, 0, critical_fail=True, critical_fail_reason="なし"), rubric(), (0, 0, 0),
     ["critical.no_reason"], "a word that means nothing"),
    (said(**CRITICAL), rubric(conditions=NONE), (50, 20, 5), ["critical.undefined"], "-"),
    (said(**CRITICAL), rubric(conditions=""), (50, 20, 5), ["critical.undefined"], "no section"),
    (said(**CRITICAL, critical_fail_id="CF-9"), rubric(), (50, 20, 5), ["critical.unknown_id"],
     "not applied"),
    (said(**CRITICAL, critical_fail_id=7), rubric(), (50, 20, 5), ["critical.unknown_id"], "-"),
    (said(0, 0, 0, **CRITICAL, critical_fail_id="cf-2"), rubric(), (0, 0, 0), [], "known"),
    (said(0, 0, 0, **CRITICAL, critical_fail_id="CF-1, CF-2"), rubric(), (0, 0, 0), [], "two"),
    (said(**CRITICAL, critical_fail_id="CF-1, CF-7"), rubric(), (50, 20, 5),
     ["critical.unknown_id"], "one of two is unknown"),
    (said(critical_fail=True, critical_fail_reason="CF-9に該当"), rubric(), (50, 20, 5),
     ["critical.unknown_id"], "an id that stands only in the reason"),
    (said(0, 0, 0, critical_fail=True, critical_fail_reason="see CF-2."), rubric(), (0, 0, 0), [],
     "a known one there"),
    (said(critical_fail_reason="hm"), rubric(), (50, 20, 5), ["critical.reason_misused"], "-"),
    (said(critical_fail=...), rubric(conditions=NONE), (50, 20, 5), [], "it cannot matter"),
    # RB-REASONING, RB-CONFIDENCE, RB-QUOTE
    (said(reasoning={AXES[0]: "字" * 200, AXES[1]: "字" * 201}), rubric(), (50, 20, 5),
     ["reasoning.long"], "200 code points are enough"),
    (said(reasoning="all good"), rubric(), (50, 20, 5), [], "a text for all three"),
    (said(confidence="sure"), rubric(), (50, 20, 5), ["confidence.unknown"], "no such word"),
    (said(confidence=...), rubric(), (50, 20, 5), ["confidence.unknown"], "none"),
    (said(confidence="High"), rubric(), (50, 20, 5), [], "case does not matter"),
    (said(evidence={AXES[0]: ["bridge is closed"], AXES[1]: "the moon"}), rubric(), (50, 20, 5),
     ["evidence.absent"], "one stands there, one does not"),
    (said(evidence={AXES[0]: ['"the deck"']}), rubric(), (50, 20, 5), [], "curly quotes fold"),
    (said(evidence="none"), rubric(), (50, 20, 5), [], "not an object: quotes nothing"),
    (said(evidence=["bridge is closed", "the moon"]), rubric(), (50, 20, 5), ["evidence.absent"],
     "one list for all axes is looked up, too"),
    (said(0, 0, 0, **CRITICAL, critical_fail_quote="the moon"), rubric(), (0, 0, 0),
     ["evidence.absent"], "the quote of the fail too"),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "text", "axes", "expected", "why"), SCORED)
def test_every_rule_has_its_row(
    reply: dict[str, Any], text: str, axes: tuple[float, ...], expected: list[str], why: str
) -> None:
    verdict = judged(reply, text)
    assert verdict.status == "scored", verdict.violations
    assert verdict.scores == {**dict(zip(AXES, axes, strict=True)), "total": sum(axes)}, why
    assert codes(verdict) == expected, why
    assert verdict.total == sum(axes)


#: reply, rubric, error, code, why
UNSCORED: list[tuple[Any, str, str, str, str]] = [
    (said(-1, 20, 5), rubric(), "unreadable", "axis.negative", "negative"),
    (said("much", 20, 5), rubric(), "unreadable", "axis.unreadable", "a word"),
    (said(None, 20, 5), rubric(), "unreadable", "axis.unreadable", "null"),
    (said(True, 20, 5), rubric(), "unreadable", "axis.unreadable", "a boolean"),
    (said(score={AXES[0]: 5}), rubric(), "unreadable", "axis.missing", "two are missing"),
    (said(score=75), rubric(), "unreadable", "axis.missing", "one number for all"),
    (said(score=...), rubric(), "unreadable", "axis.missing", "no score at all"),
    (json.dumps(said()).replace("50", "NaN"), rubric(), "unreadable", "axis.unreadable", "NaN"),
    (json.dumps(said()).replace("50", "1e999"), rubric(), "unreadable", "axis.unreadable", "inf"),
    (said(critical_fail=...), rubric(), "unreadable", "critical.missing", "it may matter"),
    (said(critical_fail=None), rubric(), "unreadable", "critical.missing", "null"),
    (said(critical_fail="perhaps"), rubric(), "unreadable", "critical.missing", "no boolean"),
    (said(0, 0, 0, **CRITICAL), rubric(conditions=NONE), "unreadable", "critical.zeros",
     "the zeros are those of a fail that the rubric does not have"),
    (said(0, 0, 0, **CRITICAL, critical_fail_id="CF-9"), rubric(), "unreadable", "critical.zeros",
     "nor of this id"),
    (said(task_type=...), rubric(None), "unreadable", "task_type.missing", "nobody says"),
    (said(task_type="poem"), rubric(None), "unreadable", "task_type.missing", "none is valid"),
    ('{"error": "cannot judge"}', rubric(), "refused", "reply.refused", "a refusal"),
    ("I would give it 80.", rubric(), "unreadable", "reply.unreadable", "prose"),
    ("", rubric(), "unreadable", "reply.unreadable", "nothing"),
    ('{"a": 1}', rubric(), "unreadable", "reply.unreadable", "another object"),
    (json.dumps(said()) + json.dumps(said(51, 20, 5)), rubric(), "unreadable",
     "reply.ambiguous", "two verdicts"),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "text", "error", "code", "why"), UNSCORED)
def test_an_unusable_reply_is_never_a_zero(
    reply: Any, text: str, error: str, code: str, why: str
) -> None:
    verdict = judged(reply, text)
    assert (verdict.status, verdict.error, verdict.scores) == ("unscored", error, None), why
    assert codes(verdict) == [code], why
    assert verdict.output == {"error": error}


def test_what_could_be_read_of_an_unusable_reply_stays_on_record() -> None:
    verdict = judged(said(critical_fail=...))
    assert record(verdict)["stated"] == {
        "logic_and_fact": 50.0, "constraint_adherence": 20.0,
        "helpfulness_and_creativity": 5.0, "total": 75.0,
    }  # fmt: skip


CUTS = [
    (', "critical_fail"', "unscored", "score is whole, but a critical fail could follow"),
    (', "critical_fail_reason"', "scored", "all that decides is there"),
    (', "confidence"', "scored", "only the confidence is cut"),
    (', "total_score"', "unscored", "as the first"),
    (', "score"', "unscored", "no points"),
]


@pytest.mark.parametrize(("at", "status", "why"), CUTS)
def test_a_cut_reply_is_read_as_far_as_it_goes(at: str, status: str, why: str) -> None:
    whole = json.dumps(said())
    assert judged(whole[: whole.index(at) + 6]).status == status, why


def test_a_cut_reply_needs_no_critical_fail_where_the_rubric_has_none() -> None:
    whole = json.dumps(said())
    cut = whole[: whole.index(', "critical_fail"') + 6]
    verdict = judged(cut, rubric(conditions=NONE))
    assert verdict.scores is not None
    assert verdict.scores["total"] == 75
    assert verdict.extra["critical_fail"] is False
    assert codes(verdict) == ["reply.truncated", "confidence.unknown"]


@pytest.mark.parametrize("response", ["", "  \n\t"])
def test_an_empty_response_needs_no_judge(response: str) -> None:
    verdict = judged("whatever", response=response)
    assert verdict.scores == dict.fromkeys((*AXES, "total"), 0.0)
    assert verdict.extra["critical_fail"] is False
    assert (verdict.extra["confidence"], verdict.extra["notes"]) == ("high", ["response.empty"])
    assert [step.rule for step in verdict.trace] == ["RB-EMPTY"]


CHECKS = """## checks
```toml
[[check]]
id = "short"
max_chars = 10
axis = "constraint_adherence"
points = 15
[[check]]
id = "shorter"
max_chars = 5
axis = "constraint_adherence"
points = 8
[[check]]
id = "bridge"
contains = "bridge"
```
"""
FATAL = '## checks\n[[check]]\nid = "dated"\ncontains = "Tuesday"\ncritical = "CF-2"\n'


def test_a_failed_check_costs_its_points_and_no_more_than_there_are() -> None:
    verdict = judged(said(), rubric(more=CHECKS))
    assert verdict.scores is not None
    assert verdict.scores["constraint_adherence"] == 0
    assert verdict.scores["total"] == 55
    assert codes(verdict) == [], "the judge's own sum was right"
    assert [check["passed"] for check in verdict.extra["checks"]] == [False, False, True]
    spent = [(s.inputs["check"], s.value) for s in verdict.trace if s.rule == "RB-CHECK"]
    assert spent == [("short", 5), ("shorter", 0)]


def test_a_check_may_be_the_critical_fail_whatever_the_judge_says() -> None:
    verdict = judged(said(critical_fail=...), rubric(more=FATAL))
    assert verdict.scores == dict.fromkeys((*AXES, "total"), 0.0)
    assert verdict.extra["critical_fail"] is True
    assert verdict.output["critical_fail_reason"] == "CF-2: check dated: absent: Tuesday"


def test_checks_are_on_record_even_when_the_reply_cannot_be_used() -> None:
    verdict = judged("no idea", rubric(more=CHECKS))
    assert verdict.status == "unscored"
    assert [check["id"] for check in verdict.extra["checks"]] == ["short", "shorter", "bridge"]


def test_a_judge_is_told_what_code_has_decided() -> None:
    fields = {"prompt": "p", "response": RESPONSE, "rubric": rubric(more=CHECKS)}
    assert PROTOCOL.prompt is not None
    prompt = PROTOCOL.prompt(Case("1", fields), Ask(nonce="0123456789abcdef", language=""))
    assert "check short: FAILED" in prompt.user
    assert "check bridge: passed" in prompt.user
    assert "critical_fail_ids: CF-1, CF-2" in prompt.user
    assert "logic_and_fact=60, constraint_adherence=30" in prompt.user
    assert "impartial examiner" in prompt.system
    ja = PROTOCOL.prompt(
        Case("1", {**fields, "rubric": "## タスク: 試し\n"}), Ask(nonce="0" * 16, language="")
    )
    assert "試験官" in ja.system, "a Japanese rubric is asked about in Japanese"


def test_the_protocol_prints_the_originals_object_with_our_numbers() -> None:
    verdict = judged(said(61, 20, 5.25, total_score=99))
    printed = json.loads(PROTOCOL.render(verdict.output))
    assert list(printed) == [
        "task_name", "task_type", "inferred_task_type", "weights", "score", "total_score",
        "reasoning", "critical_fail", "critical_fail_reason", "confidence",
    ]  # fmt: skip
    assert printed["score"] == dict(zip(AXES, (60, 20, 5.25), strict=True))
    assert printed["total_score"] == 85.25


def test_the_record_has_the_critical_fail_beside_the_scores() -> None:
    line = json.loads(as_json(judged(said(0, 0, 0, **CRITICAL))))
    assert line["critical_fail"] is True
    assert line["scores"]["total"] == 0


def test_a_quote_slices_back() -> None:
    verdict = judged(said(evidence={AXES[0]: ['repairs to "the deck"']}))
    (found,) = verdict.evidence
    span = found.span
    assert RESPONSE[span.start : span.end] == "repairs to “the deck”"
    assert (found.where, span.match) == ("evidence.logic_and_fact[0]", "folded")


@pytest.mark.parametrize("field", ["prompt", "response", "rubric"])
def test_a_missing_field_is_an_input_error_that_names_it(field: str) -> None:
    from oyer.types import Reply
    from oyer.verdicts.core import audit

    fields: dict[str, Any] = {"prompt": "p", "response": "r", "rubric": rubric(), field: None}
    verdict = audit(Case("1", fields), PROTOCOL, Reply("{}"))
    assert (verdict.error, verdict.violations[0].where) == ("input", field)


def test_a_broken_rubric_is_an_input_error_with_its_line() -> None:
    verdict = judged(said(), "## Task: x\n## task_type: poetry\n")
    assert verdict.error == "input"
    assert "line 2 of the rubric: unknown task_type 'poetry'" in verdict.violations[0].detail


def test_each_rule_that_decides_leaves_a_step_with_its_id() -> None:
    rules = {s.rule for s in judged(said(**CRITICAL), rubric(more=CHECKS)).trace}
    assert rules == {"RB-TYPE", "RB-WEIGHTS", "RB-AXIS", "RB-CHECK", "RB-CRITICAL", "RB-TOTAL"}
    assert rules <= set(PROTOCOL.rules)


def test_a_wrong_weight_is_told_with_both_numbers() -> None:
    verdict = judged(said(weights=dict(zip(AXES, (50, 40, 10), strict=True))))
    details = [v.detail for v in verdict.violations if v.code == "weights.wrong"]
    assert details[0] == "logic_and_fact weighs 60, the reply says 50"


def test_an_axis_above_its_weight_is_told_of_a_critical_fail_too() -> None:
    verdict = judged(said(61, 0, 0, critical_fail=True, critical_fail_reason="CF-1 it is"))
    assert verdict.scores is not None
    assert verdict.scores["total"] == 0
    assert {"axis.range", "critical.nonzero"} <= set(codes(verdict))


def test_a_field_that_is_missing_or_empty_is_told() -> None:
    """RB-FIELDS: it changes no score."""
    whole = judged(said(50, 20, 5), rubric())
    assert "field.missing" not in [v.code for v in whole.violations]
    bare = dict(said(50, 20, 5, reasoning={AXES[0]: "good", AXES[1]: " ", AXES[2]: None}))
    for name in ("task_name", "weights", "total_score"):
        del bare[name]
    verdict = judged(json.dumps(bare), rubric())
    missing = [v.where for v in verdict.violations if v.code == "field.missing"]
    assert missing == [
        "task_name", "weights", "total_score", f"reasoning.{AXES[1]}", f"reasoning.{AXES[2]}"
    ]  # fmt: skip
    assert verdict.scores == whole.scores


def test_a_holistic_rubric_is_scored_by_its_own_weights() -> None:
    text = "## Task: x\n## task_type: holistic\n## weights: logic_and_fact=20, "
    text += "constraint_adherence=20, helpfulness_and_creativity=60\n"
    verdict = judged(said(15, 10, 50, task_type="holistic", weights=None), text)
    assert verdict.total == 75
    assert codes(verdict) == []
