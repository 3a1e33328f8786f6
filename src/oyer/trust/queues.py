"""A queue drawn from a run: which judged texts people are to label, and with what chance."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from oyer.errors import UsageError
from oyer.store import Run
from oyer.store.labels import LabelStore, Mode, Queue, QueueItem
from oyer.store.store import Store
from oyer.trust.sampling import Drawn, draw_sample, score_bands, split_of
from oyer.trust.units import findings_of, unit_metrics, units_of
from oyer.types import AnyProtocol

STRATA = ("candidate", "score")


@dataclass(frozen=True, slots=True)
class Draw:
    """How a queue is to be drawn."""

    n: int = 60
    second: float = 0.2  # share for two people
    by: tuple[str, ...] = ()  # of STRATA
    dev: float = 0.0  # share of cases whose labels are kept out of measuring
    mode: Mode = "blind"
    metrics: tuple[str, ...] = ()  # what is labelled; (): all
    seed: int = field(default_factory=lambda: secrets.randbits(32))

    def __post_init__(self) -> None:
        unknown = [name for name in self.by if name not in STRATA]
        if unknown:
            raise UsageError(f"--by takes {' and '.join(STRATA)}, not '{unknown[0]}'.")
        if not 0 <= self.dev < 1:
            raise UsageError(f"the dev share lies between 0 and 1, not at {self.dev}")


@dataclass(slots=True)
class QueueMember:
    """One judged text of a run (blind), or one verdict on it (review)."""

    case_sha: str
    case_id: str
    candidate: str | None
    verdict: str | None = None
    totals: list[float] = field(default_factory=list)

    @property
    def total(self) -> float | None:
        """The mean of all judges' totals."""
        return sum(self.totals) / len(self.totals) if self.totals else None


def population_of(store: Store, run: Run, mode: Mode) -> list[QueueMember]:
    """What a queue can be drawn from, in the order of the run's cases."""
    members: dict[str, QueueMember] = {}
    places: dict[str, tuple[int, int]] = {}
    for outcome in store.outcomes(run.id):
        if mode == "review" and outcome.status != "scored":
            continue
        key = outcome.verdict if mode == "review" else outcome.case_sha
        if key not in members:
            verdict = outcome.verdict if mode == "review" else None
            members[key] = QueueMember(outcome.case_sha, outcome.case, outcome.candidate, verdict)
            places[key] = (outcome.seq, outcome.row)
        if outcome.total is not None:
            members[key].totals.append(outcome.total)
    return [members[key] for key in sorted(members, key=places.__getitem__)]


def draw_queue(store: Store, run: Run, protocol: AnyProtocol, draw: Draw) -> Queue:
    """Draw a sample of a run and keep it as a queue."""
    members = population_of(store, run, draw.mode)
    if not members:
        raise UsageError(f"run {run.id} has nothing to label yet.")
    _refuse_unknown_metrics(store, protocol, draw, members[0])
    strata = _strata(members, draw.by)
    drawn = draw_sample(strata, draw.n, second=draw.second, seed=draw.seed)
    items = list(_items(store, protocol, draw, members, drawn))
    named = [item for item in items if item.units]
    if not named:
        raise UsageError("none of the texts drawn has anything to label.")
    about = {
        "n": draw.n,
        "by": list(draw.by),
        "second": draw.second,
        "dev": draw.dev,
        "seed": draw.seed,
        "metrics": list(draw.metrics),
        "population": len(members),
    }
    return LabelStore(store).create_queue(run.id, draw.mode, protocol.name, named, about)


def _strata(members: Sequence[QueueMember], by: Iterable[str]) -> list[str]:
    parts: list[list[str]] = []
    for name in by:
        if name == "candidate":
            parts.append([member.candidate or "—" for member in members])
        else:
            parts.append(score_bands([member.total for member in members]))
    if not parts:
        return [""] * len(members)
    return list(map(" · ".join, zip(*parts, strict=True)))


def _items(
    store: Store,
    protocol: AnyProtocol,
    draw: Draw,
    members: Sequence[QueueMember],
    drawn: Sequence[Drawn],
) -> Iterable[QueueItem]:
    strata = _strata(members, draw.by)
    cases = store.cases({members[place.index].case_sha for place in drawn})
    for place in drawn:
        member = members[place.index]
        if draw.mode == "review":
            record = store.verdict(str(member.verdict)).record
            units = [unit.key for unit in findings_of(record)]
        else:
            case = cases[member.case_sha].case
            units = [unit.key for unit in units_of(protocol, case, draw.metrics)]
        yield QueueItem(
            case_sha=member.case_sha,
            case_id=member.case_id,
            candidate=member.candidate,
            units=tuple(units),
            prob=place.prob,
            stratum=strata[place.index],
            split=split_of(member.case_id, draw.dev),
            people=place.people,
            verdict=member.verdict,
        )


def _refuse_unknown_metrics(
    store: Store, protocol: AnyProtocol, draw: Draw, member: QueueMember
) -> None:
    if draw.mode == "review" or not draw.metrics:
        return
    case = store.cases([member.case_sha])[member.case_sha].case
    known = unit_metrics(protocol, case)
    for metric in draw.metrics:
        if metric not in known:
            raise UsageError(f"there is no '{metric}' to label; there is {', '.join(known)}.")
