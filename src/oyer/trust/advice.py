"""What a card says in one plain sentence, and the limits it goes by."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from oyer.trust.biases import Bias
from oyer.trust.compliance import Compliance
from oyer.trust.consistency import Consistency
from oyer.trust.measures import Measure
from oyer.trust.probes import ProbeResult

Use = Literal["single", "ranking", "rates", "unclear", "none", "untold"]

USES: Mapping[Use, str] = {
    "single": "usable for single verdicts",
    "ranking": "usable for ranking candidates over many cases, not for single verdicts",
    "rates": "usable only beside people's labels, for corrected rates and means",
    "unclear": "not shown to be better than chance; more labels are needed to tell",
    "none": "not usable: it tells good from bad no better than chance",
    "untold": "not measured against people, so nobody knows whether it is right",
}
#: Lower limits of a judge's interval. Landis and Koch call .6 "substantial"; below .2 of rank
#: correlation averages over hundreds of cases still do not order candidates.
SINGLE, RANKING = 0.6, 0.2
FEW = 20  # labelled cases below which only "untold" is said
SHOWN = 2  # metrics, and biases, that a sentence tells of
WEAK = 0.8  # of the pairs of a probe; below, the sentence names it


def use_of(measures: Sequence[Measure]) -> Use:
    """What the judge is good for, by the metric that it judges best."""
    uses = [use_for(measure) for measure in measures]
    order = list(USES)
    return min(uses, key=order.index, default="untold")


def use_for(measure: Measure) -> Use:
    """What the judge is good for by one metric."""
    if measure.cases < FEW:
        return "untold"
    name = "kappa" if measure.choices else "spearman"
    low, high = measure.low(name), measure.high(name)
    if math.isnan(low):
        return "unclear"
    if low >= SINGLE or _as_good_as_people(measure):
        return "single"
    if low >= RANKING:
        return "ranking"
    if low > 0:
        return "rates"
    return "unclear" if high >= RANKING else "none"


def _as_good_as_people(measure: Measure) -> bool:
    """Its agreement with people is clearly not below that of people among themselves."""
    if measure.people_agree is None or measure.people_alpha is None:
        return False
    return measure.low("agreement") >= measure.people_agree and measure.low("kappa") > RANKING


def sentence(
    judge: str,
    measures: Sequence[Measure],
    biases: Sequence[Bias],
    compliance: Compliance,
    consistency: Consistency,
) -> str:
    """`judge: usable for …: because …; but …`."""
    use = use_of(measures)
    if use == "untold":
        reasons = _without_labels(compliance, consistency, measures)
    else:
        reasons = [_reason(measure) for measure in _most_labelled(measures)]
    reasons += [describe_bias(bias) for bias in find_largest(biases)]
    return f"{judge}: {_uses(use, measures)}: {'; '.join(reasons)}."


def probe_sentence(probes: Sequence[ProbeResult]) -> str:
    """How the judge took planted changes; nothing when none was planted."""
    pairs = sum(probe.pairs for probe in probes)
    if not pairs:
        return ""
    held = sum(probe.held for probe in probes)
    weak = [probe for probe in probes if probe.pairs and probe.held < WEAK * probe.pairs]
    weak.sort(key=lambda probe: probe.held / probe.pairs)
    names = [f"{probe.name} ({probe.held} of {probe.pairs})" for probe in weak[:3]]
    weakest = f"; weakest: {', '.join(names)}" if names else ""
    return f"Of {pairs:,} planted changes it judged {held:,} rightly{weakest}."


def find_largest(biases: Sequence[Bias]) -> list[Bias]:
    """The largest of the biases that were found."""
    flagged = [bias for bias in biases if bias.flagged]
    return sorted(flagged, key=lambda bias: -abs(bias.effect))[:SHOWN]


def describe_bias(bias: Bias) -> str:
    """A bias in words."""
    more = "more" if bias.effect > 0 else "less"
    points = f"{abs(bias.effect):.0%} of the scale {more}"
    others = "people" if bias.reference == "people" else "the other judges"
    words = {
        "lenient": f"gives {points} than {others} on '{bias.metric}'",
        "own vendor": f"gives texts of its own vendor {points} on '{bias.metric}'",
        "length": f"gives the longest texts {points} than the shortest on '{bias.metric}'",
        "position": f"gives what comes last {points} on '{bias.metric}'",
    }
    return words[bias.kind]


def _uses(best: Use, measures: Sequence[Measure]) -> str:
    """The use, and for which metrics, where they differ."""
    good = [measure.metric for measure in measures if use_for(measure) == best]
    others = [measure.metric for measure in measures if use_for(measure) not in (best, "untold")]
    if best == "untold" or not others:
        return USES[best]
    return f"{USES[best]}, by {_quote(good)}; less by {_quote(others)}"


def _quote(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _most_labelled(measures: Sequence[Measure]) -> list[Measure]:
    return sorted(measures, key=lambda measure: -measure.cases)[:SHOWN]


def _reason(measure: Measure) -> str:
    if not measure.choices:
        order = measure.statistics["spearman"].text
        return f"orders texts like people to {order} by '{measure.metric}' (1: the same order)"
    words = f"agrees with people on {measure.value('agreement'):.0%} of '{measure.metric}'"
    words += f" (always the commonest label: {measure.commonest or 0:.0%})"
    sensitivity = measure.value("sensitivity")
    if not math.isnan(sensitivity):
        words += f", finds {sensitivity:.0%} of what people do not call '{measure.choices[-1]}'"
    return words


def _without_labels(
    compliance: Compliance, consistency: Consistency, measures: Sequence[Measure]
) -> list[str]:
    reasons = [f"{compliance.clean:.0%} of its verdicts break no rule"]
    if not math.isnan(consistency.spread):
        reasons.append(f"asked again, its scores move by {consistency.spread:.2f}")
    if measures:
        most = max(measure.cases for measure in measures)
        reasons.append(f"{most} labelled cases are too few (at least {FEW})")
    return reasons
