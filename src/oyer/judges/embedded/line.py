"""How well a French or Dutch claim is supported: a logistic line over features that mean the same
in any language.

The boosted trees and the encoder learnt from English summaries, and are not asked. The numbers lie
in languages/line.toml; train/languages.py fitted them. What a fault takes from a claim is what it
takes in English (model.py), but for what is turned or swapped.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from oyer.judges.embedded.features import NAMES
from oyer.judges.embedded.model import COPIED, LEFT, copied, left

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FILE = "languages/line.toml"
#: Of the development sentences in which either is seen, nine of ten are false: so little is left
#: that none of them is Partial.
TURNED = (0.42, 0.35)
SHARES = {**LEFT, "turned": TURNED, "swapped": TURNED}
USED = (
    "unigram", "bigram", "trigram", "fragment_max", "pairs", "distance", "best_sentence",
    "best_sentence_rare", "best_evidence", "evidence_rare", "window1", "window2", "window3",
    "novel_share", "numbers_missing", "numbers_misplaced", "names_misplaced", "names_far", "order",
    "inversions", "length", "subject_far", "tail_far", "hedge_dropped", "opposites",
    "negation_added", "negation_dropped",
)  # fmt: skip


@dataclass(frozen=True)
class LogisticLine:
    mean: Floats
    deviation: Floats
    weights: Floats
    intercept: float

    def scaled(self, rows: Floats) -> Floats:
        import numpy as np

        kept = rows[:, [NAMES.index(name) for name in USED]]
        return np.clip((kept - self.mean) / self.deviation, -4, 4)

    @staticmethod
    def kept(rows: Floats) -> NDArray[np.bool_]:
        """Which claims have no fault."""
        import numpy as np

        return np.asarray(left(rows, SHARES) == 1)

    def support(self, rows: Floats) -> Floats:
        """The probability that each claim is supported, less what its faults take."""
        import numpy as np

        # summed one by one: a matrix product may round differently on another processor
        total = (self.scaled(rows) * self.weights).sum(1) + self.intercept
        total = total + COPIED * copied(rows)
        return np.asarray(left(rows, SHARES) / (1 + np.exp(-np.clip(total, -30, 30))), np.float64)


@lru_cache(maxsize=1)
def load() -> LogisticLine:
    """The shipped line."""
    import numpy as np

    stored = tomllib.loads((files(__package__) / FILE).read_text(encoding="utf-8"))
    rows = np.array([stored["features"][name] for name in USED], np.float64)
    return LogisticLine(rows[:, 0], rows[:, 1], rows[:, 2], float(stored["intercept"]))
