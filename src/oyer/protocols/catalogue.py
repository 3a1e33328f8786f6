"""Which protocols there are: ours, those of installed packages, and folders of the user's own.

A new one of ours is one folder and one line here. A third party's is an entry point in the group
`oyer.protocols`, or a folder given with `--protocol-path`; either names a `Protocol` value.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from oyer.errors import UsageError
from oyer.types import Protocol

OURS = {
    "judge-lock": "oyer.protocols.judge_lock",
    "twin-lock": "oyer.protocols.twin_lock",
    "rubric": "oyer.protocols.rubric",
    "belgian-law": "oyer.protocols.belgian_law",
}
GROUP = "oyer.protocols"
#: What goes wrong in a protocol that somebody is still writing: told with its line.
UNFINISHED = (SyntaxError, ImportError, NameError, AttributeError, TypeError, ValueError)


def find_protocol(name: str, paths: Sequence[str | Path] = ()) -> Protocol[Any]:
    """The protocol of that name ("judge-lock", or with its version: "judge-lock@4.3-S")."""
    wanted, _, version = name.partition("@")
    found = _look_up(wanted, paths, version)
    if found is None:
        known = names(paths)
        near = difflib.get_close_matches(wanted, known, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise UsageError(f"There is no protocol '{wanted}'.{hint} There are: {', '.join(known)}.")
    if version and version != found.version:
        raise UsageError(f"Protocol '{wanted}' is here in version {found.version}, not {version}.")
    return found


def names(paths: Sequence[str | Path] = ()) -> list[str]:
    """All names, ours first."""
    theirs = sorted({point.name for point in _points()} | {load_folder(p).id for p in paths})
    return [*OURS, *(name for name in theirs if name not in OURS)]


def _look_up(name: str, paths: Sequence[str | Path], version: str = "") -> Protocol[Any] | None:
    for path in paths:
        folder = load_folder(path)
        if folder.id == name:
            return folder
    if name in OURS:
        module = importlib.import_module(OURS[name])
        # A protocol whose versions are data offers them all; PROTOCOL is the one meant without @.
        other = getattr(module, "VERSIONS", {}).get(version)
        return _value(module, OURS[name]) if other is None else _checked(other, OURS[name])
    for point in _points():
        if point.name == name:
            where = f"entry point '{point.value}'"
            try:
                return _checked(point.load(), where)
            except UNFINISHED as cause:
                raise _broken(where, cause) from cause
    return None


def _points() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def load_folder(path: str | Path) -> Protocol[Any]:
    """The PROTOCOL of a folder: a Python package (`__init__.py`) that the user chose to run."""
    folder = Path(path).resolve()
    init = folder / "__init__.py"
    if not init.is_file():
        raise UsageError(
            f"{path}: not a protocol folder: it has no __init__.py that defines PROTOCOL. "
            "See docs/your-own-protocol.md."
        )
    # The name is the folder's own, so that worker processes and pickles agree on it.
    name = f"oyer_protocol_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            name, init, submodule_search_locations=[str(folder)]
        )
        if spec is None or spec.loader is None:  # pragma: no cover - a file we just saw
            raise UsageError(f"{path}: Python cannot load {init}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # before it runs: its own modules import each other by it
        try:
            spec.loader.exec_module(module)
        except UNFINISHED as cause:
            raise _broken(str(path), cause) from cause
        finally:
            if not hasattr(module, "PROTOCOL"):  # it failed half way: the next try starts afresh
                del sys.modules[name]
        return _value(module, str(path))
    return _value(sys.modules[name], str(path))


def _broken(where: str, cause: Exception) -> UsageError:
    """The protocol does not load: what Python says, and the line of its code that it says it of."""
    place = ""
    if not isinstance(cause, SyntaxError):  # which names its line itself
        from traceback import extract_tb  # only here: it takes 10 ms

        last = extract_tb(cause.__traceback__)[-1]
        place = f" ({last.filename}, line {last.lineno})"
    return UsageError(f"{where}: does not load: {type(cause).__name__}: {cause}{place}")


def _value(module: Any, where: str) -> Protocol[Any]:
    return _checked(getattr(module, "PROTOCOL", None), where)


def _checked(value: object, where: str) -> Protocol[Any]:
    if not isinstance(value, Protocol):
        raise UsageError(f"{where}: PROTOCOL is {type(value).__name__}, not an oyer.Protocol.")
    return value
