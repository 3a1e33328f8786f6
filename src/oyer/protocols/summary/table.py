"""rules.toml -> the one table of a protocol: ids, formulas, thresholds, caps, label values.

Numbers are exact (0.95 is 19/20). A formula names its thresholds as `{cap}` and gets them from the
row's own `values`, so nothing is written twice.
"""

from __future__ import annotations

import math
import pkgutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from oyer.arith import ZERO, ratio, round_to_show
from oyer.types import JsonObject, Number, Rule


@dataclass(frozen=True, slots=True)
class Table:
    """A protocol's rules and the weights of its total."""

    version: str
    rules: Mapping[str, Rule]
    weights: Mapping[str, Fraction]

    def value(self, rule: str, name: str) -> Number:
        """A threshold, cap or label value of a rule."""
        number: Number = self.rules[rule].values[name]
        return number


def load(package: str) -> Table:
    """The table that lies in the protocol's folder."""
    raw = pkgutil.get_data(package, "rules.toml") or b""
    table = tomllib.loads(raw.decode(), parse_float=Fraction)
    rules = {row["id"]: _rule(row) for row in table["rule"]}
    weights = {metric: Fraction(weight) for metric, weight in table["weights"].items()}
    return Table(table["version"], rules, weights)


def _rule(row: JsonObject) -> Rule:
    values = row.get("values", {})
    written = {name: write(value) for name, value in values.items()}
    formula = row.get("formula", "").format_map(written)
    text = row["text"].strip().format_map(written)
    return Rule(row["id"], formula, text, values, row.get("kind", "rule"))


def write(value: object) -> str:
    """A number of the table as people write it: 0.95, 7."""
    if type(value) is Fraction:  # to ask an int whether it is one takes long
        return f"{round_to_show(value, 4):g}"
    return str(value)


@dataclass(frozen=True, slots=True)
class LabelValues:
    """What each label is worth, over one denominator: means are whole-number sums."""

    shares: Mapping[str, int]
    denominator: int

    @classmethod
    def of(cls, rule: Rule, labels: tuple[str, ...]) -> LabelValues:
        worth = {label: Fraction(rule.values[label]) for label in labels}
        scale = math.lcm(*(value.denominator for value in worth.values()))
        return cls({label: int(value * scale) for label, value in worth.items()}, scale)

    def mean(self, counts: Mapping[str, int], total: int) -> Fraction:
        """Σ value / total; 0 when there is nothing to divide by."""
        if not total:
            return ZERO
        worth = 0
        for label, count in counts.items():
            worth += self.shares[label] * count
        return ratio(worth, self.denominator * total)
