"""BL-ARTICLE: the number of an article, and its key.

Arabic (31, 10bis), Roman.Arabic (XX.99, with stray blanks), decimal and code books (6.1, 5.70,
7:228), slashed (1675/13), dashed (577-9), letter-dotted (L.1122-30, D.IV.4), unique, premier.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from oyer.cite.lexicon import months, suffixes

DEGREE: Final = r"(?:°|ó(?![^\W\d_])|o(?![^\W\d_]))"
_DEGREE_NEXT: Final = re.compile(r"\s?" + DEGREE + r"|\s{2,3}°")
_LETTERED: Final = re.compile(
    r"(?:L(?:\.|\s(?=\d{4}-\d))?\d{3,4}(?:-\d{1,4})?|X\d{1,3}|[DR]\.?(?:[IVX]{1,5}\.\s?)?\d{1,4}(?:[-./]\d{1,4})*|"
    r"[LDR]\.\s\d{1,4}-\d{1,4})(?![\w°])"
)
_ROMAN: Final = re.compile(
    r"([IVXLCDM]{1,7}(?:\s?\.\s?|/))(\d{1,4})((?:/\d{1,3}|[-.]\d{1,4}){0,3})(?!\d)"
)
_ARABIC: Final = re.compile(r"(\d{1,5})((?:[.:/]\d{1,4}){0,4})(-\d{1,4}(?![.:/]\d))?(?!\d)")
_ROMAN_ALONE: Final = re.compile(r"[IVX]{1,6}(?![\w/]|\.\s?[A-Za-z]\.?|'|-)")
_FIRST: Final = re.compile(r"(?:1\s?(?:er|re|ère|ste|e)|[lI]\s?er|premier)(?=\W|$|bis|ter|quater)")
_UNIQUE: Final = re.compile(r"unique(?!\w)|enig(?!\w)")
_SPACED: Final = re.compile(
    r"\.\s(\d{1,2})(?=[.,]?\s*(?:\d°,?\s|[a-f],?\s)?(?:van\s+het\s+|du\s+|de\s+la\s+)?"
    r"(?:E\.?V\.?R|Europees|Verdrag|Wegverkeers|C\.?E\.?D\.?H|Convention|Code\s+de\s+la\s+route))"
)
#: "articles 8. 17 et 8. 18 du Code civil": the books of the new code.
_SPACED_BOOK: Final = re.compile(
    r"\.\s(\d{1,3})(?=\s*(?:(?:,|et|en|à|tot)\s+\d\.\s?\d{1,3}\s*){0,3}"
    r"(?:du\s+(?:nouveau\s+)?Code\s+civil|van\s+het\s+(?:nieuwe?\s+)?(?:BW|Burgerlijk)|C\.\s?civ|BW))"
)
_LETTER: Final = re.compile(r"[A-Z](?![\w.])")
_GLUED: Final = re.compile(r"[a-h](?=\s?,?\s?§)")  # "art. 8b, § 2": no letter stands before a §


class Number(NamedTuple):
    """An article's key, where it ends, and whether it is a whole number and nothing else."""

    key: str
    end: int
    plain: bool


@cache
def _suffix() -> re.Pattern[str]:
    some = sorted(suffixes(), key=len, reverse=True)
    usual = "|".join(word for word in some if word != "ter")
    every = "|".join(some)
    # "artikel 5 ter uitvoering van": a spaced "ter" counts only before punctuation or a link word
    return re.compile(
        rf"(?:({every})|\s({usual})|[ ](ter)(?=\s*(?:[,;.)§]|$)|\s(?:du|de|des|et|en|van|à|"
        r"al(?:in[ée]as?|\.)|lid|par(?:agraphe|agraaf|\.)|(?:[^\W\d_]+(?:ste|de)|\d+\w{1,3})\s+lid)(?!\w)))"
        r"(?![^\W\d_])((?:/|-)\d{1,3}|-[A-Z](?![\w.]))?",
        re.IGNORECASE,
    )


@cache
def _not_an_article() -> re.Pattern[str]:
    """What shows, after a number in a list, that it is a date, an amount or a page."""
    names = "|".join(sorted(months(), key=len, reverse=True))
    accented = names.replace("fevr", "f[ée]vr").replace("aout", "ao[ûu]t").replace("dec", "d[ée]c")
    return re.compile(
        rf"\s?(?:%|€|\s(?:{accented})\b\.?\s?(?:\d{{4}}|et|en|,)|\s?(?:euros?|francs?|fr\.|BEF|EUR|pct|"
        r"p\.c\.|jours?|ans|années?|mois|heures?|pages?|dagen|dag|jaar|jaren|maanden|maand|uur|"
        r"frank|procent|personnes|personen|autres|andere)\b|"
        r"(?<=\d{4})\s(?:Bruxelles|Brussel|Anvers|Antwerpen|Gand|Gent|Li[èe]ge|Luik|Namur|Namen|Mons|"
        r"Bergen|Leuven|Louvain|Brugge|Hasselt|Charleroi|Tournai|Arlon|Mechelen|Kortrijk)\b)",
        re.IGNORECASE,
    )


def number_at(text: str, position: int, *, listed: bool, singular: bool) -> Number | None:
    """The article number at `position`; `listed`: it follows another one in a list."""
    if not listed and (found := _in_words(text, position)):
        return found
    if match := _LETTERED.match(text, position):
        return Number(match[0].replace(" ", ""), match.end(), False)
    if match := _ROMAN.match(text, position):
        return _roman(text, match)
    if match := _ARABIC.match(text, position):
        return _arabic(text, match, listed, singular)
    if match := _ROMAN_ALONE.match(text, position):
        # "artikel I" stands for article 1er; a higher Roman numeral is the act's own numbering
        return Number("1" if match[0] == "I" else match[0], match.end(), False)
    return None


def _in_words(text: str, position: int) -> Number | None:
    if match := _FIRST.match(text, position):
        return _with_suffix(text, "1", match.end(), plain=True)
    match = _UNIQUE.match(text, position)
    return Number("unique", match.end(), False) if match else None


def _roman(text: str, match: re.Match[str]) -> Number | None:
    tail, end = match[3], match.end()
    if _DEGREE_NEXT.match(text, end):  # I.1.1° is I.1, 1°
        if not tail:
            return None
        cut = max(tail.rfind("."), tail.rfind("-"), tail.rfind("/"))
        tail, end = tail[:cut], match.start(3) + cut
    key = f"{match[1].replace(' ', '')}{match[2]}{tail}"
    return _with_suffix(text, key, end, plain=False)


def _arabic(text: str, match: re.Match[str], listed: bool, singular: bool) -> Number | None:
    key, end = match[1] + match[2], match.end(2)
    plain = not match[2]
    if dashed := match[3]:
        ends_in_degree = _DEGREE_NEXT.match(text, match.end())
        upward = plain and int(dashed[1:]) > int(match[1]) and not singular
        if not ends_in_degree and not upward:  # 577-9; else a range (10-13) or a point (609-1°)
            key, end, plain = key + dashed, match.end(), False
    elif _DEGREE_NEXT.match(text, end):
        if plain:
            return None if listed else _run_together(match)
        key, _, last = key.rpartition("." if "." in match[2] else "/")
        end -= len(last) + 1
        plain = key.isdigit()
    spaced = _SPACED.match(text, end) if plain else None  # "art. 5. 3 E.V.R.M."
    if plain and len(key) == 1:
        spaced = spaced or _SPACED_BOOK.match(text, end)
    if spaced:
        return Number(f"{key}.{spaced[1]}", spaced.end(1), False)
    if listed and plain:
        first = _FIRST.match(text, match.start())
        if first:
            return _with_suffix(text, "1", first.end(), plain=True)
        if _not_an_article().match(text, end):
            return None
    return _with_suffix(text, key, end, plain=plain)


def _run_together(match: re.Match[str]) -> Number:
    """ "article $311^{\\circ}$": a scan lost what stood between article 31 and its 1°."""
    digits = match[1]
    cut = len(digits) - 1 if len(digits) > 2 else len(digits)
    return Number(digits[:cut], match.start() + cut, False)


def _with_suffix(text: str, key: str, end: int, *, plain: bool) -> Number:
    match = _suffix().match(text, end)
    if match:
        word = (match[1] or match[2] or match[3]).lower()
        return Number(key + word + (match[4] or ""), match.end(), False)
    if plain and (letter := _LETTER.match(text, end)):
        if letter[0] == "O":  # a scanned nought
            return Number(key + "0", letter.end(), True)
        return Number(key + letter[0], letter.end(), False)
    if plain and (letter := _GLUED.match(text, end)):
        return Number(key + letter[0], letter.end(), False)
    if not plain and text.startswith(".,", end):  # "I.1., 1°"
        end += 1
    return Number(key, end, plain)
