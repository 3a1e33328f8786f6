"""The trained model: boosted trees and a logistic line over features, then one calibration.

It was fitted by train/fit.py; here it is only read. Every number of it lies in light.npz (features
alone) and full.npz (features and the cross-encoder's marks).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Model:
    """Trees padded to one width, so that all are walked at once."""

    names: tuple[str, ...]
    feature: NDArray[np.int64]  # (trees, nodes); -1 marks a leaf
    threshold: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: Floats
    base: float
    line: tuple[Floats, Floats, Floats, float]  # mean, deviation, weights, intercept
    calibration: tuple[float, float, float]  # of the trees' logit, of the line's, constant
    depth: int

    def logits(self, rows: Floats) -> tuple[Floats, Floats]:
        """The trees' and the line's opinion of each row."""
        import numpy as np

        at = np.zeros((len(rows), len(self.feature)), np.int64)
        tree = np.arange(len(self.feature))[None, :]
        row = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            feature = self.feature[tree, at]
            goes_left = rows[row, feature] <= self.threshold[tree, at]
            step = np.where(goes_left, self.left[tree, at], self.right[tree, at])
            at = np.where(feature < 0, at, step)
        mean, deviation, weights, intercept = self.line
        scaled = np.clip((rows - mean) / deviation, -4, 4)
        # summed one by one: a matrix product may round differently on another processor
        flat = (scaled * weights).sum(1) + intercept
        return self.base + self.value[tree, at].sum(1), flat

    def support(self, rows: Floats) -> Floats:
        """The probability that each claim is supported."""
        import numpy as np

        trees, line = self.logits(rows)
        a, b, c = self.calibration
        return 1 / (1 + np.exp(-np.clip(a * trees + b * line + c, -30, 30)))


@lru_cache(maxsize=2)
def load(variant: str) -> Model:
    """The shipped model of a variant."""
    with as_file(files(__package__) / f"{variant}.npz") as path:
        return load_file(path)


@lru_cache(maxsize=32)
def load_file(path: Path) -> Model:
    """A model as train/fit.py stored it."""
    import numpy as np

    with np.load(path) as stored:
        f = {k: stored[k] for k in stored.files}
    return Model(
        names=tuple(str(n) for n in f["names"]),
        feature=f["feature"].astype(np.int64),
        threshold=f["threshold"].astype(np.float64),
        left=f["left"].astype(np.int64),
        right=f["right"].astype(np.int64),
        value=f["value"].astype(np.float64),
        base=float(f["base"]),
        line=(f["mean"], f["deviation"], f["weights"], float(f["intercept"])),
        calibration=tuple(float(x) for x in f["calibration"]),  # type: ignore[arg-type]
        depth=int(f["depth"]),
    )


@lru_cache(maxsize=1)
def reliability() -> dict[str, Any]:
    """The measured figures of both variants, as train/fit.py wrote them."""
    text = (files(__package__) / "reliability.json").read_text(encoding="utf-8")
    figures: dict[str, Any] = json.loads(text)
    return figures
