"""The ledger of one verdict: rules applied, caps, and the judge's numbers against ours."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from oyer.arith import exact, less, round_to_show
from oyer.protocols.summary.findings import METRICS, Stated
from oyer.protocols.summary.table import Table, write
from oyer.types import JsonObject, Number, Step, Violation


class Ledger:
    """Steps in the order in which rules were applied.

    A metric's part of it depends on a few counts that recur from reply to reply: it is kept as a
    ledger of its own, and `take`n over.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.steps: list[Step] = []
        self.computed: dict[str, Number] = {}  # what a stated number is compared with
        self.shown: dict[str, float] = {}  # ... and as it is printed
        self._caps: dict[str, list[tuple[str, Number]]] = {}

    def take(self, part: Ledger) -> None:
        """Put all of another ledger on the record."""
        self.steps += part.steps
        self.computed |= part.computed
        self.shown |= part.shown
        for key, caps in part._caps.items():
            self._caps[key] = self._caps.get(key, []) + caps

    def put(self, numbers: Mapping[str, Number]) -> None:
        """Numbers that the judge may have stated too."""
        self.computed |= numbers
        self.shown |= {key: round_to_show(value) for key, value in numbers.items()}

    def step(self, rule: str, inputs: JsonObject, value: object) -> None:
        """Put a rule's application on the record, with the formula of the table."""
        self.steps.append(Step(rule, self.table.rules[rule].formula, inputs, value))

    def number(self, rule: str, key: str, inputs: JsonObject, value: Fraction) -> Fraction:
        """The same for a number that the judge may have stated too, under `key`."""
        self.step(rule, inputs, value)
        self.computed[key] = value
        self.shown[key] = round_to_show(value)
        return value

    def cap(
        self, rule: str, key: str, before: Number, because: JsonObject, name: str = "cap"
    ) -> Number:
        """Apply a cap whose condition holds: a step of its own, even when nothing is lost."""
        limit = self.table.value(rule, name)
        after = limit if less(limit, before) else before
        inputs = {"before": before, **because}
        self.steps.append(Step(rule, f"{key} ≤ {write(limit)}", inputs, after))
        self._caps.setdefault(key, []).append((rule, limit))
        return after

    def compare(self, stated: Mapping[str, Stated], rule: str) -> list[Violation]:
        """`arithmetic` and `cap.ignored`: the judge's numbers against the computed ones."""
        ours, tolerance = self.shown, self.table.value(rule, "tolerance")
        # what is shown is at most 0.005 off: exact numbers decide only near the tolerance
        close, far = float(tolerance) - 0.006, float(tolerance) + 0.006
        found: list[Violation] = []
        for key, own in stated.items():
            gap = abs(own - ours[key]) if key in ours else 0
            if gap <= close and key not in self._caps:
                continue
            where = f"{key}.overall_score" if key in METRICS else key
            if gap > far or (gap > close and abs(exact(own) - self.computed[key]) > tolerance):
                detail = f"{_write(own)} stated, {ours[key]:g} computed"
                found.append(Violation("arithmetic", where, detail))
            ignored = [cap for cap in self._caps.get(key, ()) if own > cap[1]]
            if ignored:
                caps = ", ".join(f"{name} (at most {write(limit)})" for name, limit in ignored)
                found.append(Violation("cap.ignored", where, f"{_write(own)} stated; {caps}"))
        return found

    def total(
        self, rule: str, scores: Mapping[str, Number], weights: Mapping[str, Fraction]
    ) -> Number:
        """Σ w·score / Σ w, in whole numbers: one fraction is made in place of a dozen."""
        values = {metric: score.as_integer_ratio() for metric, score in scores.items()}
        shares = {metric: weight.as_integer_ratio() for metric, weight in weights.items()}
        shared = math.lcm(*[bottom for _, bottom in values.values()])
        unit = math.lcm(*[bottom for _, bottom in shares.values()])
        top = whole = 0
        for metric, (parts, of) in shares.items():
            share, (score, bottom) = parts * (unit // of), values[metric]
            whole += share
            top += share * score * (shared // bottom)
        total = Fraction(top, whole * shared)
        self.step(rule, {"scores": scores, "weights": weights}, total)
        return total


def _write(value: Stated) -> str:
    return f"{round_to_show(value) if type(value) is Fraction else value:g}"
