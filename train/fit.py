"""Fit, calibrate, measure and store the model: `python train/fit.py light` and `… full`.

Measured by five-fold cross-validation over articles (a fold never trains on an article that it
judges), and on summedits also by leaving out each domain in turn. The stored model is then
fitted on every row that the variant can use; the models of the folds go to bench/folds, so that
the benchmark can judge every row by a model that never saw its article.

For `full`, only claims that the cross-encoder never saw can be used: those of held-out articles,
and those of the summedits domains that it was not shown (data.UNSEEN).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import data
import measure
import numpy as np
import table
from data import FOLDS
from scipy.optimize import minimize
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from table import SEED, Floats, Table

from oyer.judges.embedded import cross
from oyer.judges.embedded.features import NAMES
from oyer.judges.embedded.source import index

#: How much each kind of data weighs as a whole, whatever its number of rows.
MASS = {"summeval": 6.0, "factcc": 1.0, "xsumfaith": 1.0, "polytope": 0.3, "cliff": 1.0,
        "summedits": 2.5, "generated": 1.0}  # fmt: skip
#: Which way a feature may move the judgement; those not named may move it either way.
BETTER = (
    "unigram", "best_sentence", "best_evidence", "near_min", "window1", "window2", "window3",
)  # fmt: skip
WORSE = (
    "numbers_missing", "numbers_far", "numbers_misplaced", "names_missing", "dates_missing",
    "novel", "opposites", "negation_added", "negation_dropped", *cross.NAMES,
)  # fmt: skip
ROOT = Path(__file__).resolve().parents[1]
PACKAGE, BENCH = ROOT / "src/oyer/judges/embedded", ROOT / "bench/folds"
Calibration = tuple[float, float, float]
Fitted = tuple[HistGradientBoostingClassifier, tuple[Floats, Floats, Floats, float]]


def weights(t: Table, use: Floats) -> tuple[Floats, Floats]:
    """Weights of the (supported, not supported) readings of each claim, by the sets' masses."""
    up, down = t.w * t.y * use, t.w * (1 - t.y) * use
    for name, mass in MASS.items():
        at = t.set == name
        total = up[at].sum() + down[at].sum()
        if total > 0:
            up[at] *= mass / total
            down[at] *= mass / total
    return up, down


def directions(width: int) -> list[int]:
    names = (*NAMES, *cross.NAMES)[:width]
    return [1 if n in BETTER else -1 if n in WORSE else 0 for n in names]


def straight(x: Floats, y: Floats, w: Floats) -> tuple[Floats, float]:
    """A logistic line whose weights keep to their directions."""

    def loss(v: Floats) -> tuple[float, Floats]:
        z = x @ v[:-1] + v[-1]
        p = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
        value = np.sum(w * np.logaddexp(0, -np.where(y > 0, z, -z))) + 15.0 * v[:-1] @ v[:-1]
        return value, np.append(x.T @ (w * (p - y)) + 30.0 * v[:-1], np.sum(w * (p - y)))

    ways = directions(x.shape[1])
    bounds = [(0 if d > 0 else None, 0 if d < 0 else None) for d in ways] + [(None, None)]
    found = minimize(loss, np.zeros(x.shape[1] + 1), jac=True, bounds=bounds, method="L-BFGS-B")
    return found.x[:-1], float(found.x[-1])


def fit(t: Table, use: Floats) -> Fitted:
    up, down = weights(t, use)
    x = np.concatenate([t.x[up > 0], t.x[down > 0]])
    y = np.concatenate([np.ones((up > 0).sum()), np.zeros((down > 0).sum())])
    w = np.concatenate([up[up > 0], down[down > 0]])
    w = w * len(w) / w.sum()
    trees = HistGradientBoostingClassifier(
        max_iter=140, learning_rate=0.06, max_leaf_nodes=8, min_samples_leaf=40,
        l2_regularization=10.0, random_state=SEED, early_stopping=False,
        monotonic_cst=directions(x.shape[1]),
    ).fit(x, y, sample_weight=w)  # fmt: skip
    mean, deviation = np.average(x, axis=0, weights=w), x.std(0) + 1e-6
    return trees, (mean, deviation, *straight(np.clip((x - mean) / deviation, -4, 4), y, w))


def opinions(model: Fitted, x: Floats) -> Floats:
    trees, (mean, deviation, coefficients, intercept) = model
    line = np.clip((x - mean) / deviation, -4, 4) @ coefficients + intercept
    return np.stack([trees.decision_function(x), line], 1)


def crossed(t: Table) -> tuple[Floats, list[Fitted]]:
    """Opinions of each claim by models that never saw its article."""
    found = np.zeros((len(t.x), 2))
    models = [fit(t, t.fold != k) for k in range(FOLDS)]
    for k, model in enumerate(models):
        found[t.fold == k] = opinions(model, t.x[t.fold == k])
    return found, models


def calibrate(t: Table, z: Floats) -> Calibration:
    """Platt's line through both opinions, each given by a model that never saw the article."""
    w = np.concatenate(weights(t, np.ones(len(t.x), bool)))
    x, y = np.concatenate([z, z]), np.repeat([1.0, 0.0], len(z))
    w = w * (w > 0).sum() / w.sum()
    platt = LogisticRegression(C=1e3).fit(x[w > 0], y[w > 0], sample_weight=w[w > 0])
    return float(platt.coef_[0][0]), float(platt.coef_[0][1]), float(platt.intercept_[0])


def probability(z: Floats, calibration: Calibration) -> Floats:
    a, b, c = calibration
    return 1 / (1 + np.exp(-(a * z[:, 0] + b * z[:, 1] + c)))


def left_out(t: Table, calibration: Calibration) -> tuple[Floats, dict[str, Fitted]]:
    """Support of summedits' claims, each by a model that saw nothing of its domain."""
    p, models = np.ones(len(t.x)), {}
    encoded = t.x.shape[1] > len(NAMES)
    for domain in data.UNSEEN if encoded else sorted(set(t.domain[t.set == "summedits"])):
        theirs = (t.domain == domain) & np.isin(t.set, ("summedits", "generated"))
        models[domain] = fit(t, ~theirs)
        p[theirs] = probability(opinions(models[domain], t.x[theirs]), calibration)
    return p, models


def store(model: Fitted, calibration: Calibration, out: Path) -> None:
    trees, (mean, deviation, coefficients, intercept) = model
    nodes = [p[0].nodes for p in trees._predictors]
    shape = (len(nodes), max(len(n) for n in nodes))
    feature, left, right = (np.full(shape, -1, np.int16) for _ in range(3))
    threshold, value = np.zeros(shape), np.zeros(shape)
    for i, tree in enumerate(nodes):
        n, leaf = len(tree), tree["is_leaf"].astype(bool)
        feature[i, :n] = np.where(leaf, -1, tree["feature_idx"])
        threshold[i, :n] = np.where(leaf, 0, tree["num_threshold"])
        left[i, :n], right[i, :n] = tree["left"], tree["right"]
        value[i, :n] = np.where(leaf, tree["value"], 0)
    out.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        out, names=np.array((*NAMES, *cross.NAMES)[: len(mean)]), feature=feature,
        threshold=threshold, left=left, right=right, value=value, mean=mean, deviation=deviation,
        base=float(np.ravel(trees._baseline_prediction)[0]), weights=coefficients,
        intercept=intercept, calibration=np.array(calibration),
        depth=max(int(n["depth"].max()) for n in nodes),
    )  # fmt: skip


def note(variant: str, figures: dict[str, Any]) -> None:
    path = PACKAGE / "reliability.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    known[variant] = figures
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    print(json.dumps(figures, indent=1))


def main(variant: str) -> None:
    rows = data.everything()
    sources = {a: index(a) for a in sorted({r.article for r in rows})}
    t = table.human(rows, sources) + table.generated(rows, sources)
    if variant == "full":
        t = table.marked(t, sources)
    z, folds = crossed(t)
    calibration = calibrate(t, z)
    figures = measure.figures(rows, t, probability(z, calibration))
    p, domains = left_out(t, calibration)
    figures["summedits_left_out"] = measure.domains(rows, t, p, sorted(domains))
    note(variant, figures)
    store(fit(t, np.ones(len(t.x), bool)), calibration, PACKAGE / f"{variant}.npz")
    for name, model in [*enumerate(folds), *domains.items()]:
        store(model, calibration, BENCH / f"{variant}-{name}.npz")


if __name__ == "__main__":
    main(sys.argv[1])
