"""The ledger of one verdict: rules applied, caps, and the judge's numbers against ours."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from oyer.arith import exact, shown
from oyer.errors import UsageError
from oyer.protocols._summary.findings import METRICS, Stated
from oyer.protocols._summary.table import Table, write
from oyer.types import Number, Step, Violation


class Ledger:
    """Steps in the order in which rules were applied."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.steps: list[Step] = []
        self.computed: dict[str, Number] = {}  # what a stated number is compared with
        self._caps: dict[str, list[tuple[str, Number]]] = {}

    def step(self, rule: str, inputs: Mapping[str, Any], value: Any) -> None:
        """Put a rule's application on the record, with the formula of the table."""
        self.steps.append(Step(rule, self.table.rules[rule].formula, inputs, value))

    def number(self, rule: str, key: str, inputs: Mapping[str, Any], value: Fraction) -> Fraction:
        """The same for a number that the judge may have stated too, under `key`."""
        self.step(rule, inputs, value)
        self.computed[key] = value
        return value

    def cap(
        self, rule: str, key: str, before: Number, because: Mapping[str, Any], name: str = "cap"
    ) -> Number:
        """Apply a cap whose condition holds: a step of its own, even when nothing is lost."""
        limit = self.table.value(rule, name)
        after = min(before, limit)
        inputs = {"before": before, **because}
        self.steps.append(Step(rule, f"{key} ≤ {write(limit)}", inputs, after))
        self._caps.setdefault(key, []).append((rule, limit))
        return after

    def compare(self, stated: Mapping[str, Stated], rule: str) -> list[Violation]:
        """`arithmetic` and `cap.ignored`: the judge's numbers against the computed ones."""
        tolerance = self.table.value(rule, "tolerance")
        found: list[Violation] = []
        for key, said in stated.items():
            where = f"{key}.overall_score" if key in METRICS else key
            ours = self.computed.get(key)
            if ours is not None and _differ(said, ours, tolerance):
                detail = f"{_write(said)} stated, {_write(ours)} computed"
                found.append(Violation("arithmetic", where, detail))
            ignored = [c for c in self._caps.get(key, ()) if said > c[1]]
            if ignored:
                caps = ", ".join(f"{name} (at most {write(limit)})" for name, limit in ignored)
                found.append(Violation("cap.ignored", where, f"{_write(said)} stated; {caps}"))
        return found

    def total(
        self, rule: str, scores: Mapping[str, Number], weights: Mapping[str, Fraction]
    ) -> Number:
        """Σ w·score / Σ w, in whole numbers: one fraction is made in place of a dozen."""
        shared = math.lcm(*(score.denominator for score in scores.values()))
        unit = math.lcm(*(weight.denominator for weight in weights.values()))
        top = whole = 0
        for metric, weight in weights.items():
            share, score = weight.numerator * (unit // weight.denominator), scores[metric]
            whole += share
            top += share * score.numerator * (shared // score.denominator)
        total = Fraction(top, whole * shared)
        self.step(rule, {"weights": weights}, total)
        return total


def _differ(said: Stated, ours: Number, tolerance: Number) -> bool:
    """Whether the two differ by more than the tolerance; exactly so where floats are unsure."""
    beyond = abs(float(said) - float(ours)) - float(tolerance)
    return beyond > 0 if abs(beyond) > 1e-6 else abs(exact(said) - ours) > tolerance


def _write(value: Stated) -> str:
    return f"{shown(value) if isinstance(value, Fraction) else value:g}"


def checked_weights(weights: Mapping[str, Fraction | float | str]) -> dict[str, Fraction]:
    """A user's weights, exact; raises UsageError for a wrong name, a negative or no weight."""
    own: dict[str, Fraction] = {}
    for metric, weight in weights.items():
        if metric not in METRICS:
            raise UsageError(f"no metric '{metric}' to weigh; there are: {', '.join(METRICS)}")
        try:
            own[metric] = exact(weight)
        except (ValueError, ZeroDivisionError) as error:
            raise UsageError(f"the weight of '{metric}' is not a number: {weight}") from error
        if own[metric] < 0:
            raise UsageError(f"the weight of '{metric}' is below 0: {weight}")
    if not sum(own.values()):
        raise UsageError("at least one metric must weigh more than 0")
    return own
