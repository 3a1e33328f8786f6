"""A word on standard error while nobody answers, so that a hanging server is not taken for ours."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence

from oyer.judges.options import Options
from oyer.text.printable import flat

QUIET = 10.0  # seconds without a verdict before the first word; the next ones come ever later


@contextlib.asynccontextmanager
async def speak_while_waiting(
    count: Callable[[], int], message: Callable[[float], str], speak: Callable[[str], None]
) -> AsyncIterator[None]:
    """Say that nobody answers when the count of verdicts has stood still for a while."""
    speaking = asyncio.create_task(_speak(count, message, speak))
    try:
        yield
    finally:
        speaking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await speaking


async def _speak(
    count: Callable[[], int], message: Callable[[float], str], speak: Callable[[str], None]
) -> None:
    waited, pause, before = 0.0, QUIET, count()
    while True:
        await asyncio.sleep(pause)
        if count() != before:
            waited, pause, before = 0.0, QUIET, count()
            continue
        waited += pause
        speak(f"oyer: {message(waited)}")
        pause = waited  # after 10, 20, 40 … seconds


def waiting_message(judges: Sequence[str], options: Options, waited: float, bound: str) -> str:
    """Whom we wait for, and when it ends; `bound` is how a user would set an end."""
    names = flat(", ".join(judges))
    if options.deadline is not None:
        end = f"a question ends after {options.deadline:g} s"
    else:
        end = f"an attempt ends after {options.timeout:g} s; {bound} bounds a question"
    return f"no answer for {waited:g} s, waiting for {names}; {end}"
