"""One judge beside people on one metric: agreement, what it misses, how good its numbers are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from oyer.trust import agreement, ranking
from oyer.trust.agreement import Floats, Labels
from oyer.trust.label_budget import Need, needs
from oyer.trust.means import corrected_mean
from oyer.trust.pairs import Pairs
from oyer.trust.people import People
from oyer.trust.ranking import Bin
from oyer.trust.rates import corrected_rate, strata_of
from oyer.trust.resampling import Estimate, bootstrap
from oyer.trust.samples import Corrected, Judged, Labelled

Statistic = Callable[[Floats, Floats], float]


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of a judge's card. A statistic that does not apply is not in `statistics`."""

    metric: str
    choices: tuple[str, ...]  # (): a score
    units: int  # labelled, with a word of the judge
    cases: int
    silent: int  # labelled, but the judge said nothing of them
    unscored: int  # labelled, but the text has no score
    statistics: dict[str, Estimate]
    commonest: float | None = None  # agreement of "always people's commonest label"
    people_agree: float | None = None  # of pairs of people, on the same unit
    people_alpha: float | None = None
    curve: tuple[Bin, ...] = ()  # reliability: judge and people in parts of the scale
    corrected: tuple[Corrected, ...] = ()  # of this run, of cases like these
    needs: tuple[Need, ...] = ()
    worst: str = field(default="")  # the label whose rate is corrected

    def value(self, name: str) -> float:
        found = self.statistics.get(name)
        return math.nan if found is None else found.value

    def low(self, name: str) -> float:
        found = self.statistics.get(name)
        return math.nan if found is None or found.low is None else found.low


def measure(pairs: Pairs, people: People, judged: Judged | None) -> Measure:
    """Hold a judge against people on one metric."""
    is_choice = bool(pairs.choices)
    spoken = pairs.spoken
    judge, person = np.array(pairs.judge)[spoken], np.array(pairs.people)[spoken]
    case = np.array(pairs.case)[spoken]
    statistics = _of_choices(judge, person, case, len(pairs.choices)) if is_choice else {}
    if not is_choice:
        statistics = _of_scores(judge, person, case, pairs.scale)
    made = Measure(
        metric=pairs.metric,
        choices=pairs.choices,
        units=len(judge),
        cases=len(np.unique(case)),
        silent=int((~spoken).sum()),
        unscored=pairs.unscored,
        statistics=statistics,
        commonest=_commonest(person) if is_choice and len(person) else None,
        people_agree=_people_agree(people) if is_choice else None,
        people_alpha=_people_alpha(people, is_choice),
        curve=() if is_choice else _curve(judge, person, pairs.scale),
        worst=pairs.choices[0] if is_choice else "",
    )
    if judged is None or not len(judged.judge) or not pairs.people:
        return made
    return _correct(made, pairs, judged)


def _correct(made: Measure, pairs: Pairs, judged: Judged) -> Measure:
    labelled = pairs.labelled()
    if not pairs.choices:
        spoken = pairs.spoken
        chance = None if labelled.chance is None else labelled.chance[spoken]
        scored = Labelled(
            labelled.people[spoken], labelled.judge[spoken], labelled.case[spoken], chance
        )
        if not len(scored.people):
            return made
        run = corrected_mean(scored, judged, pairs.scale, "run")
        alike = corrected_mean(scored, judged, pairs.scale, "alike")
        return replace(made, corrected=(run, alike))
    worst = replace(labelled, people=(labelled.people == 0).astype(np.float64))
    naive = float((judged.judge == 0).mean())
    found = [corrected_rate(worst, judged, "run"), corrected_rate(worst, judged, "alike")]
    asked = needs(strata_of(worst, judged), judged.units_in_run)
    return replace(
        made, corrected=tuple(replace(one, judge=naive) for one in found), needs=tuple(asked)
    )


def _of_choices(judge: Floats, person: Floats, case: Labels, k: int) -> dict[str, Estimate]:
    ordered: agreement.Weights = "quadratic" if k > 2 else "plain"
    a, b = judge.astype(np.int64), person.astype(np.int64)

    def over_table(statistic: Callable[[Floats], float]) -> Estimate:
        return bootstrap(lambda some: statistic(agreement.confusion(a[some], b[some], k)), case)

    both = np.stack([judge, person], axis=1)
    found = {
        "agreement": over_table(agreement.agreement),
        "kappa": over_table(lambda table: agreement.cohen_kappa(table, ordered)),
        "gwet_ac": bootstrap(lambda some: agreement.gwet_ac(both[some], k, ordered), case),
        "alpha": _plain(agreement.krippendorff_alpha(both, "ordinal"), case),
        "sensitivity": over_table(lambda table: agreement.sensitivity(table, k - 1)),
        "specificity": over_table(lambda table: agreement.specificity(table, k - 1)),
        "precision": over_table(lambda table: agreement.precision(table, k - 1)),
    }
    return found


def _of_scores(
    judge: Floats, person: Floats, case: Labels, scale: tuple[float, float]
) -> dict[str, Estimate]:
    low, high = scale
    width = high - low
    middle = (low + high) / 2

    def over_pairs(statistic: Statistic) -> Estimate:
        return bootstrap(lambda some: statistic(judge[some], person[some]), case)

    both = np.stack([judge, person], axis=1)
    return {
        "spearman": over_pairs(ranking.spearman),
        "kendall": _plain(ranking.kendall(judge, person), case),
        "alpha": _plain(agreement.krippendorff_alpha(both, "interval"), case),
        "auc": over_pairs(lambda a, b: ranking.auc((b >= middle).astype(np.float64), a)),
        "brier": over_pairs(lambda a, b: ranking.brier((b - low) / width, (a - low) / width)),
        "distance": over_pairs(lambda a, b: float(np.abs(a - b).mean())),
    }


def _plain(value: float, case: Labels) -> Estimate:
    """Without an interval."""
    return Estimate(value, None, None, len(np.unique(case)))


def _commonest(person: Floats) -> float:
    _, counts = np.unique(person, return_counts=True)
    return float(counts.max() / counts.sum())


def _people_agree(people: People) -> float | None:
    """The share of pairs of people, on the same unit, who gave the same label."""
    same = pairs = 0
    for row in people.ratings():
        given = row[~np.isnan(row)]
        for at, value in enumerate(given):
            same += int((given[at + 1 :] == value).sum())
            pairs += len(given) - at - 1
    return same / pairs if pairs else None


def _people_alpha(people: People, is_choice: bool) -> float | None:
    table = people.ratings()
    if not len(table):
        return None
    value = agreement.krippendorff_alpha(table, "ordinal" if is_choice else "interval")
    return None if math.isnan(value) else value


def _curve(judge: Floats, person: Floats, scale: tuple[float, float]) -> tuple[Bin, ...]:
    low, width = scale[0], scale[1] - scale[0]
    forecast = ((judge - low) / width).clip(0, 1)
    return tuple(ranking.reliability_curve((person - low) / width, forecast))
