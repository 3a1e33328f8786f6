"""What an answer says: its content, numbers, names, and the words that turn it round (EX-GRADE)."""

from __future__ import annotations

import pkgutil
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from oyer.judges.exam.figures import numbers, with_figures
from oyer.records import JsonObject
from oyer.text.fold import fold
from oyer.text.words import keywords

JAPANESE = "ja"
_LONE = frozenset("ailsdty") | {"à"}  # single letters that are words or endings
_MARKS = re.compile(r"[^\w\s]+")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_KANJI = re.compile(r"[\u3400-\u9fff々]")
_KATAKANA = re.compile(r"[\u30a1-\u30ff]{2,}")
_LATIN = re.compile(r"[a-z]{2,}")
_PREFIX = 5  # letters that two stems must share to be forms of one word
_SHARE = 0.65  # ... and the share of the longer one that they are
#: Contrasts name what is not meant: "a bakery, not a café".
_CONTRAST = re.compile(
    r",\s*(?:and |et |en )?(?:not|pas|non|niet|geen)\s.*$"
    r"|\b(?:rather than|instead of|plutôt que|au lieu de|in plaats van)\s.*$"
)


@cache
def _table() -> JsonObject:
    raw = pkgutil.get_data("oyer.judges.exam", "answer_words.toml") or b""
    return tomllib.loads(raw.decode())


@cache
def _phrases(kind: str, language: str) -> re.Pattern[str]:
    """Any of the words of a kind; longest first, whole words where blanks are written."""
    table = _table()[kind]
    words = sorted((*table.get(language, ()), *table.get("all", ())), key=len, reverse=True)
    either = "|".join(map(re.escape, words)) or "(?!)"
    if language == JAPANESE or kind in ("units", "currency"):
        letters = [w for w in words if w.isascii() and w.isalpha()]
        others = [w for w in words if w not in letters]
        parts = [re.escape(w) for w in others]
        parts += [rf"(?<![^\W\d_]){re.escape(w)}(?![^\W\d_])" for w in letters]
        return re.compile("|".join(parts) or "(?!)")
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


@cache
def _currencies() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = []
    for code, names in _table()["currency"].items():
        parts = [
            rf"(?<![^\W\d_]){re.escape(n)}(?![^\W\d_])" if n.isascii() and n.isalpha()
            else re.escape(n)
            for n in sorted(names, key=len, reverse=True)
        ]  # fmt: skip
        found.append((code, re.compile("|".join(parts))))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ExamAnswer:
    """An answer, read."""

    language: str
    plain: str
    content: Mapping[str, int]  # what it is about, each with its weight
    asked: frozenset[str]  # words of the question: said again, they are not asked for
    numbers: frozenset[str]
    names: tuple[tuple[str, ...], ...]  # runs of capitalised words, in small letters
    currency: frozenset[str]
    direction: str  # "more", "less" or ""
    negative: bool
    person: str  # Japanese: a person's name without titles, when one was asked for
    compounds: Mapping[str, frozenset[str]]  # words with a hyphen: joined -> the stems of its parts
    counted: bool  # the question asks for a number, and here it is

    @property
    def squeezed(self) -> str:
        """Letters and figures only: co-operation is cooperation."""
        return "".join(char for char in self.plain if char.isalnum())

    def within(self, words: frozenset[str]) -> ExamAnswer:
        """What of it stands in the text that it was drawn from (EX-HEARD)."""
        content = {unit: weight for unit, weight in self.content.items() if _in(unit, words)}
        return replace(self, content=content, numbers=self.numbers & words)

    def share_in(self, other: ExamAnswer) -> float | None:
        """The share of what is needed that another answer has; None when nothing is."""
        if self.person and other.person:
            return 1.0  # not another one: `contradicts` has looked
        needed = self._units_needed(other)
        if not needed:
            return None
        units = {*other.content, *other.numbers, *other.compounds}
        met = sum(weight for unit, weight in needed.items() if _in(unit, units))
        return met / sum(needed.values())

    def _units_needed(self, other: ExamAnswer) -> dict[str, int]:
        """What another answer must have, each with its weight."""
        if self.counted:
            return dict.fromkeys(self.numbers, 1)
        needed = {unit: weight for unit, weight in self.content.items() if unit not in self.asked}
        if not needed and not self.numbers:
            needed = dict(self.content)
        spare: set[str] = set()
        for name in self.names:  # a surname stands for the whole name
            if _stem(name[-1], self.language) & set(other.content):
                spare.update(*(_stem(first, self.language) for first in name[:-1]))
        for joined, parts in self.compounds.items():
            if _in(joined, {*other.content}):
                spare |= parts
        needed = {unit: weight for unit, weight in needed.items() if unit not in spare}
        return needed | dict.fromkeys(self.numbers, 1)


def _in(unit: str, units: frozenset[str] | set[str]) -> bool:
    """Whether a unit is among others, or a longer or shorter form of it is."""
    if unit in units:
        return True
    if len(unit) < _PREFIX or not unit.isalpha():
        return False
    for other in units:
        short, long = sorted((unit, other), key=len)
        if len(short) >= _PREFIX and long.startswith(short) and len(short) >= _SHARE * len(long):
            return True
    return False


def read_answer(text: str, language: str, question: str = "", *, clock: bool = False) -> ExamAnswer:
    """An answer to a question, read."""
    folded = fold(text)
    plain = folded.casefold().strip(" .;:!?\"'()[]。")
    negative = _is_negative(_CONTRAST.sub("", plain), language)
    if _is_negative(question.casefold(), language):
        negative = False  # "Why did he not come?": the question has it
    rest = _phrases("units", language).sub(" ", _CONTRAST.sub("", plain))
    rest = with_figures(rest, language)
    rest = _phrases("units", language).sub(" ", rest)  # 六割 is 60 %
    direction = ""
    for name in ("more", "less"):
        phrases = _phrases(name, language)
        if phrases.search(rest):
            direction = name
            rest = phrases.sub(" ", rest)
    for kind in ("around", "place", "because"):
        rest = _phrases(kind, language).sub(" ", rest)
    currency = frozenset(code for code, names in _currencies() if names.search(rest))
    for _, names in _currencies():
        rest = names.sub(" ", rest)
    found, rest = numbers(rest, clock=clock)
    rest = _without(rest, "not", language)
    person = _person(plain, question, language)
    rest = _without(rest, "titles", language)
    asked_words = with_figures(fold(question).casefold(), language)
    return ExamAnswer(
        language=language,
        plain=plain,
        content=units_of(rest, language),
        asked=frozenset(units_of(asked_words, language)),
        numbers=found,
        names=_names(folded, language),
        currency=currency,
        direction=direction,
        negative=negative,
        person=person,
        compounds=_compounds(rest, language),
        counted=bool(found) and _phrases("quantity", language).search(asked_words) is not None,
    )


def _compounds(text: str, language: str) -> dict[str, frozenset[str]]:
    found = {}
    for word in re.findall(r"\w+(?:-\w+)+", text):
        for joined in units_of(word.replace("-", ""), language):
            found[joined] = frozenset(units_of(word, language))
    return found


def contradicts(wanted: ExamAnswer, given: ExamAnswer) -> bool:
    """Whether the given answer says something else in the place of what was expected."""
    if wanted.negative != given.negative:
        return True
    if {wanted.direction, given.direction} == {"more", "less"}:
        return True
    if wanted.currency and given.currency and not wanted.currency & given.currency:
        return True
    if given.numbers - wanted.numbers and wanted.numbers - given.numbers:
        return True  # one number for another
    if wanted.person and given.person:
        return not _same_person(wanted.person, given.person)
    return any(_another(name, other) for name, other in product(wanted.names, given.names))


def units_of(text: str, language: str) -> dict[str, int]:
    """The content of a text: stems, and in Japanese characters, each with its weight."""
    if language == JAPANESE:
        units = dict.fromkeys(_KANJI.findall(text), 1)
        units |= dict.fromkeys(_LATIN.findall(text), 2)
        return units | dict.fromkeys(_KATAKANA.findall(text), 2)
    plain = re.sub(r"'s\b", "", text).replace("-", " ")
    lone = {w for w in _MARKS.sub(" ", plain).split() if len(w) == 1 and w.isalpha()}
    stems = {_soften_end(stem) for stem in keywords(plain, language)}
    return dict.fromkeys(sorted(stems | (lone - _LONE)), 1)


def _soften_end(stem: str) -> str:
    """wolves and wolf, huizen and huis: v and z at the end of a stem are f and s."""
    if len(stem) > 3 and stem[-1] in "vz":
        return stem[:-1] + ("f" if stem[-1] == "v" else "s")
    return stem


def _stem(word: str, language: str) -> set[str]:
    return set(units_of(word, language))


def _without(text: str, kind: str, language: str) -> str:
    return _phrases(kind, language).sub(" ", text.replace("n't", " not"))


def _is_negative(text: str, language: str) -> bool:
    if language == JAPANESE:
        text = _phrases("less", language).sub(" ", text)
    return (
        _phrases("not", language).search(text.replace("n't", " not").replace("'", " ")) is not None
    )


def _names(text: str, language: str) -> tuple[tuple[str, ...], ...]:
    """Runs of capitalised words without titles: people, places, parties."""
    titles = set(_table()["titles"].get(language, ()))
    runs: list[tuple[str, ...]] = []
    run: list[str] = []
    for word in [*_WORD.findall(text), ""]:
        if word[:1].isupper():
            if word.casefold() not in titles:
                run.append(re.sub(r"'s$", "", word.casefold()))
            continue
        if run:
            runs.append(tuple(run))
        run = []
    return tuple(runs)


def _another(name: Sequence[str], other: Sequence[str]) -> bool:
    """The same last name with another first name: Jan Watteeuw for Filip Watteeuw."""
    if len(name) < 2 or len(other) < 2 or not _in(other[-1], {name[-1]}):
        return False
    return not any(_in(first, set(name)) for first in other[:-1])


def _person(text: str, question: str, language: str) -> str:
    """The person's name of a Japanese answer to "who": written in characters, without titles."""
    if language != JAPANESE or "誰" not in question:
        return ""
    bare = re.sub(r"(?:だった|でした|です|だ)$", "", text)
    bare = _phrases("titles", language).sub("", bare)
    return bare if re.fullmatch(r"[\u3400-\u9fff々]{2,6}", bare) else ""


def _same_person(wanted: str, given: str) -> bool:
    short, long = sorted((wanted, given), key=len)
    return len(short) >= 2 and long.startswith(short)
