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
    file: str  # "twin7-1"

    @property
    def is_twin(self) -> bool:
        return self.text != self.written

    @property
    def kept_back(self) -> bool:
        """Whether the encoder never sees it."""
        return self._digest[0] % KEPT_BACK == 0

    @property
    def side(self) -> int:
        """Which of two trainings side by side reads it: 0 or 1, the same of both twins."""
        return self._digest[1] % 2

    @property
    def _digest(self) -> bytes:
        return hashlib.sha256(self.written.encode()).digest()


def read() -> list[Tale]:
    return [tale for path in sorted(FOLDER.glob("*.toml")) for tale in _read_file(path)]


def _read_file(path: Path) -> Iterator[Tale]:
    file = tomllib.loads(path.read_text(encoding="utf-8"))
    for text in file.get("text", ()):
        facts = [Fact(r["fault"], tuple(r["true"]), tuple(r["false"])) for r in text["rows"]]
        written = text["text"].strip()
        yield Tale(text["kind"], written, tuple(facts), written, path.stem)
    for twin in file.get("twin", ()):
        for place, mine, others in ((1, "a", "b"), (2, "b", "a")):
            written = twin["text"].strip()
            facts = [_fact(row, mine, others) for row in twin["rows"]]
            text = PLACE.sub(rf"\{place}", written)
            yield Tale(twin["kind"], text, tuple(facts), written, path.stem)


def _fact(row: dict[str, Any], mine: str, others: str) -> Fact:
    """What is true of one version; what is true of the other is false of it."""
    true = (*row[mine], *row.get("both", ()))
    false = (*row[others], *row.get("neither", ()))
    return Fact(row["fault"], true, false)
