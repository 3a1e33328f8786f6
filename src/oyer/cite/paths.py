"""BL-PATH: the subdivisions of an article.

Paragraph (§), alinéa or lid, numbered point (°), letter, tiret or streepje, phrase or zin; label
first ("§ 2", "alinéas 2 et 3", "lid 1") or last ("eerste lid", "2de en 3de lid"). A degree sign
is a point, never a paragraph.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from oyer.cite import expand
from oyer.cite.lexicon import fold, numerals, ordinals
from oyer.cite.numbers import DEGREE

#: Levels, outermost first; how a value of each is written in a path.
WRITTEN: Final = {
    "part": "{}",
    "§": "§{}",
    "al": "al{}",
    "°": "{}°",
    "letter": "{})",
    "roman": "{})",
    "tiret": "tiret{}",
    "phrase": "phrase{}",
}
RANK: Final = {level: rank for rank, level in enumerate(WRITTEN)}

JOIN: Final = re.compile(
    r"\s*(?P<comma>(?:[,;]\s*){0,3})"
    r"(?:(?P<word>et/ou|en/of|et|en|ou|of|ainsi\s+que|alsmede|evenals|juncto|jo\.?|j°|&|resp\.)\s+"
    r"(?:,\s*)?(?:de\s+l'\s?|de\s+|des\s+|du\s+|aux?\s+|à\s+l'\s?|les?\s+|la\s+|l'\s?|het\s+|in\s+)?)?"
    r"(?:(?:inzonderheid|notamment|sp[ée]cialement|singuli[èe]rement|met\s+name|meer\s+bepaald|"
    r"en\s+particulier|in\s+het\s+bijzonder)\s+(?:l'|les?\s+|het\s+|de\s+)?)?",
    re.IGNORECASE,
)
POINT_NEXT: Final = re.compile(rf"\s?,\s?\d{{1,2}}\s?{DEGREE}")
RANGE: Final = re.compile(
    r"\s*,?\s*(?:tot\s+en\s+met|tot\s*&\s*met|t\.?\s?e\.?\s?m\b\.?|t/m|t\.m\.|tot|jusqu'(?:à|au)|"
    r"à|au|inclus\s+à|[-–—])\s*",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"(?P<par>§\s?§?|§?par(?:agraphes?|agraaf|agrafen|agr?\.|\.)(?!\w)|ss(?=\s\d))|"
    r"(?P<al>alin[ée]as?(?P<twice>\s+alin[ée]as?)?|al\.?|leden|lid)(?![^\W\d_])|"
    r"(?P<phrase>phrases?|volzin(?:nen)?|zin(?:nen)?)(?!\w)|"
    r"(?P<tiret>tirets?|(?:gedachte)?streepjes?)(?!\w)|"
    r"(?P<letter>litt?\.|(?:litt?[ée]ras?|lettres?|letters?)(?!\w))|"
    r"(?P<point>points?|punt(?:en)?|onder|sous|sub|n°|nr\.|chiffres?|cijfers?)(?!\w)",
    re.IGNORECASE,
)
_LEVEL: Final = {"par": "§", "point": "°"}
_PLURAL: Final = re.compile(r"§\s?§|.*(?:s|en)$", re.IGNORECASE)
_COUNT: Final = re.compile(
    r"(?P<n>\d{1,3}|[lI](?=\s?er\b))(?:(?:\s?(?:er|re|ère)|ème|eme|ste|de|nd|e)(?![^\W\d_])|°)?"
    r"(?P<suffix>\s?(?:bis|ter|quater|quinquies|sexies|septies|octies)(?!\w))?"
    r"(?P<slash>\s?/\s?\d{1,2}|\.\d{1,2}(?!\s?°))?(?![^\W_]|\.\d)"
)
_POINT: Final = re.compile(
    rf"\s*[.-]?(?P<n>\d{{1,3}})(?:\s?{DEGREE}|\s{{2,3}}°|\.(?=,|bis|ter|\s+(?:à|tot)\s|\s?[a-h]\)?,))"
    r"(?P<suffix>(?:,\s|\s)?(?:bis|ter|quater|quinquies|sexies|septies|octies)(?!\w))?"
    r"(?P<slash>\s?/\s?\d{1,2}(?!\d))?"
)
_CLOSED: Final = re.compile(r"(?P<n>\d{1,2})\)(?=\s*,|\s+(?:des?|du|van|et|en|à|tot)\s)")
_LETTER: Final = re.compile(
    r"\(?(?P<closed>[a-z])(?P<bis>bis|ter)?\s?\)|\.(?P<dotted>[a-n])(?!\w)\.?|"
    r"(?P<bare>[a-n])(?=\s*(?:[,;)]|\.(?:\s|$)|$)|\s+(?:van|des?|der|du|et|en|ou|of|à|tot|uit)\b)|"
    r"-?(?P<upper>[A-K])(?=\s*[,;)]|\s+(?:à|tot|et|en)\s+(?:\d|[A-K](?!\w))|\s+(?:du|van)\s)"
)
_TWO_MORE: Final = re.compile(r"(\d{1,2})\s+(?:et|en)\s+(\d{1,2})(?![\w°/.-]|\s?°)")
_RUN_TOGETHER: Final = re.compile(r"(\d)\d\s?°")
_NUMERAL: Final = re.compile(r"\(?(?P<n>i{1,3}|iv|vi{0,3}|ix)\s?\)")
_PART_AFTER_DOT: Final = re.compile(r"\.[IVX]{1,4}\.\d")
_BRACKETED: Final = re.compile(r"(?:(?<=[\d)])|(?=\(\d\)\s+(?:des?|du|van)\s))\((?P<n>\d{1,2})\)")
_PART: Final = re.compile(r"\.?(?P<n>[IVX]{1,4})(?=\s*,|\.\d{1,2}\s?°|\s+(?:du|de|van)\s)")


def write_level(level: str, value: str) -> str:
    """A value of a level as a path shows it: §2, al1, 8°, 7°/1, a)."""
    return value if "°" in value else WRITTEN[level].format(value)


class Sub(NamedTuple):
    """Subdivisions of one level: "alinéas 2 et 3" is one Sub with two values."""

    level: str
    values: tuple[str, ...]
    ranged: bool
    end: int


class Around(NamedTuple):
    """What the phrase knows when a subdivision is read: it decides doubtful numbers."""

    article: int  # the article's own number; 0 when it has none
    many: bool  # the phrase says "articles", "artikelen", "artt."
    joined: bool = False  # a comma or a link word stands before
    lettered: bool = False  # the path already has a letter
    paragraphed: bool = False  # the path already has a paragraph


@cache
def _ordinal_last() -> re.Pattern[str]:
    words = "|".join(
        w.replace("ieme", "i[eè]me").replace("iere", "i[eè]re")
        for w in sorted(ordinals(), key=len, reverse=True)
    )
    # "3°, eerste lid" is point 3, first alinéa: a degree sign is an ordinal only beside another
    ordinal = rf"(?:\d{{1,2}}\s?(?:er|re|ère|ème|eme|ste|de|nd|e|°(?!\s?,))|(?:{words}))(?!\w)"
    link = r"(?:,|et|en|ou|of|à|tot\s+en\s+met|t\.e\.m\.|tot)"
    return re.compile(
        rf"(?P<all>{ordinal}(?:\s*{link}\s*(?:(?:les?|la|het|de)\s+)?{ordinal}){{0,8}})\s+"
        r"(?P<noun>lid|leden|alin[ée]as?|volzin(?:nen)?|zin(?:nen)?|phrases?|tirets?|"
        r"(?:gedachte)?streepjes?|paragraphes?|paragraaf)(?!\w)",
        re.IGNORECASE,
    )


_NOUN: Final = {"l": "al", "a": "al", "v": "phrase", "z": "phrase", "t": "tiret", "g": "tiret"}


def sub_at(text: str, position: int, around: Around) -> Sub | None:
    """The subdivisions that start at `position`."""
    if match := _ordinal_last().match(text, position):
        return _ordinals(match)
    if match := _POINT.match(text, position):
        return _points(text, match)
    if around.joined and (match := _CLOSED.match(text, position)) and not inside(text, position):
        return Sub("°", (match["n"],), False, match.end())
    if match := _LABEL.match(text, position):
        return _read_label(text, match, around)
    return _read_letter(text, position, around)


def _read_letter(text: str, position: int, around: Around) -> Sub | None:
    """Letters, and what looks like them: Roman numerals, bracketed paragraphs."""
    for level, pattern, allowed in (
        ("roman", _NUMERAL, around.lettered),
        ("part", _PART, _may_be_part(text, position, around)),
        ("letter", None, True),
        ("°" if around.paragraphed else "§", _BRACKETED, True),
    ):
        if not allowed:
            continue
        if pattern is None:
            if found := _letters(text, position, around):
                return found
        elif match := pattern.match(text, position):
            return Sub(level, (match["n"],), False, match.end())
    return None


def _may_be_part(text: str, position: int, around: Around) -> bool:
    """A Roman numeral after an article is a part of it; after a Roman one, the next article."""
    dotted = _PART_AFTER_DOT.match(text, position) is not None
    return around.article > 0 and (around.joined or dotted)


_CLOSES_LATER: Final = re.compile(r"[a-z0-9]?\)[^()\n;:]{1,45}\)")


def inside(text: str, position: int) -> bool:
    """Whether a bracket is open here: then ")" closes it and numbers no point."""
    before = text[max(0, position - 90) : position]
    if before.rfind("(") <= before.rfind(")"):
        return False
    # "(artikelen 5.1.a) en 6.1 AVG)": a second bracket closes it
    return not _CLOSES_LATER.match(text, position)


def _ordinals(match: re.Match[str]) -> Sub:
    noun = match["noun"].lower()
    if noun.startswith("ph"):
        level = "phrase"
    elif noun[0] == "p":
        level = "§"
    else:
        level = _NOUN.get(noun[0]) or "tiret"  # streepje
    values: list[str] = []
    ranged = False
    pieces = re.findall(
        r"[^\W\d_]+\.e\.m\.|avant-derni[eè]re?|[^\W\d_]+|\d+", match["all"], re.IGNORECASE
    )
    known = ordinals()
    upto = False
    for piece in pieces:
        word = fold(piece)
        if word in ("tot", "a", "t.e.m."):
            upto = ranged = True
        elif piece.isdigit() or word in known:
            value = piece if piece.isdigit() else ordinal(word)
            values += expand.values(values[-1], value)[1:] if upto and values else [value]
            upto = False
    return Sub(level, tuple(dict.fromkeys(values)), ranged, match.end())


def ordinal(word: str) -> str:
    """The value of an ordinal word; last and last but one have no number."""
    number = ordinals()[word]
    return str(number) if number > 0 else ("dernier", "avantdernier")[-number]


def _count(match: re.Match[str]) -> str:
    number = "1" if match["n"] in ("l", "I") else str(int(match["n"]))
    tail = (match["suffix"] or "") + (match["slash"] or "")
    return number + tail.replace(" ", "")


def _point_value(match: re.Match[str]) -> str:
    """ "7°/1" is written with its sign inside: the value carries it."""
    tail = ((match["suffix"] or "").lstrip(",") + (match["slash"] or "")).replace(" ", "")
    return f"{int(match['n'])}°{tail}" if tail else str(int(match["n"]))


def _points(text: str, match: re.Match[str]) -> Sub:
    first, end = _point_value(match), match.end()
    upto = RANGE.match(text, end)
    last = _POINT.match(text, upto.end()) if upto else None
    if last and int(last["n"]) > int(match["n"]):
        return Sub("°", tuple(expand.values(first, _point_value(last))), True, last.end())
    return Sub("°", (first,), False, end)


def _letters(text: str, position: int, around: Around) -> Sub | None:
    match = _LETTER.match(text, position)
    glued = position > 0 and text[position - 1].isdigit()  # "5.1a et 6"
    if not match or (match["bare"] == "a" and not around.joined and not glued):
        return None
    if match["upper"] and text.startswith((".", ". "), match.end()):
        return None
    first, end = _letter(match), match.end()
    if match["dotted"] and text.startswith(")", end) and not inside(text, end):  # "1704.2.g) et"
        end += 1
    upto = RANGE.match(text, end)
    last = _LETTER.match(text, upto.end()) if upto else None
    if last and first < _letter(last):
        return Sub("letter", tuple(expand.values(first, _letter(last))), True, last.end())
    return Sub("letter", (first,), False, end)


def _letter(match: re.Match[str]) -> str:
    found = match["closed"] or match["dotted"] or match["bare"] or match["upper"]
    return found.lower() + (match["bis"] or "")


def _read_label(text: str, match: re.Match[str], around: Around) -> Sub | None:
    group = "al" if match["al"] else match.lastgroup or ""
    level = _LEVEL.get(group, group)
    after = match.end()
    blank = re.compile(r"\s*").match(text, after)
    at = blank.end() if blank else after
    if group in ("letter", "point") and (found := _letters(text, at, around._replace(joined=True))):
        return found
    value = _value_at(text, at)
    if group == "par" and (lost := _RUN_TOGETHER.match(text, at)):  # "§ 15°" is § 1, 5°
        value = lost[1], lost.end(1)
    if value is None or group == "letter":
        return None
    # "alinéa alinéa 2 en 3": a double sign was written out twice
    plural = bool(match["twice"] or (_PLURAL.match(match[0]) and match[0] != "§"))
    return _read_more(text, level, value, around._replace(joined=plural))


def _value_at(text: str, position: int) -> tuple[str, int] | None:
    if match := _COUNT.match(text, position):
        return _count(match), match.end()
    if match := re.compile(r"[IVX]{1,4}(?![\w.'])").match(text, position):
        return match[0], match.end()
    if match := re.compile(r"[^\W\d_]+").match(text, position):
        word = fold(match[0])
        if word in ordinals():
            return ordinal(word), match.end()
        if word in numerals() and numerals()[word] < 20 and len(word) > 3:  # "alinéa deux"
            return str(numerals()[word]), match.end()
    return None


def _read_more(text: str, level: str, first: tuple[str, int], around: Around) -> Sub:
    """More values after the first; `around.joined` says that the label was plural."""
    values, end = [first[0]], first[1]
    ranged = False
    while True:
        upto = RANGE.match(text, end)
        more = _value_at(text, _skip_label(text, upto.end())) if upto else None
        if more and _higher(more[0], values[-1]):
            values += expand.values(values[-1], more[0])[1:]
            end, ranged = more[1], True
            continue
        join = JOIN.match(text, end)
        more = _value_at(text, join.end()) if join and join.end() > end else None
        if not join or not more or re.match(r"\s?" + DEGREE, text[more[1] : more[1] + 3]):
            break
        if not _belongs(join, more[0], values[-1], around) and not _middle(text, join, around):
            break
        values.append(more[0])
        end = more[1]
        if join["word"]:  # "et 3" closes an enumeration
            break
    return Sub(level, tuple(values), ranged, end)


def _middle(text: str, join: re.Match[str], around: Around) -> bool:
    """ "38, par. 1er, 2 et 3, 39": below the article, and one more follows: still paragraphs."""
    match = None if join["word"] else _TWO_MORE.match(text, join.end())
    return match is not None and int(match[1]) < int(match[2]) < around.article


def _skip_label(text: str, position: int) -> int:
    """Past a label that is said again: "§ 1er à § 3"."""
    match = re.compile(r"(?:§|alin[ée]a|al\.|lid|punt|point)\s*").match(text, position)
    return match.end() if match else position


def _higher(value: str, than: str) -> bool:
    return value.isdigit() and than.isdigit() and int(value) > int(than)


def _belongs(join: re.Match[str], value: str, last: str, around: Around) -> bool:
    """Whether a further number is of the same label, not the next article of the list."""
    if not _higher(value, last):
        return False
    if around.joined:  # plural label: "alinéas 2, 3 et 4", but not ", et 7"
        return not (join["comma"] and join["word"] and around.many)
    if around.many and not around.article:  # "art. VII, par. 1er et 2, et VIII"
        return not (join["comma"] and join["word"])
    if not join["word"] or join["comma"]:
        return False
    return not around.many or int(value) < around.article
