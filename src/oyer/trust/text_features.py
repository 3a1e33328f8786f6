"""What may bias a judge on a text: its length, the place of a unit in it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from oyer.text.vendors import judges_itself, vendor_of
from oyer.types import AnyProtocol, Case

_START = re.compile(r"\[(\d+):")


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """Of one judged text."""

    protocol: AnyProtocol
    case: Case

    @property
    def length(self) -> float:
        """The log of the judged text's length; NaN: there is none, or nobody knows which it is."""
        writing = self.protocol.writing
        text = self.case.text(writing.field) if writing is not None else ""
        return math.log(len(text)) if text else math.nan

    def position(self, unit: str) -> float:
        """Where a unit begins, 0 … 1 in its text."""
        start = _START.search(unit)
        if start is None:  # a score of the whole; the order of a file is nobody's doing
            return math.nan
        text = self.case.text(unit.partition("[")[0])
        return int(start[1]) / max(len(text), 1)


def same_vendor(judge: str | None, candidate: str | None) -> float:
    """1 where both are of one vendor, 0 where not; NaN: not known."""
    if judge is None or vendor_of(judge) is None or vendor_of(candidate) is None:
        return math.nan
    return float(judges_itself(judge, candidate))
