"""What the encoders say of key points that are read beside summaries (retold.py), kept with their
doubts of claims: so the benchmark reads a row's points by an encoder that never saw the row."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import data
import kept

from oyer.judges.embedded import cross
from oyer.judges.embedded.assess import scorer
from oyer.judges.embedded.model import load_file
from oyer.judges.embedded.perception import perceive

SETS = ("summeval", "polytope")  # whose labels are of what is told
WORKERS = 2


@dataclass
class Recorder:
    """An encoder's doubt, and what it has said."""

    encoder: cross.Cross
    known: dict[int, cross.Doubts] = field(default_factory=dict)

    def doubt(self, sentence: str, beside: str) -> float:
        found = self.encoder.doubt(sentence, beside)
        self.known[kept.key(beside, sentence)] = cross.Doubts(found, found, found)
        return found


Share = tuple[Path, Path, Path, list[data.Row]]


def read(out: Path, folds: Path, tokens: Path, rows: list[data.Row]) -> dict[int, cross.Doubts]:
    """The doubts of OUT/unseen.onnx, an encoder that never saw these rows; claims are judged by the
    models of the folds."""
    mine = [row for row in rows if row.set in SETS]
    found: dict[int, cross.Doubts] = {}
    with ProcessPoolExecutor(WORKERS) as pool:
        shares = [(out, folds, tokens, mine[n::WORKERS]) for n in range(WORKERS)]
        for some in pool.map(_read_share, shares):
            found.update(some)
    return found


def _read_share(share: Share) -> dict[int, cross.Doubts]:
    out, folds, tokens, rows = share
    doubter = kept.load(folds / "doubts.npz")
    recorder = Recorder(cross.open_cross(out / "unseen.onnx", tokens))
    for row in rows:
        model = load_file(folds / f"{data.fold_of(row.article)}.npz")
        score = scorer("full", model, doubter)
        perceive(row.article, row.summary, score, doubt=recorder.doubt)
    return recorder.known
