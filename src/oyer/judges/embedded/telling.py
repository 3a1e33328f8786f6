"""What a claim tells of its article, in each language: which claims tell points, by which words,
and how far they are trusted. English has vectors and a trained model; of other languages there are
word lists only, and a claim may be doubted for words that no list has."""

from __future__ import annotations

from oyer.judges.embedded import likeness
from oyer.judges.embedded.assess import SUPPORTED, Assessed
from oyer.judges.embedded.concepts import kin
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.points import SURE
from oyer.judges.embedded.salience import stems
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import read


class TellsInEnglish:
    """By the words and the support of claims as they are."""

    def tells(self, claim: Assessed) -> bool:
        """Whether a claim tells points."""
        return claim.label != "Unsupported"

    def said(self, claim: Assessed) -> list[str]:
        """The words of a claim as the summary has them: two of one meaning are no repetition."""
        return stems(claim.view.words)

    def told(self, claim: Assessed) -> frozenset[str]:
        """The words of a claim that tell points."""
        return frozenset(stems(claim.view.words))

    def alike(self, claim: Assessed) -> dict[str, float]:
        """Words of the article that a new word of the claim is like, as far as it is."""
        return likeness.reach(claim.view.source, claim.view.words)

    def trust(self, claim: Assessed) -> float:
        """How far a claim is trusted."""
        return claim.support

    def likeness(self, source: SourceText, mine: SourceText) -> float:
        """How like the vocabulary of a summary is to its article's, 0 to 1."""
        import numpy as np

        a, b = source.matrix[0].sum(0), mine.matrix[0].sum(0)
        size = float(np.linalg.norm(a) * np.linalg.norm(b))
        cosine = float((a * b).sum()) / size if size else 0.0
        return round(min(1.0, max(0.0, (cosine - 0.2) / 0.55)), 4)


class TellsInForeign(TellsInEnglish):
    """By word lists, which lack words: what has no fault is given more credit."""

    def tells(self, claim: Assessed) -> bool:
        """One without a fault may be doubted only for words that no table has, and tells as far as
        it is trusted."""
        return claim.label != "Unsupported" or not claim.faults

    def said(self, claim: Assessed) -> list[str]:
        return stems(read(claim.view.text, claim.view.source.language))

    def told(self, claim: Assessed) -> frozenset[str]:
        """Also those of the article that mean the same."""
        own, known = super().told(claim), claim.view.source.places.keys()
        return own.union(*(kin(word) & known for word in own))

    def alike(self, claim: Assessed) -> dict[str, float]:
        """None: there are no vectors of its words."""
        return {}

    def trust(self, claim: Assessed) -> float:
        """One that is Supported in full, since its support, of words that no table has, is seldom
        high."""
        return claim.support * SURE / SUPPORTED

    def likeness(self, source: SourceText, mine: SourceText) -> float:
        """There are no vectors of its words."""
        own = [s for i, s in enumerate(mine.words.stems) if mine.words.content(i)]
        return round(sum(s in source.places for s in own) / max(1, len(own)), 4)


def telling_in(language: str) -> TellsInEnglish:
    return TellsInEnglish() if language == ENGLISH else TellsInForeign()
