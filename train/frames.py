"""Stories of a few facts (frames.toml), with sentences that follow from one of them or do not.

What public pairs teach least is who did it to whom, whose number it is, and how surely it is said;
here the words are the same and only that differs. Names and numbers are drawn anew each time.
"""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path

import cross

FACTS = Path(__file__).with_name("frames.toml")
WORDS = tomllib.loads(FACTS.read_text(encoding="utf-8"))
FIRST, LAST, FIRMS, PLACES, DAYS, MONTHS = (
    WORDS[name].split() for name in ("first", "last", "firms", "places", "days", "months")
)
SLOT = re.compile(r"\{(\w)\}")
#: Sentences of a story that the claim is not about.
ASIDES = 3
#: What stories never tell, of people, organisations and places that they name.
LINKS = (
    "{A} works for {X}.", "{A} met {B}.", "{A} blamed {B}.", "{X} has sued {Y}.",
    "{A} lives in {P}.", "{A} thanked {B}.", "{X} paid {A}.", "{A} is married to {B}.",
    "{A} has moved to {P}.",
    "{X} has an office in {P}.", "{A} founded {X}.", "{A} warned {B}.", "{A} lied to {B}.",
    "{X} bribed {A}.", "{A} owns {X}.", "{A} grew up in {P}.", "{A} is going to succeed {B}.",
    "{X} has left {P}.", "{A} threatened to leave {X}.", "{A} voted against {B}.", "{A} fears {B}.",
    "{X} has hired {A}.", "{A} lost a bet against {B}.", "{A} wrote a book about {P}.",
    "{A} resigned after a quarrel with {B}.", "{X} apologised to {A}.", "{P} has banned {X}.",
)  # fmt: skip
KIND_OF = {"A": "person", "B": "person", "C": "person", "X": "firm", "Y": "firm", "P": "place",
           "Q": "place"}  # fmt: skip
Slots = dict[str, str]


def filled(rng: random.Random) -> Slots:
    people = [
        f"{a} {b}" if rng.random() < 0.6 else b
        for a, b in zip(rng.sample(FIRST, 3), rng.sample(LAST, 3), strict=True)
    ]
    numbers = rng.sample(range(2, 40), 2) if rng.random() < 0.6 else rng.sample(range(40, 990), 2)
    larger, smaller = sorted(numbers, reverse=True)
    years = sorted(rng.sample(range(1950, 2026), 2))
    hours = sorted(rng.sample(range(7, 22), 2))
    return dict(
        zip("ABC", people, strict=True),
        **dict(zip("XY", rng.sample(FIRMS, 2), strict=True)),
        **dict(zip("PQ", rng.sample(PLACES, 2), strict=True)),
        **dict(zip("de", rng.sample(DAYS, 2), strict=True)),
        **dict(zip("MN", rng.sample(MONTHS, 2), strict=True)),
        n=str(larger), m=str(smaller), y=str(years[0]), z=str(years[1]),
        t=f"{hours[0]}:{rng.choice(('00', '15', '30'))}",
        u=f"{hours[1]}:{rng.choice(('00', '45'))}",
    )  # fmt: skip


def tell(line: str, slots: Slots) -> str:
    return SLOT.sub(lambda match: slots[match[1]], line)


def moved(line: str, slots: Slots, others: Slots, rng: random.Random) -> str | None:
    """A true line with a name, number or day of another sentence of the story."""
    places = [match[1] for match in SLOT.finditer(line)]
    if not places:
        return None
    slot = rng.choice(places)
    return tell(line, {**slots, slot: others[slot]})


def story(facts: list[dict[str, list[str]]], rng: random.Random) -> cross.Unit:
    """One story's claims: two that follow from a fact of it, and three that do not."""
    fact, *asides = rng.sample(facts, 1 + rng.randint(0, ASIDES))
    slots = filled(rng)
    rest = [filled(rng) for _ in asides]
    lines = [tell(rng.choice(a["full"]), s) for a, s in zip(asides, rest, strict=True)]
    premise = rng.choice(fact["full"])
    lines.insert(rng.randint(0, len(lines)), tell(premise, slots))
    follows = [line for line in (*fact["full"], *fact["less"]) if line != premise]
    right = rng.sample(follows, 2)
    claims = [(tell(line, slots), 0.0) for line in right]
    claims += [(tell(line, slots), 1.0) for line in rng.sample(fact["false"], 2)]
    if rest:
        spoiled = moved(right[0], slots, rng.choice(rest), rng)
        claims += [(spoiled, 1.0)] if spoiled else []
    beside = " ".join(lines)
    return [cross.Pair(claim, beside, wrong, None, 1.0) for claim, wrong in claims]


def linked(facts: list[dict[str, list[str]]], rng: random.Random) -> cross.Unit:
    """A story of two facts, with claims that join a name of one and a name of the other by
    something that it does not tell."""
    chosen = rng.sample(facts, 2)
    slots = [filled(rng) for _ in chosen]
    told = [rng.choice(fact["full"]) for fact in chosen]
    beside = " ".join(tell(line, one) for line, one in zip(told, slots, strict=True))
    one, other = (_named(line, names) for line, names in zip(told, slots, strict=True))
    claims = [(tell(rng.choice(chosen[0]["less"]), slots[0]), 0.0)]
    for line in rng.sample(LINKS, len(LINKS)):
        first, second = SLOT.findall(line)
        if len(claims) < 3 and KIND_OF[first] in one and KIND_OF[second] in other:
            names = {first: one[KIND_OF[first]], second: other[KIND_OF[second]]}
            claims.append((tell(line, names), 1.0))
    return [cross.Pair(claim, beside, wrong, None, 1.0) for claim, wrong in claims]


def _named(line: str, slots: Slots) -> dict[str, str]:
    """A person, an organisation and a place that a line names, as far as it does."""
    return {KIND_OF[slot]: slots[slot] for slot in SLOT.findall(line) if slot in KIND_OF}


def read() -> list[dict[str, list[str]]]:
    found: list[dict[str, list[str]]] = WORDS["fact"]
    return found


def stories(facts: list[dict[str, list[str]]], count: int, rng: random.Random) -> list[cross.Unit]:
    return [story(facts, rng) for _ in range(count)]


def links(facts: list[dict[str, list[str]]], count: int, rng: random.Random) -> list[cross.Unit]:
    return [linked(facts, rng) for _ in range(count)]
