"""What a word means in Dutch that its neighbours or its parts decide."""

from __future__ import annotations

import re
from collections.abc import Iterator

from oyer.judges.embedded import tables
from oyer.judges.embedded.languages import Language
from oyer.judges.embedded.languages.token import Token, broken, clause, is_alone

DATES, SMALL = tables.words("dates"), tables.words("stop")
PARTS = frozenset((
    "af", "aan", "op", "uit", "mee", "toe", "in", "over", "terug", "weg", "voor", "goed", "deel",
    "plaats", "tegen", "achteruit", "vooruit", "dicht", "open", "door", "voort", "vrij", "om", "na",
    "bekend",
))  # fmt: skip
#: Of these, those that are no prepositions: they need not come last.
BARE = frozenset(["af", "mee", "toe", "terug", "weg", "achteruit", "vooruit", "voort", "bekend"])
FOLLOWERS = frozenset(["en", "of", "maar", "om", "dat", "omdat", "als", "die"])
ASKING = frozenset(["bekend", "weet", "weten", "vraag", "vraagt", "duidelijk", "zeker", "wist"])
PRONOUNS = frozenset(
    ["er", "het", "u", "je", "jij", "hij", "ze", "zij", "we", "wij", "ik", "dat", "dit"]
)
IDLE = "also"  # a stop word for what is left of a verb
#: Letters of a compound (shorter ones that begin a sentence are often names), of its first part
#: and of its last.
LONG, LONGEST, SHORT, TAIL = 9, 40, 4, 3


def amend_dutch(text: str, tokens: list[Token], language: Language) -> None:
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else None
        alone = token.end - token.start == len(token.low)  # not the first word of a phrase
        if token.low in PARTS and token.norm and alone:
            _rejoin(text, tokens, at, language)
        if token.low in ("nee", "neen") and is_alone(text, tokens, at):
            token.norm = IDLE
        elif token.low == "als" and _opens(text, tokens, at):
            token.norm = "if"
        elif token.low == "of" and before and before.low in ASKING:
            token.norm = "whether"
        elif token.low == "voor" and _dated(tokens, at + 1):
            token.norm = "before"
        elif token.norm == "refuse" and _infinitive(text, tokens, at):
            token.norm = "not"  # weigert de kosten te betalen


def _opens(text: str, tokens: list[Token], at: int) -> bool:
    """Whether "als" begins a clause of its own, by what stands around it."""
    after = tokens[at + 1].low if at + 1 < len(tokens) else ""
    return broken(text, tokens, at) or tokens[at - 1].low == "en" or after in PRONOUNS


def _rejoin(text: str, tokens: list[Token], at: int, language: Language) -> None:
    """The verb of a part that stands at the end of its clause: "wees een voorstel af"."""
    low, high = clause(text, tokens, at)
    last = at + 1 >= high or tokens[at + 1].low in FOLLOWERS
    if not last and tokens[at].low not in BARE:
        return
    for other in reversed(tokens[low:at]):
        english = language.separable.get((other.low, tokens[at].low))
        if english:
            other.norm, tokens[at].norm = english, IDLE
            return


def _dated(tokens: list[Token], at: int) -> bool:
    """Whether a day of a month follows."""
    dated = at + 1 < len(tokens) and tokens[at + 1].norm in DATES
    return dated and tokens[at].norm.isdigit()


def _infinitive(text: str, tokens: list[Token], at: int) -> bool:
    return any(token.low == "te" for token in tokens[at : clause(text, tokens, at)[1]])


def split(token: Token, language: Language) -> Iterator[Token]:
    """A compound as its two words, where the table has both: huurverhoging."""
    known = language.glosses
    if (
        not token.norm
        and token.low not in known
        and LONG <= len(token.low) <= LONGEST
        and (token.first or not token.capital)
    ):
        for cut in range(SHORT, len(token.low) - TAIL + 1):
            head, other = token.low[:cut], token.low[cut:]
            first = next((w for w in (head, head.removesuffix("s"), head.removesuffix("en"))
                          if w in known), None)  # fmt: skip
            if first and other in known and known[other] not in SMALL:
                middle = token.start + cut
                yield Token(head, token.start, middle, known[first], False, token.first)
                yield Token(other, middle, token.end, known[other])
                return
    yield token


def canonical(stem: str) -> str:
    """One form for the forms of a verb that the stemmer keeps apart: klaagd, klaagt, klag."""
    if len(stem) > 5 and stem.startswith("ge") and stem[-1] in "dt":
        stem = stem[2:]
    if len(stem) > 4 and stem[-1] in "dt" and stem[-2] not in "dt":
        stem = stem[:-1]
    stem = re.sub(r"([aeou])\1", r"\1", stem)
    return stem[:-1] + {"v": "f", "z": "s"}.get(stem[-1], stem[-1])
