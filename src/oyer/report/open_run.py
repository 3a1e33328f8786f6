"""A stored run, opened for reading: its protocol, its manifest, its outcomes gathered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oyer.errors import UsageError
from oyer.report.compare import Comparison, Move, compare
from oyer.report.filters import Filter
from oyer.report.left_out import LeftOut, add_errors, lacks_scores, read_errors
from oyer.report.panels import PanelStats, panel_stats
from oyer.report.prompts import PromptCompliance, asks_differently, by_prompt
from oyer.report.same_source import warn_other_sources
from oyer.report.standings import NOBODY, Gathered, gather, speaks_for_others
from oyer.report.unscored import find_unscored
from oyer.verdicts.record import verdict_of

if TYPE_CHECKING:
    from oyer.store import Outcome, Run
    from oyer.store.columns import Columns
    from oyer.store.store import Store
    from oyer.types import AnyProtocol, JsonObject


def axis_end(scale: float, highest: float) -> float:
    """Where an axis ends: at the scale's end, or at the highest value if that is far below it."""
    if scale <= 10 or highest > scale / 2:
        return scale
    return max(highest, scale / 100)


WHY = 10  # cases that moved most, of which a comparison says why
WHY_UP_TO = 10_000  # verdicts of a run that are looked through for that

#: Why a run is not done; `running` may also be one that was killed.
_STATES = {"running": "still running, or killed", "budget": "its budget is used up"}


@dataclass(frozen=True, slots=True)
class Opened:
    """A run and all that reports need of it."""

    store: Store
    run: Run
    protocol: AnyProtocol
    gathered: Gathered
    wanted: Filter | None = None  # which of its verdicts; None: all
    paths: tuple[str, ...] = ()  # folders of protocols of the user's own

    @property
    def unfinished(self) -> str:
        """That not all verdicts are there, in a sentence; "": the run is done."""
        if self.run.state == "done":
            return ""
        done = self.gathered.verdicts
        tasks = self.run.manifest.tasks
        why = _STATES.get(self.run.state, self.run.state)
        return (
            f"UNFINISHED ({why}): {done:,} of {tasks:,} verdicts; ranks and means may still change."
        )

    @property
    def tops(self) -> dict[str, float]:
        """The end of each score's axis: its scale's, or the highest value where that says little.

        An axis of a rubric may have 10 points in one task and 60 in another: its scale says 100.
        """
        gathered = self.gathered
        return {
            key: axis_end(float(high), gathered.highest(key))
            for key, (_, high) in self.protocol.scale.items()
            if key in gathered.metrics
        }

    def outcomes(self) -> Iterator[Outcome]:
        """The run's verdicts without their derivations."""
        every = self.store.outcomes(self.run.id)
        return every if self.wanted is None else filter(self.wanted.matches, every)

    def columns(self) -> Iterator[Columns]:
        """The same as columns, many at a time."""
        return _columns(self.store, self.run, self.wanted)


def digest_of(opened: Opened) -> str | None:
    """The protocol's own report on the run (judges side by side, slices of cases), if any."""
    digest = opened.protocol.digest
    return None if digest is None else digest(_tally_verdicts(opened))


def figures_of(opened: Opened) -> JsonObject | None:
    """The same as numbers, for programs."""
    figures = opened.protocol.figures
    return None if figures is None else figures(_tally_verdicts(opened))


def _tally_verdicts(opened: Opened) -> Iterator[object]:
    """What each verdict adds to the protocol's report; a panel says nothing beside its members."""
    tally = opened.protocol.tally
    judges = opened.gathered.judges
    named = opened.gathered.panels
    panels = {judge for judge in judges if speaks_for_others(judge, judges, named)}
    for kept in opened.store.verdicts(opened.run.id):
        judge = kept.record["judge"]
        if tally is not None and judge in judges and judge not in panels:
            yield tally(verdict_of(kept.record))


def reasons_of(opened: Opened) -> list[str]:
    """Why verdicts have no score: what the first one of each judge (or candidate) and kind says."""
    if not opened.gathered.errors:
        return []
    return [f"{s.who}, {s.error}: {s.first}" for s in find_unscored(opened.store, opened.run)]


def trust_of(opened: Opened) -> list[str]:
    """What `oyer trust` last said of the run's judges, one sentence each."""
    from oyer.store.cards import read_cards

    judges = set(opened.gathered.judges)
    cards = read_cards(opened.store, opened.run.manifest.protocol, judges)
    return [f"{card.sentence} ({card.source})" for card in cards]


def panels_of(opened: Opened) -> dict[str, PanelStats]:
    """The run's panels beside their members; nothing is read when it has none."""
    manifest = opened.run.manifest
    if not manifest.panels and all("+" not in judge for judge in manifest.judges):
        return {}
    return panel_stats(kept.record for kept in opened.store.verdicts(opened.run.id))


def find_beside(where: str | None, reference: str) -> list[Run]:
    """The run that the user named, and those of its suite by other protocols; none is gathered."""
    from oyer.store import open_store

    with open_store(where, create=False, write=False) as store:
        return list(store.runs_beside(store.find_run(reference)))


@contextmanager
def open_run(
    where: str | None, reference: str, paths: Sequence[str] = (), wanted: Filter | None = None
) -> Iterator[Opened]:
    """Open the store for reading and gather the run the user named, or some verdicts of it."""
    from oyer.store import open_store
    from oyer.store.run_protocol import protocol_of_run

    with open_store(where, create=False, write=False) as store:
        run = store.find_run(reference)
        yield gather_run(store, run, protocol_of_run(store, run, paths), paths, wanted)


def gather_run(
    store: Store,
    run: Run,
    protocol: AnyProtocol,
    paths: Sequence[str] = (),
    wanted: Filter | None = None,
) -> Opened:
    """A run of a store that is open already."""
    columns = _columns(store, run, wanted)
    gathered = gather(columns, protocol.scale, protocol.labels, run.manifest.panels)
    return Opened(store, run, protocol, gathered, wanted, tuple(paths))


def open_beside(opened: Opened) -> Iterator[Opened]:
    """The runs of its suite by every protocol, itself among them, from the same open store."""
    from oyer.store.run_protocol import protocol_of_run

    for run in opened.store.runs_beside(opened.run):
        if run.id == opened.run.id:
            yield opened
            continue
        protocol = protocol_of_run(opened.store, run, opened.paths)
        yield gather_run(opened.store, run, protocol, opened.paths, opened.wanted)


def _columns(store: Store, run: Run, wanted: Filter | None) -> Iterator[Columns]:
    """A run's verdicts as columns: those that were kept, unless they must be looked at singly."""
    from oyer.store.columns import columns_of
    from oyer.store.kept_columns import read_columns

    if wanted is not None and wanted != Filter(judge=wanted.judge):
        yield from columns_of(filter(wanted.matches, store.outcomes(run.id)))
        return
    for columns in read_columns(store, run.id):
        yield columns if wanted is None else columns.of_judges(wanted.is_judge)


def compare_runs(
    where: str | None, before: str, after: str, paths: Sequence[str] = ()
) -> Comparison:
    """The comparison of two stored runs of one protocol."""
    with open_run(where, before, paths) as old, open_run(where, after, paths) as new:
        if old.protocol.id != new.protocol.id:
            raise UsageError(
                f"Run {before} is of {old.protocol.id}, run {after} of {new.protocol.id}: "
                "only runs of one protocol can be compared."
            )
        manifests = (old.run.manifest.as_json(), new.run.manifest.as_json())
        comparison = compare(old.gathered, new.gathered, manifests)
        prompts = compare_prompts(old, new)
        return replace(
            comparison,
            moved=_say_why(comparison.moved, new),
            left_out=_say_errors(comparison.left_out, old, new),
            itself=old.run.id == new.run.id,
            warning=warn_other_sources(old, new),
            prompts=tuple(prompts),
        )


def _say_why(moves: Sequence[Move], after: Opened) -> tuple[Move, ...]:
    """Those that moved most with what decided their verdict; of a large run only that they did."""
    from oyer.report.explain import cause

    if after.gathered.verdicts > WHY_UP_TO:
        return tuple(moves)
    wanted = {(move.case, move.candidate.rpartition(" → ")[2]): move for move in moves[:WHY]}
    for outcome in after.outcomes():
        move = wanted.get((outcome.case, outcome.candidate or NOBODY))
        if move is not None and not move.why:
            (kept,) = after.store.verdicts(after.run.id, outcome.row - 1, outcome.row)
            why = cause(kept.record, after.protocol)
            wanted[outcome.case, outcome.candidate or NOBODY] = replace(move, why=why)
    return (*wanted.values(), *moves[WHY:])


def _say_errors(groups: Sequence[LeftOut], old: Opened, new: Opened) -> tuple[LeftOut, ...]:
    """What is left out, with why it has no score; of large runs only that it has none."""
    most = max(old.gathered.verdicts, new.gathered.verdicts)
    if most > WHY_UP_TO or not lacks_scores(groups):
        return tuple(groups)
    return tuple(add_errors(groups, read_errors(old), read_errors(new)))


def compare_prompts(*runs: Opened) -> list[PromptCompliance]:
    """How replies to each prompt of these runs keep to the protocol; [] where all had the same."""
    if not asks_differently(*(opened.run.manifest for opened in runs)):
        return []
    rows: list[PromptCompliance] = []
    for opened in {opened.run.id: opened for opened in runs}.values():
        stored = opened.store.verdicts(opened.run.id)
        rows += by_prompt(f"{opened.run.name} #{opened.run.id}", (kept.record for kept in stored))
    return rows
