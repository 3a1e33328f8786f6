"""Exact numbers: fractions, harmonic mean, caps, half-up. The only file that rounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from oyer.types import Number

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


def exact(value: int | float | str | Fraction) -> Fraction:
    """The number as it is written: exact(0.1) is 1/10, not the nearest binary fraction."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"not a finite number: {value}")
        return _written(repr(value))
    return Fraction(value)


@lru_cache(maxsize=1024)
def _written(decimal: str) -> Fraction:
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
    return Fraction(_scaled(value, 10**places), 10**places)


def nearest(value: Number) -> int:
    """Round half up to a whole number."""
    return _scaled(value, 1)


def shown(value: Number, places: int = 2) -> float:
    """A number as it is shown (JL-ROUND): half up, 2 decimals."""
    if type(value) is int:
        return float(value)
    scale: int = 10**places
    return _scaled(value, scale) / scale


def _scaled(value: Number, scale: int) -> int:
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
    return shown(value) if isinstance(value, Fraction) else value
