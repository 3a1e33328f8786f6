"""One changed label: what it would do, computed by the same code that decides."""

from __future__ import annotations

import json

import pytest

from oyer.errors import UsageError
from oyer.protocols.judge_lock import PROTOCOL as JUDGE_LOCK
from oyer.protocols.rubric import PROTOCOL as RUBRIC
from oyer.protocols.twin_lock import PROTOCOL as TWIN_LOCK
from oyer.types import Case, Reply
from oyer.verdicts.core import audit
from oyer.verdicts.what_if import effects, labels, rule_with, verdict_objects
from tests.summary.good_replies import case, judge_lock, twin_lock, written

JUDGED = verdict_objects(case(), JUDGE_LOCK, Reply(written(judge_lock())))
RULES = """## Task: letter
## task_type: fact
## Critical Fail Conditions
- CF-1: it is rude
### Logic & Fact (0-60)
### Constraint Adherence (0-30)
### Helpfulness & Creativity (0-10)
"""


def test_every_label_is_found_with_its_words() -> None:
    found = list(labels(JUDGE_LOCK, JUDGED))
    assert [one.name for one in found[:2]] == ["claim 1", "claim 2"]
    assert found[0].text == "The council approved a new bicycle plan."
    assert len(found) == 4 + 5 + 6 + 6


def test_the_greatest_change_comes_first() -> None:
    """One invention caps coverage and relevance: the cliff that people should see."""
    first, *rest = effects(case(), JUDGE_LOCK, JUDGED)
    assert first.value == "Unsupported"
    assert str(first) == "if claim 1 were Unsupported: 4.4 (-5.6)"
    assert all(abs(first.change) >= abs(other.change) for other in rest)


@pytest.mark.parametrize(
    ("protocol", "reply"), [(JUDGE_LOCK, judge_lock()), (TWIN_LOCK, twin_lock())]
)
def test_an_effect_is_what_the_changed_reply_would_get(protocol, reply) -> None:  # type: ignore[no-untyped-def]
    objects = verdict_objects(case(), protocol, Reply(written(reply)))
    for effect in effects(case(), protocol, objects):
        metric, place = effect.label.where.split(".", 1)
        items, _, rest = place.partition("[")
        at, _, key = rest.partition("].")
        changed = json.loads(json.dumps(reply))
        changed[metric][items][int(at)][key] = effect.value
        verdict = audit(case(), protocol, Reply(written(changed)))
        assert (verdict.total, verdict.scores) == (effect.total, effect.scores), effect


def test_several_labels_at_once() -> None:
    where = "hallucination.claims_checked[{}].status"
    ruling = rule_with(
        case(), JUDGE_LOCK, JUDGED, {where.format(0): "Partial", where.format(1): "Partial"}
    )
    assert ruling.scores["hallucination"] == 6
    assert JUDGED["hallucination"]["claims_checked"][0]["status"] == "Supported", "left as it was"


@pytest.mark.parametrize("where", ["nothing", "coverage.key_points[99].coverage", "a.b[1].c", ""])
def test_a_place_without_a_label_is_refused(where: str) -> None:
    with pytest.raises(UsageError, match="no label"):
        rule_with(case(), JUDGE_LOCK, JUDGED, {where: "Not"})


def test_a_rubrics_critical_fail_is_a_label_too() -> None:
    given = Case("1", {"prompt": "write", "response": "Dear you", "rubric": RULES})
    reply = {
        "score": {"logic_and_fact": 50, "constraint_adherence": 30,
                  "helpfulness_and_creativity": 5},
        "critical_fail": False, "critical_fail_reason": "CF-1", "confidence": "high",
    }  # fmt: skip
    objects = verdict_objects(given, RUBRIC, Reply(json.dumps(reply)))
    assert [str(one) for one in effects(given, RUBRIC, objects)] == [
        "if critical_fail were True: 0 (-85)"
    ]
