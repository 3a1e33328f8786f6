"""Outcomes of a run, gathered a million at a time into one small table: candidate × case."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from oyer.judges.names import members
from oyer.report.filters import same_judge
from oyer.report.stats import Floats, Interval, interval, paired_p, win_rate
from oyer.report.tally import CandidateTally
from oyer.verdicts.violations import breaches

if TYPE_CHECKING:
    from oyer.store import Outcome

NOBODY = "(no candidate)"


@dataclass
class Gathered:
    """A run in memory: as large as candidates × cases × judges, never as verdicts.

    Where a panel and its members both judged, only the panel counts: its verdict is made of theirs.
    """

    metrics: tuple[str, ...]  # `total` is always the last
    cases: dict[str, int] = field(default_factory=dict)  # case -> its place, as first seen
    tallies: dict[str, CandidateTally] = field(default_factory=dict)  # by candidate
    #: Rules that judges broke; a judge that was not heard broke none.
    violations: dict[str, Counter[str]] = field(default_factory=dict)  # by candidate
    by_judge: dict[str, Counter[str]] = field(default_factory=dict)  # violations by judge
    errors: dict[str, Counter[str]] = field(default_factory=dict)  # by candidate
    cost: dict[str, float | None] = field(default_factory=dict)
    words: dict[str, Counter[str]] = field(default_factory=dict)  # FAIL …, by candidate
    stated: dict[str, Counter[tuple[float, float]]] = field(default_factory=dict)  # metric -> pairs
    judges: Counter[str] = field(default_factory=Counter)
    aside: frozenset[str] = frozenset()  # members of a panel that judged, too
    verdicts: int = 0
    doubled: int = 0  # verdicts on a second case of the same id and candidate
    short: int = 0  # verdicts on texts too short to be judged reliably

    @property
    def kinds(self) -> Counter[str]:
        """Why verdicts have no score, over all candidates."""
        return sum(self.errors.values(), Counter())

    def highest(self, metric: str) -> float:
        """The highest value any case has; 0 where there is none."""
        tops = [np.nanmax(self.values(who, metric), initial=0.0) for who in self.tallies]
        return float(max(tops, default=0.0))

    def values(self, candidate: str, metric: str, judge: str | None = None) -> Floats:
        """The candidate's mean of each case, in the order of `cases`; NaN where it has none.

        Of one judge, or of all that count.
        """
        at = self.metrics.index(metric)
        return self.tallies[candidate].means(at, len(self.cases), judge)


@dataclass
class _Part:
    """What one judge's verdicts on one candidate add up to, besides their scores."""

    violations: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    cost: float | None = 0.0

    def take(self, outcome: Outcome, labels: Container[str]) -> None:
        spent = outcome.usage.cost_usd
        self.cost = None if self.cost is None or spent is None else self.cost + spent
        self.violations.update(breaches(outcome.violations))
        self.words.update(word for word in words_of(outcome) if word in labels)
        if outcome.scores is None or outcome.total is None:
            self.errors[outcome.error or "unknown"] += 1


def words_of(outcome: Outcome) -> Iterator[str]:
    """What a verdict says besides its scores: FAIL, critical_fail."""
    for name, value in outcome.facts.items():
        if value is True:
            yield name
        elif isinstance(value, str):
            yield value


def gather(
    outcomes: Iterable[Outcome], scale: Iterable[str], labels: Container[str] = ()
) -> Gathered:
    """One pass over the outcomes of a run; `labels` are the words that are counted."""
    keys = tuple(key for key in scale if key != "total")
    made = Gathered((*keys, "total"))
    parts: dict[tuple[str, str], _Part] = {}
    stated: dict[str, dict[str, Counter[tuple[float, float]]]] = {}
    for outcome in outcomes:
        who, judge = outcome.candidate or NOBODY, outcome.judge
        tally = made.tallies.setdefault(who, CandidateTally(len(made.metrics))).of(judge)
        case = made.cases.setdefault(outcome.case, len(made.cases))
        made.verdicts += 1
        made.doubled += tally.is_other(case, outcome.seq)
        made.judges[judge] += 1
        made.short += "too_short" in outcome.facts
        parts.setdefault((who, judge), _Part()).take(outcome, labels)
        if outcome.scores is None or outcome.total is None:
            tally.miss(case)
        else:
            scores = [*(outcome.scores[key] for key in keys), outcome.total]
            tally.add(case, scores, outcome.facts.get("critical_fail") is True)
            _state(stated.setdefault(judge, {}), outcome.stated, outcome.scores)
    _add_up(made, parts, stated)
    return made


def _add_up(
    made: Gathered,
    parts: Mapping[tuple[str, str], _Part],
    stated: Mapping[str, Mapping[str, Counter[tuple[float, float]]]],
) -> None:
    """Judge by judge into candidate by candidate, a panel and its members never both."""
    made.aside = members_of_panels(made.judges)
    for who, voices in made.tallies.items():
        made.cost[who] = 0.0
        voices.aside = made.aside
    for (who, judge), part in parts.items():
        if part.violations and not speaks_for_others(judge, made.judges):
            made.by_judge.setdefault(judge, Counter()).update(part.violations)
        if judge in made.aside:
            continue
        known, spent = made.cost[who], part.cost
        made.cost[who] = None if known is None or spent is None else known + spent
        sums = ((made.violations, part.violations), (made.errors, part.errors),
                (made.words, part.words))  # fmt: skip
        for sum_, counts in sums:
            if counts:
                sum_.setdefault(who, Counter()).update(counts)
    for judge, by_metric in stated.items():
        if judge not in made.aside:
            for metric, pairs in by_metric.items():
                made.stated.setdefault(metric, Counter()).update(pairs)


def members_of_panels(judges: Iterable[str]) -> frozenset[str]:
    """Of these judges, those that are also members of a panel among them."""
    seated = [member for judge in judges for member in members(judge) if member != judge]
    return frozenset(judge for judge in judges for member in seated if same_judge(member, judge))


def speaks_for_others(judge: str, judges: Iterable[str]) -> bool:
    """A panel's violations are its members': counted with those, where they judged, too."""
    seated = [member for member in members(judge) if member != judge]
    return bool(seated) and all(
        any(same_judge(member, other) for other in judges) for member in seated
    )


def _state(
    pairs: dict[str, Counter[tuple[float, float]]],
    stated: Mapping[str, Any],
    scores: Mapping[str, float],
) -> None:
    """Stated against recomputed, on a grid of 0.1 so that a million fit on a page."""
    for key, score in scores.items():
        said = stated.get(key)
        if isinstance(said, Mapping):
            said = said.get("overall_score")
        if isinstance(said, int | float) and not isinstance(said, bool):
            pairs.setdefault(key, Counter())[(round(said, 1), round(score, 1))] += 1


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the leaderboard."""

    candidate: str
    #: Candidates whose difference from the best of the rank is not clear share it; None: no score.
    rank: int | None
    total: Interval
    metrics: Mapping[str, Interval]
    win_rate: float | None
    unscored: float  # share of verdicts
    bounds: tuple[float, float]  # of the total, if the unscored were the worst / the best
    cost: float | None
    violations: int  # rules that judges broke
    errors: Mapping[str, int]  # why verdicts have no score
    cases: int


def standings(made: Gathered, scale: Mapping[str, tuple[int, int]]) -> list[Standing]:
    """The leaderboard: means over cases, paired intervals, ties where the order is not clear."""
    totals = {who: made.values(who, "total") for who in made.tallies}
    order = sorted(totals, key=lambda who: (-_nanmean(totals[who]), who))
    ranks = _ranks(order, totals)
    return [_standing(made, who, ranks[who], totals, _range(scale)) for who in order]


def _standing(
    made: Gathered, who: str, rank: int | None, totals: Mapping[str, Floats], scale: tuple[int, int]
) -> Standing:
    tally, values = made.tallies[who], totals[who]
    scored, unscored = sum(tally.scored), sum(tally.unscored)
    known = values[~np.isnan(values)]
    return Standing(
        candidate=who,
        rank=rank,
        total=_interval(values),
        metrics={key: _interval(made.values(who, key)) for key in made.metrics[:-1]},
        win_rate=_wins(who, totals),
        unscored=unscored / max(scored + unscored, 1),
        bounds=tally.bounds(scale),
        cost=made.cost[who],
        violations=sum(made.violations.get(who, Counter()).values()),
        errors=dict(made.errors.get(who, {})),
        cases=len(known),
    )


def _interval(values: Floats) -> Interval:
    known = values[~np.isnan(values)]
    return interval(known)


def _nanmean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else -math.inf


def _range(scale: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    if "total" in scale:
        return scale["total"]
    return min(low for low, _ in scale.values()), max(high for _, high in scale.values())


def _wins(who: str, totals: Mapping[str, Floats]) -> float | None:
    rates = []
    for other, theirs in totals.items():
        mine = totals[who]
        both = ~np.isnan(mine) & ~np.isnan(theirs)
        if other != who and both.any():
            rates.append(win_rate(mine[both], theirs[both]))
    return sum(rates) / len(rates) if rates else None


def _ranks(order: list[str], totals: Mapping[str, Floats]) -> dict[str, int | None]:
    """A candidate falls to the next rank only when it is clearly below the head of this one:
    the paired interval of the difference does not hold 0 and the permutation test agrees."""
    ranks: dict[str, int | None] = {}
    head = None
    for place, who in enumerate(order, 1):
        if np.isnan(totals[who]).all():  # nobody knows how good it is: last, and without a rank
            ranks[who] = None
            continue
        if head is None or clearly_below(totals[who], totals[head]):
            head, rank = who, place
        ranks[who] = rank
    return ranks


def clearly_below(mine: Floats, theirs: Floats) -> bool:
    """Whether mine is below theirs beyond chance, on the cases both have."""
    both = ~np.isnan(mine) & ~np.isnan(theirs)
    if both.sum() < 3:
        return False
    difference = mine[both] - theirs[both]
    spread = interval(difference)
    return spread.high is not None and spread.high < 0 and paired_p(difference) < 0.05
