"""The word lists of lexis.toml."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def _lists() -> dict[str, str]:
    return tomllib.loads((files(__package__) / "lexis.toml").read_text(encoding="utf-8"))


def text(name: str) -> str:
    return _lists()[name].strip()


def listed(name: str) -> list[str]:
    return text(name).split()


def words(name: str) -> frozenset[str]:
    return frozenset(listed(name))
