"""Texts of our own with true and false sentences (stories/*.toml), to teach and to fit with.

Each row of a text is about one fact: sentences that follow from the text, and sentences that do
not, by one fault each. A twin is a text with places that stand in two versions, {A|B}: what is true
of the one is false of the other, so that no sentence by itself tells whether it is true. One text
in five is kept from the encoder: fit.py weighs its doubts there.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("stories")
KEPT_BACK = 5
PLACE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


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
    written: str  # the text as it stands in the file: the same of both twins

    @property
    def is_twin(self) -> bool:
        return self.text != self.written

    @property
    def kept_back(self) -> bool:
        """Whether the encoder never sees it."""
        return hashlib.sha256(self.written.encode()).digest()[0] % KEPT_BACK == 0


def read() -> list[Tale]:
    return [tale for path in sorted(FOLDER.glob("*.toml")) for tale in _read_file(path)]


def _read_file(path: Path) -> Iterator[Tale]:
    file = tomllib.loads(path.read_text(encoding="utf-8"))
    for text in file.get("text", ()):
        facts = [Fact(r["fault"], tuple(r["true"]), tuple(r["false"])) for r in text["rows"]]
        written = text["text"].strip()
        yield Tale(text["kind"], written, tuple(facts), written)
    for twin in file.get("twin", ()):
        yield _version(twin, 1, "a", "b")
        yield _version(twin, 2, "b", "a")


def _version(twin: dict[str, Any], place: int, mine: str, others: str) -> Tale:
    """One version of a twin: what is true of the other is false of it."""
    facts = []
    for row in twin["rows"]:
        true = (*row[mine], *row.get("both", ()))
        false = (*row[others], *row.get("neither", ()))
        facts.append(Fact(row["fault"], true, false))
    written = twin["text"].strip()
    return Tale(twin["kind"], PLACE.sub(rf"\{place}", written), tuple(facts), written)
