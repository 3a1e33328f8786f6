"""A judge's card: findings, compliance, people's labels and probes in one place."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from oyer.store import Run
from oyer.store.aggregates import RunColumns, read_run
from oyer.store.cards import keep_card
from oyer.store.labels import Label
from oyer.store.store import Store
from oyer.text.vendors import judges_itself, vendor_of
from oyer.trust.advice import Use, sentence, use_of
from oyer.trust.agreement import Floats
from oyer.trust.biases import Bias, adjust, find_biases
from oyer.trust.compliance import Compliance, compliance
from oyer.trust.consistency import (
    Components,
    Consistency,
    components,
    consistency,
    gather_cells,
)
from oyer.trust.measures import Measure, measure
from oyer.trust.pairs import LabelledRun, Pairs, judged_scores, judged_units, pair_labels
from oyer.types import Protocol


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
    use: Use
    sentence: str
    labels: int
    compliance: Compliance
    consistency: Consistency
    components: Components  # of the whole run, the same on all its cards
    measures: tuple[Measure, ...] = ()
    biases: tuple[Bias, ...] = ()
    reviewed: tuple[Reviewed, ...] = ()
    probes: tuple[Any, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain JSON; what cannot be told is null."""
        told: dict[str, Any] = _plain(dataclasses.asdict(self))
        return told


def make_cards(
    store: Store, run: Run, protocol: Protocol[Any], labels: Sequence[Label]
) -> list[Card]:
    """A card for each judge of a run, in the order of its manifest."""
    columns, sums = read_run(store, run.id)
    labelled = pair_labels(store, protocol, columns, labels)
    parts = _components(columns)
    order = [judge for judge in run.manifest.judges if judge in sums]
    order += [judge for judge in sums if judge not in order]
    cards = []
    for judge in order:
        measures = _measures(store, protocol, columns, labelled, judge)
        biases = _biases(columns, labelled, judge, protocol)
        kept = (compliance(sums[judge]), _consistency(columns, judge))
        use = use_of(measures)
        card = Card(
            judge=judge,
            protocol=run.manifest.protocol,
            run=run.id,
            run_name=run.name,
            use=use,
            sentence=sentence(judge, use, measures, biases, kept),
            labels=sum(one.units for one in measures),
            compliance=kept[0],
            consistency=kept[1],
            components=parts,
            measures=tuple(measures),
            biases=tuple(biases),
            reviewed=_reviewed(labels, judge, store),
        )
        cards.append(card)
    return cards


def keep_cards(store: Store, cards: Sequence[Card]) -> None:
    """Keep the newest card of each judge and protocol, for `oyer judges` and reports."""
    for card in cards:
        keep_card(store, card.as_json())


# ── how ───────────────────────────────────────────────────────────────────────────────────────


def _measures(
    store: Store, protocol: Protocol[Any], columns: RunColumns, labelled: LabelledRun, judge: str
) -> list[Measure]:
    pairs = labelled.pairs.get(judge, {})
    known = {metric: those for metric, those in pairs.items() if those.people}
    scores = [metric for metric in known if metric not in labelled.choices]
    judged = judged_scores(store, columns, judge, scores) if scores else {}
    if len(scores) < len(known):
        judged |= judged_units(store, protocol, columns, judge)
    found = []
    for metric, those in known.items():
        found.append(measure(those, labelled.people[metric], judged.get(metric)))
    return found


def _biases(
    columns: RunColumns, labelled: LabelledRun, judge: str, protocol: Protocol[Any]
) -> list[Bias]:
    found: list[Bias] = []
    for pairs in labelled.pairs.get(judge, {}).values():
        if pairs.people:
            found += _against_people(pairs)
    if not found:
        found = _against_judges(columns, judge, protocol)
    return adjust(found)


def _against_people(pairs: Pairs) -> list[Bias]:
    spoken = pairs.spoken
    low, high = pairs.scale
    judge = (np.array(pairs.judge)[spoken] - low) / (high - low)
    people = (np.array(pairs.people)[spoken] - low) / (high - low)
    features = {
        "own vendor": np.array(pairs.own)[spoken],
        "length": np.array(pairs.length)[spoken],
        "position": np.array(pairs.position)[spoken],
    }
    case = np.array(pairs.case)[spoken]
    return find_biases(pairs.metric, "people", (judge, people), case, features)


def _against_judges(columns: RunColumns, judge: str, protocol: Protocol[Any]) -> list[Bias]:
    """Without labels: the judge's total beside the mean of the other judges' on the same text."""
    if len(columns.judges) < 2:
        return []
    text = columns.case * len(columns.candidates) + columns.candidate
    scored = ~np.isnan(columns.total)
    cells = gather_cells(text[scored], columns.judge[scored], columns.total[scored])
    present = np.unique(columns.judge[scored])
    mine = present == columns.judges.index(judge)
    if not mine.any() or len(present) < 2:
        return []
    others = _mean_over(cells.mean[:, ~mine])
    own_total = cells.mean[:, mine][:, 0]
    both = ~np.isnan(others) & ~np.isnan(own_total)
    names = np.unique(text[scored])[both]
    candidate, case = names % len(columns.candidates), names // len(columns.candidates)
    low, high = _scale(protocol)
    pair = ((own_total[both] - low) / (high - low), (others[both] - low) / (high - low))
    own = np.array([_own(judge, who) for who in columns.candidates])[candidate]
    return find_biases("total", "other judges", pair, case, {"own vendor": own})


def _mean_over(table: Floats) -> Floats:
    known = ~np.isnan(table)
    sums = np.where(known, table, 0).sum(axis=1)
    count = known.sum(axis=1)
    means: Floats = np.full(len(table), math.nan)
    np.divide(sums, count, out=means, where=count > 0)
    return means


def _own(judge: str, candidate: str | None) -> float:
    if vendor_of(judge) is None or vendor_of(candidate) is None:
        return math.nan
    return float(judges_itself(judge, candidate))


def _scale(protocol: Protocol[Any]) -> tuple[float, float]:
    if "total" in protocol.scale:
        return protocol.scale["total"]
    scales = protocol.scale.values()
    return min(low for low, _ in scales), max(high for _, high in scales)


def _consistency(columns: RunColumns, judge: str) -> Consistency:
    mine = (columns.judge == columns.judges.index(judge)) & ~np.isnan(columns.total)
    text = columns.case * len(columns.candidates) + columns.candidate
    return consistency(text[mine], columns.total[mine])


def _components(columns: RunColumns) -> Components:
    scored = ~np.isnan(columns.total)
    text = columns.case * len(columns.candidates) + columns.candidate
    return components(gather_cells(text[scored], columns.judge[scored], columns.total[scored]))


def _reviewed(labels: Sequence[Label], judge: str, store: Store) -> tuple[Reviewed, ...]:
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


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
