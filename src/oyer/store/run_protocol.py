"""The protocol of a stored run. A protocol of the user's own is found again in its folder.

A store may come from somebody else, and a protocol is Python that runs. So the folder is remembered
with its number on this machine's disk, which nobody can write into a file for another machine; for
any other folder the user must say --protocol-path.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from oyer.errors import UsageError
from oyer.protocols.catalogue import OURS, find_protocol
from oyer.store.records import Run
from oyer.types import AnyProtocol

if TYPE_CHECKING:
    from oyer.store.store import Store

KIND = "protocol_path"  # of the store's states


def keep_protocol_paths(store: Store, run: Run, paths: Sequence[str]) -> None:
    """Remember the folders in which the run's protocol was looked for."""
    if not paths:
        return
    folders = [[str(Path(path).resolve()), _disk_number(Path(path))] for path in paths]
    store.keep_state(KIND, str(run.id), json.dumps(folders).encode()).result()


def protocol_paths(store: Store, run: Run, given: Sequence[str] = ()) -> tuple[str, ...]:
    """The folders that the user names, else those that the run remembers and that are still the
    same ones."""
    if given:
        return tuple(given)
    return tuple(
        path for path, number in _kept_sources(store, run) if number == _disk_number(Path(path))
    )


def protocol_of_run(store: Store, run: Run, given: Sequence[str] = ()) -> AnyProtocol:
    """The run's protocol as it is today; UsageError says what to do when it cannot be found."""
    name = run.manifest.protocol.partition("@")[0]
    paths = protocol_paths(store, run, given)
    kept = [path for path, _ in _kept_sources(store, run)]
    if not given and name not in OURS and kept and not paths:
        raise UsageError(
            f"run {run.id} is of the protocol '{name}', whose folder was {', '.join(kept)}. It is "
            "not the same folder any more, or not this machine: say --protocol-path DIR."
        )
    return find_protocol(name, paths)


def _kept_sources(store: Store, run: Run) -> list[tuple[str, str]]:
    body = store.state(KIND, str(run.id))
    if body is None:
        return []
    return [(str(path), str(number)) for path, number in json.loads(body)]


def _disk_number(folder: Path) -> str:
    """What the disk calls the folder; "" if there is none."""
    try:
        found = folder.stat()
    except (OSError, ValueError):
        return ""
    return f"{found.st_dev}:{found.st_ino}"
