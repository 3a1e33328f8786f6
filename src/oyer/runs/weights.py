"""The user's own weights of a total."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from oyer.arith import exact
from oyer.errors import InputError
from oyer.types import Protocol


def weighed(
    protocol: Protocol[Any], mine: Mapping[str, float], file: str | None = None
) -> Protocol[Any]:
    """The protocol with the user's weights of the total; a metric left out weighs nothing."""
    if not mine:
        return protocol
    takes = "weights" in inspect.signature(protocol.score).parameters
    for name in mine:
        if name not in protocol.weights or not takes:
            known = ", ".join(protocol.weights) if takes else ""
            raise InputError(
                f"{protocol.id} has no weight of that name; it has {known or 'none to set'}",
                file=file,
                field=f"weights.{name}",
            )
    weights = {name: exact(value) for name, value in mine.items()}
    if not sum(weights.values()):
        raise InputError("all weights are 0", file=file, field="weights")
    score: Any = protocol.score  # its keyword is not part of the type
    return replace(protocol, weights=weights, score=partial(score, weights=weights))
