"""What a card says in one plain sentence, and the bars it goes by."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from oyer.trust.biases import Bias
from oyer.trust.compliance import Compliance
from oyer.trust.consistency import Consistency
from oyer.trust.measures import Measure

Use = Literal["single", "ranking", "rates", "none", "untold"]

SENTENCES: Mapping[Use, str] = {
    "single": "usable for single verdicts",
    "ranking": "usable for ranking candidates over many cases, not for single verdicts",
    "rates": "usable only beside people's labels, for corrected rates and means",
    "none": "not usable: it tells good from bad no better than chance",
    "untold": "not measured against people, so nobody knows whether it is right",
}
#: Lower limits of a judge's interval. Landis and Koch call .6 "substantial"; below .2 of rank
#: correlation averages over hundreds of cases still do not order candidates.
SINGLE, RANKING = 0.6, 0.2
FEW = 20  # labelled cases below which only "untold" is said


def use_of(measures: Sequence[Measure]) -> Use:
    """What the judge is good for, by its best-labelled metrics."""
    told = [measure for measure in measures if measure.cases >= FEW]
    if not told:
        return "untold"
    uses = [_use(measure) for measure in told]
    order: tuple[Use, ...] = ("single", "ranking", "rates", "none")
    return min(uses, key=order.index)


def _use(measure: Measure) -> Use:
    name = "kappa" if measure.choices else "spearman"
    low = measure.low(name)
    if math.isnan(low):
        return "rates"
    if low >= SINGLE or _as_good_as_people(measure):
        return "single"
    if low >= RANKING:
        return "ranking"
    return "rates" if low > 0 else "none"


def _as_good_as_people(measure: Measure) -> bool:
    """Its agreement with people is clearly not below that of people among themselves."""
    if measure.people_agree is None or measure.people_alpha is None:
        return False
    return measure.low("agreement") >= measure.people_agree and measure.low("kappa") > RANKING


def sentence(
    judge: str,
    use: Use,
    measures: Sequence[Measure],
    biases: Sequence[Bias],
    kept: tuple[Compliance, Consistency],
) -> str:
    """`judge: usable for …: because …; but …`."""
    reasons = _reasons(measures) if use != "untold" else _without_labels(*kept, measures)
    leans = [_lean(bias) for bias in biases if bias.flagged]
    told = "; ".join([*reasons, *leans])
    return f"{judge}: {SENTENCES[use]}" + (f": {told}." if told else ".")


def _reasons(measures: Sequence[Measure]) -> list[str]:
    reasons = []
    for measure in sorted(measures, key=lambda one: -one.cases)[:2]:
        if measure.choices:
            told = f"agrees with people on {measure.value('agreement'):.0%} of '{measure.metric}'"
            told += f" (always the commonest label: {measure.commonest or 0:.0%})"
            found = measure.value("sensitivity")
            if not math.isnan(found):
                told += f", finds {found:.0%} of what people do not call '{measure.choices[-1]}'"
        else:
            told = f"orders texts by '{measure.metric}' as people do with "
            told += f"ρ {measure.statistics['spearman'].text}"
        reasons.append(told)
    return reasons


def _without_labels(kept: Compliance, again: Consistency, measures: Sequence[Measure]) -> list[str]:
    told = [f"{kept.clean:.0%} of its verdicts break no rule"]
    if not math.isnan(again.spread):
        told.append(f"asked again, its scores move by {again.spread:.2f}")
    if measures:
        most = max(measure.cases for measure in measures)
        told.append(f"{most} labelled cases are too few (at least {FEW})")
    return told


def _lean(bias: Bias) -> str:
    more = "more" if bias.effect > 0 else "less"
    points = f"{abs(bias.effect):.0%} of the scale"
    long = "gives the longest tenth of texts"
    what = {
        "lenient": f"gives {points} {more} than {bias.reference} on '{bias.metric}'",
        "own vendor": f"gives texts of its own vendor {points} {more} on '{bias.metric}'",
        "length": f"{long} {points} {more} than the shortest on '{bias.metric}'",
        "position": f"gives what comes last {points} {more} on '{bias.metric}'",
    }
    return what[bias.kind]
