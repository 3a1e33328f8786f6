"""Six questions each way, as masked words: asked of one text, answered from the other.

Coverage: telling words of the article are masked, weighed by salience; the claims of the summary
that are not invented answer.
Hallucination: a name, number or telling word of a claim is masked; the article answers it. There
the six weakest answers are kept, so that nothing added to a summary can hide a bad one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, cycle, islice

from oyer.judges.embedded import vectors
from oyer.judges.embedded.assess import Assessed
from oyer.judges.embedded.features import closest, is_name, misplaced
from oyer.judges.embedded.perception import Perceived
from oyer.judges.embedded.quoting import Quoter
from oyer.judges.embedded.salience import share, telling
from oyer.judges.embedded.source import Source
from oyer.judges.embedded.words import is_number

PAIRS, PER_CLAIM = 6, 5


@dataclass(frozen=True, slots=True)
class Answer:
    status: str
    evidence: str

    def as_json(self) -> dict[str, str]:
        return {"q": "hidden", "status": self.status, "evidence": self.evidence}


def coverage(seen: Perceived) -> list[Answer]:
    """Each question asks for a sixth of the weight of the article's telling words: as many are
    Correct as sixths are told, and one is Partial for half a sixth more.

    The quotes are of the weightiest words told, each by the claim that holds best. How much is
    told counts for less as far as the summary repeats itself.
    """
    trusted: dict[str, float] = {}
    for one in seen.tellers:
        for stem, trust in one.trusted.items():
            trusted[stem] = max(trusted.get(stem, 0.0), trust)
    weights = seen.weights
    halves = math.floor(2 * PAIRS * seen.focus * share(weights, trusted) + 0.5)
    told = sorted(weights.keys() & trusted.keys(), key=lambda s: (-weights[s], s))
    quotes = _quotes(seen, told)
    answers = []
    for n in range(PAIRS):
        status = ("Wrong", "Partial", "Correct")[min(2, max(0, halves - 2 * n))]
        quote = next(quotes, "") if status != "Wrong" else ""
        answers.append(Answer(status if quote else "Wrong", quote))
    return answers


def _quotes(seen: Perceived, told: Sequence[str]) -> Iterator[str]:
    """Words of the summary around the weightiest words that it tells: first around those that no
    quote has yet, then around any."""
    quoter = Quoter(seen.summary)
    shown: set[str] = set()
    places = {stem: _place(seen, stem) for stem in told}
    for stem in islice(chain(told, cycle(told)), len(told) + PAIRS):
        if stem in shown and len(shown) < len(told):
            continue
        quote = quoter.around(*places[stem])
        shown.update(telling(quote), {stem})
        yield quote


def _place(seen: Perceived, stem: str) -> tuple[int, tuple[int, int]]:
    """Where the summary has a word, in the claim that holds best of those with it."""
    holders = [seen.every[n] for t in seen.tellers for n, words in t.claims if stem in words]
    claim = max(holders, key=lambda c: (c.support, -c.start))
    words = claim.view.words
    return claim.start + words.starts[words.stems.index(stem)], (claim.start, claim.end)


def hallucination(seen: Perceived) -> list[Answer]:
    """The six weakest answers that the article gives to masked words of the claims."""
    source, found = seen.source, seen.claims
    quoter = Quoter(source.text)
    asked: list[tuple[int, float, int, Assessed, int]] = []
    for claim in found:
        for at in _masked(claim):
            value = _value(claim, at)
            asked.append((value, claim.support, claim.start + at, claim, at))
    asked.sort(key=lambda a: a[:3])
    answers = []
    for value, _, _, claim, at in asked[:PAIRS]:
        status = ("Wrong", "Partial", "Correct")[value]
        quote = quoter.around(_seat(source, claim, at)) if value else ""
        answers.append(Answer(status if quote else "Wrong", quote))
    while answers and len(answers) < PAIRS:  # a summary of few words: ask for more of its best
        claim = max(found, key=lambda c: c.support)
        at = claim.view.content[0] if claim.view.content else 0
        status = "Correct" if claim.label == "Supported" else "Wrong"
        quote = quoter.around(_seat(source, claim, at)) if status == "Correct" else ""
        answers.append(Answer(status if quote else "Wrong", quote))
    return answers


def _masked(claim: Assessed) -> list[int]:
    """The words of a claim worth masking: figures and names, then words the article has."""
    v = claim.view
    figures = [
        i for i, n in enumerate(v.words.norms) if is_number(n) or (i in v.content and is_name(v, i))
    ]
    rare = sorted(
        (i for i in v.content if i not in figures and v.known(i)),
        key=lambda i: (-vectors.rarity(v.words.norms[i]), i),
    )
    weakest = sorted(figures, key=lambda i: (_value(claim, i), i))
    return (weakest + rare)[:PER_CLAIM] or [0] * bool(len(v.words))


def _value(claim: Assessed, at: int) -> int:
    """2 when the article has the word in its place, 1 when elsewhere, 0 when not at all."""
    v = claim.view
    if not v.known(at) or claim.label == "Unsupported":
        return 0
    if claim.label == "Partial":
        return 1
    return 1 if misplaced(v, at) and not _beside(claim, at) else 2


def _beside(claim: Assessed, at: int) -> bool:
    """Whether the sentence that the claim follows has the word, and most of the claim besides."""
    v = claim.view
    low, high = v.source.bounds[v.best]
    there = set(v.source.words.stems[low:high])
    others = [i for i in v.content if i != at]
    shared = sum(v.words.stems[i] in there for i in others)
    return v.words.stems[at] in there and 2 * shared > len(others)


def _seat(source: Source, claim: Assessed, at: int) -> int:
    """Where in the article the answer stands: nearest to the claim's other words."""
    v = claim.view
    places = source.places.get(v.words.stems[at], ()) if len(v.words) else ()
    first = source.spans[v.best][0] if source.spans else 0
    if not places:
        return first
    low, high = source.bounds[v.best]
    inside = [p for p in places if low <= p < high]
    others = sorted(
        p for i in v.content if i != at for p in source.places.get(v.words.stems[i], ())
    )
    seat = inside[0] if inside else min(places, key=lambda p: (closest([p], others), p))
    return source.words.starts[seat]
