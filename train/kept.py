"""Doubts, kept in one small file so that the benchmark can judge every row as nearly as an encoder
would that never saw it (fit.doubts)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from oyer.judges.embedded.cross import Doubts
from oyer.judges.embedded.source import SourceText

SCALE = 10_000  # cross.Cross rounds to four digits


def key(article: str, claim: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{article}\0{claim}".encode()).digest()[:8], "big")


def keep(known: dict[int, Doubts], out: Path) -> None:
    out.parent.mkdir(exist_ok=True)
    rows = sorted(known.items())
    np.savez_compressed(
        out, keys=np.array([k for k, _ in rows], np.uint64),
        doubts=np.rint(np.array([d for _, d in rows]) * SCALE).astype(np.int32),
    )  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """A doubter (oyer.judges.embedded.assess.Doubter) that looks its doubts up."""

    known: dict[int, Doubts]

    def doubts(self, source: SourceText, claims: list[str]) -> list[Doubts]:
        return [self.known[key(source.text, claim)] for claim in claims]

    def doubt(self, sentence: str, beside: str) -> float:
        """Of a key point beside a summary (point_doubts.py)."""
        return self.known[key(beside, sentence)][0]


def load(path: Path) -> Kept:
    with np.load(path) as stored:
        doubts = (stored["doubts"] / SCALE).round(4)
        found = [Doubts(*row) for row in doubts.tolist()]
        return Kept(dict(zip(stored["keys"].tolist(), found, strict=True)))
