"""Tone, bias and toxicity as far as word lists tell; the slurs are text.lexicon's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from oyer.judges.embedded import tables
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.sentences import sentences
from oyer.judges.embedded.words import NEGATIONS, Words, read
from oyer.text import lexicon

SUBJECTIVE = tables.words("subjective")
HOSTILE = tables.words("hostile")
REPORTS = tables.words("reports")
QUOTED = re.compile(r"[“\"„][^“”\"„]{1,600}[”\"]|‘[^‘’]{1,600}’(?!\w)")


@dataclass(frozen=True, slots=True)
class Tone:
    """The summary's tone beside the article's, the issues found, and two scores from 0 to 10."""

    label: str
    issues: tuple[tuple[str, str], ...]  # (kind, words of the summary)
    bias: float
    toxicity: float
    shift: float  # 0: as subjective as the article; 1: far more


def tone(article: str, summary: str, language: str = ENGLISH) -> Tone:
    """Words that the summary says for itself: not those of the article, nor negated ones; but
    those, too, that the article only quotes. A lexicon's words count in any case."""
    own = _own(article, summary, language)
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


def _own(article: str, summary: str, language: str) -> list[tuple[str, str]]:
    """The judging words of the summary's own voice, as (normal form, as written)."""
    mine = read(summary, language)
    judging = [i for i, n in enumerate(mine.norms) if n in SUBJECTIVE or n in HOSTILE]
    if not judging:
        return []
    theirs, spoken = set(read(article, language).stems), _stems_quoted(article, language)
    quoted = _voices(summary, language)
    found = []
    for i in judging:
        start, end, stem = mine.starts[i], mine.ends[i], mine.stems[i]
        adopted = stem in spoken and not quoted[start]  # said by somebody there, not here
        if (stem not in theirs or adopted) and not _negates(mine, i):
            found.append((mine.norms[i], summary[start:end]))
    return found


def _stems_quoted(article: str, language: str) -> set[str]:
    """The stems that stand only between an article's quotation marks."""
    outside = QUOTED.sub(" ", article)
    quoted = " ".join(m.group() for m in QUOTED.finditer(article))
    return set(read(quoted, language).stems).difference(read(outside, language).stems)


def _voices(summary: str, language: str) -> bytearray:
    """For each character, whether it tells what somebody else says or thinks: it is quoted, or its
    sentence has a verb of saying."""
    inside = bytearray(len(summary))
    reported = [
        (a, b)
        for a, b in sentences(summary, language)
        if not REPORTS.isdisjoint(read(summary[a:b], language).norms)
    ]
    for a, b in [*reported, *(m.span() for m in QUOTED.finditer(summary))]:
        inside[a:b] = b"\1" * (b - a)
    return inside


def _negates(words: Words, at: int) -> bool:
    """A negation up to three words before: is not stupid; but: is not only stupid."""
    before = words.norms[max(0, at - 3) : at]
    return any(
        n in NEGATIONS and before[k + 1 : k + 2] not in (("only",), ("just",), ("merely",))
        for k, n in enumerate(before)
    )
