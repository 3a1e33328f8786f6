"""Which kinds of judges there are: ours (one file each in `providers/`), and installed packages'.

A file of `providers/` holds one `PROVIDER`; the kind is called as the file is. A third party's is
an entry point in the group `oyer.judges` that names a `Provider`. Nothing else knows a kind by
its name: what it can do is said here.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from oyer.errors import UsageError

if TYPE_CHECKING:
    from oyer.judges.http import Network
    from oyer.judges.names import JudgeName
    from oyer.judges.options import Options
    from oyer.judges.prices import Price
    from oyer.judges.wire import Wire
    from oyer.types import Judge

GROUP = "oyer.judges"
OURS = Path(__file__).with_name("providers")
#: What goes wrong in a judge that somebody is still writing: told with its kind.
UNFINISHED = (SyntaxError, ImportError, NameError, AttributeError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Opening:
    """What a judge may need when it opens."""

    options: Options
    environ: Mapping[str, str]
    network: Callable[[], Network]  # one HTTP session for all judges of a pool


@dataclass(frozen=True, slots=True)
class Availability:
    """One kind of judge: usable or not, and why. `why` names variables, never their values."""

    name: str
    usable: bool
    why: str
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provider:
    """One kind of judge: the word before the colon of its name, how it opens, what it can do."""

    name: str
    open: Callable[[JudgeName, Opening], Judge]
    #: What follows the colon; "anything" may also be left out.
    follows: Literal["model", "file", "anything"] = "model"
    #: Its format, if it is asked over HTTP: address, keys, prices and batches are said there.
    wire: Wire | None = None
    #: Whether it is asked with the protocol's prompt. False: it reads the case itself.
    needs_prompt: bool = True
    #: It runs here and changes with the code or a file: a reply is kept for its own run only.
    local: bool = False
    free: bool = False  # costs nothing
    #: It needs a core rather than a server: other machines may be asked in place of this one, and
    #: while it takes its time it is said to judge, not to be waited for.
    heavy: bool = False
    states_price: bool = False  # each of its answers says what it cost
    vendor: str = ""  # whose models are asked for here, in the words of `oyer.text.vendors`
    #: What the bare name may mean, by what is installed. A run keeps the one it began with.
    variants: tuple[str, ...] = ()
    key_variables: tuple[str, ...] = ()  # any of them holds its key
    #: Whether it can be used here, where that takes more than a key.
    look: Callable[[], Availability | Awaitable[Availability]] | None = None

    @property
    def takes_address(self) -> bool:
        """Whether a name may end in `@URL`."""
        return self.wire is not None

    def price(self, name: JudgeName, table: Path | None = None) -> Price | None:
        """What its tokens cost, None when nobody knows. `table` is the user's own."""
        from oyer.judges.prices import FREE, find_price

        return find_price(name, self.wire, table) or (FREE if self.free else None)


def http_provider(
    name: str, wire: Wire, *, vendor: str = "", states_price: bool = False
) -> Provider:
    """A kind of judge behind HTTP: its `Wire` says all that is its own."""

    def open_server_judge(parsed: JudgeName, opening: Opening) -> Judge:
        from oyer.judges.server import open_server

        return open_server(parsed, wire, opening)

    return Provider(
        name,
        open_server_judge,
        wire=wire,
        vendor=vendor,
        states_price=states_price,
        key_variables=wire.key_variables,
    )


@cache
def provider_names() -> tuple[str, ...]:
    """All kinds, ours first."""
    ours = _our_names()
    theirs = sorted(point.name for point in _points() if point.name not in ours)
    return (*ours, *theirs)


def _our_names() -> tuple[str, ...]:
    names = [name_of(module.name) for module in pkgutil.iter_modules([str(OURS)])]
    return tuple(name for name in names if not name.startswith("-"))  # a helper's file: _name.py


def keys_of_host(host: str) -> tuple[str, ...]:
    """The variables of the key that goes to this host: that of the provider of ours that is there.

    Nothing for servers of the user's own, whichever port they have.
    """
    for kind in _our_names():
        wire = _load(kind).wire
        if wire is not None and not wire.free and urlsplit(wire.base).hostname == host:
            return wire.key_variables
    return ()


def name_of(module: str) -> str:
    """The kind that a file of `providers/` holds."""
    return module.replace("_", "-")


def find_provider(kind: str) -> Provider:
    """The kind of that name; `UsageError` when there is none, or it does not load."""
    if kind not in provider_names():
        raise UsageError(f"there is no judge '{kind}': there are {', '.join(provider_names())}")
    return _load(kind)


@cache
def _load(kind: str) -> Provider:
    module = kind.replace("-", "_")
    if (OURS / f"{module}.py").is_file():
        return _check(importlib.import_module(f"oyer.judges.providers.{module}").PROVIDER, kind)
    point = next(point for point in _points() if point.name == kind)
    where = f"judge '{kind}' (entry point '{point.value}')"
    try:
        value = point.load()
    except UNFINISHED as cause:
        raise UsageError(f"{where} does not load: {type(cause).__name__}: {cause}") from cause
    provider = _check(value, where)
    if provider.name != kind:
        raise UsageError(f"{where} calls itself '{provider.name}': both names must be the same")
    return provider


def _check(value: object, where: str) -> Provider:
    if not isinstance(value, Provider):
        raise UsageError(f"{where} is {type(value).__name__}, not an oyer.Provider")
    return value


@cache
def _points() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))
