"""Constraints of a rubric that code can decide, so no judge has to (RB-CHECK).

The rubric is the user's; the response is a stranger's: patterns run in linear time, schemas fetch
nothing. `checks_block` reads them from the rubric.
"""

from __future__ import annotations

import importlib.util
import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NoReturn

from oyer.records import JsonObject
from oyer.text import words
from oyer.text.pattern import Pattern
from oyer.text.segments import sentences

LANGUAGES: Final = (*words.LANGUAGES, "zh", "ko")
_BULLET = re.compile(r"^[ \t\u3000]*(?:[-*+•・‣◦]|\d+[.)．）])[ \t\u3000]*\S", re.MULTILINE)
_BLOCK = re.compile(r"\s*(`{3,}|~{3,})[\w+-]*[ \t]*\n(.*?)\n[ \t]*\1\s*", re.DOTALL)
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_KANA = re.compile(r"[\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Constraint:
    """One check: what is asked of the response, and what a failure costs."""

    id: str
    kind: str
    wanted: JsonObject
    axis: str | None = None
    points: int = 0
    critical: str | None = None
    pattern: Pattern | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """A check as it came out, with what was seen."""

    constraint: Constraint
    passed: bool
    seen: str

    def record(self) -> dict[str, object]:
        """As the verdict shows it, under `checks`."""
        check = self.constraint
        shown: dict[str, object] = {"id": check.id, "passed": self.passed, "seen": self.seen}
        if check.axis:
            shown |= {"axis": check.axis, "points": check.points}
        return shown | ({"critical": check.critical} if check.critical else {})


def decide(constraints: Sequence[Constraint], response: str) -> tuple[CheckOutcome, ...]:
    """Every check of a rubric on a response."""
    return tuple(
        CheckOutcome(check, *_DECIDERS[check.kind](check, response)) for check in constraints
    )


Decision = tuple[bool, str]

# ── how much ──────────────────────────────────────────────────────────────────────────────────


def _lines(response: str) -> int:
    return sum(1 for line in response.splitlines() if line.strip())


def _sentences(response: str) -> int:
    return len(sentences(response))


def _paragraphs(response: str) -> int:
    return sum(1 for part in re.split(r"\n[ \t\u3000]*\n", response) if part.strip())


def _bullets(response: str) -> int:
    return len(_BULLET.findall(response))


#: What a size is counted in: the key's ending (max_lines) and how it is measured.
UNITS: Final[Mapping[str, Callable[[str], int]]] = {
    "chars": len,
    "words": words.count,
    "lines": _lines,
    "sentences": _sentences,
    "paragraphs": _paragraphs,
    "bullets": _bullets,
}


def has_segmenter() -> bool:
    """Whether Japanese can be cut into words as a dictionary has them."""
    return all(importlib.util.find_spec(name) for name in ("sudachipy", "sudachidict_small"))


@cache
def _segmenter() -> Callable[[str], Sequence[Any]]:
    from sudachipy import Dictionary, SplitMode

    cut: Callable[[str], Sequence[Any]] = Dictionary(dict="small").tokenizer(SplitMode.C).tokenize
    return cut


def _count_segments(response: str) -> int:
    """Words by the segmenter; marks and blanks are none. It takes 49,149 bytes at a time."""
    counted = 0
    for line in response.splitlines():
        for start in range(0, len(line), 10_000):
            parts = _segmenter()(line[start : start + 10_000])
            counted += sum(1 for m in parts if m.part_of_speech()[0] not in ("補助記号", "空白"))
    return counted


def _size(check: Constraint, response: str) -> Decision:
    unit = check.kind
    measure = _count_segments if check.wanted.get("segmenter") else UNITS[unit]
    size = measure(response)
    least = check.wanted.get(f"min_{unit}", 0)
    most = check.wanted.get(f"max_{unit}")
    return least <= size and (most is None or size <= most), f"{size} {unit}"


# ── which words ───────────────────────────────────────────────────────────────────────────────


def _fold_width(text: str) -> str:
    """Full-width Latin and half-width kana as they are usually written; nothing else changes."""
    if text.isascii():
        return text
    folded = (unicodedata.normalize("NFKC", c) if "\uff01" <= c <= "\uff9f" else c for c in text)
    return unicodedata.normalize("NFC", "".join(folded)).replace("\u3000", " ")


def _plain(check: Constraint, text: str) -> str:
    text = _fold_width(text)
    return text.casefold() if check.wanted.get("ignore_case") else text


def _present(check: Constraint, response: str, texts: Sequence[str]) -> list[str]:
    text = _plain(check, response)
    return [word for word in texts if _plain(check, word) in text]


def _contains(check: Constraint, response: str) -> Decision:
    there = _present(check, response, check.wanted["contains"])
    absent = [word for word in check.wanted["contains"] if word not in there]
    return not absent, f"absent: {', '.join(absent)}" if absent else "all there"


def _excludes(check: Constraint, response: str) -> Decision:
    there = _present(check, response, check.wanted["excludes"])
    return not there, f"there: {', '.join(there)}" if there else "none there"


def _any_of(check: Constraint, response: str) -> Decision:
    there = _present(check, response, check.wanted["any_of"])
    return bool(there), f"there: {', '.join(there)}" if there else "none there"


def _occurs(check: Constraint, response: str) -> Decision:
    times = _plain(check, response).count(_plain(check, check.wanted["occurs"]))
    least = check.wanted.get("min_times", 0)
    most = check.wanted.get("max_times")
    return least <= times and (most is None or times <= most), f"{times} times"


def _matches(check: Constraint, response: str) -> Decision:
    assert check.pattern is not None
    found = check.pattern.occurs_in(response)
    return found, "matches" if found else "does not match"


def _not_matches(check: Constraint, response: str) -> Decision:
    found, seen = _matches(check, response)
    return not found, seen


# ── which form ────────────────────────────────────────────────────────────────────────────────


def _reject(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _parse_json(response: str) -> tuple[object, str | None]:
    """The JSON of a response that is nothing else, perhaps inside a code block."""
    block = _BLOCK.fullmatch(response)
    try:
        return json.loads(block[2] if block else response, parse_constant=_reject), None
    except RecursionError:
        return None, "nested too deep"
    except ValueError as wrong:
        return None, f"not JSON: {wrong}"


def _json(check: Constraint, response: str) -> Decision:
    _, wrong = _parse_json(response)
    return wrong is None, wrong or "valid JSON"


def _schema(check: Constraint, response: str) -> Decision:
    import jsonschema

    value, wrong = _parse_json(response)
    if wrong is None:
        try:
            errors = jsonschema.Draft202012Validator(check.wanted["schema"]).iter_errors(value)
            first = next(iter(errors), None)
        except RecursionError:
            return False, "nested too deep"
        wrong = f"{first.json_path}: {first.message[:200]}" if first else None
    return wrong is None, wrong or "fits the schema"


def detect(text: str) -> str:
    """A text's language. Scripts first: Hangul is Korean; Han without kana is Chinese."""
    sample = text[: words.SAMPLE]
    hangul, kana, han = (len(p.findall(sample)) for p in (_HANGUL, _KANA, _HAN))
    letters = sum(1 for character in sample if character.isalpha()) or 1
    if hangul * 3 > letters:
        return "ko"
    if han * 3 > letters and kana * 20 < han:
        return "zh"
    return words.detect(text)


def _language(check: Constraint, response: str) -> Decision:
    seen = detect(response)
    return seen == check.wanted["language"], f"language {seen}"


_DECIDERS: Final[Mapping[str, Callable[[Constraint, str], Decision]]] = {
    **dict.fromkeys(UNITS, _size),
    "contains": _contains,
    "excludes": _excludes,
    "any_of": _any_of,
    "occurs": _occurs,
    "matches": _matches,
    "not_matches": _not_matches,
    "json": _json,
    "schema": _schema,
    "language": _language,
}
