"""The summary's claims, each held against the article: support, label, evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from oyer.judges.embedded import cross
from oyer.judges.embedded.features import View, measure, view
from oyer.judges.embedded.model import Model, load
from oyer.judges.embedded.sentences import claims
from oyer.judges.embedded.source import Source

Variant = Literal["light", "full"]
#: (article, claims) -> for each claim the probability that it is supported, and its view
Scorer = Callable[[Source, list[str]], list[tuple[float, View]]]
SUPPORTED, UNSUPPORTED = 0.5, 0.3  # bounds of the labels, in calibrated support
MOST = 10  # JL-CLAIMS, TL-CLAIMS
READ = 40  # claims of one summary that are looked at before the weakest ten are listed


@dataclass(frozen=True, slots=True)
class Assessed:
    """A claim, its place in the summary, and what the model makes of it."""

    start: int
    end: int
    text: str
    support: float
    view: View

    @property
    def label(self) -> str:
        if self.support >= SUPPORTED:
            return "Supported"
        return "Partial" if self.support >= UNSUPPORTED else "Unsupported"


def scorer(variant: Variant, trained: Model | None = None) -> Scorer:
    """What gives claims their support: the shipped model, or one that a benchmark brings."""

    def score(source: Source, texts: list[str]) -> list[tuple[float, View]]:
        import numpy as np

        if not texts:
            return []
        views = [view(source, text) for text in texts]
        rows = [measure(v) for v in views]
        if variant == "full":
            marks = cross.marks(source, texts)
            rows = [row + list(mark) for row, mark in zip(rows, marks, strict=True)]
        found = (trained or load(variant)).support(np.array(rows, np.float64))
        return [(float(p), v) for p, v in zip(found, views, strict=True)]

    return score


def assess(source: Source, summary: str, score: Scorer) -> list[Assessed]:
    """The claims of the summary in its order; of more than ten, the ten least supported.

    The protocols ask for the ten most consequential: for an adversarial judge, those are the
    weakest. So a sentence that is added can displace a good claim, never a bad one.
    """
    spans = claims(summary)[:READ]
    texts = [summary[s:e] for s, e in spans]
    judged = [
        Assessed(s, e, text, round(p, 6), v)
        for (s, e), text, (p, v) in zip(spans, texts, score(source, texts), strict=True)
    ]
    weakest = sorted(judged, key=lambda c: (c.support, c.start))[:MOST]
    return sorted(weakest, key=lambda c: c.start)
