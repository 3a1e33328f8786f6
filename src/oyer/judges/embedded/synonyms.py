"""French and Dutch claims in the article's words: what means the same is read as what stands there.

The features of overlap compare words. In English, vectors tell how near a new word is to the
article's; the words of these tables have none, and the lists of concepts take their place.
"""

from __future__ import annotations

from dataclasses import replace

from oyer.judges.embedded.concepts import base, kin
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import Words, is_content, stem


def in_its_words(words: Words, source: SourceText) -> Words:
    """The claim, each telling word that the article lacks as one of its words that mean the same:
    of several, that of the sentence which has most of the claim's other words."""
    if words.language == ENGLISH:
        return words
    shared = [0] * len(source.bounds)
    for known in set(words.stems):
        for n in {source.sentence_of[at] for at in source.places.get(known, ())}:
            shared[n] += 1
    norms = tuple(
        _nearest(norm, source, shared) if is_content(norm) and own not in source.places else norm
        for norm, own in zip(words.norms, words.stems, strict=True)
    )
    if norms == words.norms:
        return words
    return replace(words, norms=norms, stems=tuple(stem(norm) for norm in norms))


def _nearest(norm: str, source: SourceText, shared: list[int]) -> str:
    places = [at for other in kin(base(norm)) for at in source.places.get(other, ())]
    best = max(places, key=lambda at: (shared[source.sentence_of[at]], -at), default=-1)
    return source.words.norms[best] if best >= 0 else norm
