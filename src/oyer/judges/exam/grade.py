"""EX-GRADE: an answer against the expected one, by code.

Correct   the same after folding; or at least 4 in 5 of the expected keywords, and all its numbers
Partial   at least 2 in 5 of the expected keywords
Wrong     anything else; no answer; numbers given where none of the expected ones is among them;
          a list of guesses

EX-HEARD: a word of the answer counts only when it stands in the text that the answer was to be
drawn from. What else a call sees (key points, claims) can suggest an answer; it earns no mark.
"""

from __future__ import annotations

import re
from typing import Literal

from oyer.text.fold import fold
from oyer.text.words import keywords

Status = Literal["Correct", "Partial", "Wrong"]

#: An answer is asked for in 8 words; what stands after this many cannot earn marks by chance.
LONGEST = 30
#: More numbers that nobody expected than this are a list of guesses.
GUESSES = 2
_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f' ]\d{3})*(?:[.,]\d+)?")
_MARKS = re.compile(r"[^\w\s]+")
#: "two dogs" is "2 dogs"; one is left out, for it is an article in French and Dutch.
_WORDS = {
    word: str(number)
    for number, words in enumerate(
        (
            "two deux twee", "three trois drie", "four quatre vier", "five cinq vijf",
            "six six zes", "seven sept zeven", "eight huit acht", "nine neuf negen",
            "ten dix tien", "eleven onze elf", "twelve douze twaalf",
        ),
        start=2,
    )
    for word in words.split()
}  # fmt: skip


def words_of(text: str, language: str) -> frozenset[str]:
    """The keywords and numbers of a text, as `grade` compares them."""
    plain = _plain(text)
    return _content(plain, language) | _numbers(plain)


def grade(expected: str, given: str, language: str, heard: frozenset[str] | None = None) -> Status:
    """How well the given answer meets the expected one; `heard` are the words of its source."""
    short = " ".join(given.split()[:LONGEST])
    wanted, got = _plain(expected), _plain(short)
    if not got or not wanted:
        return "Wrong"
    if wanted == got and heard is None:
        return "Correct"
    numbers, given_numbers = _numbers(wanted), _numbers(got)
    needed = _content(wanted, language) | numbers
    mistaken = bool(numbers and given_numbers) and not numbers & given_numbers
    if not needed:  # an answer of stop words only
        return "Correct" if wanted == got else "Wrong"
    if mistaken or len(given_numbers - numbers) > GUESSES:
        return "Wrong"
    said = _content(got, language) | given_numbers
    if heard is not None:  # EX-HEARD
        said, given_numbers = said & heard, given_numbers & heard
    met = len(needed & said) / len(needed)
    if met >= 0.8 and numbers <= given_numbers:
        return "Correct"
    return "Partial" if met >= 0.4 else "Wrong"


def _plain(text: str) -> str:
    """Folded, in small letters, number words as figures."""
    words = fold(text).casefold().strip(" .;:!?\"'()[]").split()
    return " ".join(_WORDS.get(word.strip(",.;"), word) for word in words)


def _numbers(text: str) -> frozenset[str]:
    """The numbers of a text, written one way: 1,200 and 1 200 and 1.200 are 1200."""
    found = set()
    for match in _NUMBER.findall(text):
        grouped = re.sub(r"[.,\u00a0\u202f' ](?=\d{3}(?!\d))", "", match).replace(",", ".")
        found.add(grouped.rstrip("0").rstrip(".") if "." in grouped else grouped)
    return frozenset(found)


def _content(text: str, language: str) -> frozenset[str]:
    """The keywords that are no numbers; single letters (vitamin C) count here."""
    without = _NUMBER.sub(" ", text)
    lone = {w for w in _MARKS.sub(" ", without).split() if len(w) == 1 and w.isalpha()}
    return keywords(without, language) | (lone - {"a", "i", "l", "d", "s", "t", "y", "à"})
