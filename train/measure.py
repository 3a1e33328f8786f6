"""What is measured of whole summaries: ranks by mean support, decisions by the lowest claim.

The statistics are those of judge cards (`oyer.trust`), tested against scipy and scikit-learn.
"""

from __future__ import annotations

from typing import Any

import data
import numpy as np
from table import Floats, Table

from oyer.trust.agreement import balanced_accuracy, confusion
from oyer.trust.ranking import auc, spearman

SETS = ("factcc", "xsumfaith", "polytope", "cliff", "summedits")
#: Kinds of text by the domains of summedits; all other sets are news.
KINDS = {"sales_email": "mail", "sales_call": "dialogue", "samsum": "dialogue", "qmsumm": "minutes",
         "scitldr": "abstract", "ectsum": "earnings call", "podcast": "podcast"}  # fmt: skip
BINS = 10


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
        "consistency_spearman": rounded(spearman(mean[at], np.array([g for g, _ in grades]))),
        "relevance_spearman": rounded(spearman(mean[at], np.array([r for _, r in grades]))),
    }}  # fmt: skip
    for name in SETS:
        at = (sets == name) & there
        labels = np.array([bool(r.consistent) for r, a in zip(rows, at, strict=True) if a])
        found[name] = decision(labels, mean[at], low[at], folds[at])
    found["calibration_error"] = calibration(t, p)
    return found


def calibration(t: Table, p: Floats) -> dict[str, float]:
    """For each kind of text: how far support and the share of supported claims lie apart, on
    average over ten bins of support; labels that reach down to a claim only."""
    known = (t.row >= 0) & (t.w >= 1)
    kinds = np.array([KINDS.get(domain, "news") for domain in t.domain])
    errors = {}
    for kind in sorted(set(kinds[known])):
        at = known & (kinds == kind)
        bins = np.minimum((p[at] * BINS).astype(int), BINS - 1)
        gaps = [abs((p[at][bins == b] - t.y[at][bins == b]).sum()) for b in range(BINS)]
        errors[str(kind)] = rounded(sum(gaps) / at.sum())
    return errors


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
            "auc": rounded(auc(labels[part == d], mean[at][part == d])),
            "auc_lowest": rounded(auc(labels[part == d], low[at][part == d])),
            "balanced_accuracy": rounded(
                accuracy(labels[part == d], (low[at] > bounds)[part == d])
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
        "auc": rounded(auc(labels, mean)),
        "auc_lowest": rounded(auc(labels, low)),
        "balanced_accuracy": rounded(accuracy(labels, low > chosen(labels, low, part))),
        "balanced_accuracy_half": rounded(accuracy(labels, low > 0.5)),
    }


def chosen(labels: Floats, low: Floats, part: Floats) -> Floats:
    """For each row the bound that decides best on all parts but its own."""
    bounds = np.zeros(len(low))
    for one in set(part):
        rest = part != one
        bounds[part == one] = best_bound(labels[rest], low[rest])
    return bounds


def best_bound(labels: Floats, scores: Floats) -> float:
    """The bound that decides best."""
    options = np.quantile(scores, np.linspace(0.02, 0.98, 49))
    found = [accuracy(labels, scores > bound) for bound in options]
    return float(options[int(np.argmax(found))])


def accuracy(labels: Floats, decisions: Floats) -> float:
    """Balanced: the mean of what is found of the bad and passed of the good."""
    judged, people = decisions.astype(np.int64), labels.astype(np.int64)
    return balanced_accuracy(confusion(judged, people, 2))


def rounded(x: float) -> float:
    return round(float(x), 3)
