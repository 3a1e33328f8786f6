"""French and Dutch as the embedded judge reads them: in English words where its lists have one.

The rules, lists and features are of English words. So "ne perdront pas" becomes "not lose", "lundi"
"monday" and "dix-sept" 17; a word that the language's table lacks stays itself, as its stem. Both
texts of a case are read so: only facts are left to differ. Places are those of the text itself.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from oyer.judges.embedded import languages, tables
from oyer.judges.embedded.languages import DUTCH, FRENCH, MARK, Language
from oyer.judges.embedded.languages.dutch import amend_dutch, canonical, split
from oyer.judges.embedded.languages.french import amend_french
from oyer.judges.embedded.languages.numbers import count_words
from oyer.judges.embedded.languages.token import Token
from oyer.judges.embedded.words import STOP, Words, stem

DATES = tables.words("dates")
BLANKS = r" \u00a0\u202f"
#: A number with its thousands, a word; or a tag or an entity of HTML, which is none.
PIECE = re.compile(
    rf"(?<!\d)\d{{1,3}}(?:[{BLANKS}]\d{{3}})+(?!\d)(?:,\d+)?|\d+(?:[.,]\d+)*|[^\W\d_]+"
    r"|</?[A-Za-z][^<>]*>|&[A-Za-z]+;"
)
THOUSANDS = re.compile(rf"\d{{1,3}}(?:[.{BLANKS}]\d{{3}})+(?:,\d+)?")
#: What stands before the first word of a sentence.
BEGINNING = re.compile(r"(?:^|[.!?…:;\n>•«“\"(–-])[\s\"“«'’*]*$")
AMEND: Mapping[str, Callable[[str, list[Token], Language], None]] = {
    FRENCH: amend_french,
    DUTCH: amend_dutch,
}


def read_foreign(text: str, code: str) -> Words:
    """Every word of a text, in English where the language's table has it."""
    language = languages.load(code)
    tokens = count_words(text, _tokens(text, code), code)
    tokens = _join(tokens, language)
    if code == DUTCH:
        tokens = [piece for token in tokens for piece in split(token, language)]
    for at, token in enumerate(tokens):
        if not token.norm:
            token.norm = _gloss(tokens, at, language)
    AMEND[code](text, tokens, language)
    norms = tuple(token.norm for token in tokens)
    return Words(
        norms,
        tuple(stem(norm) for norm in norms),
        tuple(token.start for token in tokens),
        tuple(token.end for token in tokens),
        tuple(token.capital or token.norm in DATES for token in tokens),
        code,
    )


def _tokens(text: str, code: str) -> list[Token]:
    """Clock times, numbers and words, in their order."""
    found: list[Token] = []
    clocks = list(languages.pattern(code, "clock").finditer(text))
    starts = [match.start() for match in clocks]
    for match in clocks:
        hours, minutes = match[1] or match[3], match[2] or "00"
        found.append(Token(match.group().lower(), *match.span(), f"{int(hours)}:{minutes}"))
    ordinal = languages.pattern(code, "ordinal")
    end = 0
    for match in PIECE.finditer(text):
        start = match.start()
        clock = bisect(starts, start) - 1
        timed = clock >= 0 and start < clocks[clock].end()
        if match.group()[0] in "<&" or start < end or timed:
            continue
        raw, end = match.group(), match.end()
        if raw[0].isdigit():
            placed = ordinal.match(text, start)
            end = placed.end() if placed else end
            found.append(Token(raw, start, end, figure(raw)))
        else:
            first = BEGINNING.search(text, max(0, start - 12), start) is not None
            found.append(Token(raw.lower(), start, end, "", raw[0].isupper(), first))
    return sorted(found, key=lambda token: token.start)


def figure(raw: str) -> str:
    """A number without its thousands' marks, its decimals after a point: 1.234,50 is 1234.5."""
    if THOUSANDS.fullmatch(raw):
        raw = re.sub(rf"[.{BLANKS}]", "", raw)
    plain = raw.replace(",", ".")
    return plain.rstrip("0").rstrip(".") if plain.count(".") == 1 else plain


def _join(tokens: Sequence[Token], language: Language) -> list[Token]:
    """The tokens, several words that stand for one as one."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        token, used = tokens[at], 1
        for rest, english in language.phrases.get(token.low, ()) if not token.norm else ():
            if tuple(t.low for t in tokens[at + 1 : at + 1 + len(rest)]) == rest:
                used += len(rest)
                end = tokens[at + used - 1].end
                token = Token(token.low, token.start, end, english, token.capital, token.first)
                break
        found.append(token)
        at += used
    return found


def _gloss(tokens: Sequence[Token], at: int, language: Language) -> str:
    """The English word, or the word's own stem. A capital inside a sentence is a name, unless the
    table has the very word and no other name stands beside it."""
    token = tokens[at]
    english = language.glosses.get(token.low)
    if token.capital and not token.first:
        near = (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])
        named = english not in STOP and any(_is_named(token, t, language) for t in near)
        return english if english and not named else _own(token.low, language.code)
    paired = token.capital and at + 1 < len(tokens) and tokens[at + 1].capital
    if english is None and not paired:
        english = language.stems.get(language.stem(token.low))
    return english or _own(token.low, language.code)


def _is_named(token: Token, other: Token, language: Language) -> bool:
    """Whether a neighbour makes a name of a word: "Sophie Lambert", but not "La Région"."""
    touching = max(token.start, other.start) - min(token.end, other.end) == 1
    return other.capital and touching and language.glosses.get(other.low) not in STOP


@lru_cache(maxsize=65536)
def _own(low: str, code: str) -> str:
    if len(low) == 1:
        return low
    found = languages.load(code).stem(low)
    return (canonical(found) if code == DUTCH else found) + MARK + code
