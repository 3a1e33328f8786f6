"""The cross-encoder of the full variant, fine-tuned by us to doubt wrong claims.

It (gte-small) learnt entailment from texts of our own and from public pairs, and from summaries
that people labelled. It reads a claim beside the nearest sentence, beside a little evidence and
beside more, and gives the logit of its being wrong. A claim that stands in the article word for
word is not read. One thread, one claim at a time: the same bytes on every run, and no claim's doubt
depends on its neighbours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple

from oyer.judges.embedded import likeness
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.persons import is_quoted, name_persons
from oyer.judges.embedded.roundings import tell_in_its_numbers
from oyer.judges.embedded.rows import spoken
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.speakers import after_label, without_letter
from oyer.judges.embedded.words import read

ENCODER, TOKENS = "encoder.onnx", "tokens.json"
#: Words of evidence, little and more, and the word pieces of claim and evidence that are read.
LITTLE, ROOM, LENGTH = 45, 80, 176


class Doubts(NamedTuple):
    """How wrong a claim looks to the encoder."""

    wide: float  # beside the most evidence: a long claim may be about several sentences
    mean: float  # of all readings
    least: float  # of all: what one sentence bears out is borne out, whatever stands around it


#: Of a claim that is the article's own.
NONE = Doubts(0.0, 0.0, 0.0)


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
        """A number that the claim rounds is read as the article has it."""
        claim = tell_in_its_numbers(source, claim, read(claim))
        readings = [clue(source, claim), clue(source, claim, LITTLE), nearest(source, claim)]
        found = [self.doubt(claim, beside) for beside in dict.fromkeys(readings)]
        mean = round(math.fsum(found) / len(found), 4)
        return Doubts(found[0], mean, min(found))


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


def nearest(source: SourceText, claim: str) -> str:
    """The sentence that has most of the claim's words, by their weight."""
    stems = likeness.list_forms(claim).keys()

    def worth(n: int) -> tuple[float, int]:
        return math.fsum(source.weight(s) for s in stems & source.stems_of[n]), -n

    if not source.spans:
        return ""
    return retell(source, [max(range(len(source.spans)), key=worth)])


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
