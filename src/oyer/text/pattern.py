"""Regular expressions in linear time, for patterns of a user over text of a stranger.

A pattern becomes an automaton that reads each character once, so no text can make it slow.
Understood: literals, `.`, classes, `\\d \\w \\s` and their opposites, groups, `|`, `* + ? {m,n}`,
`^ $ \\b \\B`, and the flags `(?ims)` in front. Refused: back-references, look-around, possessive
and atomic groups. Laziness changes nothing, as only *whether* a pattern occurs is asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

MAX_STATES: Final = 2_000
MAX_WORK: Final = 20_000  # items built, counting repeated ones: an empty group makes no state
MAX_GROUPS: Final = 50
_CACHED: Final = 50_000

_ANCHORS = {"^": "start", "$": "end", r"\b": "edge", r"\B": "inside", r"\A": "first", r"\Z": "last"}
_ATOM = re.compile(
    r"(?P<anchor>\^|\$|\\[bBAZ])|(?P<set>\[\^?\]?(?:[^\]\\]|\\.)*\])"
    r"|(?P<escape>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[dDwWsS]|[ntrfv]|[^0-9A-Za-z]))|(?P<any>\.)"
    r"|(?P<plain>[^\\\[\]()*+?{}|^$.]|[\]}]|\{(?!\d*,?\d*\}))",
    re.DOTALL,
)
_REPEAT = re.compile(r"(?:(?P<mark>[*+?])|\{(?P<low>\d*)(?P<comma>,?)(?P<high>\d*)\})")
_FLAGS = re.compile(r"\(\?([ims]+)\)")
_OPENING = re.compile(r"\((?:\?:|\?P<\w+>|(?!\?))")


class PatternError(ValueError):
    """A pattern that is wrong, or that cannot be matched in linear time."""


@dataclass(slots=True)
class _State:
    """A state: what its character must be, where it leads, and which test guards the way."""

    wanted: int | None = None
    test: str | None = None
    ways: list[int] = field(default_factory=list)


class Pattern:
    """A pattern, ready to be looked for. `PatternError` says what is wrong with it."""

    def __init__(self, source: str) -> None:
        flags = _FLAGS.match(source)
        self.flags = 0
        for letter in flags[1] if flags else "":
            self.flags |= {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}[letter]
        self.source, self.at = source, flags.end() if flags else 0
        self.work = self.depth = 0
        self.states: list[_State] = []
        self.atoms: list[re.Pattern[str]] = []
        self._steps: dict[tuple[frozenset[int], str, str, str], frozenset[int]] = {}
        self.final = self._add()
        self.start = self._choice(self.final)
        if self.at < len(source):
            raise PatternError(f"an unmatched {source[self.at]!r} at {self.at}")

    def occurs_in(self, text: str) -> bool:
        """Whether the pattern occurs anywhere in the text."""
        alive: frozenset[int] = frozenset()
        for at in range(len(text) + 1):
            before, here = text[at - 1 : at] if at else "", text[at : at + 1]
            # `$` also matches before a last line end, so it must see one character further
            after = text[at + 1 : at + 2] if here == "\n" else ""
            key = (alive, before, here, after)
            step = self._steps.get(key)
            if step is None:
                reached = self._reach(alive | {self.start}, before, here, after)
                found = self.final in reached
                step = frozenset((-1,)) if found else self._read(reached, here)
                if len(self._steps) < _CACHED:
                    self._steps[key] = step
            if -1 in step:
                return True
            alive = step
        return False

    def _read(self, states: set[int], char: str) -> frozenset[int]:
        """The states behind one character."""
        if not char:
            return frozenset()
        return frozenset(
            way
            for state in states
            if (wanted := self.states[state].wanted) is not None
            and self.atoms[wanted].fullmatch(char)
            for way in self.states[state].ways
        )

    def _reach(self, states: frozenset[int], before: str, here: str, after: str) -> set[int]:
        """Every state that can be reached without reading a character."""
        reached: set[int] = set()
        pending = list(states)
        while pending:
            number = pending.pop()
            if number in reached:
                continue
            reached.add(number)
            state = self.states[number]
            if state.wanted is None and self._holds(state.test, before, here, after):
                pending += state.ways
        return reached

    def _holds(self, test: str | None, before: str, here: str, after: str) -> bool:
        if test is None:
            return True
        lines = bool(self.flags & re.MULTILINE)
        if test in ("first", "start"):
            return not before or (lines and test == "start" and before == "\n")
        if test in ("last", "end"):
            last = not here or (test == "end" and here == "\n" and not after)
            return last or (lines and test == "end" and here == "\n")
        edge = _is_word(before) != _is_word(here)
        return edge if test == "edge" else not edge

    # ── from the source to the states, last part first ───────────────────────────────────────

    def _add(self, **parts: object) -> int:
        if len(self.states) >= MAX_STATES:
            raise PatternError("the pattern is too big")
        self.states.append(_State(**parts))  # type: ignore[arg-type]
        return len(self.states) - 1

    def _choice(self, then: int) -> int:
        """Alternatives up to a bracket or the end; returns the state before them."""
        ways = [self._sequence(then)]
        while self.source.startswith("|", self.at):
            self.at += 1
            ways.append(self._sequence(then))
        return ways[0] if len(ways) == 1 else self._add(ways=ways)

    def _sequence(self, then: int) -> int:
        """Items are built from the last to the first, so their sources are collected first."""
        items: list[tuple[int, tuple[int, int | None]]] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            start = self.at
            self._pass()
            items.append((start, self._count()))
        end = self.at
        for start, (low, high) in reversed(items):
            then = self._repeat(start, low, high, then)
        self.at = end
        return then

    def _repeat(self, start: int, low: int, high: int | None, then: int) -> int:
        if high is None:
            loop = self._add(ways=[then])
            self.states[loop].ways.append(self._at(start, loop))
            then = loop
        for _ in range((high or low) - low):
            then = self._add(ways=[then, self._at(start, then)])
        for _ in range(low):
            then = self._at(start, then)
        return then

    def _at(self, start: int, then: int) -> int:
        self.at = start
        return self._item(then)

    def _atom(self) -> re.Match[str]:
        match = _ATOM.match(self.source, self.at)
        if match is None:
            raise PatternError(f"cannot be matched in linear time, or wrong, at {self.at}")
        self.at = match.end()
        return match

    def _open(self) -> None:
        opening = _OPENING.match(self.source, self.at)
        if opening is None:
            raise PatternError(f"look-around and special groups are not understood, at {self.at}")
        self.at = opening.end()

    def _pass(self) -> None:
        """Past one item, to see how often it is repeated."""
        depth = 0
        while True:
            mark = self.source[self.at : self.at + 1]
            if mark == "(":
                self._open()
                depth += 1
            elif mark == ")" and depth:
                self.at += 1
                depth -= 1
            elif mark == "" and depth:
                raise PatternError("a bracket is not closed")
            elif mark == "|" and depth:
                self.at += 1
            else:
                self._atom()
                if depth:
                    self._count()
            if not depth:
                return
            if mark == ")":
                self._count()

    def _item(self, then: int) -> int:
        """The state before one item, which leads to `then`."""
        self.work += 1
        if self.work > MAX_WORK:
            raise PatternError("the pattern is too big")
        if self.source.startswith("(", self.at):
            return self._group(then)
        match = self._atom()
        if match["anchor"]:
            return self._add(test=_ANCHORS[match[0]], ways=[then])
        try:
            self.atoms.append(re.compile(match[0], self.flags & ~re.MULTILINE))
        except re.error as wrong:
            raise PatternError(f"{match[0]}: {wrong}") from None
        return self._add(wanted=len(self.atoms) - 1, ways=[then])

    def _group(self, then: int) -> int:
        self._open()
        self.depth += 1
        if self.depth > MAX_GROUPS:
            raise PatternError("too many groups in groups")
        inside = self._choice(then)
        self.depth -= 1
        self.at += 1  # its bracket: `_pass` has seen it
        return inside

    def _count(self) -> tuple[int, int | None]:
        match = _REPEAT.match(self.source, self.at)
        if match is None:
            return 1, 1
        self.at = match.end()
        if self.source.startswith("?", self.at):  # lazy: the same question
            self.at += 1
        if self.source[self.at : self.at + 1] in ("*", "+"):
            raise PatternError(f"a repeated repetition at {self.at}")
        if match["mark"]:
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[match["mark"]]
        low = int(match["low"] or 0)
        high = low if not match["comma"] else int(match["high"]) if match["high"] else None
        if low > MAX_STATES or (high is not None and (high > MAX_STATES or high < low)):
            raise PatternError(f"a repetition that cannot be: {match[0]}")
        return low, high


def _is_word(char: str) -> bool:
    return bool(char) and (char.isalnum() or char == "_")
