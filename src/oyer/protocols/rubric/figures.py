"""The rubric's report as numbers, for programs: the same as `digest` tells people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from oyer.arith import Alpha
from oyer.protocols.rubric.digest import HeardRubric, Response
from oyer.protocols.rubric.panel import KEYS, AxisMark, RubricPanel, VoteTally, panel
from oyer.records import JsonObject


def figures(rows: Iterable[HeardRubric]) -> JsonObject:
    """Every response with each judge's mean and SD over its runs, and how far judges agree."""
    marks: dict[Response, list[AxisMark]] = {}
    for row in rows:
        if row.mark is not None:
            marks.setdefault(row.response, []).append(row.mark)
    alpha, responses = Alpha(), list[dict[str, Any]]()
    for (case, candidate, answer), given in marks.items():
        made = panel(given, candidate)
        alpha.add(one.mean["total"] for one in made.judges)
        named = {"case": case, "candidate": candidate, "answer": answer}
        responses.append({**named, **_response(made)})
    agreement = alpha.value
    return {
        "responses": responses,
        "alpha": None if agreement is None else float(agreement),
    }


def _response(made: RubricPanel) -> dict[str, Any]:
    return {
        "median": {key: float(made.median[key]) for key in KEYS},
        "mean": {key: float(made.mean[key]) for key in KEYS},
        "range": {key: float(made.range[key]) for key in KEYS},
        "judges": {one.judge: _judge(one) for one in made.judges},
        "flags": list(made.flags),
    }


def _judge(one: VoteTally) -> dict[str, Any]:
    return {
        "runs": one.runs,
        "mean": {key: float(one.mean[key]) for key in KEYS},
        "sd": dict(one.sd),
        "critical": one.critical,
        "failed": one.failed,
        "confidence": dict(one.confidence),
    }
