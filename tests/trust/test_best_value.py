"""Best value: labels saved per dollar, over several judges; a tie where intervals overlap."""

from __future__ import annotations

import math

from oyer.trust.best_value import best_value
from oyer.trust.card import Card
from oyer.trust.compliance import Compliance
from oyer.trust.consistency import Components, Consistency
from oyer.trust.measures import Measure
from oyer.trust.resampling import Estimate

NAN = math.nan


def card(judge: str, saved: tuple[float, float, float], cost: float | None) -> Card:
    measure = Measure("supported", ("not", "supported"), 100, 100, 0, 0, {},
                      saved=Estimate(saved[1], saved[0], saved[2], 100))  # fmt: skip
    rules = Compliance(1000, 1000, {}, 1.0, {}, {}, cost, 1.0)
    return Card(judge, "p", 1, "run", "2026-01-01", "single", "", 100, rules,
                Consistency(0, NAN, NAN), Components(NAN, NAN, NAN, NAN), (measure,))  # fmt: skip


def test_most_labels_for_a_dollar() -> None:
    told = best_value([card("a", (90, 100, 110), 0.01), card("b", (60, 70, 80), 0.001)])
    assert told == "Best value: b (saves 70 labels [60, 80] for $1.00: 70.0 a dollar)."


def test_overlapping_intervals_are_a_tie() -> None:
    told = best_value([card("a", (50, 100, 150), 0.01), card("b", (60, 70, 120), 0.01)])
    assert told.startswith("Best value: a tie, the intervals overlap: a (")


def test_a_free_judge_that_saves_labels_is_the_best() -> None:
    told = best_value([card("a", (90, 100, 110), 0.01), card("free", (5, 10, 15), 0.0)])
    assert told == "Best value: free (saves 10 labels [5, 15] and costs nothing)."


def test_nothing_is_said_where_a_price_is_not_known_or_there_is_one_judge() -> None:
    assert best_value([card("a", (1, 2, 3), None), card("b", (1, 2, 3), 0.1)]) == ""
    assert best_value([card("a", (1, 2, 3), 0.1)]) == ""


def test_judges_that_save_nothing() -> None:
    told = best_value([card("a", (-9, -5, 3), 0.1), card("b", (-9, -4, 3), 0.0)])
    assert told == "Best value: none of these judges saves labels."
