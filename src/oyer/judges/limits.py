"""How fast a server may be asked: a gate that adapts, and buckets that fill by the minute."""

from __future__ import annotations

import asyncio
import random
import re
from collections import deque
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"\d{1,9}(?:\.\d{0,9})?", re.ASCII)
LONGEST_DATE = 100  # characters


class Gate:
    """At most `limit` calls at a time; halves on 429, grows back one by one (AIMD).

    A server's Retry-After closes the gate for everybody: asking on with 255 other calls would
    only prolong the wait.
    """

    def __init__(self, highest: int) -> None:
        if highest < 1:
            raise ValueError("at least one call must be allowed at a time")
        self.highest = highest
        self.limit = float(highest)
        self.active = 0
        self._closed_until = 0.0
        self._halved_at = float("-inf")
        self._queue: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> None:
        """Wait for a place; the first to come is the first to go in."""
        if self.active < int(self.limit) and not self._queue:
            self.active += 1
        else:
            place = asyncio.get_running_loop().create_future()
            self._queue.append(place)
            try:
                await place  # `_admit` counts us in before it wakes us
            except asyncio.CancelledError:
                self._forget(place)
                raise
        try:
            await self._opening()
        except asyncio.CancelledError:
            self.leave()
            raise

    def leave(self) -> None:
        self.active -= 1
        self._admit()

    def on_success(self) -> None:
        """One call went through: after as many as are allowed at a time, allow one more."""
        if self.limit < self.highest:
            self.limit = min(self.limit + 1 / self.limit, float(self.highest))
            self._admit()

    def on_throttle(self, wait: float, now: float) -> None:
        """The server said 429: fewer at a time, and nobody before it allows.

        The other calls of the same burst say nothing new, so the limit halves once a second.
        """
        if now - self._halved_at >= 1.0:
            self.limit = max(self.limit / 2, 1.0)
            self._halved_at = now
        self._closed_until = max(self._closed_until, now + wait)

    async def _opening(self) -> None:
        loop = asyncio.get_running_loop()
        while (wait := self._closed_until - loop.time()) > 0:
            await asyncio.sleep(wait + random.uniform(0, min(wait, 0.25)))

    def _admit(self) -> None:
        while self._queue and self.active < int(self.limit):
            place = self._queue.popleft()
            if not place.done():
                self.active += 1
                place.set_result(None)

    def _forget(self, place: asyncio.Future[None]) -> None:
        if place.done() and not place.cancelled():
            self.leave()  # admitted and cancelled in the same turn of the loop
        elif place in self._queue:
            self._queue.remove(place)


#: Books so many seconds of what the provider allows for a name, over all processes that share a
#: store; returns how long until they begin. None: this process alone asks.
Booking = Callable[[str, float], float]
booking: ContextVar[Booking | None] = ContextVar("booking", default=None)
BOOKED = 1.0  # seconds that are booked together: one commit for many calls


@dataclass(slots=True)
class Bucket:
    """A token bucket: `rate` a minute, never more than a tenth of a minute's worth at once.

    `take` never refuses: it books the amount and says how long to wait, so callers queue fairly.
    Where other processes ask, too, it takes from what `booking` gives, slice by slice.
    """

    rate: float
    name: str = ""  # of the limit: the model and what is counted
    level: float | None = None  # None: full, nobody has come yet
    at: float = 0.0
    booked: float = 0.0  # of our slice, not used yet
    begins: float = 0.0  # when the next of it may be used

    @property
    def size(self) -> float:
        return max(self.rate / 10, 1.0)

    def take(self, amount: float, now: float) -> float:
        """Book `amount`; the seconds until it is there."""
        book = booking.get()
        if book is not None:
            return self._take_booked(book, amount, now)
        self.level = self._fill(now) - amount
        return max(0.0, -self.level * 60 / self.rate)

    def give(self, amount: float, now: float) -> None:
        """Return what was booked too much (or, negative, book what was used beyond)."""
        if booking.get() is not None:
            self.booked = min(self.booked + amount, self.size)
            return
        self.level = min(self._fill(now) + amount, self.size)

    def _take_booked(self, book: Booking, amount: float, now: float) -> float:
        if self.booked < amount:
            more = max(amount - self.booked, self.rate / 60 * BOOKED)
            self.begins = now + book(self.name, more * 60 / self.rate)
            self.booked += more
        wait = max(0.0, self.begins - now)
        self.booked -= amount
        self.begins += amount * 60 / self.rate
        return wait

    def _fill(self, now: float) -> float:
        since, self.at = now - self.at, now
        return (
            self.size if self.level is None else min(self.level + since * self.rate / 60, self.size)
        )


def backoff(attempt: int, *, base: float = 0.5, cap: float = 30.0) -> float:
    """Seconds before attempt 1, 2, …: doubling, with jitter between half and the whole."""
    whole = min(cap, base * 2.0 ** min(attempt - 1, 60))
    return random.uniform(whole / 2, whole)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """What the server asks us to wait: `retry-after-ms`, seconds, or a date; None if unsaid."""
    millis = read_seconds(headers.get("retry-after-ms", ""))
    if millis is not None:
        return millis / 1000
    value = headers.get("retry-after", "")
    wait = read_seconds(value)
    return wait if wait is not None else _until(value, now or datetime.now(UTC))


def read_seconds(text: str) -> float | None:
    """A number of seconds in plain digits; None for anything else (`²`, `1e999`, `-3`, a date)."""
    text = text.strip()
    return float(text) if _SECONDS.fullmatch(text) else None


def _until(value: str, now: datetime) -> float | None:
    """Seconds to a date; none to one that is past, unknown for one that is no date."""
    try:
        date = parsedate_to_datetime(value[:LONGEST_DATE])
        aware = date if date.tzinfo else date.replace(tzinfo=UTC)
        return max(0.0, (aware - now).total_seconds())
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
