"""Judging rows at the same time, printing them in the order of the input, in constant memory."""

from __future__ import annotations

import argparse
import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from oyer.cases import BadRow
from oyer.cli.agreement import Agreement
from oyer.cli.judge import options_of
from oyer.cli.output import How, PrintedVerdict, Printer, made_of
from oyer.cli.sources import rows_of
from oyer.cli.waiting import waiting_aloud
from oyer.engine import Answers, Asking, decide, hear, open_judge
from oyer.judges.open_judges import JudgePool
from oyer.judges.options import Options
from oyer.types import Judge, Protocol, Verdict

if TYPE_CHECKING:
    from oyer.cases import Row


def judge_rows(
    args: argparse.Namespace,
    protocol: Protocol[Any],
    judges: Sequence[str],
    asking: dict[str, Any],
    printer: Printer,
) -> Agreement:
    """Judge all rows; Ctrl-C ends what is in flight."""
    agreement = Agreement(protocol)

    def take(verdicts: list[Verdict]) -> None:
        agreement.take(verdicts)
        for verdict in verdicts:
            printer.take(made(verdict, protocol, printer.how, len(verdicts) > 1))

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
    async with JudgePool(options) as pool, waiting_aloud(judges, printer, options):
        bench = [open_judge(pool, name, attempts=asking.attempts) for name in judges]
        waiting: deque[asyncio.Task[list[Verdict]]] = deque()
        places = asyncio.Semaphore(args.concurrency)
        try:
            for row in printer.watch(rows_of(args, protocol)):
                work = _row(row, protocol, bench, asking, args.repeat, places)
                waiting.append(asyncio.create_task(work))
                if len(waiting) >= 2 * args.concurrency:  # a bounded queue, in order
                    take(await waiting.popleft())
            while waiting:
                take(await waiting.popleft())
        finally:
            for task in waiting:
                task.cancel()


async def _row(
    row: Row,
    protocol: Protocol[Any],
    bench: Sequence[Judge],
    asking: Asking,
    repeats: int,
    places: asyncio.Semaphore,
) -> list[Verdict]:
    """One row through every judge, every repeat."""
    questions = [(judge, repeat) for judge in bench for repeat in range(repeats)]
    if isinstance(row, BadRow):
        subject, error = row.subject, row.error
        return [
            decide(Answers(subject, judge.name, problem=error, repeat=repeat), protocol)
            for judge, repeat in questions
        ]
    async with places:
        hearings = await asyncio.gather(
            *(
                hear(row, protocol, judge, asking=asking, repeat=repeat)
                for judge, repeat in questions
            )
        )
    return [hearing.verdict for hearing in hearings]


def made(
    verdict: Verdict, protocol: Protocol[Any], how: How, several: bool = False
) -> PrintedVerdict:
    """The verdict as it is printed; with several judges a row says whose it is."""
    printed = made_of(verdict, protocol, how)
    if how == "row" and several:
        return replace(printed, text=f"{printed.text}  [{verdict.judge} #{verdict.repeat + 1}]")
    return printed
