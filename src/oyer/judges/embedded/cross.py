"""The cross-encoder of the full variant: MiniLM, fine-tuned by us to doubt wrong claims.

It reads a claim beside its evidence and gives the logit of its being wrong. One thread, one claim
at a time: the same bytes on every run, and no claim's doubt depends on its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from oyer.judges.embedded.source import SourceText, evidence
from oyer.judges.embedded.words import is_content, read

LENGTH = 128  # word pieces of claim and evidence together
ROOM = 60  # words of evidence


@dataclass(frozen=True)
class Cross:
    session: Any
    tokenizer: Any

    def doubts(self, source: SourceText, claims: list[str]) -> list[float]:
        """How wrong each claim looks beside its evidence."""
        return [self._doubt(claim, clue(source, claim)) for claim in claims]

    def _doubt(self, claim: str, clue: str) -> float:
        import numpy as np

        row = self.tokenizer.encode(claim, clue)
        ids = np.array([row.ids], np.int64)
        kinds = np.array([row.type_ids], np.int64)
        (whole,) = self.session.run(
            ["whole"], {"ids": ids, "mask": np.ones_like(ids), "kinds": kinds}
        )
        return round(float(whole[0]), 4)


def clue(source: SourceText, claim: str) -> str:
    """The evidence that the claim is read beside: the sentences that hold most of it."""
    words = read(claim)
    stems = {s for n, s in zip(words.norms, words.stems, strict=True) if is_content(n)}
    picked = evidence(source, stems, ROOM)
    return " ".join(source.text[slice(*source.spans[n])] for n in picked)


def open_cross(model: Path, tokenizer: Path) -> Cross:
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    reader = Tokenizer.from_file(str(tokenizer))
    reader.no_padding()
    reader.enable_truncation(LENGTH, strategy="longest_first")
    return Cross(session, reader)


@lru_cache(maxsize=1)
def shipped() -> Cross:
    here = files(__package__)
    with as_file(here / "cross.onnx") as model, as_file(here / "cross.json") as tokenizer:
        return open_cross(model, tokenizer)
