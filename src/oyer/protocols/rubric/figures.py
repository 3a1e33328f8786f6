"""The rubric's report as numbers, for programs: the same as `digest` tells people."""

from __future__ import annotations

from collections.abc import Iterable

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
    alpha, responses = Alpha(), list[dict[str, object]]()
    for (case, candidate, answer), of_response in marks.items():
        together = panel(of_response, candidate)
        alpha.add(tally.mean["total"] for tally in together.judges)
        names = {"case": case, "candidate": candidate, "answer": answer}
        responses.append({**names, **_response(together)})
    agreement = alpha.value
    return {
        "responses": responses,
        "alpha": None if agreement is None else float(agreement),
    }


def _response(together: RubricPanel) -> dict[str, object]:
    return {
        "median": {key: float(together.median[key]) for key in KEYS},
        "mean": {key: float(together.mean[key]) for key in KEYS},
        "range": {key: float(together.range[key]) for key in KEYS},
        "judges": {tally.judge: _judge(tally) for tally in together.judges},
        "flags": list(together.flags),
    }


def _judge(tally: VoteTally) -> dict[str, object]:
    return {
        "runs": tally.runs,
        "mean": {key: float(tally.mean[key]) for key in KEYS},
        "sd": dict(tally.sd),
        "critical": tally.critical,
        "failed": tally.failed,
        "confidence": dict(tally.confidence),
    }
