"""Six questions each way, as masked words: asked of one text, answered from the other.

Coverage: telling words of the article are masked; the claims of the summary that hold answer.
Hallucination: a name, number or telling word of a claim is masked; the article answers it. There
the six weakest answers are kept, so that nothing added to a summary can hide a bad one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oyer.judges.embedded import vectors
from oyer.judges.embedded.assess import Assessed
from oyer.judges.embedded.features import closest, is_name, misplaced
from oyer.judges.embedded.points import telling
from oyer.judges.embedded.quoting import Quoter
from oyer.judges.embedded.source import Source
from oyer.judges.embedded.words import is_number

PAIRS, WORDS = 6, 3
PER_CLAIM = 5


@dataclass(frozen=True, slots=True)
class Answer:
    status: str
    evidence: str

    def as_json(self) -> dict[str, str]:
        return {"q": "hidden", "status": self.status, "evidence": self.evidence}


def coverage(source: Source, held: Sequence[Assessed], summary: str) -> list[Answer]:
    """The article's eighteen most telling words, three a question; two of them answer it."""
    quoter = Quoter(summary)
    known = [(c, telling(c.text)) for c in held]
    keys = _asked(source)
    return [_told(keys[n::PAIRS], known, quoter) for n in range(PAIRS)]


def _asked(source: Source) -> list[str]:
    """The words that the article keeps coming back to, rarer ones first among equals."""
    weigh = {s: n * (0.3 + vectors.rarity(s)) for s, n in source.counts.items()}
    return sorted(weigh, key=lambda s: (-weigh[s], s))[: PAIRS * WORDS]


def _told(
    keys: Sequence[str], held: Sequence[tuple[Assessed, dict[str, float]]], quoter: Quoter
) -> Answer:
    found = {k: [c for c, words in held if k in words] for k in keys}
    sure = [k for k in keys if any(c.label == "Supported" for c in found[k])]
    some = sure or [k for k in keys if found[k]]
    if not some:
        return Answer("Wrong", "")
    claim = max(found[some[0]], key=lambda c: (c.support, -c.start))
    quote = quoter.around(_place(claim, some[0]), (claim.start, claim.end))
    if not quote:
        return Answer("Wrong", "")
    enough = min(2, len(keys))
    return Answer("Correct" if len(sure) >= enough else "Partial", quote)


def _place(claim: Assessed, key: str) -> int:
    """Where the key stands in the summary; the claim's start when only its kin do."""
    words = claim.view.words
    for norm, stem, start in zip(words.norms, words.stems, words.starts, strict=True):
        if key in (norm, stem):
            return claim.start + start
    return claim.start


def hallucination(source: Source, found: Sequence[Assessed]) -> list[Answer]:
    """The six weakest answers that the article gives to masked words of the claims."""
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
    return 1 if misplaced(v, at) or claim.label == "Partial" else 2


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
