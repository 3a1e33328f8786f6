"""Cards as tables, the judges under each other: for the screen, Markdown and the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from oyer.report.tables import Sheet
from oyer.trust.biases import Bias
from oyer.trust.card import Card
from oyer.trust.compliance import KINDS
from oyer.trust.measures import Measure


@dataclass(frozen=True, slots=True)
class TitledSheet:
    """A table of a card and its heading."""

    title: str
    sheet: Sheet


def sheets_of(cards: Sequence[Card]) -> list[TitledSheet]:
    """Everything the cards have to say; a table with nothing in it is left out."""
    every = [
        TitledSheet("What is missing", _missing(cards)),
        TitledSheet("Beside people: labels", _choices(cards)),
        TitledSheet("Beside people: scores", _scores(cards)),
        TitledSheet("Corrected by people's labels", _corrected(cards)),
        TitledSheet("How many labels", _needs(cards)),
        TitledSheet("Findings that people reviewed", _reviewed(cards)),
        TitledSheet("Leans", _biases(cards)),
        TitledSheet("Probes", _probes(cards)),
        TitledSheet("Keeping to the protocol", _kept(cards)),
        TitledSheet("Saying it again", _repeats(cards)),
    ]
    return [titled for titled in every if titled.sheet.rows]


def best_value(cards: Sequence[Card]) -> str:
    """Which judge saves most labels for its price, if that can be told."""
    saved: dict[str, tuple[int, float]] = {}
    for card in cards:
        main = _main(card)
        if main is None or len(main.needs) < 2 or card.compliance.cost_usd is None:
            return ""
        saved[card.judge] = (main.needs[1].saved, card.compliance.cost_usd)
    if len(saved) < 2:
        return ""
    free = [judge for judge, (labels, cost) in saved.items() if not cost and labels > 0]
    if free:
        best = max(free, key=lambda judge: saved[judge][0])
        return f"Best value: {best} saves {saved[best][0]:,} labels and costs nothing."
    worth = {judge: labels / cost for judge, (labels, cost) in saved.items() if cost}
    best = max(worth, key=worth.__getitem__)
    rivals = [card for card in cards if card.judge != best and _overlaps(card, cards, best)]
    if rivals:
        return f"Best value: a tie; the intervals of {best} and {rivals[0].judge} overlap."
    return (
        f"Best value: {best} saves {worth[best] / 1000:,.1f} labels per dollar of 1,000 verdicts."
    )


def percent(share: float | None) -> str:
    if share is None or math.isnan(share):
        return "—"
    return f"{share:.0%}"


def number(value: float | None) -> str:
    if value is None or math.isnan(value):
        return "—"
    return f"{value:.2f}"


def _overlaps(card: Card, cards: Sequence[Card], best: str) -> bool:
    mine, theirs = _main(card), _main(next(one for one in cards if one.judge == best))
    if mine is None or theirs is None:
        return False
    a, b = mine.statistics.get("kappa"), theirs.statistics.get("kappa")
    if a is None or b is None or a.high is None or b.low is None:
        return False
    return a.high >= b.low


def _main(card: Card) -> Measure | None:
    """The choice that most cases have a label of."""
    choices = [measure for measure in card.measures if measure.choices]
    return max(choices, key=lambda one: one.cases, default=None)


def _missing(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        kept = card.compliance
        why = ", ".join(f"{kind} {count:,}" for kind, count in kept.errors.items()) or "—"
        silent = sum(measure.silent for measure in card.measures)
        unscored = sum(measure.unscored for measure in card.measures)
        row = (card.judge, f"{kept.verdicts:,}", percent(kept.unscored), why)
        rows.append((*row, f"{card.labels:,}", f"{silent:,}", f"{unscored:,}"))
    header = (
        "judge",
        "verdicts",
        "unscored",
        "why",
        "labels",
        "judge silent",
        "labels on unscored",
    )
    return Sheet(header, tuple(rows), words=(3,))


def _choices(cards: Sequence[Card]) -> Sheet:
    header = (
        "judge",
        "metric",
        "labels",
        "cases",
        "agreement [95 %]",
        "commonest",
        "people",
        "κ",
        "AC",
        "α",
        "people α",
        "finds",
        "clears",
    )
    rows = []
    for card, one in _measures(cards, choices=True):
        found = one.statistics
        rows.append(
            (
                card.judge,
                one.metric,
                f"{one.units:,}",
                f"{one.cases:,}",
                found["agreement"].text,
                percent(one.commonest),
                percent(one.people_agree),
                found["kappa"].text,
                number(one.value("gwet_ac")),
                number(one.value("alpha")),
                number(one.people_alpha),
                found["sensitivity"].text,
                found["specificity"].text,
            )
        )
    notes = (
        "commonest: agreement of always giving people's commonest label. people: two people on "
        "the same unit. finds / clears: share of what people give less than, or just, the best "
        "label, of which the judge says so too.",
    )
    return Sheet(header, tuple(rows), notes, names=2)


def _scores(cards: Sequence[Card]) -> Sheet:
    header = (
        "judge",
        "metric",
        "labels",
        "cases",
        "Spearman [95 %]",
        "Kendall",
        "AUC",
        "α",
        "people α",
        "Brier",
        "apart",
    )
    rows = []
    for card, one in _measures(cards, choices=False):
        found = one.statistics
        rows.append(
            (
                card.judge,
                one.metric,
                f"{one.units:,}",
                f"{one.cases:,}",
                found["spearman"].text,
                number(one.value("kendall")),
                number(one.value("auc")),
                number(one.value("alpha")),
                number(one.people_alpha),
                number(one.value("brier")),
                number(one.value("distance")),
            )
        )
    notes = (
        "AUC: does it put what people score in the upper half above the rest. Brier: squared "
        "distance in parts of the scale. apart: mean distance in points.",
    )
    return Sheet(header, tuple(rows), notes, names=2)


def _corrected(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for one in card.measures:
            if not one.corrected:
                continue
            run, alike = one.corrected
            what = f"rate of '{one.worst}'" if one.choices else "mean"
            row = (card.judge, one.metric, what, number(run.judge), run.text, alike.text)
            rows.append((*row, f"{run.labels:,}", run.note or "—"))
    header = (
        "judge",
        "metric",
        "of",
        "judge says",
        "this run [95 %]",
        "cases like these [95 %]",
        "labels",
        "note",
    )
    return Sheet(header, tuple(rows), names=3, words=(7,))


def _needs(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for one in card.measures:
            for need in one.needs:
                row = (card.judge, one.metric, f"± {need.half:.2f}", f"{need.labels:,}")
                rows.append((*row, f"{need.alone:,}", f"{need.saved:,}"))
    header = ("judge", "metric", "for", "labels", "without a judge", "saved")
    notes = ("Drawn where the judge's labels leave most doubt (Neyman), after these as a pilot.",)
    return Sheet(header, tuple(rows), notes, names=3)


def _reviewed(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for one in card.reviewed:
            share = percent(one.agreed / one.findings)
            rows.append((card.judge, one.finding, f"{one.agreed:,} of {one.findings:,}", share))
    notes = ("Precision only: people were led by what they saw, and what was missed is not here.",)
    return Sheet(("judge", "finding", "agreed", "share"), tuple(rows), notes, names=2)


def _biases(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for bias in card.biases:
            interval = f"{bias.effect:+.1%} [{bias.low:+.1%}, {bias.high:+.1%}]"
            row = (card.judge, bias.kind, bias.metric, bias.reference, interval)
            rows.append((*row, f"{bias.adjusted:.3f}", _finding(bias)))
    header = ("judge", "lean", "metric", "against", "effect [95 %]", "p, adjusted", "finding")
    notes = (
        "In parts of the scale; own vendor: yes − no; length, position: highest − lowest tenth. "
        "p over all tests of a card by Benjamini-Hochberg.",
    )
    return Sheet(header, tuple(rows), notes, names=4, words=(6,))


def _finding(bias: Bias) -> str:
    if bias.flagged:
        return "leans"
    if bias.underpowered:
        return f"underpowered: {bias.cases} cases show only leans from {bias.seen:.0%}"
    return "none seen"


def _probes(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for probe in card.probes:
            held = f"{probe.held:,} of {probe.asked:,}"
            row = (card.judge, probe.name, held, probe.interval, probe.size)
            rows.append((*row, f"{probe.excused:,}", probe.promise))
    header = ("judge", "probe", "held", "share [95 %]", "size: judge / right", "excused", "promise")
    notes = ("excused: the protocol's own rule moved the score, as the trace shows.",)
    return Sheet(header, tuple(rows), notes, names=2, words=(6,))


def _kept(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        kept = card.compliance
        cost = "—" if kept.cost_usd is None else f"${kept.cost_usd * 1000:,.2f}"
        shares = (percent(kept.kept[kind]) for kind in KINDS)
        seconds = "—" if kept.seconds is None else f"{kept.seconds:.2f} s"
        rows.append((card.judge, percent(kept.clean), *shares, cost, seconds))
    header = ("judge", "no violation", *KINDS, "1,000 verdicts", "a call")
    notes = ("Shares of verdicts that keep to it; quotes: every quote stands in the text.",)
    return Sheet(header, tuple(rows), notes)


def _repeats(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        again, parts = card.consistency, card.components
        if not again.texts and len(cards) < 2:
            continue
        shares = (parts.text, parts.judge, parts.taste, parts.repeat)
        row = (card.judge, f"{again.texts:,}", percent(again.same), number(again.spread))
        rows.append((*row, *map(percent, shares)))
    header = (
        "judge",
        "texts judged twice",
        "same total",
        "sd of a text",
        "variance: texts",
        "judges",
        "judge × text",
        "repeats",
    )
    return Sheet(header, tuple(rows))


def _measures(cards: Sequence[Card], *, choices: bool) -> list[tuple[Card, Measure]]:
    found = []
    for card in cards:
        found += [(card, one) for one in card.measures if bool(one.choices) is choices]
    return found
