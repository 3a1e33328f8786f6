"""Exact numbers: fractions, harmonic mean, caps, half-up. The only file that rounds."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from oyer.types import Number

ZERO, ONE = Fraction(0), Fraction(1)


def exact(value: int | float | str | Fraction) -> Fraction:
    """The number as it is written: exact(0.1) is 1/10, not the nearest binary fraction."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"not a finite number: {value}")
        return Fraction(repr(value))
    return Fraction(value)


def harmonic(a: Number, b: Number) -> Fraction:
    """2ab/(a+b), 0 when a+b = 0."""
    total = a + b
    return Fraction(2 * a * b) / total if total else ZERO


def half_up(value: Number, places: int = 0) -> Fraction:
    """Round half up (towards +infinity), to `places` decimals."""
    if isinstance(value, int):
        return Fraction(value)
    scale = 10**places
    # floor(x·scale + ½) in whole numbers
    scaled = (2 * value.numerator * scale + value.denominator) // (2 * value.denominator)
    return Fraction(scaled, scale)


def shown(value: Number, places: int = 2) -> float:
    """A number as it is shown (JL-ROUND): half up, 2 decimals."""
    return float(half_up(value, places))


def show(value: Any) -> Any:
    """A trace value or input as JSON: exact numbers shown, containers walked, the rest as it is."""
    if isinstance(value, Fraction):
        return shown(value)
    if isinstance(value, dict):
        return {k: show(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [show(v) for v in value]
    return value
