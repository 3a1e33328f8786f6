"""A gate's baseline: a run of this store or of another one, or a file that `oyer export` wrote."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from oyer.errors import InputError, UsageError
from oyer.records import VerdictRecord
from oyer.report.compare import Pairing, changes, pair_runs
from oyer.report.open_run import Opened, open_run
from oyer.report.standings import Gathered, gather
from oyer.store.records import Outcome, outcome_of

FILES = (".jsonl", ".jsonl.gz")


@dataclass(frozen=True, slots=True)
class Baseline:
    """Two runs paired, and what else is different between them."""

    pairing: Pairing
    changed: Mapping[str, tuple[Any, Any]]
    itself: bool = False  # one run, named twice

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
    with open_run(store, reference, paths) as before:
        if before.protocol.id != opened.protocol.id:
            raise UsageError(
                f"Run {reference} is of {before.protocol.id}, run {opened.run.id} of "
                f"{opened.protocol.id}: only runs of one protocol can be compared."
            )
        manifests = (before.run.manifest.as_json(), opened.run.manifest.as_json())
        itself = before.store.where == opened.store.where and before.run.id == opened.run.id
        return Baseline(_paired(before.gathered, opened), changes(*manifests), itself)


def _from_file(opened: Opened, name: str) -> Baseline:
    """An export knows whose verdicts they are and by which version, but not the prompt."""
    outcomes, protocols = list[Outcome](), dict[str, None]()
    for number, record in _records(name):
        protocols[record["protocol"]] = None
        if record["protocol"].partition("@")[0] != opened.protocol.id:
            raise InputError(
                f"a verdict of {record['protocol']}, but the run is of {opened.protocol.name}",
                file=name, line=number,
            )  # fmt: skip
        outcomes.append(outcome_of(record, number))
    if not outcomes:
        raise InputError("no verdict in it", file=name)
    gathered = gather(outcomes, opened.protocol.scale)
    before = {"protocol": ", ".join(protocols), "judges": sorted(gathered.judges)}
    after = {
        "protocol": opened.run.manifest.protocol,
        "judges": sorted(opened.gathered.judges),
    }
    return Baseline(_paired(gathered, opened), changes(before, after))


def _paired(before: Gathered, opened: Opened) -> Pairing:
    pairing = pair_runs(before, opened.gathered)
    if not pairing.cases:
        raise UsageError("The two runs have no case in common: there is nothing to pair.")
    return pairing


def _records(name: str) -> Iterator[tuple[int, VerdictRecord]]:
    with _open(name) as handle:
        for number, line in enumerate(handle, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except ValueError as cause:
                raise InputError(f"not JSON: {cause}", file=name, line=number) from None
            if not isinstance(record, dict) or not {"protocol", "case", "scores"} <= record.keys():
                need = "not a verdict; make the file with `oyer export RUN -o FILE.jsonl`"
                raise InputError(need, file=name, line=number)
            yield number, cast(VerdictRecord, record)


def _open(name: str) -> IO[str]:
    if not Path(name).is_file():
        raise InputError("there is no such file", file=name)
    if name.endswith(".gz"):
        return gzip.open(name, "rt", encoding="utf-8", errors="surrogateescape")
    return open(name, encoding="utf-8-sig", errors="surrogateescape")
