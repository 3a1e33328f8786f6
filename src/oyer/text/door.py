"""The door: everything that is printed goes through here, and nothing that is obeyed gets out.

Names, texts and messages of others reach every line that we print. A terminal obeys escape
sequences, a CI server obeys lines that begin with `::error`, `::add-mask::` or hold `##[`. So the
command line puts a `Door` in the place of standard output and standard error. What we ourselves
want to be obeyed (colours, a progress line, a gate's annotations) goes to `trusted_stream`, and
whoever writes there makes plain what is not its own (`harmless`).
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, TypeVar, cast

#: Control characters but tabs and line ends, marks that turn text around, and `##[`.
_OBEYED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)|##\\["
)
_COMMAND = re.compile(r"(\n[ \t]*):(?=:)")
_STYLE = re.compile("(\x1b\\[[0-9;]*m)")
S = TypeVar("S", bound=Any)


def harmless(text: str) -> str:
    """The text with `\\u001b` and the like for what a terminal or a CI server would obey.

    JSON stays what it was: there the same six letters mean the same character.
    """
    if _OBEYED.search(text):
        text = _OBEYED.sub(_spell, text)
    return _COMMAND.sub(r"\1\\u003a", text) if "::" in text else text


def _spell(found: re.Match[str]) -> str:
    if found[0] == "##[":
        return "##\\u005b"
    return f"\\u{ord(found[0]):04x}"


class Door:
    """A text stream that lets nothing out that is obeyed. Everything else is the stream's own."""

    def __init__(self, stream: TextIO, *, styles: bool = False) -> None:
        self.trusted = stream
        self._styles = styles  # colours of ours may pass
        self._begun = ""  # what the current line begins with, as far as that matters

    def write(self, text: str) -> int:
        """Write the text, made harmless."""
        if self._styles:
            parts = _STYLE.split(text)
            safe = "".join(part if i % 2 else self._pass(part) for i, part in enumerate(parts))
        else:
            safe = self._pass(text)
        self.trusted.write(safe)
        return len(text)

    def _pass(self, text: str) -> str:
        if not text:
            return text
        line = self._begun + text
        head = line.lstrip(" \t")
        if head.startswith("::") and not self._begun.strip(" \t").startswith("::"):
            at = line.index("::") - len(self._begun)
            at = max(at, 0)
            safe = f"{harmless(text[:at])}\\u003a{harmless(text[at + 1 :])}"
        else:
            safe = harmless(text)
        last = line.rpartition("\n")[2]
        self._begun = last[: len(last) - len(last.lstrip(" \t")) + 2]
        return safe

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.trusted, name)


def trusted_stream(stream: TextIO) -> TextIO:
    """The stream behind the door, for what we want to be obeyed."""
    return stream.trusted if isinstance(stream, Door) else stream


def styled_stream(stream: TextIO) -> TextIO:
    """The stream with a door that colours may pass."""
    return cast(TextIO, Door(trusted_stream(stream), styles=True))


def harmless_segments(segments: Iterable[S]) -> Iterator[S]:
    """What rich prints: its own controls and styles stay, the words are made harmless."""
    for segment in segments:
        if segment.control or not _OBEYED.search(segment.text):
            yield segment
        else:
            yield segment._replace(text=harmless(segment.text))


@contextlib.contextmanager
def doors() -> Iterator[None]:
    """Standard output and standard error behind doors, for as long as a command runs."""
    out, err = sys.stdout, sys.stderr
    sys.stdout = cast(TextIO, Door(trusted_stream(out)))
    sys.stderr = cast(TextIO, Door(trusted_stream(err)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err
