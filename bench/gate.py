"""How often the gate cries wolf, and how often it sees one: simulated, with the gate's own test.

    python bench/gate.py [--trials 2000]

False alarms: nothing changed, so before and after of a case are drawn from the same distribution.
Power: the same, but the scores after are lower by a share of the spread of the differences.
One line a distribution and number of cases; three candidates share the cases where it says so.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

from oyer.report.drop_test import ALPHA, draw_signs, drop_p_values, smallest_drop

Floats = npt.NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]
CASES = (5, 10, 30, 100)
DROPS = (0.3, 0.5, 0.8, 1.2)


def normal(rng: np.random.Generator, size: tuple[int, ...]) -> Floats:
    return rng.normal(5, 1, size)


def capped(rng: np.random.Generator, size: tuple[int, ...]) -> Floats:
    """Totals as caps leave them: a heap at 3, one at 7, few in between."""
    return rng.choice([0.9, 3.0, 3.0, 4.1, 7.0, 7.0, 7.0, 9.4], size)


def skewed(rng: np.random.Generator, size: tuple[int, ...]) -> Floats:
    """Mostly near the top, a long tail below."""
    return 10 - rng.gamma(0.7, 1.5, size).clip(0, 10)


def pass_or_fail(rng: np.random.Generator, size: tuple[int, ...]) -> Floats:
    return (rng.random(size) < 0.8) * 10.0


def mostly_unchanged(rng: np.random.Generator, size: tuple[int, ...]) -> Floats:
    """Four of five cases have the same score in both runs (see `differences`)."""
    return rng.normal(5, 1, size)


SHAPES: tuple[Draw, ...] = (normal, capped, skewed, pass_or_fail, mostly_unchanged)


def differences(rng: np.random.Generator, shape: Draw, cases: int, candidates: int) -> Floats:
    """After minus before where nothing changed."""
    size = (cases, candidates)
    made = shape(rng, size) - shape(rng, size)
    if shape is mostly_unchanged:
        made *= rng.random(size) < 0.2
    return made


@cache
def known_signs(cases: int) -> list[Floats]:
    """The gate's own sign patterns, which are the same in every trial: drawn once."""
    return list(draw_signs(cases))


def alarms(shape: Draw, cases: int, candidates: int, drop: float, trials: int) -> float:
    """The share of trials in which some line of the gate fails."""
    rng = np.random.default_rng([cases, candidates, int(drop * 100)])
    spread = float(differences(rng, shape, 100_000, 1).std())
    hits = 0
    for _ in range(trials):
        table = differences(rng, shape, cases, candidates) - drop * spread
        if candidates > 1:
            table = np.column_stack([table.mean(axis=1), table])
        hits += bool((drop_p_values(table, known_signs) <= ALPHA).any())
    return hits / trials


def promise(shape: Draw, cases: int, trials: int) -> float:
    """How often a drop of the size that the gate says it would find is found."""
    rng = np.random.default_rng([cases, 7])
    sizes = []
    for _ in range(trials):
        size = smallest_drop(differences(rng, shape, cases, 1)[:, 0], 1)
        sizes.append(0.0 if size is None else size)
    typical = float(np.median(sizes))
    spread = float(differences(rng, shape, 100_000, 1).std())
    return alarms(shape, cases, 1, typical / spread, trials)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000)
    trials = parser.parse_args().trials
    chance = 2 * (ALPHA * (1 - ALPHA) / trials) ** 0.5
    print(f"false alarms ({trials} trials; chance alone gives ± {chance:.3f})")
    print(f"{'':<28}" + "".join(f"{f'n = {n}':>9}" for n in CASES))
    for candidates in (1, 3):
        for shape in SHAPES:
            rates = [alarms(shape, n, candidates, 0.0, trials) for n in CASES]
            name = f"{shape.__name__}, {candidates} cand."
            print(f"{name:<28}" + "".join(f"{rate:>9.3f}" for rate in rates), flush=True)
    print("\npower, one candidate, normal scores: the mean falls by … spreads of the differences")
    for drop in DROPS:
        rates = [alarms(normal, n, 1, drop, trials) for n in CASES]
        print(f"{drop:<28}" + "".join(f"{rate:>9.2f}" for rate in rates), flush=True)
    print("\npower at the drop that the gate says it would have found (4 of 5 are promised)")
    for shape in (normal, capped, skewed):
        rates = [promise(shape, n, trials) for n in CASES]
        print(f"{shape.__name__:<28}" + "".join(f"{rate:>9.2f}" for rate in rates), flush=True)


if __name__ == "__main__":
    main()
