"""Texts of our own with true and false sentences (stories/*.toml), to teach and to fit with.

Each row of a text is about one fact: sentences that follow from the text, and sentences that do
not, by one fault each. One text in five is kept from the encoder: fit.py weighs its doubts there.
"""

from __future__ import annotations

import hashlib
import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cross

from oyer.judges.embedded.cross import clue, nearest
from oyer.judges.embedded.source import SourceText, index

FOLDER = Path(__file__).with_name("stories")
KEPT_BACK = 5
#: How often a row's claims are read beside the same evidence, and beside one sentence alone; else
#: each is read beside its own evidence, as the judge reads it.
TOGETHER, ALONE = 0.55, 0.15
#: How many facts also get a sentence of another text, and one of the text itself.
FOREIGN, COPIED = 0.3, 0.2


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


def lessons(tales: list[Tale], rng: random.Random) -> list[cross.Unit]:
    """One unit a fact, its sentences ranked against each other.

    False sentences of our own share more words with their text than true ones do. So that few
    shared words do not come to mean "true", some units also have a sentence of another text, as
    false, and a sentence of the text itself, as true."""
    found: list[cross.Unit] = []
    strangers = [claim for tale in tales for fact in tale.facts for claim in fact.true]
    for tale in tales:
        source = index(tale.text)
        for fact in tale.facts:
            unit = _unit(source, fact, rng)
            if rng.random() < FOREIGN:
                claim = rng.choice(strangers)
                unit.append(cross.Pair(claim, clue(source, claim), 1.0, None, 1.0))
            if rng.random() < COPIED:
                claim = source.text[slice(*rng.choice(source.spans))]
                unit.append(cross.Pair(claim, clue(source, claim), 0.0, None, 1.0))
            found.append(unit)
    rng.shuffle(found)
    return found


def _unit(source: SourceText, fact: Fact, rng: random.Random) -> cross.Unit:
    claims = [(claim, 0.0) for claim in fact.true] + [(claim, 1.0) for claim in fact.false]
    every = " ".join(claim for claim, _ in claims)
    shared = None
    way = rng.random()
    if way < TOGETHER:
        shared = clue(source, every)
    elif way < TOGETHER + ALONE:
        shared = nearest(source, every)[0]
    return [
        cross.Pair(claim, shared or clue(source, claim), wrong, None, 1.0)
        for claim, wrong in claims
    ]
