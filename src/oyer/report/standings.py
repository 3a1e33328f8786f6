"""Outcomes of a run, gathered a million at a time into one small table: candidate × case."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from oyer.judges.names import members
from oyer.records import ANSWER, JsonObject
from oyer.report.filters import same_judge
from oyer.report.stats import Floats, Interval, interval, paired_p, win_rate
from oyer.report.tally import CandidateTally
from oyer.store.columns import Codes, Columns
from oyer.store.records import JudgingCost
from oyer.verdicts.violations import breaches

#: Places in columns.
Places: TypeAlias = npt.NDArray[np.intp]

NOBODY = "(no candidate)"
#: Panels that a suite gave names -> their members.
Panels: TypeAlias = Mapping[str, Sequence[str]]
NO_PANELS: Panels = {}


@dataclass
class Gathered:
    """A run in memory: as large as candidates × cases × judges, never as verdicts.

    Where a panel and its members both judged, only the panel counts: its verdict is made of theirs.
    """

    metrics: tuple[str, ...]  # `total` is always the last
    panels: Panels = field(default_factory=dict)  # with names of their own -> their members
    cases: dict[str, int] = field(default_factory=dict)  # case -> its place, as first seen
    tallies: dict[str, CandidateTally] = field(default_factory=dict)  # by candidate
    #: Rules that judges broke; a judge that was not heard broke none.
    violations: dict[str, Counter[str]] = field(default_factory=dict)  # by candidate
    by_judge: dict[str, Counter[str]] = field(default_factory=dict)  # violations by judge
    errors: dict[str, Counter[str]] = field(default_factory=dict)  # by candidate
    cost: dict[str, float | None] = field(default_factory=dict)
    judging: tuple[JudgingCost, ...] = ()  # of each candidate by each judge
    words: dict[str, Counter[str]] = field(default_factory=dict)  # FAIL …, by candidate
    stated: dict[str, Counter[tuple[float, float]]] = field(default_factory=dict)  # metric -> pairs
    judges: Counter[str] = field(default_factory=Counter)
    aside: frozenset[str] = frozenset()  # members of a panel that judged, too
    verdicts: int = 0
    doubled: int = 0  # verdicts on a second case of the same id and candidate
    short: int = 0  # verdicts on texts too short to be judged reliably
    copied: int = 0  # verdicts on summaries that copy their article

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
    verdicts: int = 0

    def take(self, columns: Columns, at: Places, labels: Container[str]) -> None:
        """The verdicts at these places of the columns."""
        self.verdicts += len(at)
        costs = columns.cost[at]
        if self.cost is not None and not np.isnan(costs).any():
            # in order: always the same sum
            self.cost = float(np.cumsum(np.append(self.cost, costs))[-1])
        else:
            self.cost = None
        for code, times in _count_codes(columns.violations[at]):
            for name, count in breaches(columns.violation_counts[code]).items():
                self.violations[name] += count * times
        for code, times in _count_codes(columns.facts[at]):
            for word in words_of(columns.fact_sets[code]):
                if word in labels:
                    self.words[word] += times
        for code, times in _count_codes(columns.error[at[~columns.scored[at]]]):
            self.errors[columns.errors[code] or "unknown"] += times


def _count_codes(codes: Codes) -> list[tuple[int, int]]:
    """Each code and how often it is there, in the order in which they come first."""
    found, first, counts = np.unique(codes, return_index=True, return_counts=True)
    order = np.argsort(first)
    return list(zip(found[order].tolist(), counts[order].tolist(), strict=True))


def words_of(facts: JsonObject) -> Iterator[str]:
    """What a verdict says besides its scores: FAIL, critical_fail."""
    for name, value in facts.items():
        if value is True:
            yield name
        elif isinstance(value, str):
            yield value


def answer_of(facts: JsonObject) -> int:
    """Which of a candidate's answers a verdict is on; 0 where it wrote one."""
    number = facts.get(ANSWER)
    return number if isinstance(number, int) else 0


def gather(
    chunks: Iterable[Columns],
    scale: Iterable[str],
    labels: Container[str] = (),
    panels: Panels = NO_PANELS,
) -> Gathered:
    """One pass over the verdicts of a run; `labels` are the words that are counted, `panels` those
    of its manifest."""
    keys = tuple(key for key in scale if key != "total")
    gathered = Gathered((*keys, "total"), panels)
    parts: dict[tuple[str, str], _Part] = {}
    stated: dict[str, dict[str, Counter[tuple[float, float]]]] = {}
    for columns in filter(len, chunks):
        _take(gathered, columns)
        for who, judge, at in _pairs(columns):
            parts.setdefault((who, judge), _Part()).take(columns, at, labels)
        for pair in columns.stated:
            counts = stated.setdefault(pair.judge, {}).setdefault(pair.metric, Counter())
            counts[(pair.stated, pair.score)] += pair.times
    _add_up(gathered, parts, stated)
    return gathered


def _take(gathered: Gathered, columns: Columns) -> None:
    """Add the scores of some verdicts."""
    places = gathered.cases
    case = np.array([places.setdefault(name, len(places)) for name in columns.cases])[columns.case]
    scores = [columns.scores.get(key) for key in gathered.metrics[:-1]]
    nothing = np.full(len(columns), math.nan)
    values = np.array([*(nothing if some is None else some for some in scores), columns.total])
    is_fail = np.array([facts.get("critical_fail") is True for facts in columns.fact_sets])
    gathered.verdicts += len(columns)
    gathered.short += _count_facts(columns, "too_short")
    gathered.copied += _count_facts(columns, "copied")
    answers = np.array([answer_of(facts) for facts in columns.fact_sets])[columns.facts]
    for who, judge, every in _pairs(columns):
        tallies = gathered.tallies.setdefault(who, CandidateTally(len(gathered.metrics)))
        gathered.judges[judge] += len(every)
        for answer, _ in _count_codes(answers[every]):
            at = every[answers[every] == answer]
            tally = tallies.of(judge, answer)
            tally.grow(len(places))
            gathered.doubled += tally.count_others(case[at], columns.seq[at])
            scored = columns.scored[at]
            tally.miss(case[at[~scored]])
            judged = at[scored]
            tally.add(case[judged], values[:, judged], is_fail[columns.facts[judged]])


def _count_facts(columns: Columns, key: str) -> int:
    """How many verdicts say this of themselves."""
    says = np.array([key in facts for facts in columns.fact_sets])
    return int(says[columns.facts].sum())


def _pairs(columns: Columns) -> Iterator[tuple[str, str, Places]]:
    """Each candidate and judge with the places of their verdicts, in the order of the first one."""
    names: dict[str, int] = {}
    numbers = [names.setdefault(name or NOBODY, len(names)) for name in columns.candidates]
    pair = np.array(numbers)[columns.candidate] * len(columns.judges) + columns.judge
    order = np.argsort(pair, kind="stable")
    starts = np.flatnonzero(np.diff(pair[order], prepend=-1))
    groups = np.split(order, starts[1:])
    known = list(names)
    for at in sorted(groups, key=lambda places: int(places[0])):
        who, judge = divmod(int(pair[at[0]]), len(columns.judges))
        yield known[who], columns.judges[judge], at


def _add_up(
    gathered: Gathered,
    parts: Mapping[tuple[str, str], _Part],
    stated: Mapping[str, Mapping[str, Counter[tuple[float, float]]]],
) -> None:
    """Judge by judge into candidate by candidate, a panel and its members never both."""
    gathered.aside = members_of_panels(gathered.judges, gathered.panels)
    gathered.judging = tuple(
        JudgingCost(who, judge, part.verdicts, part.cost) for (who, judge), part in parts.items()
    )
    for who, voices in gathered.tallies.items():
        gathered.cost[who] = 0.0
        voices.aside = gathered.aside
    for (who, judge), part in parts.items():
        if part.violations and not speaks_for_others(judge, gathered.judges, gathered.panels):
            gathered.by_judge.setdefault(judge, Counter()).update(part.violations)
        if judge in gathered.aside:
            continue
        known, spent = gathered.cost[who], part.cost
        gathered.cost[who] = None if known is None or spent is None else known + spent
        sums = ((gathered.violations, part.violations), (gathered.errors, part.errors),
                (gathered.words, part.words))  # fmt: skip
        for sum_, counts in sums:
            if counts:
                sum_.setdefault(who, Counter()).update(counts)
    for judge, by_metric in stated.items():
        if judge not in gathered.aside:
            for metric, pairs in by_metric.items():
                gathered.stated.setdefault(metric, Counter()).update(pairs)


def seats_of(judge: str, panels: Panels) -> list[str]:
    """The members of a panel, by its own name or by theirs; nobody where it is one judge."""
    if judge in panels:
        return list(panels[judge])
    return [member for member in members(judge) if member != judge]


def members_of_panels(judges: Iterable[str], panels: Panels = NO_PANELS) -> frozenset[str]:
    """Of these judges, those that are also members of a panel among them."""
    seated = list(chain.from_iterable(seats_of(judge, panels) for judge in judges))
    found = set[str]()
    for member in seated:
        found.update(judge for judge in judges if same_judge(member, judge))
    return frozenset(found)


def speaks_for_others(judge: str, judges: Iterable[str], panels: Panels = NO_PANELS) -> bool:
    """A panel's violations are its members': counted with those, where they judged, too."""
    seated = seats_of(judge, panels)
    return bool(seated) and all(_is_among(member, judges) for member in seated)


def _is_among(member: str, judges: Iterable[str]) -> bool:
    return any(same_judge(member, judge) for judge in judges)


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


def standings(gathered: Gathered, scale: Mapping[str, tuple[int, int]]) -> list[Standing]:
    """The leaderboard: means over cases, paired intervals, ties where the order is not clear."""
    totals = {who: gathered.values(who, "total") for who in gathered.tallies}
    order = sorted(totals, key=lambda who: (-_nanmean(totals[who]), who))
    ranks = _ranks(order, totals)
    return [_standing(gathered, who, ranks[who], totals, _range(scale)) for who in order]


def _standing(
    gathered: Gathered,
    who: str,
    rank: int | None,
    totals: Mapping[str, Floats],
    scale: tuple[int, int],
) -> Standing:
    tally, values = gathered.tallies[who], totals[who]
    scored = sum(tally.scored)
    unscored = sum(tally.unscored)
    known = values[~np.isnan(values)]
    return Standing(
        candidate=who,
        rank=rank,
        total=_interval(values),
        metrics={key: _interval(gathered.values(who, key)) for key in gathered.metrics[:-1]},
        win_rate=_wins(who, totals),
        unscored=unscored / max(scored + unscored, 1),
        bounds=tally.bounds(scale),
        cost=gathered.cost[who],
        violations=sum(gathered.violations.get(who, Counter()).values()),
        errors=dict(gathered.errors.get(who, {})),
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
