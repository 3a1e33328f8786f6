"""Six questions each way, as masked words: asked of one text, answered from the other.

Coverage: six phrases of salient sentences of the article are masked; the sentences of the summary
answer, as far as their claims hold.
Hallucination: a name, number or telling word of a claim is masked; the article answers it. There
the six weakest answers are kept, so that nothing added to a summary can hide a bad one.
"""

from __future__ import annotations

import math
import re
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from oyer.judges.embedded import vectors
from oyer.judges.embedded.assess import Assessed
from oyer.judges.embedded.cross import retell
from oyer.judges.embedded.features import closest, is_misplaced, is_name
from oyer.judges.embedded.mistaken import How, find_mistake
from oyer.judges.embedded.perception import Perceived
from oyer.judges.embedded.phrases import Phrase, bare, phrases, single
from oyer.judges.embedded.points import Telling, roll
from oyer.judges.embedded.quoting import Quoter
from oyer.judges.embedded.refuted import find_gone
from oyer.judges.embedded.retold import claim_telling
from oyer.judges.embedded.salience import density, share
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import NEGATIONS, is_number, read

PAIRS, PER_CLAIM = 6, 4
PER_SENTENCE = 2  # questions, while other sentences have phrases to ask for
SALIENT = 12  # sentences that are looked at for phrases
OWN = 0.7  # what the words of the phrase count for, beside the others of its sentence
MINUTES = re.compile(r"\d:$")  # what stands before the minutes of a clock time
CORRECT, PARTIAL = 0.65, 0.25  # of an answer


@dataclass(frozen=True, slots=True)
class Answer:
    masked: str  # the words asked for; the protocol wants the question itself hidden
    status: str
    evidence: str
    how: How = "silent"  # of a question about the article that is Wrong

    def as_json(self) -> dict[str, str]:
        return {"q": "hidden", "status": self.status, "evidence": self.evidence}


def coverage(seen: Perceived) -> list[Answer]:
    """Six masked phrases of the article, each answered by the sentence of the summary that tells
    most of it; its quote is of that sentence, around the words told."""
    quoter = Quoter(seen.summary)
    answers = [_answer(seen, phrase, quoter) for phrase in asked(seen.source, seen.weights)]
    return answers + [Answer("", "Wrong", "")] * (PAIRS - len(answers))


def asked(source: SourceText, weights: Mapping[str, float]) -> list[Phrase]:
    """The phrases to mask: weighty ones of salient sentences, of different kinds, each with words
    that none before it has. Where phrases are few, single words; none twice."""
    dense = [density([weights.get(s, 0.0) for s in stems]) for stems in source.stems_of]
    spoken = [n for n in range(len(dense)) if not roll(source, n) and n not in source.untelling]
    salient = sorted(spoken, key=lambda n: (-dense[n], n))[:SALIENT]
    chosen: list[Phrase] = []
    gone = find_gone(source)

    def holds(phrase: Phrase) -> bool:
        refuted = any(phrase.start <= place < phrase.end for place in gone)
        return not refuted and not clock(source, phrase)

    found = [p for n in sorted(salient) for p in phrases(source, n) if holds(p)]
    for most in (PER_SENTENCE, PAIRS):
        _choose(chosen, found, most, weights, dense)
    if len(chosen) < PAIRS:
        alone = [p for p in single(source) if p.sentence in spoken and holds(p)]
        telling = [p for p in alone if not bare(source.text, p.start, p.end)]
        for words in (telling, alone):
            _choose(chosen, words, PAIRS, weights, dense)
    return chosen[:PAIRS]


def clock(source: SourceText, phrase: Phrase) -> bool:
    """Hours or minutes of a clock time, which say nothing by themselves."""
    before = source.text[max(0, phrase.start - 1) : phrase.start]
    after = source.text[phrase.end : phrase.end + 2]
    return phrase.kind == "number" and (before == ":" or bool(re.match(r":\d", after)))


def _choose(
    chosen: list[Phrase],
    found: Sequence[Phrase],
    most: int,
    weights: Mapping[str, float],
    dense: Sequence[float],
) -> None:
    """Adds phrases up to six, at most so many of a sentence. What a phrase is worth is the weight
    of its new words, less the more of its kind there are, and the salience of its sentence."""
    covered = {stem for c in chosen for stem in c.stems}
    pool = [(p, _weight(weights, p.stems - covered)) for p in found]
    while len(chosen) < PAIRS:
        kinds, full = Counter(c.kind for c in chosen), Counter(c.sentence for c in chosen)
        worth = [
            (own * (1 - kinds[p.kind] / PAIRS) + dense[p.sentence], -at)
            for at, (p, own) in enumerate(pool)
            if own and full[p.sentence] < most
        ]
        if not worth:
            return
        best, _ = pool[-max(worth)[1]]
        chosen.append(best)
        covered |= best.stems
        pool = [
            (p, own if p.stems.isdisjoint(best.stems) else _weight(weights, p.stems - covered))
            for p, own in pool
        ]


def _weight(weights: Mapping[str, float], stems: Iterable[str]) -> float:
    return math.fsum(weights.get(stem, 0.0) for stem in stems)


def _answer(seen: Perceived, phrase: Phrase, quoter: Quoter) -> Answer:
    masked = " ".join(seen.source.text[phrase.start : phrase.end].split())
    parts = [_part(seen, phrase, teller) for teller in seen.tellers]
    best = max(parts, default=0.0)
    if best < PARTIAL:
        quote = _retell(seen, phrase, quoter)
        if quote:
            return Answer(masked, "Partial", quote)
        return Answer(masked, "Wrong", "", find_mistake(seen, phrase))
    quote = quoter.around(*_place(seen, phrase, seen.tellers[parts.index(best)]))
    status = "Correct" if best >= CORRECT else "Partial"
    return Answer(masked, status if quote else "Wrong", quote)


def _retell(seen: Perceived, phrase: Phrase, quoter: Quoter) -> str:
    """From the claim that tells the phrase's sentence in words of its own. A number, a day or a
    name that it does not have is not told."""
    number = claim_telling(phrase.sentence, seen.retold)
    if number is None or phrase.core or phrase.stems & seen.source.names:
        return ""
    claim = seen.every[number]
    return quoter.around((claim.start + claim.end) // 2, (claim.start, claim.end))


def _part(seen: Perceived, phrase: Phrase, teller: Telling) -> float:
    """How much of the answer a sentence of the summary tells: of the phrase's words, none where its
    number or day is not there, half where none of the masked sentence's other words is; and of
    those, by their weight. Repetition takes from it."""
    part = share(dict.fromkeys(phrase.stems, 1.0), teller.trusted)
    if not part or not phrase.core <= teller.trusted.keys():
        return 0.0
    others = seen.source.stems_of[phrase.sentence] - phrase.stems
    if others and others.isdisjoint(teller.trusted):
        part /= 2
    beside = share({stem: seen.weights.get(stem, 0.0) for stem in others}, teller.trusted)
    return seen.focus * (OWN * part + (1 - OWN) * beside)


def _place(seen: Perceived, phrase: Phrase, teller: Telling) -> tuple[int, tuple[int, int]]:
    """The middle of the phrase's words in the claim of that sentence that has most of them."""
    number, _ = max(teller.claims, key=lambda c: (len(c[1] & phrase.stems), -c[0]))
    claim = seen.every[number]
    words = claim.view.words
    there = [start for start, s in zip(words.starts, words.stems, strict=True) if s in phrase.stems]
    return claim.start + there[len(there) // 2], (claim.start, claim.end)


def hallucination(seen: Perceived) -> list[Answer]:
    """The six weakest answers that the article gives to masked words of the claims; of equals, one
    of each claim first. No words are asked for twice: a summary too thin for six questions leaves
    the others without an answer."""
    quoter, mine = Quoter(seen.article), seen.telling
    found = [p for n in range(len(mine.bounds)) for p in phrases(mine, n)]
    retold = {seen.every[n].start: sentence for n, sentence in seen.retold.items()}
    spans = [
        (_worst(claim, span, retold), nth, claim.support, claim.start, claim, span)
        for claim in seen.claims
        for nth, span in enumerate(_find_maskable(claim, found, claim.start in retold))
    ]
    spans.sort(key=lambda s: s[:4])
    weakest = [s for s in spans if s[1] < PER_CLAIM]
    others = [s for s in reversed(spans) if s[1] >= PER_CLAIM]
    answers: list[Answer] = []
    known: set[str] = set()
    for value, *_, claim, span in weakest + others:
        stems = frozenset(claim.view.words.stems[i] for i in span)
        if len(answers) == PAIRS or stems <= known:
            continue
        known |= stems
        status = ("Wrong", "Partial", "Correct")[value]
        quote = quoter.around(*_seat(seen.source, claim, span[0], retold)) if value else ""
        answers.append(Answer(_text_of(claim, span, found), status if quote else "Wrong", quote))
    return answers + [Answer("", "Wrong", "")] * (PAIRS - len(answers))


def _find_maskable(claim: Assessed, found: Sequence[Phrase], retold: bool) -> list[tuple[int, ...]]:
    """What is worth masking in a claim: phrases with figures and names, the weakest first, then
    others, then words; of words that are neither only those that the article has, but where the
    claim tells a sentence in words of its own."""
    v = claim.view
    figures = {
        i for i, n in enumerate(v.words.norms) if is_number(n) or (i in v.content and is_name(v, i))
    }
    worth = [
        i
        for i in range(len(v.words))
        if (i in figures and not MINUTES.search(claim.text, 0, v.words.starts[i]))
        or (i in v.content and (retold or v.known(i)) and v.words.norms[i] not in NEGATIONS)
    ]
    starts = [p.start for p in found]
    grouped: dict[int, list[int]] = {}
    for i in worth:
        place = claim.start + v.words.starts[i]
        at = bisect(starts, place) - 1
        inside = at >= 0 and place < found[at].end
        grouped.setdefault(at if inside else -2 - i, []).append(i)
    spans = sorted(
        ((key < 0, tuple(span)) for key, span in grouped.items()),
        key=lambda places: _order(claim, figures, *places),
    )
    return [span for _, span in spans] or [(0,)] * bool(len(v.words))


def _order(
    claim: Assessed, figures: set[int], loose: bool, span: tuple[int, ...]
) -> tuple[bool, float, tuple[int, ...]]:
    if figures.intersection(span):
        return False, _worst(claim, span), span
    rare = max(vectors.rarity(claim.view.words.norms[i]) for i in span)
    return True, loose - rare, span


def _text_of(claim: Assessed, span: Sequence[int], found: Sequence[Phrase]) -> str:
    """The masked words as the claim writes them: with the whole phrase in which they stand."""
    w = claim.view.words
    low, high = claim.start + w.starts[span[0]], claim.start + w.ends[span[-1]]
    around = [p for p in found if p.start <= low < p.end]
    if around:
        low, high = max(claim.start, around[0].start), min(claim.end, around[0].end)
    return claim.text[low - claim.start : high - claim.start]


def _worst(claim: Assessed, span: Sequence[int], retold: Collection[int] = ()) -> int:
    """2 when the article has the words in their place, 1 when elsewhere, 0 when not all of them; 2
    too when it tells the same in other words, with every figure and name."""
    v, label = claim.view, claim.label
    unknown = [at for at in span if not v.known(at)]
    lacking = [at for at in unknown if is_number(v.words.norms[at]) or is_name(v, at)]
    if label == "Unsupported" or lacking or (unknown and claim.start not in retold):
        return 0
    if claim.start in retold:
        return 2
    placed = label == "Supported" and all(
        not is_misplaced(v, at) or _beside(claim, at) or _is_voiced(claim, at) for at in span
    )
    return 2 if placed else 1


def _beside(claim: Assessed, at: int) -> bool:
    """Whether the sentence that the claim follows has the word, and most of the claim besides."""
    v = claim.view
    low, high = v.source.bounds[v.best]
    there = set(v.source.words.stems[low:high])
    others = [i for i in v.content if i != at]
    shared = sum(v.words.stems[i] in there for i in others)
    return v.words.stems[at] in there and 2 * shared > len(others)


def _is_voiced(claim: Assessed, at: int) -> bool:
    """Whether the word names who says or writes, or to whom, what the claim tells: a sentence with
    half of the claim's other words has that name only as it is retold."""
    v, w = claim.view, claim.view.words
    others = {w.stems[i] for i in v.content if i != at}
    told = [n for n in v.chosen if 2 * len(others & v.source.stems_of[n]) >= len(others)]
    voices = [n for n in told if v.source.speakers[n].name or v.source.speakers[n].label]
    return any(w.stems[at] in read(retell(v.source, [n]), v.source.language).stems for n in voices)


def _seat(
    source: SourceText, claim: Assessed, at: int, retold: Mapping[int, int]
) -> tuple[int, tuple[int, int]]:
    """Where in the article the answer stands, nearest to the claim's other words, and its
    sentence; of a word that it lacks, the middle of the sentence that is told."""
    v = claim.view
    places = source.places.get(v.words.stems[at], [])
    if not places:
        low, high = source.bounds[retold.get(claim.start, v.best)]
        places = [(low + high) // 2]
    low, high = source.bounds[v.best]
    inside = [p for p in places if low <= p < high]
    others = sorted(
        p for i in v.content if i != at for p in source.places.get(v.words.stems[i], ())
    )
    seat = inside[0] if inside else min(places, key=lambda p: (closest([p], others), p))
    return source.words.starts[seat], source.spans[source.sentence_of[seat]]
