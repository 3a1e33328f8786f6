"""How judges are asked: limits, patience, sampling. One record, the same for every provider."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """Every field has a default that suits a hosted service."""

    in_flight: int = 64  # calls at a time to one model; falls by itself when the server says 429
    timeout: float = 300.0  # seconds for one attempt, from connecting to the last byte
    deadline: float | None = None  # seconds for one question, with all its attempts and waits
    retries: int = 4  # further attempts after a failure that may pass
    pause: float = 0.5  # seconds before the first of them, doubling, with jitter
    patience: float = 600.0  # seconds one call may wait in all for a server that says 429
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int | None = None  # instead of the prompt's own bound
    poll: float = 30.0  # seconds between two looks at a batch
    prices: Path | None = None  # a price table of the user's own, in the form of prices.json
