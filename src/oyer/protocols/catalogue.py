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
from types import ModuleType

from oyer.errors import OyerError, UsageError
from oyer.protocols.soundness import find_problems
from oyer.types import AnyProtocol, Protocol

OURS = {
    "judge-lock": "oyer.protocols.judge_lock",
    "twin-lock": "oyer.protocols.twin_lock",
    "rubric": "oyer.protocols.rubric",
    "belgian-law": "oyer.protocols.belgian_law",
}
GROUP = "oyer.protocols"


def find_protocol(name: str, paths: Sequence[str | Path] = ()) -> AnyProtocol:
    """The protocol of that name ("judge-lock", or with its version: "judge-lock@4.3-S")."""
    wanted, _, version = name.partition("@")
    found = _look_up(wanted, paths, version)
    if found is None:
        known = names(paths)
        near = difflib.get_close_matches(wanted, known, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        if Path(name).exists():
            hint = f" It is a file; the protocol comes first, as in '{known[0]} {name}'."
        raise UsageError(
            f"There is no protocol '{wanted}'.{hint} There are: {', '.join(known)}; one of your "
            "own is found with --protocol-path DIR."
        )
    if version and version != found.version:
        raise UsageError(f"Protocol '{wanted}' is here in version {found.version}, not {version}.")
    return found


def names(paths: Sequence[str | Path] = ()) -> list[str]:
    """All names, ours first."""
    folders = _load_folders(paths)
    theirs = sorted({point.name for point in _points()} | {*folders})
    return [*OURS, *(name for name in theirs if name not in OURS)]


def _look_up(name: str, paths: Sequence[str | Path], version: str = "") -> AnyProtocol | None:
    folders = _load_folders(paths)
    if name in folders:
        return folders[name]
    if name in OURS:
        module = importlib.import_module(OURS[name])
        # A protocol whose versions are data offers them all; PROTOCOL is the one meant without @.
        other = getattr(module, "VERSIONS", {}).get(version)
        return other if isinstance(other, Protocol) else _ours(module, name)
    for point in _points():
        if point.name == name:
            return _load_point(point)
    return None


def _ours(module: ModuleType, name: str) -> AnyProtocol:
    value = module.PROTOCOL
    assert isinstance(value, Protocol), name
    return value


def _load_folders(paths: Sequence[str | Path]) -> dict[str, AnyProtocol]:
    """The protocols of these folders by name; no two may have the same."""
    found: dict[str, AnyProtocol] = {}
    for path in dict.fromkeys(str(Path(path).resolve()) for path in paths):
        protocol = load_folder(path)
        if protocol.id in found:
            raise UsageError(f"{path}: another folder has a protocol '{protocol.id}' already.")
        found[protocol.id] = protocol
    return found


def _load_point(point: EntryPoint) -> AnyProtocol:
    where = f"entry point '{point.value}'"
    try:
        value = point.load()
    except OyerError:
        raise
    except Exception as cause:
        raise _load_error(where, cause) from cause
    protocol = _sound(value, where)
    if protocol.id != point.name:
        raise UsageError(
            f"{where}: is named '{point.name}', but its protocol's id is '{protocol.id}'; they "
            "must be the same, or a stored run does not find it again."
        )
    return protocol


def _points() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def load_folder(path: str | Path) -> AnyProtocol:
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
        _load_module(name, init, str(path))
    return _value(sys.modules[name], str(path))


def _load_module(name: str, init: Path, where: str) -> None:
    spec = importlib.util.spec_from_file_location(
        name, init, submodule_search_locations=[str(init.parent)]
    )
    if spec is None or spec.loader is None:  # pragma: no cover - a file we just saw
        raise UsageError(f"{where}: Python cannot load {init}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs: its own modules import each other by it
    try:
        spec.loader.exec_module(module)
        _value(module, where)
    except OyerError:
        del sys.modules[name]  # the next try starts afresh
        raise
    except Exception as cause:
        del sys.modules[name]
        raise _load_error(where, cause) from cause


START = "`oyer init protocol` writes one to start from."


def _load_error(where: str, cause: Exception) -> UsageError:
    """The protocol does not load: what Python says, and the line of its code that it says it of."""
    place = ""
    if not isinstance(cause, SyntaxError):  # which names its line itself
        from traceback import extract_tb  # only here: it takes 10 ms

        last = extract_tb(cause.__traceback__)[-1]
        place = f" ({last.filename}, line {last.lineno})"
    return UsageError(f"{where}: does not load: {type(cause).__name__}: {cause}{place}. {START}")


def _value(module: ModuleType, where: str) -> AnyProtocol:
    if not hasattr(module, "PROTOCOL"):
        raise UsageError(f"{where}: its __init__.py defines no PROTOCOL. {START}")
    return _sound(module.PROTOCOL, where)


def _sound(value: object, where: str) -> AnyProtocol:
    """A protocol of the user's own, if nothing is wrong with it that can be seen at once."""
    if not isinstance(value, Protocol):
        kind = type(value).__name__
        raise UsageError(f"{where}: PROTOCOL is {kind}, not an oyer.Protocol. {START}")
    problems = find_problems(value)
    if value.id in OURS:
        problems.insert(0, f"'{value.id}' is a protocol of Oyer's own: choose another id")
    if problems:
        raise UsageError(f"{where}: {'; '.join(problems)}.")
    return value
