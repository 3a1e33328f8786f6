"""What all pages share: the store, its readers, protocols, snapshots."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from oyer.errors import OyerError
from oyer.protocols.catalogue import find_protocol
from oyer.store import Run
from oyer.store.browse import Browser
from oyer.store.labels import LabelStore
from oyer.store.run_protocol import protocol_of_run
from oyer.store.store import Store
from oyer.store.versions import Version
from oyer.types import AnyProtocol, JsonObject
from oyer.web.found import RunFindings
from oyer.web.snapshots import Snapshots

JsonAnswer = dict[str, object]  # what a POST is answered with


class NotThere(OyerError):
    """What the address names does not exist: 404."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request, as pages see it: parts of the path, the query, and the JSON of a POST."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: JsonObject = field(default_factory=dict)

    def word(self, name: str) -> str:
        """A parameter of the query, or nothing."""
        return self.query.get(name, "")

    def number(self, name: str) -> int:
        """A number in the path."""
        value = self.path.get(name, "")
        if not value.isdigit() or len(value) > 18:
            raise NotThere(f"'{value}' is no number.")
        return int(value)


@dataclass(frozen=True, slots=True)
class Site:
    """An open store and what is read from it."""

    store: Store
    writable: bool
    where: str
    snapshots: Snapshots
    paths: Sequence[str] = ()
    protocols: dict[str, AnyProtocol] = field(default_factory=dict)
    #: run -> what was found in this version of it
    found: dict[int, tuple[Version, RunFindings]] = field(default_factory=dict)
    children: list[subprocess.Popen[bytes]] = field(default_factory=list)  # runs that go on
    #: (queue, item, reviewer) -> since when that person has it open: others get it last.
    open_items: dict[tuple[int, int, str], float] = field(default_factory=dict)

    @property
    def browser(self) -> Browser:
        return Browser(self.store)

    @property
    def labels(self) -> LabelStore:
        return LabelStore(self.store)

    @property
    def name(self) -> str:
        """The store as it is shown: a file's name, or a server's address."""
        return self.where if "://" in self.where else Path(self.where).name

    def run(self, number: int) -> Run:
        """A run by its number."""
        for run in self.store.runs():
            if run.id == number:
                return run
        raise NotThere(f"There is no run {number} in {self.name}.")

    def protocol(self, run: Run) -> AnyProtocol:
        """The run's protocol, with the run's weights."""
        name = run.manifest.protocol.partition("@")[0]
        if name not in self.protocols:
            self.protocols[name] = protocol_of_run(self.store, run, self.paths)
        protocol = self.protocols[name]
        weights = run.manifest.weights
        return protocol.with_weights(weights) if weights else protocol

    def protocol_named(self, name: str) -> AnyProtocol:
        """A protocol by its name."""
        if name not in self.protocols:
            self.protocols[name] = find_protocol(name, self.paths)
        return self.protocols[name]

    def template_values(self) -> dict[str, object]:
        """What every template may use."""
        return {"store_name": self.name, "writable": self.writable}
