"""The cross-encoder of the full variant: MiniLM, fine-tuned by us to mark wrong words.

It reads a claim beside its evidence and gives an error logit for the whole and for each word
piece. One thread, fixed batches: the same bytes on every run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from oyer.judges.embedded.source import Source, evidence
from oyer.judges.embedded.words import is_content, read

LENGTH = 128  # word pieces of claim and evidence together
ROOM = 60  # words of evidence
NAMES = ("marks_whole", "marks_max", "marks_mean", "marks_top")
Mark = tuple[float, float, float, float]


@dataclass(frozen=True)
class Cross:
    session: Any
    tokenizer: Any

    def marks(self, source: Source, claims: list[str]) -> list[Mark]:
        """For each claim: the whole's logit; of its pieces' the highest, the mean, the top three's
        mean. One at a time: a claim's marks must not depend on its neighbours' lengths."""
        return [self._mark(claim, clue(source, claim)) for claim in claims]

    def _mark(self, claim: str, clue: str) -> Mark:
        import numpy as np

        row = self.tokenizer.encode(claim, clue)
        ids = np.array([row.ids], np.int64)
        kinds = np.array([row.type_ids], np.int64)
        whole, pieces = self.session.run(
            None, {"ids": ids, "mask": np.ones_like(ids), "kinds": kinds}
        )
        mine = [
            float(x)
            for x, kind, special in zip(
                pieces[0], row.type_ids, row.special_tokens_mask, strict=True
            )
            if not kind and not special
        ]
        mine.sort(reverse=True)
        top = mine[:3] or [0.0]
        mean = sum(mine) / max(1, len(mine))
        return (
            round(float(whole[0]), 4), round(top[0], 4), round(mean, 4),
            round(sum(top) / len(top), 4),
        )  # fmt: skip


def clue(source: Source, claim: str) -> str:
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
