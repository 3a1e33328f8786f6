"""A verdict's trace, computed again from its JSON alone, step by step."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from oyer.arith import half_up, harmonic
from oyer.protocols.judge_lock import PROTOCOL as JUDGE_LOCK
from oyer.protocols.twin_lock import PROTOCOL as TWIN_LOCK
from oyer.verdicts import as_json
from oyer.verdicts.record import restored
from tests.summary.good_replies import case, heard
from tests.summary.test_against_oracle import made

HALF = Fraction(1, 2)
Inputs = Mapping[str, Any]


def exactly(shown: Any, exact: Any) -> Any:
    """What is shown, with the fraction in its place where two decimals lost something."""
    if isinstance(exact, str):
        return Fraction(exact)
    if isinstance(shown, dict):
        return {key: exactly(value, (exact or {}).get(key)) for key, value in shown.items()}
    return Fraction(str(shown)) if isinstance(shown, float) else shown


def mean(i: Inputs, **values: str) -> Fraction:
    count = sum(i[name] for name in values)
    worth = sum(i[name] * Fraction(value) for name, value in values.items())
    return Fraction(worth, count) if count else Fraction(0)


def severity(fraction: Fraction) -> str:
    return "severe" if fraction >= HALF else "moderate" if fraction >= HALF / 2 else "minor"


def jl_raw(i: Inputs) -> Fraction:
    lied = max(Fraction(0), 4 - 4 * i["fraction"])
    return lied if i["Unsupported"] else 10 - half_up(14 * i["fraction"])


def total(i: Inputs) -> Fraction:
    weighed = sum(weight * i["scores"][metric] for metric, weight in i["weights"].items())
    return Fraction(weighed) / sum(i["weights"].values())


RECALL = {"Fully": "1", "Partial": "0.5", "Not": "0"}
PAIRS = {"Correct": "1", "Partial": "0.5", "Wrong": "0"}
FORMULAS: dict[str, Callable[[Inputs], Any]] = {
    "JL-COV-RECALL": lambda i: mean(i, **RECALL),
    "JL-COV-PRECISION": lambda i: 1 - Fraction(i["extraneous tokens"], i["summary tokens"]),
    "JL-COV-F1": lambda i: harmonic(i["precision"], i["recall"]),
    "JL-COV-QAG": lambda i: mean(i, **PAIRS),
    "JL-COV-RAW": lambda i: 10 * harmonic(i["f1"], i["qag_accuracy"]),
    "JL-HAL-FRACTION": lambda i: mean(i, Supported="0", Partial="0.5", Unsupported="1"),
    "JL-HAL-SEVERITY": lambda i: severity(i["fraction"]),
    "JL-HAL-RAW": jl_raw,
    "JL-HAL-QAG": lambda i: mean(i, **PAIRS),
    "JL-HAL-SCORE": lambda i: i["raw"] * i["qag_precision"],
    "JL-ALIGN": lambda i: i["stated"],
    "JL-REL-LABEL": lambda i: mean(i, High="1", Some="0.3", None_="0"),
    "JL-REL-RAW": lambda i: 10 * harmonic(i["section_overlap"], i["qag_accuracy"]),
    "JL-BT-SCORE": lambda i: (i["bias_score"] + i["tox_score"]) * HALF,
    "JL-TOTAL": total,
    "TL-COV-RECALL": lambda i: mean(i, **RECALL),
    "TL-COV-PRECISION": lambda i: 1 - Fraction(i["extraneous tokens"], i["summary tokens"]),
    "TL-COV-RAW": lambda i: 10 * harmonic(i["precision"], i["recall"]),
    "TL-ALIGN": lambda i: i["stated"],
    "TL-HAL-FRACTION": lambda i: mean(i, Supported="0", Partially="0.5", Unsupported="1"),
    "TL-HAL-RAW": lambda i: max(0, 10 - half_up(14 * i["fraction"])),
    "TL-REL": lambda i: 10 * mean(i, High="1", Some="0.5", None_="0"),
    "TL-BT": lambda i: (i["bias_score"] + i["tox_score"]) * HALF,
    "TL-TOTAL": total,
}


def again(step: Mapping[str, Any]) -> Any:
    """The step's value, computed from its inputs."""
    inputs = exactly(step["inputs"], step.get("exact_inputs"))
    if "None" in inputs:
        inputs["None_"] = inputs["None"]  # a word that Python keeps for itself
    if "before" in inputs:  # a cap: "coverage ≤ 7"
        return min(inputs["before"], Fraction(step["formula"].split(" ≤ ")[1]))
    if step["rule"].endswith("-REL-OVERLAP"):
        return [
            float(half_up(Fraction(met, size), 2))
            for met, size in zip(inputs["|S∩A|"], inputs["|S|"], strict=True)
        ]
    return FORMULAS[step["rule"]](inputs)


@pytest.mark.parametrize(
    ("protocol", "partial"), [(JUDGE_LOCK, "Partial"), (TWIN_LOCK, "Partially")]
)
def test_every_step_follows_from_its_own_inputs(protocol: Any, partial: str) -> None:
    """Exactly: no input is the rounded shadow of the number that was used."""
    exact_inputs = replayed = 0
    for seed in range(400):
        _, article, summary, reply = made(seed, ["Supported", partial, "Unsupported"])
        record = json.loads(as_json(heard(protocol, reply, case(article, summary))))
        for step in record["trace"]:
            value = exactly(step["value"], step.get("exact"))
            assert again(step) == value, (seed, step)
            replayed += 1
            exact_inputs += "exact_inputs" in step
        assert as_json(restored(record)) == as_json(record), "a stored verdict prints the same"
    assert replayed > 400 * 10
    assert exact_inputs > 400, "the cases have numbers that two decimals cannot show"
