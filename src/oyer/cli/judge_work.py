"""Judging rows at the same time, printing them in the order of the input, in constant memory."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from oyer.cases import BadRow
from oyer.cli.agreement import Agreement
from oyer.cli.judge import options_of
from oyer.cli.output import How, PrintedVerdict, Printer, format_verdict
from oyer.cli.sources import rows_of
from oyer.engine import Answers, Asking, Hearing, decide, hear, open_judge
from oyer.judges.names import members
from oyer.judges.open_judges import JudgePool
from oyer.judges.options import Options
from oyer.judges.panel import Panel
from oyer.runs.models import NamedModel
from oyer.runs.repeats import RepeatCounter
from oyer.runs.waiting import speak_while_waiting, waiting_message
from oyer.types import AnyProtocol, Judge, Reply, Verdict

if TYPE_CHECKING:
    from oyer.cases import Row


def judge_rows(
    args: argparse.Namespace,
    protocol: AnyProtocol,
    judges: Sequence[str],
    asking: dict[str, Any],
    printer: Printer,
) -> Agreement:
    """Judge all rows; Ctrl-C ends what is in flight."""
    agreement = Agreement(protocol)

    def take(verdicts: list[Verdict]) -> None:
        agreement.take(verdicts)
        for verdict in verdicts:
            printer.take(format_judged(verdict, protocol, printer.how, len(verdicts) > 1))

    asyncio.run(_judge_rows(args, judges, Asking(**asking), printer, take))
    return agreement


async def _judge_rows(
    args: argparse.Namespace,
    judges: Sequence[str],
    asking: Asking,
    printer: Printer,
    take: Callable[[list[Verdict]], None],
) -> None:
    protocol = printer.protocol
    options = Options(in_flight=args.concurrency, **options_of(args))
    asked = [NamedModel.plain(member) for name in judges for member in members(name)]
    waiting_aloud = speak_while_waiting(
        lambda: printer.count,
        lambda waited: waiting_message(asked, options, waited, "--timeout S"),
        lambda line: print(line, file=sys.stderr, flush=True),
    )
    async with JudgePool(options) as pool, waiting_aloud:
        opened = [open_judge(pool, name, attempts=asking.attempts) for name in judges]
        places = asyncio.Semaphore(args.concurrency)
        bench = OpenedJudges(protocol, opened, asking, args.repeat, places)
        waiting: deque[asyncio.Task[list[Verdict]]] = deque()
        try:
            for row in printer.watch(rows_of(args, protocol)):
                waiting.append(asyncio.create_task(_judge_row(row, bench)))
                if len(waiting) >= 2 * args.concurrency:  # a bounded queue, in order
                    take(await waiting.popleft())
            while waiting:
                take(await waiting.popleft())
        finally:
            for task in waiting:
                task.cancel()
    for note in bench.repeated.notes(options.temperature):
        print(f"oyer: {note}", file=sys.stderr)


@dataclass(frozen=True)
class OpenedJudges:
    """Who judges each row, how and how often; at most so many rows at a time."""

    protocol: AnyProtocol
    judges: Sequence[Judge]
    asking: Asking
    repeats: int
    places: asyncio.Semaphore
    repeated: RepeatCounter = field(default_factory=RepeatCounter)


async def _judge_row(row: Row, bench: OpenedJudges) -> list[Verdict]:
    """One row through every judge, every repeat."""
    questions = list(product(bench.judges, range(bench.repeats)))
    if isinstance(row, BadRow):
        verdicts = []
        for judge, repeat in questions:
            answers = Answers(row.subject, judge.name, problem=row.error, repeat=repeat)
            verdicts.append(decide(answers, bench.protocol))
        return verdicts
    async with bench.places:
        asked = [
            hear(row, bench.protocol, judge, asking=bench.asking, repeat=repeat)
            for judge, repeat in questions
        ]
        hearings = await asyncio.gather(*asked)
    _count_repeats(bench, hearings)
    return [hearing.verdict for hearing in hearings]


def _count_repeats(bench: OpenedJudges, hearings: Sequence[Hearing]) -> None:
    """What each judge answered to the same question, a panel's members one by one."""
    for place, judge in enumerate(bench.judges):
        answers: dict[str, list[tuple[Reply, ...]]] = {}
        seats = judge.members if isinstance(judge, Panel) else (judge,)
        first = place * bench.repeats
        for hearing in hearings[first : first + bench.repeats]:
            for seat, part in zip(seats, hearing.members or (hearing,), strict=True):
                if seat.needs_prompt:
                    answers.setdefault(seat.name, []).append(part.replies)
        for name, several in answers.items():
            bench.repeated.take(name, several)


def format_judged(
    verdict: Verdict, protocol: AnyProtocol, how: How, several: bool = False
) -> PrintedVerdict:
    """The verdict as it is printed; with several judges a row says whose it is."""
    printed = format_verdict(verdict, protocol, how)
    if how == "row" and several:
        return replace(printed, text=f"{printed.text}  [{verdict.judge} #{verdict.repeat + 1}]")
    return printed
