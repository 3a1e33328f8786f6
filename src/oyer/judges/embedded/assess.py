"""The summary's claims, each held against the article: support, label, evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from oyer.judges.embedded import cross, line
from oyer.judges.embedded.facts import FAULTS
from oyer.judges.embedded.features import NAMES, View, measure, share_pairs, view
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.layout import blank_layout, states
from oyer.judges.embedded.model import OWN_WORDS, Model, load, overrule
from oyer.judges.embedded.sentences import claims
from oyer.judges.embedded.source import SourceText
from oyer.text import lexicon

Variant = Literal["light", "full"]


class Scored(NamedTuple):
    """A claim's probability to be supported, its view, the features measured on it, and whether the
    encoder read it."""

    support: float
    view: View
    measured: list[float]
    is_read: bool


Scorer = Callable[[SourceText, list[str]], list[Scored]]
SUPPORTED, UNSUPPORTED = 0.5, 0.43  # bounds of the labels, in calibrated support
#: The lower bound of a claim in words of its own, in which no fault is seen: what is doubted there
#: is often true, and should not cost what a plain falsehood does.
UNSURE = 0.3
MOST = 10  # JL-CLAIMS, TL-CLAIMS
LED_IN = re.compile(r"[,(]\s*(?:an?|the|that|this)\s+(?:[\w-]+\s+){0,2}\Z", re.IGNORECASE)
LONGEST_LEAD = 60  # characters before an insult that may belong to it
READ = 40  # claims of one summary that are looked at before the weakest ten are listed


@dataclass(frozen=True, slots=True)
class Assessed:
    """A claim, its place in the summary, and what the model makes of it."""

    start: int
    end: int
    text: str
    support: float
    view: View
    faults: frozenset[str] = frozenset()  # names of facts.Faults
    reworded: bool = False  # in words of its own, that the encoder has read

    @property
    def turned(self) -> bool:
        """Whether it says another thing than the clause that it follows."""
        return bool(self.faults & {"turned", "swapped"})

    @property
    def sound(self) -> bool:
        """Whether nothing speaks against it; a sound claim may still be Partial."""
        return self.label != "Unsupported" and not self.faults

    @property
    def label(self) -> str:
        """By support; yet a claim with a fault is never Supported."""
        if self.support >= SUPPORTED and not self.faults:
            return "Supported"
        bound = UNSURE if self.reworded and not self.faults else UNSUPPORTED
        return "Partial" if self.support >= bound else "Unsupported"


class Doubter(Protocol):
    """Who doubts claims: the cross-encoder, or a record of what it said."""

    def doubts(self, source: SourceText, claims: list[str]) -> list[cross.Doubts]: ...


def scorer(
    variant: Variant, trained: Model | None = None, doubter: Doubter | None = None
) -> Scorer:
    """What gives claims their support: the shipped models, or those that a benchmark brings."""

    def score(source: SourceText, texts: list[str]) -> list[Scored]:
        import numpy as np

        if not texts:
            return []
        views = [view(source, text) for text in texts]
        measured = [measure(v) for v in views]
        rows, is_read = np.array(measured, np.float64), False
        if source.language != ENGLISH:  # the trees and the encoder learnt English
            found = line.load().support(rows)
        elif variant == "light":
            found = (trained or load()).support(rows)
        else:
            is_read = True
            doubts = np.array((doubter or cross.open_shipped()).doubts(source, texts))
            rows = overrule(rows, doubts)
            found = (trained or load()).support(rows, doubts, share_pairs(views))
        return [
            Scored(float(p), v, m, is_read)
            for p, v, m in zip(found, views, rows.tolist(), strict=True)
        ]

    return score


def assess(source: SourceText, summary: str, score: Scorer) -> list[Assessed]:
    """The claims of the summary in its order, at most `READ`."""
    claims = heard(summary, source.language)
    scores = score(source, [text for _, text in claims])
    return [
        Assessed(
            start, end, summary[start:end], round(scored.support, 6), scored.view,
            _faults(scored.measured), _is_reworded(scored),
        )
        for ((start, end), _), scored in zip(claims, scores, strict=True)
    ]  # fmt: skip


def _faults(measured: Sequence[float]) -> frozenset[str]:
    values = dict(zip(NAMES, measured, strict=True))
    return frozenset(name for name in FAULTS if values[name])


def _is_reworded(scored: Scored) -> bool:
    return scored.is_read and scored.measured[NAMES.index("window1")] < OWN_WORDS


def heard(summary: str, language: str = ENGLISH) -> list[tuple[tuple[int, int], str]]:
    """The places of the claims, at most `READ`, and each as it is held against the article:
    without what is only layout or rude; what states nothing is none. The model is trained on the
    same."""
    read = blank_layout(summary, language)
    civil = _civil(read)
    stated = [(s, e) for s, e in claims(read, language) if states(read[s:e], language)]
    return [((s, e), civil[s:e] if _says(civil[s:e]) else read[s:e]) for s, e in stated[:READ]]


def _civil(summary: str) -> str:
    """The summary with blanks for slurs and profanity, which are a matter of tone, not of fact."""
    for hit in lexicon.find(summary):
        if hit.kind != "stereotype":
            start = _apposition(summary, hit.start, hit.end)
            summary = summary[:start] + " " * (hit.end - start) + summary[hit.end :]
    return summary


def _apposition(summary: str, start: int, end: int) -> int:
    """Where an insult begins: with its article and adjectives, if it is all that stands between two
    commas (", a dirty …,")."""
    led = LED_IN.search(summary, max(0, start - LONGEST_LEAD), start)
    return led.start() if led and summary[end:].lstrip().startswith((",", ")")) else start


def _says(text: str) -> bool:
    return any(c.isalnum() for c in text)


def listed(judged: Sequence[Assessed]) -> tuple[Assessed, ...]:
    """Of more than ten claims the ten least supported, in their order.

    The protocols ask for the ten most consequential: for an adversarial judge, those are the
    weakest. So a sentence that is added can displace a good claim, never a bad one.
    """
    weakest = sorted(judged, key=lambda c: (c.support, c.start))[:MOST]
    return tuple(sorted(weakest, key=lambda c: c.start))
