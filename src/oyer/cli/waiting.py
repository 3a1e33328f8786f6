"""A word on standard error while nobody answers, so that a hanging server is not taken for ours."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from oyer.text.printable import flat

if TYPE_CHECKING:
    from oyer.cli.output import Printer
    from oyer.judges.options import Options

QUIET = 10.0  # seconds without a verdict before the first word; the next ones come ever later


@contextlib.asynccontextmanager
async def waiting_aloud(
    judges: Sequence[str], printer: Printer, options: Options, quiet: float = QUIET
) -> AsyncIterator[None]:
    """Say whom we wait for, when no verdict has come for a while."""
    speaking = asyncio.create_task(_speak(judges, printer, options, quiet))
    try:
        yield
    finally:
        speaking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await speaking


async def _speak(judges: Sequence[str], printer: Printer, options: Options, quiet: float) -> None:
    waited, pause, before = 0.0, quiet, printer.count
    while True:
        await asyncio.sleep(pause)
        if printer.count != before:
            waited, pause, before = 0.0, quiet, printer.count
            continue
        waited += pause
        print(f"oyer: {_message(judges, options, waited)}", file=sys.stderr, flush=True)
        pause = waited  # after 10, 20, 40 … seconds


def _message(judges: Sequence[str], options: Options, waited: float) -> str:
    whom = flat(", ".join(judges))
    if options.deadline is not None:
        end = f"a question ends after {options.deadline:g} s"
    else:
        end = f"an attempt ends after {options.timeout:g} s; --timeout S bounds a question"
    return f"no answer for {waited:g} s, waiting for {whom}; {end}"
