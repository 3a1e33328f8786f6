"""Work in other processes: what one of them needs to know of a protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from oyer.processes import available_cores, gc_relaxed, process_pool
from oyer.protocols.catalogue import find_protocol
from oyer.types import AnyProtocol

__all__ = [
    "ProtocolRef",
    "available_cores",
    "gc_relaxed",
    "load_protocol",
    "process_pool",
]


@dataclass(frozen=True, slots=True)
class ProtocolRef:
    """A protocol by its name: functions cannot be sent to another process, names can."""

    name: str
    paths: tuple[str, ...] = ()
    weights: tuple[tuple[str, float | str], ...] = ()

    @classmethod
    def of(
        cls, name: str, paths: tuple[str, ...], weights: Mapping[str, float | str]
    ) -> ProtocolRef:
        return cls(name, paths, tuple(weights.items()))


@lru_cache(maxsize=8)
def load_protocol(ref: ProtocolRef) -> AnyProtocol:
    """The protocol, with the user's weights; found once in each process."""
    protocol = find_protocol(ref.name, ref.paths)
    return protocol.with_weights(dict(ref.weights)) if ref.weights else protocol
