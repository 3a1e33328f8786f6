"""Pairs to learn from, made of our own texts with true and false sentences (tales.py)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import groupby

import cross
import data
from tales import Fact, Tale

from oyer.judges.embedded.cross import clue, nearest
from oyer.judges.embedded.source import SourceText, index

#: How often a row's claims are read beside the same evidence, and beside one sentence alone; else
#: each is read beside its own evidence, as the judge reads it.
TOGETHER, ALONE = 0.55, 0.15
#: Words of evidence: fewer than the judge reads at most, for a pair costs less with them.
ROOMS = (30, 45, 60)
#: How many facts also get a sentence of another text, and one of the text itself.
FOREIGN, COPIED = 0.3, 0.2
#: How many facts also get a true sentence with a "not" put in, as false: writers of true sentences
#: in other words say "not" oftener than writers of false ones.
DENIED = 0.25
#: Facts of these kinds are drawn oftener: the encoder sees their faults worst.
AGAIN = {"pronoun": 4, "quantifier": 3, "unit": 3, "comparison": 2, "part_whole": 3, "rank": 3,
         "trend": 2, "amount": 2, "number": 2, "opinion_owner": 2, "order": 2, "change": 2,
         "duration": 2}  # fmt: skip
DRAWN = 2  # true and false sentences of a fact that are read at a time
#: How much of a false sentence a true one must share for their difference to be marked as wrong.
LIKE = 0.7
VERB = re.compile(r"\b(?:is|are|was|were|will|can)\b(?! n(?:ot|o)\b)")
LIMITS = re.compile(
    r"n't\b|\b(?:not?|never|nobody|none|nothing|neither|nor|only|hardly|barely|unless|until|without"
    r"|few|little|less|fewer|yet|than|whether|if|or)\b",
    re.IGNORECASE,
)


def teach(tales: list[Tale], room: int, rng: random.Random) -> list[cross.Unit]:
    """As many pairs as there is room for: one unit a fact, its sentences ranked against each other.

    False sentences of our own share more words with their text than true ones do. So that few
    shared words do not come to mean "true", some units also have a sentence of another text, as
    false, and a sentence of the text itself, as true."""
    strangers = [claim for tale in tales for fact in tale.facts for claim in fact.true]
    groups = [list(group) for _, group in groupby(tales, lambda tale: tale.written)]
    every = [
        (group, n)
        for group in groups
        for n, fact in enumerate(group[0].facts)
        for _ in range(AGAIN.get(fact.fault, 1))
    ]
    sources: dict[str, SourceText] = {}
    found: list[cross.Unit] = []
    while every and room > 0:
        rng.shuffle(every)
        for group, n in every:
            facts = [tale.facts[n] for tale in group]
            heard = draw(facts, rng)
            unit: cross.Unit = []
            for tale, fact in zip(group, facts, strict=True):
                if tale.text not in sources:
                    sources[tale.text] = index(tale.text)
                source = sources[tale.text]
                unit += _unit(source, only(fact, heard), rng)
            unit += _others(source, fact, strangers, rng)
            found.append(unit)
            room -= len(unit)
            if room <= 0:
                break
    return found


def draw(facts: list[Fact], rng: random.Random) -> set[str]:
    """A few of a fact's sentences: more facts teach more than more sentences about one. Of twins,
    those that are true of one version and false of the other, and one that is the same of both."""
    first = facts[0]
    same = [*first.true, *first.false]
    heard: set[str] = set()
    if len(facts) > 1:
        turned = [[c for c in first.true if c in facts[1].false],
                  [c for c in first.false if c in facts[1].true]]  # fmt: skip
        for claims in turned:
            heard.update(rng.sample(claims, min(DRAWN, len(claims))))
        same = [c for c in same if c not in {*turned[0], *turned[1]}]
        return heard | set(rng.sample(same, min(1, len(same))))
    for claims in (first.true, first.false):
        heard.update(rng.sample(claims, min(DRAWN, len(claims))))
    return heard


def only(fact: Fact, heard: set[str]) -> Fact:
    true, false = (tuple(c for c in some if c in heard) for some in (fact.true, fact.false))
    return Fact(fact.fault, true, false)


def _others(source: SourceText, fact: Fact, strangers: list[str], rng: random.Random) -> cross.Unit:
    """What keeps a fact's sentences from being told apart by their words alone."""
    unit: cross.Unit = []
    if rng.random() < FOREIGN:
        claim = rng.choice(strangers)
        unit.append(cross.Pair(claim, clue(source, claim), 1.0, None, 1.0))
    if rng.random() < COPIED:
        claim = source.text[slice(*rng.choice(source.spans))]
        unit.append(cross.Pair(claim, clue(source, claim), 0.0, (), 1.0))
    denied = [claim for claim in map(deny, fact.true) if claim]
    if denied and rng.random() < DENIED:
        claim = rng.choice(denied)
        spans = mark(claim, fact.true)
        unit.append(cross.Pair(claim, clue(source, claim), 1.0, spans, 1.0))
    return unit


def mark(claim: str, true: Iterable[str]) -> data.Spans | None:
    """The words by which a false sentence differs from the true one that is likest; nothing when
    none is like it."""
    words = claim.split()
    ratios = {other: SequenceMatcher(None, other.split(), words).ratio() for other in true}
    likest = max(ratios, key=lambda other: ratios[other])
    return data.changed(likest, claim) if ratios[likest] >= LIKE else None


def deny(claim: str) -> str:
    """A plain sentence with "not" after its first verb; nothing if it denies or limits already."""
    verb = VERB.search(claim)
    if not verb or LIMITS.search(claim):
        return ""
    return f"{claim[: verb.end()]} not{claim[verb.end() :]}"


def _unit(source: SourceText, fact: Fact, rng: random.Random) -> cross.Unit:
    claims = [(claim, 0.0) for claim in fact.true] + [(claim, 1.0) for claim in fact.false]
    every = " ".join(claim for claim, _ in claims)
    shared = None
    way, room = rng.random(), rng.choice(ROOMS)
    if way < TOGETHER:
        shared = clue(source, every, room)
    elif way < TOGETHER + ALONE:
        shared = nearest(source, every)
    unit: cross.Unit = []
    for claim, wrong in claims:
        spans = mark(claim, fact.true) if wrong else ()
        unit.append(cross.Pair(claim, shared or clue(source, claim, room), wrong, spans, 1.0))
    return unit
