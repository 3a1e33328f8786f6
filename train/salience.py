"""Which words of an article do its summaries keep? `python train/salience.py` prints the weights
of oyer.judges.embedded.salience: a logistic line on how often a word stands there, how early it
first does, and how rare it is.

The words are those of the articles of cliff, factcc, polytope and xsumfaith; the target is the
share of an article's summaries that have the word. People's labels are not looked at, and articles
that are in summeval are left out: salience can be measured there. Nothing in it is random.
"""

from __future__ import annotations

import data
import numpy as np

from oyer.judges.embedded.salience import marks, telling
from oyer.judges.embedded.source import index

SETS = ("cliff", "factcc", "polytope", "xsumfaith")
STEPS, RIDGE = 30, 1e-5


def table() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each word of each article its marks, the share of summaries with it, and its weight: an
    article weighs as much as it has summaries, however long it is."""
    held = {r.group for r in data.summeval()}
    by: dict[str, list[data.Row]] = {}
    for row in data.everything():
        if row.set in SETS and row.group not in held:
            by.setdefault(row.group, []).append(row)
    rows: list[tuple[float, ...]] = []
    kept: list[float] = []
    weight: list[float] = []
    for group in by.values():
        found = marks(index(group[0].article))
        told = [set(telling(r.summary)) for r in group]
        for stem, mark in found.items():
            rows.append((1.0, *mark))
            kept.append(sum(stem in t for t in told) / len(told))
            weight.append(len(told) / len(found))
    print(f"{len(by)} articles, {sum(map(len, by.values()))} summaries, {len(rows)} words")
    return np.array(rows), np.array(kept), np.array(weight) / sum(weight)


def fit(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Newton's steps to the most likely line."""
    line = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ line))
        slope = x.T @ (w * (p - y))
        bend = (x * (w * p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(x.shape[1])
        line -= np.linalg.solve(bend, slope)
    return line


if __name__ == "__main__":
    names = ("START", "OFTEN", "EARLY", "RARE")
    for name, value in zip(names, fit(*table()), strict=True):
        print(f"{name} = {value:.2f}")
