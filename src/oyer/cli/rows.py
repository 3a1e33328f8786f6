"""Many verdicts on a terminal: a line each, printed as they come, readable in 80 columns."""

from __future__ import annotations

import shutil

from oyer.text.printable import plain
from oyer.types import AnyProtocol, Verdict
from oyer.verdicts.violations import caution, incomplete, is_breach

NARROW, WIDE = 20, 38  # places for the name of a row
SCORE = 8
WORD = 16  # places for a word of a protocol's own, but the last, which may run on


def header(protocol: AnyProtocol) -> str:
    """The names of the columns."""
    wording = protocol.wording
    names = [f"{_short(key):>{SCORE}}" for key in (*_metrics(protocol), "total", "broken")]
    own = list(wording.columns({})) if wording and wording.columns else []
    return f"{'case':<{_room(protocol)}}{''.join(names)}  {_words(own)}".rstrip()


def row(verdict: Verdict, protocol: AnyProtocol) -> str:
    """One verdict."""
    room = _room(protocol)
    name = _name(verdict, room - 1)
    notes = [plain(note) for note in (incomplete(verdict.extra), caution(verdict.extra)) if note]
    if verdict.scores is None:
        return f"{name:<{room}}  unscored ({verdict.error})  {'; '.join(notes)}".rstrip()
    scores = [f"{verdict.scores[key]:>{SCORE}.2f}" for key in _metrics(protocol)]
    broken = sum(is_breach(note.code) for note in verdict.violations)
    line = f"{name:<{room}}{''.join(scores)}{verdict.total:>{SCORE}.2f}{broken or '':>{SCORE}}"
    wording = protocol.wording
    own = list[str]()
    if wording and wording.columns:
        own = list(wording.columns({**verdict.extra, "output": verdict.output}).values())
    return f"{line}  {_words([*map(plain, own), *notes])}".rstrip()


def _words(words: list[str]) -> str:
    """Side by side, each with room; what is longer pushes the next one on."""
    *first, last = words or [""]
    return "".join(f"{word:<{WORD}} " for word in first) + last


def _short(key: str) -> str:
    """The first word of a score's name, in its column: `halluc.`"""
    word = key.partition("_")[0]
    return word if len(word) < SCORE else f"{word[: SCORE - 2]}."


def _metrics(protocol: AnyProtocol) -> list[str]:
    """The scores beside the total; a single one is the total."""
    keys = [key for key in protocol.scale if key != "total"]
    return keys if len(keys) > 1 else []


def _room(protocol: AnyProtocol) -> int:
    columns = shutil.get_terminal_size((80, 24)).columns
    rest = SCORE * (len(_metrics(protocol)) + 2)
    return min(max(columns - rest, NARROW), WIDE)


def _name(verdict: Verdict, room: int) -> str:
    """Case and candidate; where both do not fit, each gives way in its middle."""
    case = plain(verdict.case)
    candidate = plain(verdict.candidate or "")
    if not candidate:
        return shorten(case, room)
    most = max(room - 3 - len(case), (room - 3) // 2)
    candidate = shorten(candidate, most)
    return f"{shorten(case, room - 3 - len(candidate))} · {candidate}"


def shorten(text: str, room: int) -> str:
    """The text in at most `room` places: its beginning and its end, which tell names apart."""
    if len(text) <= room:
        return text
    end = (room - 1) // 2
    return f"{text[: room - 1 - end]}…{text[len(text) - end :]}"
