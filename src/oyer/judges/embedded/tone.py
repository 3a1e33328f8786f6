"""Tone, bias and toxicity as far as word lists tell; the slurs are text.lexicon's."""

from __future__ import annotations

from dataclasses import dataclass

from oyer.judges.embedded import tables
from oyer.judges.embedded.words import read
from oyer.text import lexicon

SUBJECTIVE = tables.words("subjective")
HOSTILE = tables.words("hostile")


@dataclass(frozen=True, slots=True)
class Tone:
    """The summary's tone beside the article's, the issues found, and two scores from 0 to 10."""

    label: str
    issues: tuple[tuple[str, str], ...]  # (kind, words of the summary)
    bias: float
    toxicity: float
    shift: float  # 0: as subjective as the article; 1: far more


def tone(article: str, summary: str) -> Tone:
    """Words that the article does not have itself; a lexicon's words in any case."""
    theirs = set(read(article).norms)
    mine = read(summary)
    own = [
        (n, summary[s:e])
        for n, s, e in zip(mine.norms, mine.starts, mine.ends, strict=True)
        if n not in theirs
    ]
    subjective = [raw for n, raw in own if n in SUBJECTIVE]
    hostile = [raw for n, raw in own if n in HOSTILE]
    hits = [(h.kind, summary[h.start : h.end]) for h in lexicon.find(summary)]
    kinds = {kind for kind, _ in hits}
    issues = [
        *hits,
        *(("subjectivity", w) for w in subjective),
        *(("toxicity", w) for w in hostile),
    ]
    toxicity = 10.0 - 2.0 * min(3, len(hostile))
    toxicity = min(toxicity, 1.0 if "slur" in kinds else 5.0 if "profanity" in kinds else 10.0)
    bias = 10.0 - 1.0 * min(4, len(subjective)) - (6.0 if "stereotype" in kinds else 0.0)
    label = "hostile" if hostile or "slur" in kinds else "subjective" if issues else "neutral"
    shift = min(1.0, (len(subjective) + 2 * len(hostile) + 3 * len(hits)) / 5)
    return Tone(label, tuple(issues[:12]), max(0.0, bias), max(0.0, toxicity), shift)
