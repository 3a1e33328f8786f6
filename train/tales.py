"""Texts of our own with true and false sentences (stories/*.toml), to teach and to fit with.

Each row of a text is about one fact: sentences that follow from the text, and sentences that do
not, by one fault each. One text in five is kept from the encoder: fit.py weighs its doubts there.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("stories")
KEPT_BACK = 5


@dataclass(frozen=True)
class Fact:
    """One row: what follows from the text, and what does not."""

    fault: str
    true: tuple[str, ...]
    false: tuple[str, ...]


@dataclass(frozen=True)
class Tale:
    kind: str
    text: str
    facts: tuple[Fact, ...]

    @property
    def kept_back(self) -> bool:
        """Whether the encoder never sees it."""
        return hashlib.sha256(self.text.encode()).digest()[0] % KEPT_BACK == 0


def read() -> list[Tale]:
    return [tale for path in sorted(FOLDER.glob("*.toml")) for tale in _read_file(path)]


def _read_file(path: Path) -> Iterator[Tale]:
    for text in tomllib.loads(path.read_text(encoding="utf-8"))["text"]:
        facts = [Fact(r["fault"], tuple(r["true"]), tuple(r["false"])) for r in text["rows"]]
        yield Tale(text["kind"], text["text"].strip(), tuple(facts))
