"""Many bad rows, told briefly: the first of each kind in full, the others counted and placed.

A file of the wrong protocol is wrong in every row: one sentence says so, not a thousand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

PLACES = 8  # lines that are named one by one
KINDS = 20  # kinds that are told; further ones are counted together

_PLACED = re.compile(r"(?P<file>.+?):(?P<line>\d+): (?P<what>.*)", re.DOTALL)
#: What differs between two rows with the same fault: where in the line, not what.
_WITHIN = re.compile(r"\b(character|column|line|char) \d+")


@dataclass
class ProblemGroup:
    """One kind of bad row: the first as it was told, and where the others are."""

    first: str
    more: int = 0
    lines: list[str] = field(default_factory=list)

    @property
    def others(self) -> str:
        """`19 more like it (lines 2, 3, 4 …)`; nothing when it is the only one."""
        if not self.more:
            return ""
        others = f"{self.more:,} more like it"
        if not self.lines:
            return others
        noun = "line" if self.more == 1 else "lines"
        more = " …" if self.more > len(self.lines) else ""
        return f"{others} ({noun} {', '.join(self.lines)}{more})"


class ProblemSummary:
    """Takes bad rows one by one."""

    def __init__(self) -> None:
        self.kinds: dict[str, ProblemGroup] = {}
        self.beyond = 0  # of kinds that are not listed

    def take(self, message: str) -> bool:
        """Whether this is the first of its kind."""
        placed = _PLACED.match(message)
        file, line, what = placed.group("file", "line", "what") if placed else ("", "", message)
        kind = f"{file}: {_WITHIN.sub('', what)}"
        group = self.kinds.get(kind)
        if group is not None:
            group.more += 1
            if line and len(group.lines) < PLACES:
                group.lines.append(line)
            return False
        if len(self.kinds) >= KINDS:
            self.beyond += 1
            return False
        self.kinds[kind] = ProblemGroup(message)
        return True

    def messages(self) -> Iterator[str]:
        """Each kind in a line."""
        for group in self.kinds.values():
            yield f"{group.first}; and {group.others}" if group.more else group.first
        yield from self._beyond()

    def rest(self) -> Iterator[str]:
        """What is left to say when the first of each kind was shown already."""
        for group in self.kinds.values():
            if group.more:
                yield f"{group.first.partition(': ')[0]}: and {group.others}"
        yield from self._beyond()

    def _beyond(self) -> Iterator[str]:
        if self.beyond:
            yield f"… and {self.beyond:,} more bad rows"
