"""A judge's card: findings, compliance, people's labels and probes in one place."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from oyer.store import Run
from oyer.store.aggregates import RunTotals, read_run
from oyer.store.cards import keep_card
from oyer.store.labels import Label
from oyer.store.store import Store
from oyer.trust.advice import Use, probe_sentence, sentence, use_of
from oyer.trust.agreement import Floats
from oyer.trust.biases import Bias, Compared, Judgements, adjust, find_biases, follow_length
from oyer.trust.card_facts import facts_of
from oyer.trust.compliance import Compliance, compliance
from oyer.trust.consistency import (
    Components,
    Consistency,
    components,
    consistency,
    gather_cells,
)
from oyer.trust.judgements import SILENT, RunJudgements
from oyer.trust.measures import Measure, measure
from oyer.trust.pairs import LabelledRun, Pairs, pair_labels
from oyer.trust.probes import ProbeResult
from oyer.trust.samples import Judged
from oyer.trust.words import word_choices
from oyer.types import AnyProtocol


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A judge's findings that people agreed with or not: precision only, and led by the judge."""

    finding: str
    agreed: int
    findings: int


@dataclass(frozen=True, slots=True)
class Card:
    """One judge in one run."""

    judge: str
    protocol: str
    run: int
    run_name: str
    date: str  # when it was made: ISO, UTC
    use: Use
    sentence: str
    labels: int
    compliance: Compliance
    consistency: Consistency
    components: Components  # of the whole run, the same on all its cards
    measures: tuple[Measure, ...] = ()
    biases: tuple[Bias, ...] = ()
    reviewed: tuple[Reviewed, ...] = ()
    probes: tuple[ProbeResult, ...] = ()
    probe_run: int | None = None
    #: Without any reference: how scores go with length, in parts of the scale, and its limits.
    length_effect: tuple[float, float, float] | None = None

    @property
    def probe_sentence(self) -> str:
        return probe_sentence(self.probes)

    @property
    def plain_words(self) -> str:
        """How far the judge can be trusted: the first line of its card."""
        return f"{self.sentence} {self.probe_sentence}".rstrip()

    def with_probes(self, run: int, probes: Sequence[ProbeResult]) -> Card:
        """The card with what planted changes showed."""
        return dataclasses.replace(self, probes=tuple(probes), probe_run=run)

    def as_json(self) -> dict[str, object]:
        """Plain JSON; what cannot be told is null. `parts` are the card in plain words."""
        body: dict[str, object] = _plain(dataclasses.asdict(self))
        body["probe_sentence"] = self.probe_sentence
        body["parts"] = {
            name: {"run": self._run_of(name), "date": self.date, "facts": _plain(facts)}
            for name, facts in facts_of(self).items()
        }
        return body

    def _run_of(self, part: str) -> int:
        return self.probe_run if part == "probes" and self.probe_run is not None else self.run


def make_cards(
    store: Store, run: Run, protocol: AnyProtocol, labels: Sequence[Label]
) -> list[Card]:
    """A card for each judge of a run, in the order of its manifest."""
    totals, sums = read_run(store, run.id)
    labelled = pair_labels(store, protocol, totals, labels)
    judgements = RunJudgements(store, protocol, totals, run.manifest.named)
    parts = _components(totals)
    order = [judge for judge in run.manifest.judges if judge in sums]
    order += [judge for judge in sums if judge not in order]
    date = datetime.now(UTC).isoformat(timespec="seconds")
    cards = []
    for judge in order:
        measured = _measure(judgements, labelled, judge)
        measures = measured.measures
        biases = _biases(judgements, labelled, judge, measured)
        rules = compliance(sums[judge])
        repeats = _consistency(totals, judge)
        card = Card(
            judge=judge,
            protocol=run.manifest.protocol,
            run=run.id,
            run_name=run.name,
            date=date,
            use=use_of(measures),
            sentence=sentence(judge, measures, biases, rules, repeats),
            labels=sum(measure.units for measure in measures),
            compliance=rules,
            consistency=repeats,
            components=parts,
            measures=measures,
            biases=tuple(biases),
            reviewed=_review_findings(labels, judge, store),
            length_effect=None if biases else _length_effect(judgements, judge),
        )
        cards.append(card)
    return cards


def keep_cards(store: Store, cards: Sequence[Card]) -> None:
    """Keep the newest card of each judge and protocol, for `oyer judges` and reports."""
    for card in cards:
        keep_card(store, card.as_json())


# ── how ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Measured:
    """A judge beside people, and the run's judgements by metric."""

    measures: tuple[Measure, ...]
    judged: Mapping[str, Judged]


def _measure(run: RunJudgements, labelled: LabelledRun, judge: str) -> _Measured:
    pairs = labelled.pairs.get(judge, {})
    known = {metric: units for metric, units in pairs.items() if units.people}
    of_texts = [metric for metric in known if _is_of_texts(run.protocol, metric, labelled)]
    judged = run.of_texts(judge, of_texts) if of_texts else {}
    if len(of_texts) < len(known):
        judged |= run.of_units(judge)
    measures = []
    for metric, units in known.items():
        people = labelled.people[metric]
        measures.append(measure(units, people, judged.get(metric), list(run.totals.candidates)))
    return _Measured(tuple(measures), judged)


def _is_of_texts(protocol: AnyProtocol, metric: str, labelled: LabelledRun) -> bool:
    """Whether a metric is of whole texts: a score or the word of a verdict."""
    return metric not in labelled.choices or metric in word_choices(protocol)


def _biases(
    run: RunJudgements, labelled: LabelledRun, judge: str, measured: _Measured
) -> list[Bias]:
    biases: list[Bias] = []
    for metric, pairs in labelled.pairs.get(judge, {}).items():
        if pairs.people:
            own = run.own_vendor(judge)[pairs.candidate]
            biases += _against_people(pairs, own, measured.judged.get(metric))
    if not biases:
        biases = _against_judges(run, judge)
    return adjust(biases)


def _against_people(pairs: Pairs, own: Floats, judged: Judged | None) -> list[Bias]:
    spoken = pairs.is_spoken
    low, high = pairs.scale
    chances = pairs.chances()
    compared = Compared(
        judge=(np.array(pairs.judge)[spoken] - low) / (high - low),
        case=np.array(pairs.case)[spoken],
        features={
            "own vendor": own[spoken],
            "length": np.array(pairs.length)[spoken],
            "position": np.array(pairs.position)[spoken],
        },
        reference=(np.array(pairs.people)[spoken] - low) / (high - low),
        weights=np.ones(int(spoken.sum())) if chances is None else 1 / chances[spoken],
    )
    return find_biases(pairs.metric, "people", compared, _judgements(judged, pairs.scale))


def _judgements(judged: Judged | None, scale: tuple[float, float]) -> Judgements | None:
    """The run's judgements in parts of the scale; None: nothing but what is labelled is known."""
    if judged is None:
        return None
    low, high = scale
    spoken = judged.only((judged.judge != SILENT) & ~np.isnan(judged.judge))
    return Judgements((spoken.judge - low) / (high - low), spoken.case, spoken.features)


def _against_judges(run: RunJudgements, judge: str) -> list[Bias]:
    """Without labels: the judge's total beside the mean of the other judges' on the same text."""
    totals = run.totals
    scored = ~np.isnan(totals.total)
    present = np.unique(totals.judge[scored])
    mine = present == totals.judges[judge]
    if not mine.any() or len(present) < 2:
        return []
    text = totals.text[scored]
    cells = gather_cells(text, totals.judge[scored], totals.total[scored])
    others = _mean_over(cells.mean[:, ~mine])
    own_total = cells.mean[:, mine][:, 0]
    both = ~np.isnan(others) & ~np.isnan(own_total)
    texts, first = np.unique(text, return_index=True)
    low, high = _scale(run.protocol)
    own = run.own_vendor(judge)
    compared = Compared(
        judge=(own_total[both] - low) / (high - low),
        case=texts[both] // len(totals.candidates),
        features={
            "own vendor": own[texts[both] % len(totals.candidates)],
            "length": run.lengths_at(totals.row[scored][first][both]),
        },
        reference=(others[both] - low) / (high - low),
        weights=np.ones(int(both.sum())),
    )
    return find_biases("total", "other judges", compared)


def _length_effect(run: RunJudgements, judge: str) -> tuple[float, float, float] | None:
    """Of the judge's first totals, or of some of them at random."""
    totals = run.totals
    mine = (totals.judge == totals.judges[judge]) & (totals.repeat == 0)
    some = np.flatnonzero(mine & ~np.isnan(totals.total))
    if not len(some):
        return None
    low, high = _scale(run.protocol)
    scores = (totals.total[some] - low) / (high - low)
    lengths = run.lengths_at(totals.row[some])
    return follow_length(scores, totals.case[some], totals.candidate[some], lengths)


def _mean_over(table: Floats) -> Floats:
    known = ~np.isnan(table)
    sums = np.where(known, table, 0).sum(axis=1)
    count = known.sum(axis=1)
    means: Floats = np.full(len(table), math.nan)
    np.divide(sums, count, out=means, where=count > 0)
    return means


def _scale(protocol: AnyProtocol) -> tuple[float, float]:
    if "total" in protocol.scale:
        return protocol.scale["total"]
    scales = protocol.scale.values()
    return min(low for low, _ in scales), max(high for _, high in scales)


def _consistency(totals: RunTotals, judge: str) -> Consistency:
    mine = (totals.judge == totals.judges[judge]) & ~np.isnan(totals.total)
    return consistency(totals.text[mine], totals.total[mine])


def _components(totals: RunTotals) -> Components:
    scored = ~np.isnan(totals.total)
    return components(gather_cells(totals.text[scored], totals.judge[scored], totals.total[scored]))


def _review_findings(labels: Sequence[Label], judge: str, store: Store) -> tuple[Reviewed, ...]:
    votes: dict[str, list[bool]] = {}
    judges: dict[str, str] = {}
    for label in labels:
        if label.kind != "agree" or label.verdict is None or label.split == "dev":
            continue
        if label.verdict not in judges:
            judges[label.verdict] = str(store.verdict(label.verdict).record["judge"])
        if judges[label.verdict] == judge:
            votes.setdefault(label.metric, []).append(label.value == "yes")
    return tuple(Reviewed(kind, sum(some), len(some)) for kind, some in votes.items())


def _plain(value: object) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
