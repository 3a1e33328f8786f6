"""Numbers of an answer, written one way: "forty-five", "45" and 四十五 are 45 (EX-GRADE)."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import cache

_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f' ]\d{3})*(?:[.,]\d+)?")
_CLOCK = re.compile(r"(?<![\d.,])([01]?\d|2[0-3])\s?(?::|h|時)\s?([0-5]\d)(?!\d)")
_DATED = re.compile(r"(\d+)\s?([年月日])")
_GROUPED = re.compile(r"(?<![\d.,])(\d{1,3})((?:[ \u00a0\u202f]\d{3})+)(?!\d)")
_DOTTED = re.compile(r"(?<![\d.,])([01]?\d|2[0-3])\.([0-5]\d)(?![\d.,])")
_SCALES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "millions": 10**6, "mln": 10**6,
    "billion": 10**9, "bn": 10**9, "m": 10**6, "k": 10**3,
    "cent": 100, "cents": 100, "mille": 10**3,
    "milliard": 10**9, "milliards": 10**9, "honderd": 100, "duizend": 10**3,
    "miljoen": 10**6, "miljard": 10**9,
}  # fmt: skip


def _words(text: str) -> list[str]:
    return text.split()


_EN = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_EN_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
_FR = _words(
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
)
_FR_TENS = _words("vingt trente quarante cinquante soixante")
_NL = _words(
    "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien "
    "zestien zeventien achttien negentien"
)
_NL_TENS = _words("twintig dertig veertig vijftig zestig zeventig tachtig negentig")
#: "one" is left out alone: in French and Dutch it is an article.
_ARTICLES = frozenset({"one", "un", "une", "een"})
_JA = {char: n for n, char in enumerate("〇一二三四五六七八九")} | {"零": 0}
_JA_STEPS = {"十": 10, "百": 100, "千": 1000}
_JA_SCALES = {"万": 10**4, "億": 10**8, "兆": 10**12}
_JA_NUMBER = re.compile(
    r"[\d.,〇零一二三四五六七八九十百千万億兆]*[〇零一二三四五六七八九十百千万億兆]"
)


@cache
def _values(language: str) -> dict[str, int]:
    """Number words that stand for a value by themselves."""
    if language == "fr":
        tens = {word: 10 * n for n, word in enumerate(_FR_TENS, 2)}
        return dict(zip(_FR, range(len(_FR)), strict=True)) | tens | {"vingts": 20, "douzaine": 12}
    if language == "nl":
        return _dutch()
    tens = {word: 10 * n for n, word in enumerate(_EN_TENS, 2)}
    return dict(zip(_EN, range(len(_EN)), strict=True)) | tens | {"dozen": 12}


def _dutch() -> dict[str, int]:
    """Dutch writes numbers under a thousand as one word: tweehonderdvijfenveertig."""
    small = dict(zip(_NL, range(len(_NL)), strict=True))
    for n, tens in enumerate(_NL_TENS, 2):
        small[tens] = 10 * n
        for unit in range(1, 10):
            joint = "ën" if _NL[unit].endswith("e") else "en"
            small[f"{_NL[unit]}{joint}{tens}"] = 10 * n + unit
    whole = dict(small)
    for hundreds in range(2, 10):
        for word, n in small.items():
            whole[f"{_NL[hundreds]}honderd{word}"] = 100 * hundreds + n
        whole[f"{_NL[hundreds]}honderd"] = 100 * hundreds
    return whole | {"dozijn": 12}


def with_figures(text: str, language: str) -> str:
    """The text (in small letters) with figures for its number words."""
    if language == "ja":
        plain = unicodedata.normalize("NFKC", text)
        shares = re.sub(r"([\d一二三四五六七八九])割", lambda m: f"{_japanese(m[1]) * 10}%", plain)
        return _JA_NUMBER.sub(lambda m: _write(_japanese(m[0])), shares)
    text = _GROUPED.sub(lambda m: re.sub(r"\s", "", m[0]), text)
    text = re.sub(r"([€$£¥])", r" \1 ", text)
    text = re.sub(r"(?<=\d)(mln|bn|m|k)\b", r" \1", text)
    words = re.sub(r"(?<=[a-zéëû])-(?=[a-zéëû])", " - ", text).split()
    out: list[str] = []
    at = 0
    while at < len(words):
        value, used = _read_words(words[at:], language)
        if used > 1 or (used and not words[at][0].isdigit()):  # a figure alone stays as it is
            out.append(_write(value))
            at += used
        else:
            out.append(words[at])
            at += 1
    return " ".join(out).replace(" - ", "-")


def _read_words(words: list[str], language: str) -> tuple[Fraction, int]:
    """The number that the words begin with, and how many of them it takes."""
    values = _values(language)
    total = current = Fraction(0)
    used = 0
    begun = False
    for n, raw in enumerate(words):
        word = raw.strip(",;.()")
        figure = _read(word) if n == 0 and _NUMBER.fullmatch(word) else None
        if begun and word in ("-", "and", "et", "en"):
            continue
        if figure is not None:
            current = figure
        elif word in values and (begun or word not in _ARTICLES):
            # quatre-vingts is four times twenty
            fourscore = values[word] == 20 and current == 4 and language == "fr"
            current = current * 20 if fourscore else current + values[word]
        elif word in _SCALES and (begun or word in ("mille", "duizend", "honderd", "cent")):
            scale = _SCALES[word]
            current = (current or Fraction(1)) * scale
            if scale >= 1000:
                total, current = total + current, Fraction(0)
        else:
            break
        begun, used = True, n + 1
        if raw != raw.rstrip(",;."):
            break
    return total + current, used


def _japanese(text: str) -> Fraction:
    """1万2千, 四十五, 350万."""
    total = section = current = Fraction(0)
    for part in re.findall(r"\d[\d.,]*|.", text):
        if part[0].isdigit():
            current = _read(part)
        elif part in _JA:
            current = current * 10 + _JA[part]
        elif part in _JA_STEPS:
            section += (current or Fraction(1)) * _JA_STEPS[part]
            current = Fraction(0)
        elif part in _JA_SCALES:
            total += (section + current or Fraction(1)) * _JA_SCALES[part]
            section = current = Fraction(0)
    return total + section + current


def _read(figure: str) -> Fraction:
    """1,200 and 1 200 and 1.200 are 1200; 3,5 is 3.5."""
    joined = re.sub(r"[.,\u00a0\u202f' ](?=\d{3}(?!\d))", "", figure).replace(",", ".")
    whole, _, rest = joined.rstrip(".").partition(".")
    return Fraction(f"{whole}.{rest.replace('.', '')}" if rest else whole)


def _write(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.6f}".rstrip("0")


def numbers(text: str, *, clock: bool = False) -> tuple[frozenset[str], str]:
    """The numbers of a text with figures, and the text without them.

    `clock`: 10.30 is a time here, since the other text has one.
    """
    found: set[str] = set()

    def keep_time(match: re.Match[str]) -> str:
        found.add(f"{int(match[1])}:{match[2]}")
        return " "

    def keep_date(match: re.Match[str]) -> str:
        found.add(match[0].replace(" ", ""))
        return f" {match[2]}"

    def keep(match: re.Match[str]) -> str:
        found.add(_write(_read(match[0])))
        return " "

    rest = _CLOCK.sub(keep_time, text)
    if clock:
        rest = _DOTTED.sub(keep_time, rest)
    rest = _NUMBER.sub(keep, _DATED.sub(keep_date, rest))
    return frozenset(found), rest


def has_time(text: str) -> bool:
    """Whether a text tells a time of day in figures."""
    return _CLOCK.search(text) is not None
