"""What is measured of whole summaries: ranks by mean support, decisions by the lowest claim."""

from __future__ import annotations

from typing import Any

import data
import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from table import Floats, Table

SETS = ("factcc", "xsumfaith", "polytope", "cliff", "summedits")


def by_row(rows: list[data.Row], t: Table, p: Floats) -> tuple[Floats, Floats, Floats]:
    """For each summary the mean and the lowest support of its claims, and whether it has any."""
    mine = t.row >= 0
    count = np.bincount(t.row[mine], minlength=len(rows))
    mean = np.bincount(t.row[mine], p[mine], len(rows)) / np.maximum(1, count)
    low = np.ones(len(rows))
    np.minimum.at(low, t.row[mine], p[mine])
    return mean, low, count > 0


def figures(rows: list[data.Row], t: Table, p: Floats) -> dict[str, Any]:
    mean, low, there = by_row(rows, t, p)
    folds = np.array([data.fold_of(r.article) for r in rows])
    sets = np.array([r.set for r in rows])
    at = (sets == "summeval") & there
    grades = [(r.grade, r.relevance) for r, a in zip(rows, at, strict=True) if a]
    found: dict[str, Any] = {"summeval": {
        "n": int(at.sum()),
        "consistency_spearman": rounded(spearmanr(mean[at], [g for g, _ in grades])[0]),
        "relevance_spearman": rounded(spearmanr(mean[at], [r for _, r in grades])[0]),
    }}  # fmt: skip
    for name in SETS:
        at = (sets == name) & there
        labels = np.array([bool(r.consistent) for r, a in zip(rows, at, strict=True) if a])
        found[name] = decision(labels, mean[at], low[at], folds[at])
    return found


def domains(rows: list[data.Row], t: Table, p: Floats, names: list[str]) -> dict[str, Any]:
    """summedits by domain; the bound of each domain's decisions is chosen on the others."""
    mean, low, there = by_row(rows, t, p)
    at = np.array([r.set == "summedits" and r.domain in names for r in rows]) & there
    part = np.array([r.domain for r, a in zip(rows, at, strict=True) if a])
    labels = np.array([bool(r.consistent) for r, a in zip(rows, at, strict=True) if a])
    bounds = chosen(labels, low[at], part)
    each = {
        str(d): {
            "n": int((part == d).sum()),
            "auc": rounded(roc_auc_score(labels[part == d], mean[at][part == d])),
            "auc_lowest": rounded(roc_auc_score(labels[part == d], low[at][part == d])),
            "balanced_accuracy": rounded(
                balanced_accuracy_score(labels[part == d], (low[at] > bounds)[part == d])
            ),
        }
        for d in names
    }
    average = {
        k: rounded(np.mean([e[k] for e in each.values()]))
        for k in ("auc", "auc_lowest", "balanced_accuracy")
    }
    return {**average, "domains": each}


def decision(labels: Floats, mean: Floats, low: Floats, part: Floats) -> dict[str, Any]:
    """`balanced_accuracy`: bounds chosen on the other folds; `…_half`: the bound is one half."""
    return {
        "n": len(labels),
        "auc": rounded(roc_auc_score(labels, mean)),
        "auc_lowest": rounded(roc_auc_score(labels, low)),
        "balanced_accuracy": rounded(
            balanced_accuracy_score(labels, low > chosen(labels, low, part))
        ),
        "balanced_accuracy_half": rounded(balanced_accuracy_score(labels, low > 0.5)),
    }


def chosen(labels: Floats, low: Floats, part: Floats) -> Floats:
    """For each row the bound that decides best on all parts but its own."""
    bounds = np.zeros(len(low))
    for one in set(part):
        rest = part != one
        options = np.quantile(low[rest], np.linspace(0.02, 0.98, 49))
        best = [balanced_accuracy_score(labels[rest], low[rest] > b) for b in options]
        bounds[part == one] = options[int(np.argmax(best))]
    return bounds


def rounded(x: float) -> float:
    return round(float(x), 3)
