"""Cards as tables, the judges under each other: for the screen, Markdown and the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from oyer.report.tables import Sheet, TitledSheet
from oyer.trust.biases import Bias
from oyer.trust.card import Card
from oyer.trust.card_facts import number, percent
from oyer.trust.compliance import KINDS
from oyer.trust.measures import Measure


def sheets_of(cards: Sequence[Card]) -> list[TitledSheet]:
    """Everything the cards have to say; a table with nothing in it is left out."""
    every = [
        TitledSheet("What is missing", _missing(cards)),
        TitledSheet("Beside people: labels", _choices(cards)),
        TitledSheet("Beside people: scores", _scores(cards)),
        TitledSheet("Corrected by people's labels", _estimates(cards)),
        TitledSheet("Corrected, by candidate", _by_candidate(cards)),
        TitledSheet("How many labels", _needs(cards)),
        TitledSheet("Findings that people reviewed", _reviews(cards)),
        TitledSheet("Biases", _biases(cards)),
        TitledSheet("Probes", _probes(cards)),
        TitledSheet("Keeping to the protocol", _rules(cards)),
        TitledSheet("Saying it again", _repeats(cards)),
    ]
    return [titled for titled in every if titled.sheet.rows]


def _missing(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        rules = card.compliance
        why = ", ".join(f"{kind} {count:,}" for kind, count in rules.errors.items()) or "—"
        silent = sum(measure.silent for measure in card.measures)
        unscored = sum(measure.unscored for measure in card.measures)
        row = (card.judge, f"{rules.verdicts:,}", percent(rules.unscored), why)
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
    columns: dict[str, Callable[[Measure], str]] = {
        "labels": lambda measure: f"{measure.units:,}",
        "cases": lambda measure: f"{measure.cases:,}",
        "agreement [95 %]": lambda measure: measure.statistics["agreement"].text,
        "commonest": lambda measure: percent(measure.commonest),
        "people": lambda measure: percent(measure.people_agree),
        "κ": lambda measure: measure.statistics["kappa"].text,
        "AC": lambda measure: number(measure.value("gwet_ac")),
        "α": lambda measure: number(measure.value("alpha")),
        "people α": lambda measure: number(measure.people_alpha),
        "finds": lambda measure: measure.statistics["sensitivity"].text,
        "clears": lambda measure: measure.statistics["specificity"].text,
    }
    note = (
        "commonest: agreement of always giving people's commonest label. people: two people on "
        "the same unit. finds / clears: share of what people give less than, or just, the best "
        "label, of which the judge says so too."
    )
    return _beside_people(cards, columns, note, choices=True)


def _scores(cards: Sequence[Card]) -> Sheet:
    columns: dict[str, Callable[[Measure], str]] = {
        "labels": lambda measure: f"{measure.units:,}",
        "cases": lambda measure: f"{measure.cases:,}",
        "Spearman [95 %]": lambda measure: measure.statistics["spearman"].text,
        "Kendall": lambda measure: number(measure.value("kendall")),
        "AUC": lambda measure: number(measure.value("auc")),
        "α": lambda measure: number(measure.value("alpha")),
        "people α": lambda measure: number(measure.people_alpha),
        "Brier": lambda measure: number(measure.value("brier")),
        "apart": lambda measure: number(measure.value("distance")),
    }
    note = (
        "AUC: does it put what people score in the upper half above the rest. Brier: squared "
        "distance in parts of the scale. apart: mean distance in points."
    )
    return _beside_people(cards, columns, note, choices=False)


def _beside_people(
    cards: Sequence[Card],
    columns: Mapping[str, Callable[[Measure], str]],
    note: str,
    *,
    choices: bool,
) -> Sheet:
    """The measures of labels, or those of scores."""
    rows = []
    for card in cards:
        for measure in card.measures:
            if bool(measure.choices) is choices:
                cells = [show(measure) for show in columns.values()]
                rows.append((card.judge, measure.metric, *cells))
    return Sheet(("judge", "metric", *columns), tuple(rows), (note,), names=2)


def _estimates(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for measure in card.measures:
            if not measure.corrected:
                continue
            run, alike = measure.corrected
            what = f"rate of '{measure.worst}'" if measure.choices else "mean"
            row = (card.judge, measure.metric, what, number(run.judge), run.text, alike.text)
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


def _by_candidate(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for measure in card.measures:
            what = f"rate of '{measure.worst}'" if measure.choices else "mean"
            for estimate in measure.by_candidate:
                corrected = estimate.corrected
                row = (card.judge, measure.metric, estimate.candidate, what)
                rows.append(
                    (*row, number(corrected.judge), corrected.text, f"{corrected.labels:,}")
                )
    header = ("judge", "metric", "candidate", "of", "judge says", "this run [95 %]", "labels")
    return Sheet(header, tuple(rows), names=4)


def _needs(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for measure in card.measures:
            for need in measure.needs:
                row = (card.judge, measure.metric, f"± {need.half:.0%}", f"{need.labels:,}")
                rows.append((*row, f"{need.alone:,}", f"{need.saved:,}"))
    header = ("judge", "metric", "for", "labels", "without a judge", "saved")
    notes = (
        "Of the scale, after these labels as a pilot; for rates drawn where the judge's labels "
        "leave most doubt (Neyman), for means at random.",
    )
    return Sheet(header, tuple(rows), notes, names=3)


def _reviews(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for review in card.reviewed:
            share = percent(review.agreed / review.findings)
            rows.append(
                (card.judge, review.finding, f"{review.agreed:,} of {review.findings:,}", share)
            )
    notes = ("Precision only: people were led by what they saw, and what was missed is not here.",)
    return Sheet(("judge", "finding", "agreed", "share"), tuple(rows), notes, names=2)


def _biases(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for bias in card.biases:
            interval = f"{bias.effect:+.1%} [{bias.low:+.1%}, {bias.high:+.1%}]"
            row = (card.judge, bias.kind, bias.metric, bias.reference, interval)
            rows.append((*row, f"{bias.adjusted:.3f}", _finding(bias)))
    header = ("judge", "bias", "metric", "against", "effect [95 %]", "p, adjusted", "finding")
    notes = (
        "In parts of the scale; own vendor: yes − no; length, position: highest − lowest tenth. "
        "p over all tests of a card by Benjamini-Hochberg.",
    )
    return Sheet(header, tuple(rows), notes, names=4, words=(6,))


def _finding(bias: Bias) -> str:
    if bias.flagged:
        return "biased"
    if bias.underpowered and bias.seen >= 1:
        return f"underpowered: {bias.cases} cases cannot show it"
    if bias.underpowered:
        return f"underpowered: {bias.cases} cases show it only from {bias.seen:.0%}"
    return "none seen"


def _probes(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        for probe in card.probes:
            held = f"{probe.held:,} of {probe.pairs:,}"
            row = (card.judge, probe.name, held, probe.interval, probe.size)
            rows.append((*row, f"{probe.excused:,}", probe.promise))
    header = ("judge", "probe", "held", "share [95 %]", "size: judge / right", "excused", "promise")
    notes = ("excused: the protocol's own rule moved the score, as the trace shows.",)
    return Sheet(header, tuple(rows), notes, names=2, words=(6,))


def _rules(cards: Sequence[Card]) -> Sheet:
    rows = []
    for card in cards:
        rules = card.compliance
        cost = "—" if rules.cost_usd is None else f"${rules.cost_usd * 1000:,.2f}"
        shares = (percent(rules.kept[kind]) for kind in KINDS)
        seconds = "—" if rules.seconds is None else f"{rules.seconds:.2f} s"
        rows.append((card.judge, percent(rules.clean), *shares, cost, seconds))
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
