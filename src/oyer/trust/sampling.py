"""Probability samples: every member of the population has a known chance to be drawn.

Without that chance no honest estimate is possible: people label what caught their eye, and what
catches the eye is not like the rest. The draw is stratified: within a stratum every member has the
same chance, n_h of N_h; strata share the sample equally, so that rare ones (low scores) are seen.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from oyer.errors import UsageError

T = TypeVar("T")
BANDS = ("low", "middle", "high")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A member of the sample: its index in the population, its chance, how many people see it."""

    index: int
    prob: float
    people: int = 1


def draw_sample(
    strata: Sequence[Hashable], n: int, *, second: float = 0.0, seed: int = 0
) -> list[Drawn]:
    """Draw `n` members of a population, given the stratum of each; in random order.

    A share `second` of those drawn is to be labelled by two people.
    Raises UsageError when there are more strata than members to be drawn.
    """
    if n < 1:
        raise UsageError("a sample has at least one member")
    if not 0 <= second <= 1:
        raise UsageError(f"the share for two people lies between 0 and 1, not at {second}")
    members: dict[Hashable, list[int]] = defaultdict(list)
    for index, stratum in enumerate(strata):
        members[stratum].append(index)
    sizes = allocate([len(those) for those in members.values()], n)
    chance = random.Random(seed)
    drawn: list[tuple[int, float]] = []
    for those, size in zip(members.values(), sizes, strict=True):
        prob = size / len(those)
        drawn += [(index, prob) for index in _choose(chance, those, size)]
    order = _choose(chance, drawn, len(drawn))
    twice = set(_choose(chance, range(len(order)), round(second * len(order))))
    return [
        Drawn(index, prob, people=2 if at in twice else 1) for at, (index, prob) in enumerate(order)
    ]


def allocate(sizes: Sequence[int], n: int) -> list[int]:
    """How many to draw from strata of these sizes: as equal as the small ones allow."""
    if n < len(sizes):
        raise UsageError(
            f"{n} cannot be drawn from {len(sizes)} strata: each needs one. "
            "Draw more, or stratify by less."
        )
    taken = [0] * len(sizes)
    left = min(n, sum(sizes))
    while left:
        room = [at for at, size in enumerate(sizes) if taken[at] < size]
        share = max(1, left // len(room))
        for at in sorted(room, key=lambda at: (sizes[at] - taken[at], at)):
            more = min(share, sizes[at] - taken[at], left)
            taken[at] += more
            left -= more
    return taken


def score_bands(totals: Sequence[float | None]) -> list[str]:
    """Each total's third of the population: low, middle or high; none: unscored."""
    known = sorted(total for total in totals if total is not None)
    if not known:
        return ["unscored"] * len(totals)
    lower = known[len(known) // 3]
    upper = known[2 * len(known) // 3]

    def band(total: float | None) -> str:
        if total is None:
            return "unscored"
        if total < lower:
            return BANDS[0]
        return BANDS[1] if total < upper else BANDS[2]

    return [band(total) for total in totals]


def split_of(case_id: str, dev: float) -> Literal["dev", "test"]:
    """Whether labels of a case are for tuning (dev) or for measuring (test).

    By a hash of the case's id: all candidates' texts of one case, in every queue, fall on one side.
    """
    digest = hashlib.sha256(case_id.encode("utf-8", "backslashreplace")).digest()
    return "dev" if int.from_bytes(digest[:8], "big") < dev * 2**64 else "test"


def _choose(chance: random.Random, population: Sequence[T], size: int) -> list[T]:
    """`size` members in random order; only `random()` is promised to stay the same for ever."""
    keys = [(chance.random(), at) for at in range(len(population))]
    return [population[at] for _, at in sorted(keys)[:size]]
