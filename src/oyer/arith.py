"""Exact numbers: fractions, harmonic mean, caps, half-up. The only file that rounds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from oyer.types import Number

ZERO, HALF = Fraction(0), Fraction(1, 2)


def exact(value: int | float | str | Fraction) -> Fraction:
    """The number as it is written: exact(0.1) is 1/10, not the nearest binary fraction."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"not a finite number: {value}")
        return _parse_decimal(repr(value))
    return Fraction(value)


@lru_cache(maxsize=1024)
def _parse_decimal(decimal: str) -> Fraction:
    return Fraction(decimal)


# Replies count to a dozen and their ratios recur, so they are kept: an audit makes some twenty,
# and a `Fraction` takes longer to make than to look up. Comparing in whole numbers makes none.


@lru_cache(maxsize=4096)
def ratio(top: int, bottom: int) -> Fraction:
    """top/bottom, exact."""
    return Fraction(top, bottom)


def times(a: Number, b: Number) -> Fraction:
    """a·b, exact."""
    (top, bottom), (other_top, other_bottom) = a.as_integer_ratio(), b.as_integer_ratio()
    return ratio(top * other_top, bottom * other_bottom)


def less(a: Number, b: Number) -> bool:
    """a < b, in whole numbers."""
    (top, bottom), (other_top, other_bottom) = a.as_integer_ratio(), b.as_integer_ratio()
    return top * other_bottom < other_top * bottom


def harmonic(a: Number, b: Number, scale: int = 1) -> Fraction:
    """2ab/(a+b), 0 when a+b = 0; times `scale`."""
    # over whole numbers: one fraction is made, where a·b and a+b would make four
    (top, bottom), (other_top, other_bottom) = a.as_integer_ratio(), b.as_integer_ratio()
    total = top * other_bottom + other_top * bottom
    return ratio(2 * scale * top * other_top, total) if total else ZERO


def half_up(value: Number, places: int = 0) -> Fraction:
    """Round half up (towards +infinity), to `places` decimals."""
    return Fraction(_scale(value, 10**places), 10**places)


def nearest(value: Number) -> int:
    """Round half up to a whole number."""
    return _scale(value, 1)


def round_to_show(value: Number, places: int = 2) -> float:
    """A number as it is shown (JL-ROUND): half up, 2 decimals."""
    if type(value) is int:
        return float(value)
    scale: int = 10**places
    top, bottom = value.as_integer_ratio()
    return (2 * top * scale + bottom) // (2 * bottom) / scale  # `_scale`, without the call


def _scale(value: Number, scale: int) -> int:
    """floor(value·scale + ½), in whole numbers."""
    top, bottom = value.as_integer_ratio()
    return (2 * top * scale + bottom) // (2 * bottom)


def show(value: Any) -> Any:
    """A trace value or input as JSON: exact numbers shown, containers walked, the rest as it is."""
    kind = type(value)
    if kind is str or kind is int or kind is float or value is None:  # nearly all of a record
        return value
    # the concrete kinds first: to ask whether something is a Fraction or a Mapping is slow
    if kind is dict or (not (kind is list or kind is tuple) and isinstance(value, Mapping)):
        return {k: show(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [show(v) for v in value]
    return round_to_show(value) if isinstance(value, Fraction) else value


class Alpha:
    """Krippendorff's alpha, unit by unit: exact, in constant memory.

    A unit is what several judges valued; a value not given is left out. For numbers the difference
    is the square of their distance, for labels whether they differ.
    """

    def __init__(self, *, labels: bool = False) -> None:
        self._labels = labels
        self._observed, self._n = Fraction(0), 0
        self._sum, self._squares = Fraction(0), Fraction(0)
        self._counts: Counter[object] = Counter()

    def add(self, unit: Iterable[Any]) -> None:
        """What the judges said of one unit; a unit with one value cannot be compared."""
        values = [value for value in unit if value is not None]
        if len(values) < 2:
            return
        self._n += len(values)
        if self._labels:
            counts = Counter(values)
            self._counts += counts
            differing = Fraction(_differing(counts))
        else:
            numbers = [exact(value) for value in values]
            total, squares = sum(numbers, ZERO), sum((v * v for v in numbers), ZERO)
            self._sum, self._squares = self._sum + total, self._squares + squares
            differing = _distances(len(numbers), total, squares)
        self._observed += differing / (len(values) - 1)

    @property
    def value(self) -> Fraction | None:
        """None when nothing can be compared, or nothing varies: then chance cannot be told."""
        if self._labels:
            expected = Fraction(_differing(self._counts))
        else:
            expected = _distances(self._n, self._sum, self._squares)
        return 1 - (self._n - 1) * self._observed / expected if expected else None


def _differing(counts: Mapping[object, int]) -> int:
    """How many ordered pairs differ."""
    return sum(counts.values()) ** 2 - sum(count * count for count in counts.values())


def _distances(n: int, total: Fraction, squares: Fraction) -> Fraction:
    """Σ over ordered pairs (a-b)² = 2(n·Σa² - (Σa)²)."""
    return 2 * (n * squares - total * total)


def alpha(units: Iterable[Iterable[Number | None]]) -> Fraction | None:
    """Krippendorff's alpha for interval data, exact; see `Alpha`."""
    agreement = Alpha()
    for unit in units:
        agreement.add(unit)
    return agreement.value
