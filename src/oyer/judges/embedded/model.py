"""The trained model: boosted trees and a logistic line over features, then one calibration.

It was fitted by train/fit.py; here it is only read. Every number of it lies in model.npz. `light`
weighs the trees' opinion against the line's, `full` both of them and the encoder's doubts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oyer.judges.embedded.cross import Doubts
from oyer.judges.embedded.features import NAMES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


WIDE, MEAN = (Doubts._fields.index(name) for name in ("wide", "mean"))


#: What a claim gains that is copied, or nearly: set by hand (docs/embedded.md), since a fit over
#: all sets sees too few copies.
COPIED = 1.0


#: How far the encoder may move a claim's logit.
FURTHEST = 2.5


#: Words up to which a claim is one plain sentence, and from which it is none any more.
PLAIN, ROUNDABOUT = 12, 24


#: Words up to which a copy must have the article's word pairs, and from which it need not; and the
#: share of its pairs from which it begins to be one.
SHORT, LONGER, PAIRED = 12, 18, 0.7


#: What a claim gains by each of its summary's word pairs that the article has above .8 of them, if
#: nearly all of its own stand there, too: people find fewer faults in summaries that copy than
#: their claims show one by one.
BY_COPY, NEARLY_ALL = 2.5, 0.8


#: Faults that the encoder overrules in a claim in words of its own, of which no sentence has half,
#: when its doubts beside most evidence and on average are less than this: the clause that a fault
#: is seen against was found by its words, and the fewer it shares, the oftener it tells something
#: else. A number or name that the article does not have stays a fault.
OVERRULED = ("turned", "swapped", "moved", "usurped")
OWN_WORDS, SURE = 0.5, -0.7


Shares = Mapping[str, tuple[float, float]]
#: What is left of a claim's support for each fault that stands in it, set by hand: of one in words
#: of its own, where a fault may be an error of ours, and of a copy. It is Supported in no case.
LEFT: Shares = {
    "turned": (0.6, 0.35),
    "swapped": (0.6, 0.35),
    "moved": (0.8, 0.8),
    "usurped": (0.7, 0.7),
    "strange": (0.7, 0.65),
}


def left(rows: Floats, shares: Shares = LEFT) -> Floats:
    """The share of each claim's support that its faults leave."""
    import numpy as np

    share, copy = np.ones(len(rows)), copied(rows)
    for name, (reworded, verbatim) in shares.items():
        found = reworded + (verbatim - reworded) * copy
        share = np.where(rows[:, NAMES.index(name)] > 0, np.minimum(share, found), share)
    return share


def copied(rows: Floats) -> Floats:
    """How far each claim is a copy: 0 while a tenth of its words are missing from the best two
    sentences, 1 when none is. A short one must have the article's word pairs, too: all words of
    "Brazil beat Germany" stand in "Germany beat Brazil"."""
    import numpy as np

    words = np.expm1(rows[:, NAMES.index("length")])
    short = np.clip((LONGER - words) / (LONGER - SHORT), 0.0, 1.0)
    same = np.clip((rows[:, NAMES.index("window2")] - 0.9) / 0.1, 0.0, 1.0)
    paired = np.clip((rows[:, NAMES.index("bigram")] - PAIRED) / (1 - PAIRED), 0.0, 1.0)
    return np.asarray(same * (1 - short) + np.minimum(same, paired) * short)


def plain(rows: Floats) -> Floats:
    """How far each claim is one plain sentence in words of its own: there the encoder, which
    learnt from such, count for more, and features that were fitted on longer claims for less."""
    import numpy as np

    words = np.expm1(rows[:, NAMES.index("length")])
    return np.clip((ROUNDABOUT - words) / (ROUNDABOUT - PLAIN), 0.0, 1.0) * (1 - copied(rows))


def overrule(rows: Floats, doubts: Floats) -> Floats:
    """The features without the faults that the encoder overrules."""
    sure = (doubts[:, WIDE] < SURE) & (doubts[:, MEAN] < SURE)
    sure &= rows[:, NAMES.index("window1")] < OWN_WORDS
    kept = rows.copy()
    for name in OVERRULED:
        kept[sure, NAMES.index(name)] = 0.0
    return kept


def lift(rows: Floats, share: Floats | float) -> Floats:
    """What each claim gains in `full` by those around it that are copies; a plain sentence in words
    of its own gains nothing."""
    import numpy as np

    own = rows[:, NAMES.index("bigram")]
    copy = np.clip((own - NEARLY_ALL) / (1 - NEARLY_ALL), 0.0, 1.0)
    around = BY_COPY * copy * np.maximum(0.0, share - NEARLY_ALL)
    return np.asarray(around * (1 - plain(rows)))


def joined(weights: Floats, opinions: list[Floats]) -> Floats:
    """The opinions, each by its weight; summed one by one, the same on every processor."""
    total: Floats = weights[0] * opinions[0]
    for weight, opinion in zip(weights[1:], opinions[1:], strict=True):
        total = total + weight * opinion
    return total


def blend(weights: Floats, opinions: list[Floats], plain: Floats) -> Floats:
    """The opinions by the weights for long claims and by those for plain ones."""
    long, short = (joined(own, opinions) for own in weights)
    return long * (1 - plain) + short * plain


def near(full: Floats, light: Floats) -> Floats:
    """What `full` says, no further from what `light` says than a bound: what is installed may not
    make another judge of it."""
    import numpy as np

    return np.asarray(np.clip(full, light - FURTHEST, light + FURTHEST))


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
    depth: int
    light: Floats  # weights of a constant, of the trees' and of the line's opinion
    full: Floats  # the same, and of each doubt: for long claims, and for plain ones

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
        scaled = np.clip((rows[:, : len(mean)] - mean) / deviation, -4, 4)
        # summed one by one: a matrix product may round differently on another processor
        flat = (scaled * weights).sum(1) + intercept
        return self.base + self.value[tree, at].sum(1), flat

    def support(self, rows: Floats, doubts: Floats | None = None, share: float = 0.0) -> Floats:
        """The probability that each claim of a summary is supported: by `light`, or with the
        encoder's doubts and the share of the summary's word pairs that the article has."""
        import numpy as np

        opinions = [np.ones(len(rows)), *self.logits(rows)]
        total = joined(self.light, opinions)
        if doubts is not None:
            opinions.extend(doubts.T)
            total = near(blend(self.full, opinions, plain(rows)), total) + lift(rows, share)
        total = total + COPIED * copied(rows)
        found = left(rows) / (1 + np.exp(-np.clip(total, -30, 30)))
        return np.asarray(found, np.float64)


@lru_cache(maxsize=1)
def load() -> Model:
    """The shipped model."""
    with as_file(files(__package__) / "model.npz") as path:
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
        depth=int(f["depth"]),
        light=f["light"],
        full=f["full"],
    )


@lru_cache(maxsize=1)
def reliability() -> dict[str, Any]:
    """The measured figures of both variants, as train/fit.py wrote them."""
    text = (files(__package__) / "reliability.json").read_text(encoding="utf-8")
    figures: dict[str, Any] = json.loads(text)
    return figures
