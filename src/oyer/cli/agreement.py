"""How far several verdicts on the same case are apart: judges, or repeats of one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from oyer.types import Protocol, Verdict


@dataclass
class Agreement:
    """Takes the verdicts of one case after another; constant memory."""

    protocol: Protocol[Any]
    cases: int = 0
    most: int = 0  # verdicts a case
    split: int = 0  # cases that some scored and some did not
    ranges: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def take(self, verdicts: Sequence[Verdict]) -> None:
        """The verdicts of one case."""
        scored = [v.scores for v in verdicts if v.scores is not None]
        self.most = max(self.most, len(verdicts))
        if scored and len(scored) < len(verdicts):
            self.split += 1
        if len(scored) < 2:
            return
        self.cases += 1
        for key in self.protocol.scale:
            values = [scores[key] for scores in scored if key in scores]
            if values:
                self.ranges[key] += max(values) - min(values)

    def line(self) -> str | None:
        """One line for people; None when no case has two scores."""
        if not self.cases:
            return None
        means = "  ".join(f"{key} {total / self.cases:.2f}" for key, total in self.ranges.items())
        split = f"; {self.split:,} cases were scored by some only" if self.split else ""
        return f"agreement, {self.most} verdicts a case, mean range:  {means}{split}"
