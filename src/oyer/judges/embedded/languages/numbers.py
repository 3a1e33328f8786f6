"""Numbers in words: dix-sept, quatre-vingt-douze, eenentwintig."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from oyer.judges.embedded.languages.token import Token

FRENCH = [
    "zéro",
    "un",
    "deux",
    "trois",
    "quatre",
    "cinq",
    "six",
    "sept",
    "huit",
    "neuf",
    "dix",
    "onze",
    "douze",
    "treize",
    "quatorze",
    "quinze",
    "seize",
]
DUTCH = [
    "nul",
    "een",
    "twee",
    "drie",
    "vier",
    "vijf",
    "zes",
    "zeven",
    "acht",
    "negen",
    "tien",
    "elf",
    "twaalf",
    "dertien",
    "veertien",
    "vijftien",
    "zestien",
    "zeventien",
    "achttien",
    "negentien",
]
FRENCH_TENS = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante"}
#: Belgian and Swiss tens stand beside those of France.
MORE_TENS = {70: "septante", 80: "huitante", 90: "nonante"}
DUTCH_TENS = {20: "twintig", 30: "dertig", 40: "veertig", 50: "vijftig", 60: "zestig",
              70: "zeventig", 80: "tachtig", 90: "negentig"}  # fmt: skip
LONGEST = 5  # words of a number: quatre-vingt-dix-sept, vingt et un
GAPS = (" ", "-", "‑")


def count_words(text: str, tokens: Sequence[Token], code: str) -> list[Token]:
    """The tokens, with a number in words as one token that has the number for its word."""
    known = _french() if code == "fr" else _dutch()
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        size, value = _longest(text, tokens[at : at + LONGEST], known)
        token = tokens[at]
        if size:
            end = tokens[at + size - 1].end
            token = Token(token.low, token.start, end, str(value), token.capital, token.first)
        found.append(token)
        at += max(1, size)
    return found


def _longest(
    text: str, tokens: Sequence[Token], known: dict[tuple[str, ...], int]
) -> tuple[int, int]:
    size, best = 0, (0, 0)
    while size < len(tokens):
        if size and text[tokens[size - 1].end : tokens[size].start] not in GAPS:
            break
        size += 1
        value = known.get(tuple(t.low for t in tokens[:size]))
        if value is not None:
            best = size, value
    return best


@lru_cache(maxsize=1)
def _french() -> dict[tuple[str, ...], int]:
    spelled: dict[int, list[tuple[str, ...]]] = {n: [(word,)] for n, word in enumerate(FRENCH)}
    spelled |= {n: [("dix", FRENCH[n - 10])] for n in (17, 18, 19)}
    for ten, word in (FRENCH_TENS | MORE_TENS).items():
        spelled.setdefault(ten, []).append((word,))
        for unit in range(1, 20 if ten == 60 else 10):
            link = ("et",) if unit in (1, 11) else ()
            rest = [(word, *link, *digits) for digits in spelled[unit]]
            spelled.setdefault(ten + unit, []).extend(rest)
    spelled[70].append(("soixante", "dix"))
    spelled[80] += [("quatre", "vingts"), ("quatre", "vingt")]
    for unit in range(1, 20):
        more = [("quatre", "vingt", *digits) for digits in spelled[unit]]
        spelled.setdefault(80 + unit, []).extend(more)
    spelled |= {100: [("cent",)], 1000: [("mille",)]}
    found = {words: n for n, forms in spelled.items() for words in forms}
    del found["un",]  # an article, mostly
    return found


@lru_cache(maxsize=1)
def _dutch() -> dict[tuple[str, ...], int]:
    found = {word: n for n, word in enumerate(DUTCH)}
    for ten, word in DUTCH_TENS.items():
        found[word] = ten
        for unit in range(1, 10):
            first = DUTCH[unit]
            found[f"{first}{'ën' if first.endswith('e') else 'en'}{word}"] = ten + unit
    found |= {"honderd": 100, "duizend": 1000}
    del found["een"]  # an article, mostly
    return {(word,): n for word, n in found.items()}
