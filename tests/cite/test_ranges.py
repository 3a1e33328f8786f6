"""Ten thousand random lists and ranges against a plain oracle: nothing beyond, everything within.

The generator writes a phrase from the provisions it wants; the engine has to read them back.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from oyer.cite import Language, cite

SUFFIXES = ("bis", "ter", "quater", "quinquies", "sexies", "septies", "octies")


class Written(NamedTuple):
    text: str
    provisions: list[tuple[str, tuple[str, ...]]]


WORDS: dict[str, dict[str, Any]] = {
    "fr": {
        "to": [" à ", " au "],
        "and": [" et ", " ou "],
        "many": ["articles ", "art. ", "Articles "],
        "act": [" du Code judiciaire", " C. jud."],
        "§": "§ {}",
        "al": "alinéa {}",
    },
    "nl": {
        "to": [" tot ", " tot en met ", " t.e.m. ", " t/m "],
        "and": [" en ", " of "],
        "many": ["artikelen ", "artt. ", "art. "],
        "act": [" van het Gerechtelijk Wetboek", " Ger.W."],
        "§": "§ {}",
        "al": "lid {}",
    },
}  # fmt: skip


def one(rng: random.Random, language: str, number: int) -> Written:
    """A single article, perhaps with a suffix, perhaps with a path."""
    key = str(number)
    if rng.random() < 0.2:
        key += rng.choice(SUFFIXES)
    elif rng.random() < 0.1:
        key += f"/{rng.randint(1, 20)}"
    path: list[str] = []
    text = key
    if rng.random() < 0.35:
        n = rng.randint(1, 9)
        text += ", " + WORDS[language]["§"].format(n)
        path.append(f"§{n}")
    if rng.random() < 0.25:
        n = rng.randint(1, 9)
        text += ", " + WORDS[language]["al"].format(n)
        path.append(f"al{n}")
    if rng.random() < 0.25:
        low = rng.randint(1, 6)
        high = low + rng.choice([0, 0, 1, 3])
        upto = rng.choice(WORDS[language]["to"])
        text += f", {low}°" + (f"{upto}{high}°" if high > low else "")
        return Written(text, [(key, (*path, f"{n}°")) for n in range(low, high + 1)])
    return Written(text, [(key, tuple(path))])


def span(rng: random.Random, language: str, number: int) -> tuple[Written, int]:
    """A range of articles: whole, with a suffixed or slashed end, or within one article."""
    upto = rng.choice(WORDS[language]["to"])
    kind = rng.random()
    if kind < 0.15:
        low, high = sorted(rng.sample(range(len(SUFFIXES)), 2))
        keys = [f"{number}{SUFFIXES[n]}" for n in range(low, high + 1)]
        return Written(f"{keys[0]}{upto}{keys[-1]}", [(k, ()) for k in keys]), number
    if kind < 0.3:
        low, high = sorted(rng.sample(range(1, 30), 2))
        keys = [f"{number}/{n}" for n in range(low, high + 1)]
        return Written(f"{keys[0]}{upto}{keys[-1]}", [(k, ()) for k in keys]), number
    last = number + rng.randint(1, 40)
    keys = [str(n) for n in range(number, last + 1)]
    if rng.random() < 0.2:
        keys[0] += rng.choice(SUFFIXES)
    if rng.random() < 0.2:
        keys.append(keys[-1] + rng.choice(SUFFIXES))
    elif rng.random() < 0.1:
        keys.append(f"{keys[-1]}/{rng.randint(1, 9)}")
    return Written(f"{keys[0]}{upto}{keys[-1]}", [(k, ()) for k in keys]), last


def phrase(rng: random.Random, language: str) -> Written:
    number = rng.randint(10, 300)
    parts: list[Written] = []
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.45:
            written, number = span(rng, language, number)
        else:
            written = one(rng, language, number)
        parts.append(written)
        number += rng.randint(1, 60)
    text = parts[0].text
    for part in parts[1:-1]:
        text += ", " + part.text
    if len(parts) > 1:
        text += rng.choice(["", ","]) + rng.choice(WORDS[language]["and"]) + parts[-1].text
    word = rng.choice(WORDS[language]["many"])
    link = "," if any(path for part in parts for _, path in part.provisions) else ""
    act = rng.choice(WORDS[language]["act"])
    return Written(f"{word}{text}{link}{act}", [p for part in parts for p in part.provisions])


def test_ten_thousand_lists_and_ranges() -> None:
    rng = random.Random(1830)
    languages: tuple[Language, Language] = ("fr", "nl")
    wrong = []
    for at in range(10_000):
        language = languages[at % 2]
        written = phrase(rng, language)
        found = cite(written.text, language)
        got = [(c.key, c.path) for c in found]
        acts = {c.act.id for c in found}
        if got != written.provisions or acts != {"code-judiciaire"}:
            wrong.append((written.text, written.provisions, got, acts))
    assert not wrong, f"{len(wrong)} wrong, first: {wrong[:3]}"
