"""Dutch compounds: a word of a claim and an article's compound that has it vouch for each other."""

from __future__ import annotations

from dataclasses import replace

from oyer.judges.embedded.languages import DUTCH, MARK, is_foreign
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import Words

SHORTEST = 4  # letters of a part


def beside(words: Words, source: SourceText) -> Words:
    """The claim's words, each that the article has only as a part of a compound, or only in two
    parts, as the article's word."""
    if words.language != DUTCH:
        return words
    theirs = {n.partition(MARK)[0]: n for n in source.words.norms if is_foreign(n)}
    norms = tuple(
        _nearest(norm, theirs) if is_foreign(norm) and stem not in source.places else norm
        for norm, stem in zip(words.norms, words.stems, strict=True)
    )
    if norms == words.norms:
        return words
    return replace(words, norms=norms, stems=tuple(
        norm if is_foreign(norm) else stem for norm, stem in zip(norms, words.stems, strict=True)
    ))  # fmt: skip


def _nearest(norm: str, theirs: dict[str, str]) -> str:
    word = norm.partition(MARK)[0]
    if len(word) < SHORTEST:
        return norm
    whole = next((w for w in theirs if w.startswith(word) or w.endswith(word)), None)
    if whole:
        return theirs[whole]
    ends = [w for w in theirs if len(w) >= SHORTEST and word.endswith(w)]
    starts = [w for w in theirs if len(w) >= SHORTEST and word.startswith(w)]
    return theirs[ends[0]] if ends and starts else norm
