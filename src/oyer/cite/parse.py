"""An article phrase: "articles 5, § 1er, alinéas 2 et 3, et 7, 1° à 3°" -> its provisions.

BL-LIST at every level, BL-RANGE between articles; nothing here knows about acts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from oyer.cite import expand
from oyer.cite.lexicon import suffixes
from oyer.cite.model import Via
from oyer.cite.numbers import Number, number_at
from oyer.cite.paths import JOIN, POINT_NEXT, RANGE, RANK, Around, Sub, inside, sub_at, write_level

Path = tuple[str, ...]
#: A longer enumeration is read in stretches, so that no quote grows without end.
LONGEST: Final = 2000

_OPEN: Final = re.compile(
    r"\s*,?\s*(?:et\s+(?:les\s+)?(?:articles\s+)?suiv(?:ante?s?|\.)?(?!\w)|et\s+ss?\.|"
    r"e\.?\s?v\.|ev(?!\w)|en\s+(?:de\s+)?volgende(?:\s+artikelen)?(?!\w)|sqq?\.|et\s+seq\.?|ss\.)"
)
_ASIDE: Final = re.compile(
    r"\s*,?\s*\(?(?:in\s+fine|in\s+limine|aanhef|d[ée]but|partim|"
    r"anciens?|nouveaux?|nouveau|oud|nieuw|pr[ée]cit[ée]s?|susvis[ée]s?|voormeld)(?!\w)\)?|"
    r"\s*\([^()]{1,80}\)(?=\s*,?\s*(?:et|en|,|ainsi\s+que|alsmede)\s+\d)|"
    r"\s*\(ex-?\s?art(?:icles?|ikel(?:en)?|\.)[^()]{1,40}\)|"
    r"\s*\((?:(?:oud|ancien(?:nement)?)\s\d+\w*|\d+\w*\s(?:oud|ancien))\)(?=\s(?:d[eu]|van)\s)"
)
_AGAIN: Final = re.compile(
    r"(?:l'\s?|het\s+)?(?:articles?|artikel(?:en)?|artt?\.)\s*", re.IGNORECASE
)
#: A stray full stop after a decimal number: "art. 12.4. du Code de la route".
_STOP: Final = re.compile(r"\.(?=\s*(?:,|du\s|des?\s|de\s|van\s|[A-Z][a-z]*\.?[A-Z]?))")
#: Further numbers: then a list of articles goes on, whatever the article word says.
_MORE: Final = re.compile(r"\s*(?:,|et|en|ou|of)\s+\d+(?![\de]|\s?°)")
_LIST_STOP: Final = re.compile(r"\.(?=\s?(?:,|et\s|en\s|ou\s|of\s)\s*\d)")
#: "47bis, 1er, c": after a higher article, first is its first paragraph; the sign was lost.
_FIRST_PARAGRAPH: Final = re.compile(r"1\s?er(?!\w)")
_WHOLE: Final = re.compile(r"\d+")
_FROM: Final = re.compile(r"\b(?:van|de)\s(?:l')?$", re.IGNORECASE)
#: "l'article 16 ter doit": after a French word for article a spaced "ter" is a suffix.
_FRENCH: Final = re.compile(r"\barticles?\b", re.IGNORECASE)
_TER: Final = re.compile(r"[ \n]ter(?!\w)", re.IGNORECASE)
#: "art. 4. 7) AVG", "art. 31. 2° de la loi": a full stop before a point.
_LAST_LABEL: Final = re.compile(r"\b(?:alin[ée]a|lid)$", re.IGNORECASE)
_NUMBERED_LABEL: Final = re.compile(
    r"\b(?P<label>lid|alin[ée]a)\s(?P<n>\d{1,2})\s?,", re.IGNORECASE
)
_DOTTED_POINT: Final = re.compile(
    r"\.\s(?P<n>\d{1,2})(?:(?P<closed>\))|\s?°(?=\s*(?:,|\)|de\s|du\s|des\s|van\s|[A-Z]|et\s|en\s)))"
)


@dataclass(frozen=True, slots=True)
class Provision:
    """One article with its path, as the phrase names it."""

    key: str
    path: Path
    via: Via
    open: bool = False
    doubtful: bool = False  # "l'article 76, 25/5": another article, or one that 76 puts in?


@dataclass(frozen=True, slots=True)
class CitationPhrase:
    """An article phrase and what it names."""

    start: int
    end: int
    provisions: tuple[Provision, ...]


@dataclass(slots=True)
class _Reader:
    """Reads one phrase from left to right; `many` is None when "art." leaves it open."""

    text: str
    many: bool | None
    french: bool = False
    spanning: bool = (
        False  # "van artikel 3 tot artikel 5": a word before the first article opens a range
    )
    out: list[Provision] = field(default_factory=list)
    key: str = ""
    path: list[tuple[str, str]] = field(default_factory=list)
    ranged: bool = False
    pending: bool = False  # the current article and path are not yet in `out`
    doubtful: bool = False  # the current article stands where none is to be expected

    def number(self, position: int, *, listed: bool, singular: bool) -> Number | None:
        found = number_at(self.text, position, listed=listed, singular=singular)
        ter = _TER.match(self.text, found.end) if found and found.plain and self.french else None
        return Number(f"{found.key}ter", ter.end(), False) if found and ter else found

    def flush(self, *, open_: bool = False) -> None:
        if self.pending:
            path = tuple(write_level(level, value) for level, value in self.path)
            via: Via = "range" if self.ranged else "list"
            self.out.append(Provision(self.key, path, via, open_, self.doubtful))
        self.pending = False

    def article(self, number: Number) -> None:
        self.flush()
        self.key = number.key
        self.path = []
        self.ranged = False
        self.pending = True

    def articles(self, last: str) -> None:
        """BL-RANGE: the current article to `last`, which stays current for its own path."""
        self.pending = not self.path and self.pending
        keys = expand.keys(self.key, last)
        if self.path:
            self.pending = True
            self.flush()
            keys = keys[1:]
        self.path = []
        for key in keys:
            self.key, self.ranged, self.pending = key, True, True
            if key != keys[-1]:
                self.flush()

    def sub(self, sub: Sub, join: re.Match[str] | None) -> None:
        """One level deeper, or a sibling of what the path already has."""
        if sub.level == "al" and join and not join["word"] and self.path[-1:]:
            self._nest_lid(sub)
        levels = [level for level, _ in self.path]
        linked = bool(join and join["word"])
        if sub.level in levels:
            self.flush()
            self.path = self.path[: levels.index(sub.level)]
        elif linked or (levels and sub.level == "§"):
            if levels or linked:
                self.flush()
            self.path = [p for p in self.path if RANK[p[0]] < RANK[sub.level]]
        for value in sub.values:
            self.path = [p for p in self.path if p[0] != sub.level]
            self.path.append((sub.level, value))
            self.ranged, self.pending = sub.ranged, True
            if value != sub.values[-1]:
                self.flush()

    def _nest_lid(self, sub: Sub) -> None:
        """ "lid 1, tweede alinea", "alinéa 1, tweede lid": the first is the second's paragraph."""
        level, value = self.path[-1]
        inner = _LAST_LABEL.search(self.text, max(0, sub.end - 14), sub.end)
        outer = _NUMBERED_LABEL.search(self.text, max(0, sub.end - 60), sub.end)
        if level != "al" or not inner or not outer or outer["n"] != value:
            return
        if inner[0][0].lower() != outer["label"][0].lower():
            self.path[-1] = ("§", value)

    def around(self, joined: bool) -> Around:
        whole = _WHOLE.match(self.key)
        lettered = any(level == "letter" for level, _ in self.path)
        number = int(whole[0]) if whole else 0
        many = self.many is not False or any(p.key != self.key for p in self.out)
        paragraphed = any(level == "§" for level, _ in self.path)
        return Around(number, many, joined, lettered, paragraphed)

    def is_point(self, number: Number, join: re.Match[str]) -> bool:
        """A bare number that is a point of the article, not the next article: "art. 43, 4"."""
        if self.many or not number.plain:
            return False
        if self.key[0].isalpha():  # III.49, 7: no article of a Roman book is a whole number
            return not join["word"]
        whole = _WHOLE.fullmatch(self.key)
        if self.many is False and not join["word"] and not self.out and int(number.key) <= 20:
            return not _MORE.match(self.text, number.end)  # "artikel 1, 5 van de wet"
        if not whole or int(number.key) >= int(self.key):
            return False
        if join["word"]:
            last = self.path[-1] if self.path else None
            return bool(last and last[0] == "°" and last[1].isdigit()) and int(number.key) > int(
                last[1] if last else 0
            )
        return ";" not in join["comma"] and int(number.key) <= (40 if self.many is False else 20)


def phrase_at(text: str, start: int, position: int, many: bool | None) -> CitationPhrase | None:
    """The phrase whose article word is at `start` and whose first number is at `position`."""
    french = bool(_FRENCH.search(text, start, position))
    reader = _Reader(text, many, french, bool(_FROM.search(text, max(0, start - 6), start)))
    number = reader.number(position, listed=False, singular=many is False)
    if number is None:
        return None
    reader.article(number)
    end = number.end
    while end - start < LONGEST:
        further = _range(reader, end) or _element(reader, end)
        if further is None:
            break
        end = further
    reader.flush()
    out = reader.out
    if not out[-1].key.isdigit():
        stop = _STOP.match(text, end)
        end = stop.end() if stop else end
        if text.startswith(")", end) and not inside(text, end):  # "l'article 4.2) du RGPD"
            end += 1
    if len(out) == 1:
        out = [Provision(out[0].key, out[0].path, "single", out[0].open)]
    return CitationPhrase(start, end, tuple(out))


def _range(reader: _Reader, end: int) -> int | None:
    upto = RANGE.match(reader.text, end)
    if not upto:
        return None
    at = upto.end()
    again = _AGAIN.match(reader.text, at)
    if again and ("met" in upto[0] or "t.e.m" in upto[0] or reader.spanning):
        at = again.end()
    last = reader.number(at, listed=True, singular=True)
    if last is None:
        return None
    if last.key == reader.key and reader.path:
        return _subs(reader, last.end)
    backwards = reader.many and last.plain and reader.key.isdigit()  # both ends, nothing between
    if not backwards and not _ascending(reader.key, last.key):
        return None
    reader.articles(last.key)
    return last.end


def _subs(reader: _Reader, position: int) -> int | None:
    """ "l'article 58.2.b à 58.2.j": the article is said again, the letters count up."""
    level, first = reader.path[-1]
    sub = sub_at(reader.text, position, reader.around(joined=True))
    if sub is None or sub.level != level:
        return None
    reader.pending = False
    reader.sub(Sub(level, tuple(expand.values(first, sub.values[-1])), True, sub.end), None)
    return sub.end


def _ascending(first: str, last: str) -> bool:
    """Whether two keys can be the ends of a range."""
    low, high = _order(first), _order(last)
    return low is not None and high is not None and low < high


def _order(key: str) -> tuple[tuple[int, int | str], ...] | None:
    parts = re.findall(r"\d+|[a-z]+|[A-Z]+", key)
    if not any(part.isdigit() for part in parts):
        return None
    rank = suffixes()
    order: list[tuple[int, int | str]] = []
    for part in parts:
        if part.isdigit():
            order.append((1, int(part)))
        elif part in rank:
            order.append((1, rank[part]))
        else:
            order.append((0, part))
    return tuple(order)


def _element(reader: _Reader, end: int) -> int | None:
    text = reader.text
    if match := _OPEN.match(text, end):
        reader.flush(open_=True)
        return match.end()
    if (match := _ASIDE.match(text, end)) and match.end() > end:
        return match.end()
    match = _DOTTED_POINT.match(text, end)
    if match and not (match["closed"] and inside(text, end)):
        reader.sub(Sub("°", (match["n"],), False, match.end()), None)
        return match.end()
    stop = _LIST_STOP.match(text, end) if "." in reader.key else None  # "art. 2.12. et 8.1."
    end = stop.end() if stop else end
    join = JOIN.match(text, end)
    return _read_joined(reader, end, join) if join else None


def _read_joined(reader: _Reader, end: int, join: re.Match[str]) -> int | None:
    text = reader.text
    joined = join.end() > end and bool(join["comma"] or join["word"])
    sub = sub_at(text, join.end(), reader.around(joined))
    if sub:
        reader.sub(sub, join)
        return sub.end
    if not joined:
        return None
    number = reader.number(join.end(), listed=True, singular=reader.many is False)
    if number is None or not _is_next_article(reader, number, join):
        return None
    if reader.key != "1" and _FIRST_PARAGRAPH.match(text, join.end()):
        reader.sub(Sub("§", ("1",), False, number.end), None)
    elif reader.is_point(number, join):
        scanned = reader.key[0].isalpha() and re.fullmatch(r"5[1-9]", number.key)  # § read as 5
        level, value = ("§", number.key[1]) if scanned else ("°", number.key)
        if POINT_NEXT.match(text, number.end):  # "art. 6, 2, 1°" is § 2, 1°
            level = "§"
        reader.sub(Sub(level, (value,), False, number.end), join)
    else:
        reader.article(number)
        reader.doubtful = reader.many is False and not join["word"] and not number.plain
    return number.end


def _is_next_article(reader: _Reader, number: Number, join: re.Match[str]) -> bool:
    """Whether a number after a comma or a link word can be the next article."""
    if number.key.isalpha():  # a lone Roman numeral continues only Roman numerals
        return reader.key.isalpha() and reader.key.isupper()
    if number.plain and number.key.isdigit() and not join["word"]:
        year = 1800 <= int(number.key) <= 2100
        whole = _WHOLE.match(reader.key)
        return not (year and whole and int(whole[0]) < 1000)
    return True
