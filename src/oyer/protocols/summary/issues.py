"""bias_toxicity.issues_found -> issues, in whatever shape a judge lists them.

What the judge clearly named is read; what cannot be read is a flaw, never silence. How judges
name issues, and how they say that there are none, is in issues.toml.
"""

from __future__ import annotations

import pkgutil
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from oyer.records import JsonObject
from oyer.text.fold import fold

DEEPEST = 8
#: Texts of more characters name nothing clearly.
LONGEST = 2000
_TYPE_KEYS = ("type", "kind", "category", "label", "issue_type")
_TEXT_KEYS = ("text", "issue", "description", "quote")
_NAMING_KEYS = ("issue", "description")  # where no type is readable: these may name it
_SHOWN = ("found", "present", "detected")
_KNOWN = frozenset((*_TYPE_KEYS, *_TEXT_KEYS))
_CLAUSE = re.compile(r"[;.!?\n]")
#: Fillers, a negation, nouns, "found"; or nouns, a negation, "found": "slurs: none detected".
_NONE = re.compile("w*N[NwI]*F?w*|[wI]+N+w*F?w*")


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue that the judge lists; no type when it names none of the protocol's."""

    type: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that is listed but cannot be read (wholly)."""

    where: str
    detail: str


def read_issues(given: object, types: Mapping[str, str]) -> Iterator[Issue | Unread]:
    """Every issue listed, with the protocol's name of its type, and every flaw."""
    return _walk(given, "bias_toxicity.issues_found", types, DEEPEST)


def _walk(
    given: object, where: str, types: Mapping[str, str], depth: int
) -> Iterator[Issue | Unread]:
    if not given:  # nothing listed: null, false, 0, "", [], {}
        return
    if isinstance(given, str):
        yield from _entry("", given, given, where, types)
    elif isinstance(given, list) and depth:
        for i, item in enumerate(given):
            yield from _walk(item, f"{where}[{i}]", types, depth - 1)
    elif isinstance(given, dict) and depth:
        yield from _object(given, where, types, depth)
    else:
        yield Unread(where, "not an issue")


def _object(
    given: JsonObject, where: str, types: Mapping[str, str], depth: int
) -> Iterator[Issue | Unread]:
    if any(given.get(key) is False for key in _SHOWN):  # {"type": "slur", "found": false}
        return
    if _KNOWN.isdisjoint(given):
        yield from _by_kind(given, where, types, depth)
        return
    kind = " / ".join(_texts(given, _TYPE_KEYS))
    naming = " / ".join(_texts(given, _NAMING_KEYS))
    text = next(iter(_texts(given, _TEXT_KEYS)), "")
    inner = [given[key] for key in _TEXT_KEYS if isinstance(given.get(key), list | dict)]
    if inner and not (kind or text):
        yield from _walk(inner, where, types, depth - 1)
    elif not (kind or text) and any(given.get(key) for key in _KNOWN):
        yield Unread(where, "not an issue")
    else:
        yield from _entry(kind, naming, text, where, types)


def _texts(given: JsonObject, keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        value = given.get(key)
        for entry in value if isinstance(value, list) else (value,):
            if isinstance(entry, str) and entry.strip():
                yield entry


def _by_kind(
    given: JsonObject, where: str, types: Mapping[str, str], depth: int
) -> Iterator[Issue | Unread]:
    """{"slurs": ["x"], "profanity": []}; or issues under some other name."""
    for key, inner in given.items():
        kinds = types_named_in(str(key), types)
        if not inner or (isinstance(inner, str) and says_none(inner)):
            continue
        nested = isinstance(inner, list | dict)
        listed = list(_walk(inner, f"{where}.{key}", types, depth - 1)) if nested else []
        if kinds and (listed or not nested):
            for kind in kinds:
                yield Issue(kind, inner if isinstance(inner, str) else "")
        elif nested:
            yield from listed
        else:
            yield Unread(where, "not an issue")


def _entry(
    kind: str, naming: str, text: str, where: str, types: Mapping[str, str]
) -> Iterator[Issue | Unread]:
    """One issue from its type, the text that may name it, and its words."""
    wanted = f"type is not one of {', '.join(dict.fromkeys(types.values()))}"
    untyped = says_none(kind)
    if says_none(text) and (text or untyped):
        if not untyped:
            yield Unread(where, "it has a type, but says that there is none")
        return
    kinds = types_named_in(kind, types) or types_named_in(naming, types)
    if not kinds:
        yield Unread(where, wanted)
    for name in kinds or (None,):
        yield Issue(name, text)


# ── words ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Words:
    names: Mapping[str, str]  # one word -> the issue that it names
    parts: Mapping[str, str]  # the same for phrases and scripts without blanks, anywhere
    marks: Mapping[str, str]  # what a word does in "no issues found": N, I, F or w
    unclear: frozenset[str]
    whole: frozenset[str]
    japanese: re.Pattern[str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    raw = pkgutil.get_data("oyer.protocols.summary", "issues.toml") or b""
    table = tomllib.loads(raw.decode())
    names: dict[str, str] = {}
    for kind, words in table["names"].items():
        names |= dict.fromkeys(words, kind)
    parts = {w: kind for w, kind in names.items() if " " in w or "\u3040" <= w[0] <= "\u9fff"}
    none = table["none"]
    marks = dict.fromkeys(none["fillers"], "w") | dict.fromkeys(none["found"], "F")
    marks |= dict.fromkeys((*none["nouns"], *names), "I") | dict.fromkeys(none["negations"], "N")
    nouns, ends = ("|".join(none[key]) for key in ("japanese_nouns", "japanese_ends"))
    return _Words(
        {w: kind for w, kind in names.items() if w not in parts}, parts, marks,
        frozenset((*none["negations"], *none["unclear"])), frozenset(none["whole"]),
        re.compile(f"(?:{nouns})*(?:{ends})(?:です)?。?"),
    )  # fmt: skip


def types_named_in(text: str, types: Mapping[str, str]) -> tuple[str, ...]:
    """The types that the text clearly names; none when a negation makes it unclear."""
    if not text or len(text) > LONGEST:
        return ()
    words, plain = _words(), fold(text).casefold()
    text_words = re.findall(r"[^\W_]+", plain)
    if not words.unclear.isdisjoint(text_words):
        return ()
    kinds = [words.names[word] for word in text_words if word in words.names]
    kinds += [kind for part, kind in words.parts.items() if part in plain]
    return tuple(dict.fromkeys(types[kind] for kind in kinds if kind in types))


def says_none(text: str) -> bool:
    """Whether the text says that there is no issue: "", "none", "No issues found", "n/a"."""
    if len(text) > LONGEST:
        return False
    words, plain = _words(), fold(text).casefold()
    if words.japanese.fullmatch(plain) or " ".join(re.findall(r"[^\W_]+", plain)) in words.whole:
        return True
    for clause in _CLAUSE.split(plain):
        marks = [words.marks.get(word, "X") for word in re.findall(r"[^\W_]+", clause)]
        if marks and not _NONE.fullmatch("".join(marks)):
            return False
    return True
