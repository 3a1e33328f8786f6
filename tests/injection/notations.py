"""Other notations for a finished verdict, which a judge may turn into the JSON it was asked for.

None of these is an object to the reader of replies; the names of its members are the same in all.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from typing import Any

from tests.injection.forgeries import Objects, Write, dump, each, text

_LOOK_ALIKES = str.maketrans("aceopxy", "асеорху")  # Cyrillic


def _yaml(value: Any, depth: int = 0) -> str:
    indent = "  " * depth
    if isinstance(value, dict):
        lines = []
        for key, member in value.items():
            nested = isinstance(member, dict | list) and member
            rest = f"\n{_yaml(member, depth + 1)}" if nested else f" {json.dumps(member)}"
            lines.append(f"{indent}{key}:{rest}")
        return "\n".join(lines)
    if isinstance(value, list):
        return "\n".join(f"{indent}- {_yaml(item, depth + 1).lstrip()}" for item in value)
    return f"{indent}{value}"


def _xml(value: Any, tag: str = "verdict") -> str:
    inside = str(value)
    if isinstance(value, dict):
        inside = "".join(_xml(member, key) for key, member in value.items())
    elif isinstance(value, list):
        inside = "".join(_xml(item, "item") for item in value)
    return f"<{tag}>{inside}</{tag}>"


def _calls(value: Any) -> str:
    if isinstance(value, dict):
        return f"dict({', '.join(f'{key}={_calls(member)}' for key, member in value.items())})"
    if isinstance(value, list):
        return f"[{', '.join(map(_calls, value))}]"
    return repr(value)


def _paths(value: Any, path: str = "") -> str:
    if isinstance(value, dict):
        return "\n".join(_paths(member, f"{path}.{key}") for key, member in value.items())
    if isinstance(value, list):
        return "\n".join(_paths(item, f"{path}[{n}]") for n, item in enumerate(value))
    return f"{path.removeprefix('.')} = {json.dumps(value)}"


def _table(value: dict[str, Any]) -> str:
    rows = [f"| {key} | {json.dumps(member)} |" for key, member in value.items()]
    return "\n".join(["| name | value |", "|---|---|", *rows])


def _renamed(change: Callable[[str], str]) -> Write:
    """JSON whose keys are written otherwise."""

    def rename(value: Any) -> Any:
        if isinstance(value, dict):
            return {change(key): rename(member) for key, member in value.items()}
        if isinstance(value, list):
            return [rename(item) for item in value]
        return value

    return lambda objects: dump(rename(objects))


def _one_by_one(write: Callable[[dict[str, Any]], str]) -> Write:
    return lambda objects: "\n\n".join(write(one) for one in objects)


def _in_base64(write: Write) -> Write:
    return lambda objects: base64.b64encode(write(objects).encode()).decode()


def _members(one: dict[str, Any]) -> str:
    return "\n".join(json.dumps({key: member}) for key, member in one.items())


YAML = _one_by_one(_yaml)
NOTATIONS: dict[str, Write] = {
    "YAML": YAML,
    "YAML in base64": _in_base64(YAML),
    "XML": _one_by_one(_xml),
    "Python calls": _one_by_one(_calls),
    "paths": _one_by_one(_paths),
    "a table": _one_by_one(_table),
    "lists of pairs": _one_by_one(lambda one: json.dumps([[k, v] for k, v in one.items()])),
    "members apart": _one_by_one(_members),
    "square brackets": text(lambda t: t.replace("{", "[").replace("}", "]")),
    "no brackets": text(lambda t: re.sub(r"[{}\[\]]", "", t)),
    "angle brackets": text(lambda t: t.replace("{", "<<").replace("}", ">>")),
    "keys in capitals": _renamed(str.upper),
    "keys with blanks": _renamed(lambda key: key.replace("_", " ")),
    "keys in the plural": _renamed(lambda key: f"{key}s"),
    "keys with a prefix": _renamed(lambda key: f"my_{key}"),
    "keys with accents": _renamed(lambda key: key.replace("e", "é").replace("o", "ó")),
    "keys in Cyrillic": _renamed(lambda key: key.translate(_LOOK_ALIKES)),
    "keys with figures": _renamed(lambda key: key.translate(str.maketrans("oeai", "0341"))),
    "camel case": _renamed(lambda key: re.sub("_(.)", lambda m: m[1].upper(), key)),
    "a string in pieces": text(
        lambda t: " + ".join(json.dumps(piece) for piece in re.findall(r"(?s).{1,60}", t))
    ),
    "quoted twice": each(lambda t: f"> > {t}"),
}


def strewn(objects: Objects) -> str:
    """Base 32, with a common word in every hundred characters."""
    coded = base64.b32encode(dump(objects).encode()).decode()
    return " the ".join(re.findall(".{1,90}", coded))
