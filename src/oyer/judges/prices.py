"""What tokens cost: a dated table, and arithmetic that never makes up a price."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from oyer.errors import InputError
from oyer.judges.names import JudgeName
from oyer.judges.wire import TokenCount, Wire
from oyer.records import JsonObject

BATCH = 0.5  # OpenAI and Anthropic: the batch APIs cost half
MILLION = 1_000_000
#: A dated snapshot costs what its family costs: gpt-4o-2024-08-06, claude-…-20250929, …-latest.
_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest|\d{3})$")


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars per million tokens. Without a rate of its own, cache costs as input does."""

    input: float
    output: float
    cached: float | None = None
    written: float | None = None

    def cost(self, tokens: TokenCount) -> float:
        fresh = tokens.input - tokens.cached - tokens.written
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.written is None else self.written
        sum_ = (
            fresh * self.input
            + tokens.cached * cached
            + tokens.written * written
            + tokens.output * self.output
        )
        return sum_ / MILLION


@dataclass(frozen=True, slots=True)
class Price:
    """The rates of a model, and those of its long calls where they differ."""

    rates: Rates
    long: Rates | None = None
    above: int = 0
    as_of: str = ""

    def cost(self, tokens: TokenCount, *, batch: bool = False) -> float:
        """What a call with these tokens costs."""
        rates = self.long if self.long and tokens.input > self.above else self.rates
        return rates.cost(tokens) * (BATCH if batch else 1.0)


FREE = Price(Rates(0.0, 0.0), as_of="runs on your machine")
OWN_TABLE = Path(__file__).with_name("prices.json")


def find_price(name: JudgeName, wire: Wire | None, table: Path | None = None) -> Price | None:
    """The price of a judge, or None: unknown.

    A server of the user's own (`@URL`) may charge anything, whatever its models are called: only
    the user's table can price it, under the judge's full name.
    """
    if table is not None and (price := _lookup(str(name), load(table))):
        return price
    if wire is None or name.url is not None:
        return None
    if wire.free:
        return FREE
    return _lookup(f"{wire.provider}:{name.model}", load(OWN_TABLE))


def _lookup(name: str, prices: Mapping[str, Price]) -> Price | None:
    return prices.get(name) or prices.get(_SNAPSHOT.sub("", name))


@cache
def load(path: Path) -> Mapping[str, Price]:
    """Read a price table; `InputError` names the entry that cannot be used."""
    try:
        table = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the price table: {error.strerror}", file=str(path)) from None
    except ValueError as error:
        raise InputError(f"the price table is not JSON: {error}", file=str(path)) from None
    dates = table.get("as_of", {}) if isinstance(table, dict) else {}
    rows = table.get("prices") if isinstance(table, dict) else None
    if not isinstance(rows, dict):
        raise InputError("a price table needs an object 'prices'", file=str(path))
    return {name: _price(name, row, dates, path) for name, row in rows.items()}


def _price(name: str, row: Any, dates: object, path: Path) -> Price:
    try:
        long = row.get("long")
        return Price(
            _rates(row),
            _rates(long) if long else None,
            int(long["above"]) if long else 0,
            dates.get(name.partition(":")[0], "") if isinstance(dates, dict) else str(dates),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(
            "a price needs numbers for 'input' and 'output' (US dollars per million tokens)",
            file=str(path),
            field=name,
        ) from None


def _rates(row: JsonObject) -> Rates:
    def optional(key: str) -> float | None:
        return float(row[key]) if key in row else None

    return Rates(float(row["input"]), float(row["output"]), optional("cached"), optional("written"))
