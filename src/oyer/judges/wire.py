"""What every provider's wire format has in common: a request as data, an outcome as data.

A provider is a `Wire`: a few pure functions. `server.ServerJudge` does the asking.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from oyer.judges.options import Options
from oyer.types import JsonObject, Prompt

if TYPE_CHECKING:
    from oyer.judges.batch_api import BatchClient

#: What a request may use and a server may reject. Each is dropped alone, and remembered.
#: `schema` falls back to `tool` (Anthropic) or `json` (any JSON object), then to plain text.
#: `bounds` are those of lists in a schema; `max_tokens` is the older name of the bound.
Feature = Literal["schema", "bounds", "tool", "json", "temperature", "seed", "max_tokens"]
Features: TypeAlias = frozenset[Feature]


@dataclass(frozen=True, slots=True)
class TokenCount:
    """A provider's own count. `input` includes what was read from or written to its cache."""

    input: int = 0
    output: int = 0
    cached: int = 0  # of input: read from the cache, cheaper
    written: int = 0  # of input: written to the cache, dearer (Anthropic)
    reasoning: int = 0  # of output: thought, not said
    cost: float | None = None  # the provider's own figure in US dollars, where it gives one


NO_TOKENS = TokenCount()
LARGEST_COUNT = (
    10**12
)  # tokens of one call: more is a mistake, and the store holds no more than 2^63
LARGEST_COST = 1e6  # dollars of one call
BATCH_PREFIX = "q"  # a request's own id in a batch is its position: a case's may hold anything
_ENCODER = json.JSONEncoder(ensure_ascii=False)  # made once: json.dumps makes one a call


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """The model spoke. `stop` is "stop", "length", or the provider's own word."""

    text: str
    tokens: TokenCount
    stop: str = "stop"
    model: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The model or the provider's filter declined: a status of its own, not a failure."""

    reason: str
    tokens: TokenCount = NO_TOKENS


@dataclass(frozen=True, slots=True)
class Fault:
    """An attempt that gave no answer: what happened, and whether trying again can help."""

    message: str
    again: bool = False
    throttled: bool = False
    wait: float | None = None  # seconds the server asked for
    billed: bool = False  # may have been billed all the same: it counts as a call
    tokens: TokenCount = NO_TOKENS
    status: int | None = None
    blames: str = ""  # parameter, code and message of a rejected request, to find the culprit


Outcome: TypeAlias = WireAnswer | Refusal | Fault


@dataclass(frozen=True, slots=True)
class Call:
    """One request to be made."""

    model: str
    prompt: Prompt
    options: Options
    features: Features
    room: int = 1  # times the prompt's own bound

    @property
    def seed(self) -> int:
        """Another one for each repeat: the same seed would only bring the same words again."""
        return self.options.seed + self.prompt.repeat

    @property
    def max_tokens(self) -> int:
        return self.options.max_tokens or self.prompt.max_tokens * self.room


@dataclass(frozen=True, slots=True)
class Wire:
    """A provider's format: where it lives, which key it takes, how it is asked and read."""

    provider: str
    base: str
    version: str  # "/v1" and the like: added to a base that does not end with it
    base_variable: str  # the environment variable that moves the base address
    key_variables: tuple[str, ...]
    features: Features
    path: Callable[[str], str]  # model -> path under base and version
    headers: Callable[[str], Mapping[str, str]]  # key -> its header
    body: Callable[[Call], dict[str, object]]
    read: Callable[[JsonObject], Outcome]
    free: bool = False  # runs on the user's own machine: costs nothing
    fixed_headers: tuple[tuple[str, str], ...] = ()
    roomy: bool = False  # a hosted service: a reply cut at its bound is worth a larger one
    #: The format at an address of the user's own, where it differs from the service's.
    elsewhere: Wire | None = None
    #: Well-known hosts that take keys of their own, which the service's must not stand in for.
    keys_by_host: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: How people write the address in `base_variable`, if not in full.
    full_address: Callable[[str], str] = str
    #: Where a server on the user's own network lists its models, and how that list is read.
    models: tuple[str, Callable[[JsonObject], list[str]]] | None = None
    batch: BatchApi | None = None  # half the price, an answer within a day


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far a batch is."""

    state: Literal["running", "ended", "failed"]
    done: int = 0
    total: int = 0
    message: str = ""


@dataclass(frozen=True, slots=True)
class BatchApi:
    """How a provider takes many questions at once. The client knows the server and the key."""

    path: Callable[[str], str]  # a batch's id -> where it is looked at
    submit: Callable[[BatchClient, list[bytes], str], Awaitable[str]]  # bodies, mark -> its id
    progress: Callable[[JsonObject, int], BatchProgress]
    #: Each request's own id and outcome, in whatever order the provider lists them.
    outcomes: Callable[[BatchClient, str], AsyncIterator[tuple[str, Outcome]]]


class Constant(dict[str, object]):
    """A part of requests that is the same in all of them: its JSON is made once."""

    @cached_property
    def json(self) -> str:
        return _ENCODER.encode(self)


def encode_body(body: JsonObject) -> bytes:
    """A request's body as it is sent; what is constant stands last."""
    constant = {name: part for name, part in body.items() if isinstance(part, Constant)}
    text = _ENCODER.encode({n: part for n, part in body.items() if n not in constant})
    for name, part in constant.items():
        text = f'{text[:-1]}, "{name}": {part.json}}}'
    return text.encode("utf-8", "replace")  # half a character is nothing that JSON can carry


def as_int(value: object) -> int:
    """A count from the wire; a missing or odd one is 0: unknown (the reply still stands)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if 0 <= value <= LARGEST_COUNT else 0  # NaN and infinity are neither


def as_dollars(value: object) -> float | None:
    """A sum from the wire; None for a missing or odd one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= LARGEST_COST else None


def as_map(value: object) -> JsonObject:
    """A JSON object from the wire, or an empty one."""
    return value if isinstance(value, dict) else {}


def as_maps(value: object) -> list[JsonObject]:
    """The objects of a JSON array from the wire."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def as_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def unusable(what: str, tokens: TokenCount = NO_TOKENS) -> Fault:
    """A 200 that holds no answer: billed perhaps, and worth asking again."""
    return Fault(what, again=True, billed=True, tokens=tokens, status=200)
