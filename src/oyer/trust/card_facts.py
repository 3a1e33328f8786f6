"""A card in plain words: the questions that a user has, and the answers; what is printed first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from oyer.report.tables import Sheet
from oyer.trust.advice import describe_bias
from oyer.trust.biases import Bias
from oyer.trust.measures import Measure
from oyer.trust.resampling import Estimate
from oyer.trust.samples import Corrected

if TYPE_CHECKING:
    from oyer.trust.card import Card

#: A question and its answer.
Fact: TypeAlias = tuple[str, str]
PARTS = ("people", "probes", "protocol")
HOPELESS = 0.5  # of the scale: who sees only larger biases sees none
METRICS = 3  # that are shown; all are in the tables
NOTE = (
    "[low, high]: the true value lies between with 95 % certainty. "
    "--full shows every statistic; docs/trust.md explains them."
)


def facts_of(card: Card) -> dict[str, list[Fact]]:
    """The parts of a card that have something to tell: people, probes, protocol."""
    parts = {
        "people": list(_people(card)),
        "probes": list(_probes(card)),
        "protocol": list(_protocol(card)),
    }
    return {name: facts for name, facts in parts.items() if facts}


def facts_sheet(cards: Sequence[Card]) -> Sheet:
    """The judges side by side, one question a row."""
    known = [facts_of(card) for card in cards]
    rows = []
    for part in PARTS:
        answers = [dict(facts.get(part, ())) for facts in known]
        questions: dict[str, None] = {}
        for facts_of_card in answers:
            questions.update(dict.fromkeys(facts_of_card))
        for question in questions:
            rows.append((question, *(facts.get(question, "—") for facts in answers)))
    header = ("", *(card.judge for card in cards))
    words = tuple(range(1, len(header)))
    return Sheet(header, tuple(rows), (NOTE,), words=words)


def percent(share: float | None) -> str:
    if share is None or math.isnan(share):
        return "—"
    return f"{share:.0%}"


def number(value: float | None) -> str:
    if value is None or math.isnan(value):
        return "—"
    return f"{value:.2f}"


def percent_interval(estimate: Estimate | Corrected) -> str:
    """`68% [57, 78]`."""
    if math.isnan(estimate.value):
        return "—"
    if estimate.low is None or estimate.high is None:
        return percent(estimate.value)
    return f"{estimate.value:.0%} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"


def _people(card: Card) -> Iterator[Fact]:
    shown = sorted(card.measures, key=lambda measure: -measure.cases)[:METRICS]
    for measure in shown:
        yield from _choice(measure) if measure.choices else _score(measure)
    flagged = [describe_bias(bias) for bias in card.biases if bias.flagged]
    if card.biases:
        yield "biases", "; ".join(flagged) or "none found"
    unseen = [_describe_unseen(bias) for bias in card.biases if bias.underpowered]
    if unseen:
        yield "biases too small to see here", "; ".join(unseen)


def _choice(measure: Measure) -> Iterator[Fact]:
    name, statistics = measure.metric, measure.statistics
    labels = f"{measure.units:,} labels, {measure.cases:,} cases"
    yield (
        f"{name}: same label as people",
        f"{percent_interval(statistics['agreement'])} of {labels}",
    )
    yield f"{name}: if it always said the same", percent(measure.commonest)
    if measure.people_agree is not None:
        yield f"{name}: people among themselves", percent(measure.people_agree)
    yield f"{name}: faults that it finds", percent_interval(statistics["sensitivity"])
    yield f"{name}: good ones that it passes", percent_interval(statistics["specificity"])
    if measure.corrected:
        of, alike = measure.corrected
        people = percent_interval(of) if of.low is not None else f"{of.value:.0%} ({of.note})"
        if alike.low is not None and alike.high is not None:
            people += f"; cases like these [{100 * alike.low:.0f}, {100 * alike.high:.0f}]"
        yield f"{name}: rate of '{measure.worst}'", f"judge {of.judge:.0%}, people {people}"
    yield from _labels_needed(measure)


def _score(measure: Measure) -> Iterator[Fact]:
    name, statistics = measure.metric, measure.statistics
    order = f"{statistics['spearman'].text} (1: the same, 0: chance)"
    yield f"{name}: same order as people", order
    if measure.corrected:
        of, alike = measure.corrected
        people = of.text
        if alike.low is not None and alike.high is not None:
            people += f"; cases like these [{alike.low:.2f}, {alike.high:.2f}]"
        yield f"{name}: mean", f"judge {of.judge:.2f}, people {people}"
    yield from _labels_needed(measure)


def _labels_needed(measure: Measure) -> Iterator[Fact]:
    for need in measure.needs[1:2]:
        without = f"{need.alone:,} without the judge"
        yield f"{measure.metric}: labels for ± {need.half:.0%}", f"{need.labels:,} ({without})"


def _describe_unseen(bias: Bias) -> str:
    """A bias that the labels are too few to show, and how large it may be."""
    size = f" under {bias.seen:.0%} of the scale" if bias.seen < HOPELESS else " of any size"
    return f"{bias.kind} on '{bias.metric}'{size}"


def _probes(card: Card) -> Iterator[Fact]:
    pairs = sum(probe.pairs for probe in card.probes)
    if not pairs:
        return
    held = sum(probe.held for probe in card.probes)
    yield "planted changes judged rightly", f"{held:,} of {pairs:,}"
    weak = [probe for probe in card.probes if probe.held < probe.pairs]
    weak.sort(key=lambda probe: probe.held / probe.pairs)
    names = [f"{probe.name} {probe.held} of {probe.pairs}" for probe in weak[:3]]
    yield "weakest on", "; ".join(names) or "none"


def _protocol(card: Card) -> Iterator[Fact]:
    rules = card.compliance
    errors = ", ".join(f"{kind} {count:,}" for kind, count in rules.errors.items())
    scored = f"{rules.scored:,} of {rules.verdicts:,}"
    yield "verdicts with a score", f"{scored} ({errors})" if errors else scored
    broken = sorted((share, kind) for kind, share in rules.kept.items() if share < 0.995)
    worst = ", ".join(f"{kind} {share:.0%}" for share, kind in broken[:2])
    clean = percent(rules.clean)
    yield "verdicts that break no rule", f"{clean} (kept: {worst})" if worst else clean
    again = card.consistency
    if again.texts:
        same = f"same score for {again.same:.0%} of {again.texts:,} texts"
        yield "asked again", f"{same}; moves by {again.spread:.2f}"
    if card.length_effect is not None:
        effect, low, high = card.length_effect
        size = f"{effect:+.0%} of the scale [{100 * low:+.0f}, {100 * high:+.0f}]"
        yield "longest texts, beside shortest", f"{size}; labels tell if rightly"
    if rules.cost_usd is not None:
        pace = f", {rules.seconds:.2f} s a call" if rules.seconds else ""
        yield "cost of 1,000 verdicts", f"${rules.cost_usd * 1000:,.2f}{pace}"
