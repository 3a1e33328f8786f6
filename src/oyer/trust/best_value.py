"""Which of several judges saves most labels for its price, if that can be told."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from oyer.trust.card import Card
from oyer.trust.measures import Measure
from oyer.trust.resampling import Estimate


@dataclass(frozen=True, slots=True)
class Value:
    """What a judge saves in labels for ± 5 % of the scale, and what it cost."""

    judge: str
    saved: Estimate
    dollars: float  # of the whole run

    def per_dollar(self, labels: float) -> float:
        """Labels per dollar; of a free judge, labels."""
        return labels / self.dollars if self.dollars else labels


def best_value(cards: Sequence[Card]) -> str:
    """One sentence on several judges; a tie where the intervals of what they save overlap."""
    values = [_value(card) for card in cards]
    known = [value for value in values if value is not None]
    if len(cards) < 2 or len(known) < len(cards):
        return ""
    useful = [value for value in known if value.saved.value > 0]
    if not useful:
        return "Best value: none of these judges saves labels."
    free = [value for value in useful if not value.dollars]
    rivals = free or useful
    best = max(rivals, key=lambda value: value.per_dollar(value.saved.value))
    lowest = best.per_dollar(best.saved.low or 0.0)
    tied = [value for value in rivals if value.per_dollar(value.saved.high or 0.0) >= lowest]
    if len(tied) > 1:
        names = ", ".join(f"{value.judge} ({_describe(value)})" for value in tied)
        return f"Best value: a tie, the intervals overlap: {names}."
    return f"Best value: {best.judge} ({_describe(best)})."


def _value(card: Card) -> Value | None:
    """None: nothing is known of what it saves or of what it costs."""
    main = _main_measure(card)
    cost = card.compliance.cost_usd
    if main is None or main.saved is None or main.saved.low is None or cost is None:
        return None
    if math.isnan(main.saved.value):
        return None
    return Value(card.judge, main.saved, cost * card.compliance.verdicts)


def _main_measure(card: Card) -> Measure | None:
    """The metric that most cases have a label of."""
    return max(card.measures, key=lambda measure: measure.cases, default=None)


def _describe(value: Value) -> str:
    labels = f"saves {value.saved.value:,.0f} labels"
    low = value.saved.low or 0.0
    high = value.saved.high or 0.0
    interval = f"[{low:,.0f}, {high:,.0f}]"
    if not value.dollars:
        return f"{labels} {interval} and costs nothing"
    rate = value.per_dollar(value.saved.value)
    return f"{labels} {interval} for ${value.dollars:,.2f}: {rate:,.1f} a dollar"
