"""The cross-encoder of the full variant, fine-tuned by us to doubt wrong claims.

It (gte-small) learnt entailment from texts of our own and from public pairs, and from summaries
that people labelled. It reads a claim beside its evidence, and beside single sentences, and gives
the logit of its being wrong; where it doubts least counts besides. A claim that stands in the
article word for word is not read. One thread, one claim at a time: the same bytes on every run,
and no claim's doubt depends on its neighbours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from oyer.judges.embedded import likeness
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.persons import is_quoted, name_persons
from oyer.judges.embedded.roundings import tell_in_its_numbers
from oyer.judges.embedded.rows import spoken
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.speakers import after_label, without_letter
from oyer.judges.embedded.words import read

ENCODER, TOKENS = "encoder.onnx", "tokens.json"
#: Words of evidence, and the word pieces of claim and evidence together that are read.
ROOM, LENGTH = 80, 176
NEAREST = 2  # sentences that a claim is read beside one by one
#: Beside the evidence, and the least of all.
Doubts = tuple[float, float]


#: Of a claim that is the article's own.
NONE: Doubts = (0.0, 0.0)


@dataclass(frozen=True)
class Cross:
    session: Any
    tokenizer: Any

    def doubt(self, claim: str, beside: str) -> float:
        """How wrong a claim looks beside a stretch of the article."""
        import numpy as np

        row = self.tokenizer.encode(claim, beside)
        ids = np.array([row.ids], np.int64)
        kinds = np.array([row.type_ids], np.int64)
        (whole,) = self.session.run(
            ["whole"], {"ids": ids, "mask": np.ones_like(ids), "kinds": kinds}
        )
        return round(float(whole[0]), 4)

    def doubts(self, source: SourceText, claims: list[str]) -> list[Doubts]:
        return [
            NONE if stands_in(source, claim) else self._doubts(source, claim) for claim in claims
        ]

    def _doubts(self, source: SourceText, claim: str) -> Doubts:
        """The doubt beside the evidence, and the least of all: that beside the evidence or beside
        one sentence alone. What one sentence bears out is borne out, whatever stands around it.
        A number that the claim rounds is read as the article has it."""
        claim = tell_in_its_numbers(source, claim, read(claim))
        beside = [clue(source, claim), *nearest(source, claim)]
        found = [self.doubt(claim, text) for text in dict.fromkeys(beside)]
        return found[0], min(found)


def stands_in(source: SourceText, claim: str) -> bool:
    """Whether one sentence of the article has the claim word for word."""
    mine = f" {' '.join(read(claim).norms)} "
    return any(mine in f" {' '.join(source.words.norms[a:b])} " for a, b in source.bounds)


def clue(source: SourceText, claim: str, room: int = ROOM) -> str:
    """The evidence that the claim is read beside: the sentences that hold most of it, by words of
    like meaning, too, for a true claim may have few of the article's."""
    return retell(source, likeness.evidence(source, claim, room))


def retell(source: SourceText, sentences: list[int]) -> str:
    """Sentences as they can be understood alone: each after the name of who says it, unless the
    one before is the same turn's, with names for "I" and "you", and cells of a table after their
    headings."""
    parts = []
    for n in sentences:
        label = source.speakers[n].label
        words = _name_persons(source, n, spoken(source.text, source.spans[n]))
        known = n - 1 in sentences and _goes_on(source, n)
        parts.append(f"{label}: {without_letter(words)}" if label and not known else words)
    return " ".join(parts)


def _name_persons(source: SourceText, n: int, words: str) -> str:
    speaker, start = source.speakers[n], source.spans[n][0]
    if source.language != ENGLISH or not (speaker.name or speaker.to):
        return words
    turn = source.text[source.text.rfind("\n", 0, start) + 1 : start]
    at = 0 if turn.strip() else after_label(words)
    return words[:at] + name_persons(words[at:], speaker.name, speaker.to, is_quoted(turn))


def _goes_on(source: SourceText, n: int) -> bool:
    """Whether a sentence follows the one before it in the same line, or is the same sender's."""
    between = source.text[source.spans[n - 1][1] : source.spans[n][0]]
    return "\n" not in between or source.speakers[n - 1].label == source.speakers[n].label


def nearest(source: SourceText, claim: str) -> list[str]:
    """The sentences that have most of the claim's words, by their weight."""
    stems = likeness.list_forms(claim).keys()

    def worth(n: int) -> tuple[float, int]:
        return -math.fsum(source.weight(s) for s in stems & source.stems_of[n]), n

    picked = sorted(range(len(source.spans)), key=worth)[:NEAREST]
    return [retell(source, [n]) for n in picked] or [""]


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
def open_shipped() -> Cross:
    here = files(__package__)
    with as_file(here / ENCODER) as model, as_file(here / TOKENS) as tokens:
        return open_cross(model, tokens)
