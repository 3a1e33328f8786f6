"""Placeholder until helper `reader` lands the real one: which objects are the verdict."""

from __future__ import annotations

from typing import Any

from oyer.types import Case, Protocol, Reading


def select(reading: Reading, protocol: Protocol[Any], case: Case) -> Reading:
    """The reading with only its verdict objects (or the refusal)."""
    chosen = tuple(f for f in reading.objects if protocol.is_verdict(f.value) or "error" in f.value)
    return Reading(chosen, reading.truncated)
