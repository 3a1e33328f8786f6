"""The judges of a suite, opened: each under its name, with options and a prompt of its own."""

from __future__ import annotations

from oyer.engine import ATTEMPTS, open_judge
from oyer.judges.exam import ExamStore
from oyer.judges.named import NamedJudge
from oyer.judges.open_judges import JudgePool
from oyer.judges.panel import open_panel
from oyer.runs.models import NamedModel
from oyer.runs.suite import Suite
from oyer.types import Judge


def open_named(
    pool: JudgePool,
    suite: Suite,
    name: str,
    shelf: ExamStore | None = None,
    attempts: int = ATTEMPTS,
) -> Judge:
    """The judge that the suite calls so: one model, or a panel."""
    seats = suite.judge_models.seats(name)
    bench = [_open_seat(pool, seat, shelf, attempts) for seat in seats]
    if len(bench) == 1:
        return bench[0]
    return open_panel(bench, suite.judge_models.find(name).label)


def _open_seat(pool: JudgePool, seat: NamedModel, shelf: ExamStore | None, attempts: int) -> Judge:
    judge = open_judge(pool, seat.model, shelf, attempts, seat.options)
    if not seat.label and seat.prompt is None:
        return judge
    return NamedJudge(judge, seat.label, seat.prompt)
