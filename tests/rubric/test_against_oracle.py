"""Thousands of random rubrics and replies against a second, independent computation."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

from oyer.arith import round_to_show
from oyer.protocols.rubric.rules import AXES
from tests.rubric.rubric_cases import codes, judged

TYPES = {"fact": (60, 30, 10), "creative": (30, 30, 40), "speculative": (40, 20, 40)}


GOOD = [0, 5, 10, 29.99, 30, 40, 40.5, 60, 61, 70]
BAD: list[Any] = [-1, -0.5, None, True, "x", [], "NaN"]


def random_rubric(rng: random.Random) -> dict[str, Any]:
    first = rng.randint(0, 100)
    second = rng.randint(0, 100 - first)
    some = [(rng.choice(AXES), rng.randint(1, 40), rng.random() < 0.5) for _ in range(3)]
    kind = rng.choice([None, *TYPES])
    weights = rng.choice([None, (first, second, 100 - first - second)])
    most = dict(zip(AXES, weights or TYPES.get(kind or "", (100, 100, 100)), strict=True))
    costs = [(axis, cost, passes) for axis, cost, passes in some if cost <= most[axis]]
    return {
        "type": kind,
        "weights": weights,
        "ids": rng.choice([(), ("CF-1",), ("CF-1", "CF-2")]),
        "costs": costs[: rng.randint(0, 3)],
        "fatal": rng.choice([None, None, True, False]),  # a critical check: passes or fails
    }


def random_reply(rng: random.Random) -> dict[str, Any]:
    def point() -> Any:
        return rng.choice(BAD) if rng.random() < 0.08 else rng.choice(GOOD)

    return {
        "score": (point(), point(), point()),
        "critical_fail": rng.choice([True, False, False, None, "true", "no", ...]),
        "critical_fail_reason": rng.choice([None, "", "because"]),
        "critical_fail_id": rng.choice([None, "CF-1", "CF-2", "CF-3"]),
        "task_type": rng.choice([*TYPES, "other", None, ...]),
        "inferred_task_type": rng.choice([*TYPES, None, ...]),
        "confidence": rng.choice(["high", "medium", "low", "so-so", ...]),
        "total": rng.choice(["right", "wrong", "absent"]),
        "weights": rng.choice([..., (60, 30, 10), (30, 30, 40)]),
    }


def written(rubric: dict[str, Any]) -> str:
    lines = ["## Task: t"]
    if rubric["type"]:
        lines.append(f"## task_type: {rubric['type']}")
    if rubric["weights"]:
        pairs = zip(AXES, rubric["weights"], strict=True)
        lines.append("## weights: " + ", ".join(f"{axis}={n}" for axis, n in pairs))
    lines.append("## Critical Fail Conditions")
    lines += [f"- {name}: x" for name in rubric["ids"]] or ["none"]
    lines += ["## checks", "```toml"] if checks_of(rubric) else []
    for axis, cost, passes in rubric["costs"]:
        word = "bridge" if passes else "zeppelin"
        lines.append(f'[[check]]\ncontains = "{word}"\naxis = "{axis}"\npoints = {cost}')
    if rubric["ids"] and rubric["fatal"] is not None:
        word = "bridge" if rubric["fatal"] else "zeppelin"
        lines.append(f'[[check]]\ncontains = "{word}"\ncritical = "CF-1"')
    return "\n".join([*lines, "```"] if checks_of(rubric) else lines)


def checks_of(rubric: dict[str, Any]) -> bool:
    return bool(rubric["costs"]) or (bool(rubric["ids"]) and rubric["fatal"] is not None)


def oracle(  # noqa: PLR0912 - one page, as the specification is one page
    rubric: dict[str, Any], reply: dict[str, Any]
) -> tuple[list[Fraction], set[str]] | None:
    """The page of the specification, once more, in another hand; None: unusable."""
    broken: set[str] = set()
    kind = rubric["type"]
    if kind is None:
        for offered in (reply["inferred_task_type"], reply["task_type"]):
            if kind is None and offered in TYPES:
                kind = offered
        if kind is None:
            return None
    else:
        if reply["task_type"] not in (kind, None, ...):
            broken.add("task_type.wrong")
        if reply["inferred_task_type"] not in (None, ...):
            broken.add("inferred_task_type.misused")
    most = rubric["weights"] or TYPES[kind]
    if reply["weights"] is not ... and tuple(reply["weights"]) != tuple(most):
        broken.add("weights.wrong")
    fails = reply["critical_fail"] in (True, "true")
    known = reply["critical_fail"] in (True, "true", False, "no")
    code_fails = bool(rubric["ids"]) and rubric["fatal"] is False
    counts = code_fails
    if fails:
        if not reply["critical_fail_reason"]:
            broken.add("critical.no_reason")
        if not rubric["ids"]:
            broken.add("critical.undefined")
        elif reply["critical_fail_id"] and reply["critical_fail_id"] not in rubric["ids"]:
            broken.add("critical.unknown_id")
        else:
            counts = True
    elif reply["critical_fail_reason"]:
        broken.add("critical.reason_misused")
    if reply["confidence"] not in ("high", "medium", "low"):
        broken.add("confidence.unknown")
    readable = [isinstance(p, int | float) and not isinstance(p, bool) for p in reply["score"]]
    usable = [ok and p >= 0 for ok, p in zip(readable, reply["score"], strict=True)]
    axes = zip(reply["score"], usable, most, strict=True)
    if any(ok and Fraction(str(p)) > w for p, ok, w in axes):
        broken.add("axis.range")
    if counts:
        given = [p for p, ok in zip(reply["score"], usable, strict=True) if ok]
        if fails and (any(given) or stated_total(reply, most)):
            broken.add("critical.nonzero")
        return [Fraction(0)] * 3, broken
    if not all(usable) or (not known and rubric["ids"]):
        return None
    exact = [Fraction(str(p)) for p in reply["score"]]
    if fails and not any(exact):
        return None  # the zeros are those of a fail that is not applied
    held = [min(p, Fraction(w)) for p, w in zip(exact, most, strict=True)]
    if reply["total"] != "absent" and Fraction(str(stated_total(reply, most))) != sum(held):
        broken.add("arithmetic")
    for axis, cost, passes in rubric["costs"]:
        if not passes:
            at = AXES.index(axis)
            held[at] = max(Fraction(0), held[at] - cost)
    return held, broken


def stated_total(reply: dict[str, Any], most: Any) -> Any:
    if reply["total"] == "absent":
        return 0
    sizes = [
        min(Fraction(str(p)), Fraction(w))
        for p, w in zip(reply["score"], most, strict=True)
        if isinstance(p, int | float) and not isinstance(p, bool) and p >= 0
    ]
    right = float(sum(sizes))
    return right if reply["total"] == "right" else right + 1


def sent(reply: dict[str, Any], most: Any) -> str:
    keys = ("critical_fail", "critical_fail_reason", "critical_fail_id", "task_type",
            "inferred_task_type", "confidence")  # fmt: skip
    made = {key: reply[key] for key in keys if reply[key] is not ...}
    made["score"] = dict(zip(AXES, reply["score"], strict=True))
    if reply["weights"] is not ...:
        made["weights"] = dict(zip(AXES, reply["weights"], strict=True))
    if reply["total"] != "absent":
        made["total_score"] = stated_total(reply, most)
    return json.dumps(made)


CASES = 5_000


def test_scores_and_violations_are_those_of_an_independent_computation() -> None:
    rng, scored = random.Random(20260218), 0
    seen: set[str] = set()
    for case in range(CASES):
        rubric, reply = random_rubric(rng), random_reply(rng)
        offered = (rubric["type"], reply["inferred_task_type"], reply["task_type"])
        kind = next((t for t in offered if t in TYPES), "fact")
        most = rubric["weights"] or TYPES[kind]
        verdict = judged(sent(reply, most), written(rubric))
        expected = oracle(rubric, reply)
        told = f"case {case}: {rubric} {reply}"
        if expected is None:
            assert (verdict.scores, verdict.error) == (None, "unreadable"), told
            continue
        axes, broken = expected
        assert verdict.scores is not None, told
        assert [verdict.scores[axis] for axis in AXES] == [
            round_to_show(value) for value in axes
        ], told
        assert verdict.scores["total"] == round_to_show(sum(axes)), told
        assert set(codes(verdict)) == broken, told
        assert all(0 <= verdict.scores[axis] <= w for axis, w in zip(AXES, most, strict=True))
        scored, seen = scored + 1, seen | broken
    assert scored > CASES / 3, "most of the cases are worth something"
    assert seen == {
        "task_type.wrong", "inferred_task_type.misused", "weights.wrong", "axis.range",
        "arithmetic", "critical.nonzero", "critical.no_reason", "critical.undefined",
        "critical.unknown_id", "critical.reason_misused", "confidence.unknown",
    }  # fmt: skip
