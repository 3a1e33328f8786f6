"""The headings of a rubric's Markdown, with what stands under each; code and comments are text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
#: What its author took for a heading: no blank behind the marks, or full-width ones.
_LOOSE = re.compile(r"[ \t\u3000]*([#＃]{1,6})[ \t\u3000]*([^#＃\s].*?)\s*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_COMMENT_MARKS = re.compile(r"^\s*<!--|-->\s*$")


@dataclass(frozen=True, slots=True)
class RubricSection:
    """A heading with the lines under it, up to the next heading of its level or above."""

    line: int
    level: int
    title: str
    body: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """A text by its headings, and what looks like a heading but is none."""

    sections: tuple[RubricSection, ...]
    loose: tuple[RubricSection, ...] = ()  # `##title`, `##　title`, `＃＃ title`
    hidden: tuple[RubricSection, ...] = ()  # inside a comment
    prose: tuple[tuple[int, str], ...] = ()  # every other line outside code and comments
    open_comment: int | None = None  # the line of a comment that is never closed


def read_outline(text: str) -> Outline:
    """Every heading outside code blocks and comments, with its body."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    visible = _COMMENT.sub(_blank_lines, text).split("\n")
    heads: list[tuple[int, int, str]] = []
    loose: list[RubricSection] = []
    prose: list[tuple[int, str]] = []
    for number, line, in_code in _mark_code(visible):
        if in_code:
            continue
        if head := _HEADING.match(line):
            heads.append((number, len(head[1]), head[2]))
        elif almost := _LOOSE.match(line):
            loose.append(RubricSection(number, len(almost[1]), almost[2], ()))
        else:
            prose.append((number, line))
    return Outline(
        tuple(_with_bodies(heads, visible)),
        tuple(loose),
        tuple(_hidden_headings(text)),
        tuple(prose),
        _open_comment(text),
    )


def _hidden_headings(text: str) -> Iterator[RubricSection]:
    """Headings inside comments."""
    for comment in _COMMENT.finditer(text):
        first = text.count("\n", 0, comment.start()) + 1
        for number, line in enumerate(comment[0].split("\n"), first):
            if head := _HEADING.match(_COMMENT_MARKS.sub("", line).strip()):
                yield RubricSection(number, len(head[1]), head[2], ())


def _open_comment(text: str) -> int | None:
    for comment in _COMMENT.finditer(text):
        if not comment[0].endswith("-->"):
            return text.count("\n", 0, comment.start()) + 1
    return None


def _blank_lines(comment: re.Match[str]) -> str:
    """A comment takes up its lines, so that line numbers stay."""
    return "\n" * comment[0].count("\n")


def _mark_code(lines: Sequence[str]) -> Iterator[tuple[int, str, bool]]:
    """Each line with its number, and whether it belongs to a code block."""
    fence = ""
    for number, line in enumerate(lines, 1):
        mark = _FENCE.match(line)
        if mark is None:
            yield number, line, bool(fence)
            continue
        if not fence:
            fence = mark[1]
        elif mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
        yield number, line, True


def _with_bodies(
    heads: Sequence[tuple[int, int, str]], lines: Sequence[str]
) -> Iterator[RubricSection]:
    for at, (number, level, title) in enumerate(heads):
        after = (later[0] for later in heads[at + 1 :] if later[1] <= level)
        end = next(after, len(lines) + 1)
        body = tuple((n, lines[n - 1]) for n in range(number + 1, end))
        yield RubricSection(number, level, title, body)
