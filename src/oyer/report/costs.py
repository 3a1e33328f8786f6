"""What a run cost: the writing and the judging of each candidate, and the judging by each judge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from oyer.report.open_run import Opened
from oyer.report.standings import NOBODY, Standing
from oyer.report.tables import Sheet
from oyer.store.records import JudgingCost, Manifest

WRITING = (
    "writing: what this suite paid for the texts; texts that were stored before cost nothing. "
    "points per $: the mean total over the cost of writing one text."
)


@dataclass(frozen=True, slots=True)
class CandidateCost:
    """One candidate; a cost of None is unknown."""

    candidate: str
    writing: float | None
    judging: float | None
    points_per_dollar: float | None  # None: the writing was free, or its cost is unknown


@dataclass(frozen=True, slots=True)
class JudgeCost:
    """One judge; a panel costs what its members cost."""

    judge: str
    verdicts: int
    judging: float | None


@dataclass(frozen=True, slots=True)
class Costs:
    """What a run cost, by candidate and by judge."""

    candidates: tuple[CandidateCost, ...]
    judges: tuple[JudgeCost, ...]
    wrote: bool  # whether candidates wrote the texts

    @property
    def is_free(self) -> bool:
        """Whether everything is known to have cost nothing: then there is nothing to tell."""
        known = [cost.judging for cost in self.judges]
        known += [cost.writing for cost in self.candidates]
        return all(cost == 0 for cost in known)


def costs_of(opened: Opened, rows: Sequence[Standing]) -> Costs:
    """From the usage of verdicts, and of the replies that wrote texts."""
    manifest = opened.run.manifest
    judging: Sequence[JudgingCost] = opened.gathered.judging
    if opened.wanted is not None:  # of some verdicts; what texts cost is told by all of them
        judging = opened.store.judging_costs(opened.run.id)
    writing = _writing(opened, judging)
    texts = manifest.cases * manifest.answers
    candidates = []
    for row in rows:
        spent = writing.get(row.candidate, 0.0)
        points = None
        if spent and row.cases:
            points = row.total.mean / (spent / texts)
        mine = _counting(opened, judging, row.candidate)
        candidates.append(CandidateCost(row.candidate, spent, _sum(mine), points))
    judges = []
    for name in opened.gathered.judges:
        own = [cost for cost in judging if cost.judge == name]
        known = _sum(cost.cost for cost in own)
        judges.append(JudgeCost(name, sum(cost.verdicts for cost in own), known))
    return Costs(tuple(candidates), tuple(judges), bool(manifest.candidates))


def _counting(opened: Opened, judging: Iterable[JudgingCost], candidate: str) -> list[float | None]:
    """A candidate's verdicts; a panel and its members are paid for once."""
    aside = opened.gathered.aside
    return [
        cost.cost
        for cost in judging
        if (cost.candidate or NOBODY) == candidate and cost.judge not in aside
    ]


def _writing(opened: Opened, judging: Sequence[JudgingCost]) -> dict[str, float | None]:
    """What the suite paid for each candidate's texts, by all its protocols together.

    Replies are known by their model: of a model that also judges, the judging is taken off; of
    two candidates that are one model, nobody can say which of them cost what.
    """
    manifest = opened.run.manifest
    if not manifest.candidates:
        return {}
    models = {name: model_of(manifest, "candidates", name) for name in manifest.candidates}
    judges = {model_of(manifest, "judges", name) for name in manifest.judges}
    paid: dict[str, list[float | None]] = {}
    for run in opened.store.runs_beside(opened.run):
        for model, cost in opened.store.paid_to(run.id).items():
            paid.setdefault(model, []).append(cost)
    spent: dict[str, float | None] = {}
    for name, model in models.items():
        total = _sum(paid.get(model, []))
        shared = list(models.values()).count(model) > 1
        if model in judges and total is not None:
            own = _sum(cost.cost for cost in judging if cost.judge in (model, name))
            total = None if own is None else max(total - own, 0.0)
        spent[name] = None if shared and total else total
    return spent


def model_of(manifest: Manifest, kind: str, name: str) -> str:
    """The model behind a name of a suite."""
    return str(manifest.named.get(kind, {}).get(name, {}).get("model", name))


def _sum(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else sum(cost for cost in known if cost is not None)


def candidates_sheet(costs: Costs) -> Sheet:
    """Writing, judging and points per dollar."""
    head = ["candidate", "judging"]
    if costs.wrote:
        head[1:1] = ["writing"]
        head.append("points per $")
    rows = []
    for cost in costs.candidates:
        cells = [cost.candidate, _dollars(cost.judging)]
        if costs.wrote:
            points = cost.points_per_dollar
            cells[1:1] = [_dollars(cost.writing)]
            cells.append("—" if points is None else f"{points:,.0f}")
        rows.append(tuple(cells))
    return Sheet(tuple(head), tuple(rows), (WRITING,) if costs.wrote else ())


def judges_cost_sheet(costs: Costs) -> Sheet:
    """What each judge cost, in all and a verdict."""
    rows = []
    for cost in costs.judges:
        each = "unknown" if cost.judging is None else f"${cost.judging / max(cost.verdicts, 1):.6f}"
        rows.append((cost.judge, f"{cost.verdicts:,}", _dollars(cost.judging), each))
    return Sheet(("judge", "verdicts", "cost", "a verdict"), tuple(rows))


def _dollars(cost: float | None) -> str:
    return "unknown" if cost is None else f"${cost:,.4f}"
