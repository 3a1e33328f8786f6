"""A gate's baseline: a run of this store or of another one, or a file that `oyer export` wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from oyer.errors import InputError, UsageError
from oyer.report.compare import Pairing, changes, pair_runs
from oyer.report.open_run import Opened, find_beside, open_run
from oyer.report.same_source import warn_other_sources
from oyer.report.standings import Gathered, gather
from oyer.store.columns import columns_of
from oyer.store.record_files import FILES, read_records
from oyer.store.records import Outcome, outcome_of


@dataclass(frozen=True, slots=True)
class Baseline:
    """Two runs paired, and what else is different between them."""

    pairing: Pairing
    changed: Mapping[str, tuple[object, object]]
    itself: bool = False  # one run, named twice
    warning: str = ""  # why the pairs may be no pairs

    @property
    def lost(self) -> int:
        """Cases that had a score in the baseline and have none now."""
        lost = 0
        for who in self.pairing.partners:
            before, after = self.pairing.columns(who, "total")
            lost += int((np.isfinite(before) & np.isnan(after)).sum())
        return lost


def open_baseline(
    opened: Opened, reference: str, store: str | None, paths: Sequence[str]
) -> Baseline:
    """The run that this one must not fall behind, paired with it."""
    if reference.endswith(FILES) or Path(reference).is_file():
        return _from_file(opened, reference)
    beside = find_beside(store, reference)
    same = [run for run in beside if run.manifest.protocol_id == opened.protocol.id]
    number = str(same[0].id) if same else reference
    with open_run(store, number, paths) as before:
        if before.protocol.id != opened.protocol.id:
            raise UsageError(
                f"Run {reference} is of {before.protocol.id}, run {opened.run.id} of "
                f"{opened.protocol.id}: only runs of one protocol can be compared."
            )
        manifests = (before.run.manifest.as_json(), opened.run.manifest.as_json())
        itself = before.store.where == opened.store.where and before.run.id == opened.run.id
        warning = warn_other_sources(before, opened)
        return Baseline(_pair(before.gathered, opened), changes(*manifests), itself, warning)


def _from_file(opened: Opened, name: str) -> Baseline:
    """An export knows whose verdicts they are and by which version, but not the prompt."""
    outcomes = list[Outcome]()
    protocols = dict[str, None]()
    for number, record in read_records(name):
        protocol = record["protocol"].partition("@")[0]
        if protocol != opened.protocol.id and protocol in opened.run.manifest.protocols:
            continue  # of the same suite: compared by a check of its own
        protocols[record["protocol"]] = None
        if protocol != opened.protocol.id:
            raise InputError(
                f"a verdict of {record['protocol']}, but the run is of {opened.protocol.name}",
                file=name, line=number,
            )  # fmt: skip
        outcomes.append(outcome_of(record, number))
    if not outcomes:
        raise InputError("no verdict in it", file=name)
    columns = columns_of(outcomes)
    gathered = gather(columns, opened.protocol.scale, panels=opened.gathered.panels)
    before = {"protocol": ", ".join(protocols), "judges": sorted(gathered.judges)}
    after = {
        "protocol": opened.run.manifest.protocol,
        "judges": sorted(opened.gathered.judges),
    }
    return Baseline(_pair(gathered, opened), changes(before, after))


def _pair(before: Gathered, opened: Opened) -> Pairing:
    pairing = pair_runs(before, opened.gathered)
    if not pairing.cases:
        raise UsageError("The two runs have no case in common: there is nothing to pair.")
    return pairing
