"""One judge beside people on one metric: agreement, what it misses, how good its numbers are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from oyer.trust import agreement, ranking
from oyer.trust.agreement import Floats, Labels
from oyer.trust.label_budget import HALF_WIDTHS, Need, needs_of_mean, needs_of_rate
from oyer.trust.means import corrected_mean
from oyer.trust.pairs import Pairs
from oyer.trust.people import People
from oyer.trust.ranking import Bin
from oyer.trust.rates import ENOUGH, corrected_rate, split_by_candidate, strata_of
from oyer.trust.resampling import Estimate, bootstrap, bootstrap_all
from oyer.trust.samples import Corrected, Judged, Labelled, Scope

SAVED_AT = (0.05,)
SAVED_DRAWS = 200
SCOPES: tuple[Scope, Scope] = ("run", "alike")


@dataclass(frozen=True, slots=True)
class CandidateEstimate:
    """The corrected rate or mean of one candidate's texts."""

    candidate: str
    corrected: Corrected


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
    by_candidate: tuple[CandidateEstimate, ...] = ()  # of this run
    needs: tuple[Need, ...] = ()
    saved: Estimate | None = None  # labels that the judge saves for ± 5 % of the scale
    worst: str = field(default="")  # the label whose rate is corrected

    def value(self, name: str) -> float:
        estimate = self.statistics.get(name)
        return math.nan if estimate is None else estimate.value

    def low(self, name: str) -> float:
        """The lower limit of a statistic; NaN: it has none."""
        estimate = self.statistics.get(name)
        return math.nan if estimate is None or estimate.low is None else estimate.low

    def high(self, name: str) -> float:
        """The upper limit of a statistic; NaN: it has none."""
        estimate = self.statistics.get(name)
        return math.nan if estimate is None or estimate.high is None else estimate.high


def measure(
    pairs: Pairs, people: People, judged: Judged | None, candidates: Sequence[str | None] = ()
) -> Measure:
    """Hold a judge against people on one metric."""
    is_choice = bool(pairs.choices)
    spoken = pairs.is_spoken
    judge = np.array(pairs.judge)[spoken]
    person = np.array(pairs.people)[spoken]
    case = np.array(pairs.case)[spoken]
    statistics = _of_choices(judge, person, case, len(pairs.choices)) if is_choice else {}
    if not is_choice:
        statistics = _of_scores(judge, person, case, pairs.scale)
    agreement_only = Measure(
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
        return agreement_only
    return _correct(agreement_only, pairs, judged, candidates)


def _correct(
    known: Measure, pairs: Pairs, judged: Judged, candidates: Sequence[str | None]
) -> Measure:
    """The measure with estimates for all units, for each candidate, and the labels they need."""
    labelled = pairs.as_labelled()
    if not pairs.choices:
        labelled = labelled.only(pairs.is_spoken)
        judged = judged.only(~np.isnan(judged.judge))
    else:
        labelled = replace(labelled, people=(labelled.people == 0).astype(np.float64))
    if not len(labelled.people) or not len(judged.judge):
        return known
    corrected = tuple(_estimate(labelled, judged, pairs, scope) for scope in SCOPES)

    def labels_saved(some: Labels) -> float:
        return float(_needs(labelled.only(some), judged, pairs, SAVED_AT)[0].saved)

    return replace(
        known,
        corrected=corrected,
        by_candidate=_by_candidate(labelled, judged, pairs, candidates),
        needs=tuple(_needs(labelled, judged, pairs)),
        saved=bootstrap(labels_saved, labelled.case, draws=SAVED_DRAWS),
    )


def _needs(
    labelled: Labelled, judged: Judged, pairs: Pairs, halves: Sequence[float] = HALF_WIDTHS
) -> list[Need]:
    if not pairs.choices:
        return needs_of_mean(labelled, judged, pairs.scale, halves)
    return needs_of_rate(strata_of(labelled, judged), judged.units_in_run, halves)


def _estimate(labelled: Labelled, judged: Judged, pairs: Pairs, scope: Scope) -> Corrected:
    """The rate of the worst label, or the mean score."""
    if not pairs.choices:
        return corrected_mean(labelled, judged, pairs.scale, scope)
    estimate = corrected_rate(*split_by_candidate(labelled, judged), scope)
    return replace(estimate, judge=float((judged.judge == 0).mean()))


def _by_candidate(
    labelled: Labelled, judged: Judged, pairs: Pairs, candidates: Sequence[str | None]
) -> tuple[CandidateEstimate, ...]:
    """Estimates of each candidate that has labels enough, where there are several."""
    if labelled.candidate is None or judged.candidate is None or len(candidates) < 2:
        return ()
    estimates = []
    for at, name in enumerate(candidates):
        own = labelled.only(labelled.candidate == at)
        all_own = judged.only(judged.candidate == at)
        if own.cases >= ENOUGH and len(all_own.judge):
            estimate = _estimate(own, all_own, pairs, "run")
            estimates.append(CandidateEstimate(name or "—", estimate))
    return tuple(estimates) if len(estimates) > 1 else ()


def _of_choices(judge: Floats, person: Floats, case: Labels, k: int) -> dict[str, Estimate]:
    ordered: agreement.Weights = "quadratic" if k > 2 else "plain"
    a, b = judge.astype(np.int64), person.astype(np.int64)
    both = np.stack([judge, person], axis=1)

    def statistics(some: Labels) -> dict[str, float]:
        table = agreement.confusion(a[some], b[some], k)
        return {
            "agreement": agreement.agreement(table),
            "kappa": agreement.cohen_kappa(table, ordered),
            "gwet_ac": agreement.gwet_ac(both[some], k, ordered),
            "sensitivity": agreement.sensitivity(table, k - 1),
            "specificity": agreement.specificity(table, k - 1),
            "precision": agreement.precision(table, k - 1),
        }

    alpha = agreement.krippendorff_alpha(both, "ordinal")
    return {**bootstrap_all(statistics, case), "alpha": _plain(alpha, case)}


def _of_scores(
    judge: Floats, person: Floats, case: Labels, scale: tuple[float, float]
) -> dict[str, Estimate]:
    low, high = scale
    width = high - low
    middle = (low + high) / 2

    def statistics(some: Labels) -> dict[str, float]:
        a, b = judge[some], person[some]
        return {
            "spearman": ranking.spearman(a, b),
            "auc": ranking.auc((b >= middle).astype(np.float64), a),
            "brier": ranking.brier((b - low) / width, (a - low) / width),
            "distance": float(np.abs(a - b).mean()),
        }

    both = np.stack([judge, person], axis=1)
    return {
        **bootstrap_all(statistics, case),
        "kendall": _plain(ranking.kendall(judge, person), case),
        "alpha": _plain(agreement.krippendorff_alpha(both, "interval"), case),
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
        labels = row[~np.isnan(row)]
        for at, value in enumerate(labels):
            same += int((labels[at + 1 :] == value).sum())
            pairs += len(labels) - at - 1
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
