"""A word on standard error while no verdict comes: whom we wait for, lest a hanging server be taken
for ours; and who is at work, lest a judge of this program be taken for a server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from oyer.judges.names import works_itself
from oyer.judges.options import Options
from oyer.runs.models import NamedModel
from oyer.text.printable import flat

QUIET = 10.0  # seconds without a verdict before the first word; the next ones come ever later


@contextlib.asynccontextmanager
async def speak_while_waiting(
    count: Callable[[], int], message: Callable[[float], str], speak: Callable[[str], None]
) -> AsyncIterator[None]:
    """Say so when the count of verdicts has stood still for a while."""
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


def waiting_message(
    asked: Sequence[NamedModel], options: Options, waited: float, bound: str
) -> str:
    """Whom we wait for, and when it ends; `bound` is how a user would set an end. A judge that does
    the work itself has no end: it is said to judge."""
    busy = [model for model in asked if works_itself(model.model)]
    servers = [model for model in asked if model not in busy]
    judging = f"{_list(busy)} {'is' if len(_names(busy)) == 1 else 'are'} judging"
    if not servers:
        return f"no new verdict for {waited:g} s; {judging}"
    if options.deadline is not None:
        end = f"a question ends after {options.deadline:g} s"
    else:
        end = f"an attempt ends after {options.timeout:g} s; {bound} bounds a question"
    if busy:
        return (
            f"no new verdict for {waited:g} s; {judging}, and we wait for {_list(servers)}; {end}"
        )
    return f"no answer for {waited:g} s, waiting for {_list(servers)}; {end}"


def _list(models: Iterable[NamedModel]) -> str:
    return flat(", ".join(_names(models)))


def _names(models: Iterable[NamedModel]) -> dict[str, None]:
    """What they are called, each once."""
    return dict.fromkeys(model.name for model in models)
