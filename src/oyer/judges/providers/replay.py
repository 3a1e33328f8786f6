"""A judge that repeats recorded replies: `replay:FILE`, JSON Lines with `id` and `reply`."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from oyer.errors import InputError, ProviderError
from oyer.judges.names import JudgeName
from oyer.judges.registry import Availability, Opening, Provider
from oyer.types import Judge, Prompt, Reply


class ReplayJudge(Judge):
    """Answers each case with its recorded reply; asked again, with the next one, if there is one.

    A reply counts once: who asks more often than replies were recorded gets an error, not the last
    one again. `about["final"]` tells the asker that there is no other.
    A row: {"id": case, "reply": text} and optionally "protocol" and "judge" (whose reply it was).
    """

    needs_prompt = False  # it knows the case by its id

    def __init__(self, path: str) -> None:
        self._path = path
        self._replies = _load(Path(path))
        self._asked: dict[tuple[str, str], int] = defaultdict(int)

    @property
    def name(self) -> str:
        return f"replay:{self._path}"

    async def ask(self, prompt: Prompt) -> Reply:
        case = prompt.case.id if prompt.case else ""
        key = next((k for k in ((case, prompt.protocol), (case, "")) if k in self._replies), None)
        if key is None:
            raise ProviderError(f"{self.name}: no recorded reply for case '{case}'")
        rows = self._replies[key]
        turn = max(self._asked[key], prompt.repeat)  # a resumed run begins with a later repeat
        if turn >= len(rows):
            count = "one reply" if len(rows) == 1 else f"{len(rows)} replies"
            raise ProviderError(f"{self.name}: only {count} recorded for case '{case}'")
        row = rows[turn]
        self._asked[key] = turn + 1
        about = {"replayed": self._path, "final": turn == len(rows) - 1}
        return Reply(row["reply"], str(row.get("judge") or self.name), about=about)


def _load(path: Path) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Recorded replies by case and protocol, in the order of the file."""
    replies: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    try:
        raw = path.read_bytes()
        lines = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode().split("\n")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read recorded replies: {why}", file=str(path)) from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = _row(line, path, number)
            case = row.get("case", row.get("id", number))
            replies[str(case), str(row.get("protocol", ""))].append(row)
    return replies


def _row(line: str, path: Path, number: int) -> dict[str, object]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"not JSON: {error}", file=str(path), line=number) from None
    if not isinstance(row, dict) or not isinstance(row.get("reply"), str):
        raise InputError(
            "a recorded reply is an object with 'id' and 'reply' (text)",
            file=str(path),
            line=number,
            field="reply",
        )
    return row


def open_replay(name: JudgeName, opening: Opening) -> ReplayJudge:
    return ReplayJudge(name.model)


def look() -> Availability:
    return Availability("replay:FILE", True, "recorded replies: JSON Lines with id and reply")


PROVIDER = Provider(
    "replay", open_replay, follows="file", needs_prompt=False, local=True, free=True, look=look
)
