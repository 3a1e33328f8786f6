"""Fit, calibrate, measure and store the model: `python train/fit.py light|full [MARKS.npz]`.

Measured by five-fold cross-validation over articles (a fold never trains on an article that it
judges), and on summedits also by leaving out each domain in turn. The stored model is then
fitted on every row. For `full`, MARKS.npz holds the cross-encoder's marks of claims that it never
saw in training (export.py writes it).
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import data
import numpy as np
import pairs
from scipy.optimize import minimize
from scipy.stats import spearmanr
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from oyer.judges.embedded.features import NAMES, features
from oyer.judges.embedded.source import Source, index

SEED, FOLDS, PER_ARTICLE = 7, 5, 3
#: How much each kind of data weighs as a whole; inside each, right and wrong weigh the same.
MASS = {"summeval": 2.0, "factcc": 1.0, "xsumfaith": 1.0, "polytope": 0.3, "cliff": 1.0,
        "summedits": 2.5, "generated": 1.5}  # fmt: skip
#: Which way a feature may move the judgement; those not named may move it either way.
BETTER = (
    "unigram", "unigram_rare", "bigram", "trigram", "fourgram",
    "fragment", "fragment_max", "pairs", "best_sentence", "best_sentence_rare",
    "best_evidence", "evidence_rare", "sim_mean", "sim_min", "near_mean",
    "near_min", "order",
)  # fmt: skip
WORSE = (
    "distance", "missing_rarity_max", "missing_rarity_sum", "numbers_missing", "numbers_far",
    "numbers_misplaced", "names_missing", "names_far", "names_misplaced", "dates_missing",
    "novel", "novel_share", "novel_far_share", "opposites", "prefixes",
    "negation_added", "negation_dropped", "repeats", "loose_end", "jumps",
    "subject_far", "tail_far", "subject_gap", "marks_whole", "marks_max",
    "marks_mean", "marks_top",
)  # fmt: skip
PACKAGE = Path(__file__).resolve().parents[1] / "src/oyer/judges/embedded"
Floats = np.ndarray


@dataclass
class Table:
    """Claims as rows: features, target (probability of being supported), weight, and origin."""

    x: Floats
    y: Floats
    w: Floats
    set: Floats
    domain: Floats
    fold: Floats
    row: Floats  # number of the summary the claim is of; -1 for generated ones


def fold_of(article: str) -> int:
    digest = hashlib.sha256(f"fold {data.group(article)}".encode()).digest()
    return digest[0] % FOLDS


def claims_of(row: data.Row) -> list[str]:
    return [row.summary[s:e] for s, e in data.claims(row.summary)[:10]]


def human_table(rows: list[data.Row], sources: dict[str, Source]) -> Table:
    columns: list[tuple[list[float], float, float, str, str, int, int]] = []
    for n, row in enumerate(rows):
        known = {c.text: c for c in data.labelled(row)}
        for text in claims_of(row):
            claim = known.get(text)
            y, w = (claim.supported, claim.weight) if claim else (0.0, 0.0)
            if row.grade is not None:
                y, w = (row.grade - 1) / 4, 1.0
            columns.append((features(sources[row.article], text), y, w, row.set, row.domain,
                            fold_of(row.article), n))  # fmt: skip
    return Table(*(np.array(c) for c in zip(*columns, strict=True)))


def generated_table(
    rows: list[data.Row], sources: dict[str, Source]
) -> tuple[Table, list[tuple[str, str]]]:
    """Pairs made from article sentences and from summaries that people call consistent."""
    rng = random.Random(SEED)
    articles = sorted({r.article for r in rows})
    bases: list[tuple[str, str, str]] = []
    for article in articles:
        lines = [
            article[s:e]
            for s, e in pairs.sentences(article)
            if 6 <= len(article[s:e].split()) <= 35
        ]
        bases += [(article, x, "") for x in rng.sample(lines, min(PER_ARTICLE, len(lines)))]
    good = sorted(
        {
            (r.article, t, r.domain if r.set == "summedits" else "")
            for r in rows
            if r.consistent or (r.grade or 0) > 4.99
            for t in claims_of(r)
            if len(t.split()) > 5
        }
    )
    columns, texts = [], []
    pools: dict[str, pairs.Pool] = {}
    for article, base, domain in bases + good:
        if article not in pools:
            pools[article] = pairs.pool(article, rng.choice(articles), rng)
        for spoiled in (False, True):
            made = pairs.make(base, pools[article], rng, spoiled)
            if made:
                texts.append((article, made[0]))
                columns.append((features(sources[article], made[0]), float(not made[1]), 1.0,
                                "generated", domain, fold_of(article), -1))  # fmt: skip
    return Table(*(np.array(c) for c in zip(*columns, strict=True))), texts


def joined(a: Table, b: Table) -> Table:
    return Table(*(np.concatenate([getattr(a, f), getattr(b, f)]) for f in Table.__annotations__))


def weights(t: Table, use: Floats) -> tuple[Floats, Floats]:
    """Weights of (supported, not supported) readings of each claim, balanced within each set."""
    up, down = t.w * t.y * use, t.w * (1 - t.y) * use
    for name, mass in MASS.items():
        at = t.set == name
        for part in (up, down):
            total = part[at].sum()
            if total > 0:
                part[at] *= mass / total
    return up, down


Judge = Callable[[Floats], tuple[Floats, Floats]]


def directions(names: tuple[str, ...]) -> list[int]:
    return [1 if n in BETTER else -1 if n in WORSE else 0 for n in names]


def straight(x: Floats, y: Floats, w: Floats, ways: list[int]) -> tuple[Floats, float]:
    """A logistic line whose weights keep to their directions."""

    def loss(v: Floats) -> tuple[float, Floats]:
        z = x @ v[:-1] + v[-1]
        p = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
        value = np.sum(w * np.logaddexp(0, -np.where(y > 0, z, -z))) + 15.0 * v[:-1] @ v[:-1]
        return value, np.append(x.T @ (w * (p - y)) + 30.0 * v[:-1], np.sum(w * (p - y)))

    bounds = [(0 if d > 0 else None, 0 if d < 0 else None) for d in ways] + [(None, None)]
    found = minimize(loss, np.zeros(x.shape[1] + 1), jac=True, bounds=bounds, method="L-BFGS-B")
    return found.x[:-1], float(found.x[-1])


def fit(
    t: Table, use: Floats
) -> tuple[HistGradientBoostingClassifier, tuple[Floats, Floats, Floats, float]]:
    up, down = weights(t, use)
    x = np.concatenate([t.x[up > 0], t.x[down > 0]])
    y = np.concatenate([np.ones((up > 0).sum()), np.zeros((down > 0).sum())])
    w = np.concatenate([up[up > 0], down[down > 0]])
    w = w * len(w) / w.sum()
    trees = HistGradientBoostingClassifier(
        max_iter=140, learning_rate=0.06, max_leaf_nodes=8, min_samples_leaf=40,
        l2_regularization=10.0, random_state=SEED, early_stopping=False,
        monotonic_cst=directions(NAMES),
    ).fit(x, y, sample_weight=w)  # fmt: skip
    mean, deviation = np.average(x, axis=0, weights=w), x.std(0) + 1e-6
    line = straight(np.clip((x - mean) / deviation, -4, 4), y, w, directions(NAMES))
    return trees, (mean, deviation, *line)


def opinions(model: tuple, x: Floats) -> Floats:
    trees, (mean, deviation, coefficients, intercept) = model
    line = np.clip((x - mean) / deviation, -4, 4) @ coefficients + intercept
    return np.stack([trees.decision_function(x), line], 1)


def crossed(t: Table) -> Floats:
    """Opinions of each claim by models that never saw its article."""
    found = np.zeros((len(t.x), 2))
    for k in range(FOLDS):
        model = fit(t, t.fold != k)
        found[t.fold == k] = opinions(model, t.x[t.fold == k])
    return found


def calibrate(t: Table, z: Floats) -> tuple[float, float, float]:
    up, down = weights(t, np.ones(len(t.x), bool))
    x, y = np.concatenate([z, z]), np.concatenate([np.ones(len(z)), np.zeros(len(z))])
    w = np.concatenate([up, down])
    keep = w > 0
    platt = LogisticRegression(C=1e3).fit(
        x[keep], y[keep], sample_weight=w[keep] * keep.sum() / w.sum()
    )
    a, b = platt.coef_[0]
    return float(a), float(b), float(platt.intercept_[0])


def probability(z: Floats, calibration: tuple[float, float, float]) -> Floats:
    a, b, c = calibration
    return 1 / (1 + np.exp(-(a * z[:, 0] + b * z[:, 1] + c)))


def means(t: Table, p: Floats, rows: int) -> Floats:
    mine = t.row >= 0
    return np.bincount(t.row[mine], p[mine], rows) / np.maximum(
        1, np.bincount(t.row[mine], minlength=rows)
    )


def lows(t: Table, p: Floats, rows: int) -> Floats:
    low = np.ones(rows)
    np.minimum.at(low, t.row[t.row >= 0], p[t.row >= 0])
    return low


def figures(rows: list[data.Row], mean: Floats, low: Floats) -> dict[str, object]:
    """What is measured of whole summaries: ranks by mean support, decisions by the lowest claim."""
    sets = np.array([r.set for r in rows])
    at = sets == "summeval"
    grades = [[r.grade, r.relevance] for r in rows if r.set == "summeval"]
    found: dict[str, object] = {"summeval": {
        "n": int(at.sum()),
        "consistency_spearman": round(float(spearmanr(mean[at], [g for g, _ in grades])[0]), 3),
        "relevance_spearman": round(float(spearmanr(mean[at], [r for _, r in grades])[0]), 3),
    }}  # fmt: skip
    for name in ("factcc", "xsumfaith", "polytope", "cliff", "summedits"):
        at = sets == name
        if at.any():
            found[name] = decision(
                [bool(r.consistent) for r in rows if r.set == name], mean[at], low[at]
            )
    return found


def decision(labels: list[bool], mean: Floats, low: Floats) -> dict[str, object]:
    return {
        "n": len(labels),
        "auc": round(float(roc_auc_score(labels, mean)), 3),
        "auc_lowest": round(float(roc_auc_score(labels, low)), 3),
        "balanced_accuracy": round(float(balanced_accuracy_score(labels, low > 0.5)), 3),
        "balanced_accuracy_mean": round(float(balanced_accuracy_score(labels, mean > 0.5)), 3),
    }


def left_out(
    t: Table, rows: list[data.Row], calibration: tuple[float, float, float]
) -> dict[str, object]:
    """summedits, each domain judged by a model that saw none of it, labels or generated pairs."""
    found: dict[str, dict[str, object]] = {}
    for domain in sorted({r.domain for r in rows if r.set == "summedits"}):
        theirs = (t.domain == domain) & ((t.set == "summedits") | (t.set == "generated"))
        p = np.ones(len(t.x))
        p[theirs] = probability(opinions(fit(t, ~theirs), t.x[theirs]), calibration)
        at = np.array([r.set == "summedits" and r.domain == domain for r in rows])
        labels = [bool(r.consistent) for r, a in zip(rows, at, strict=True) if a]
        found[domain] = decision(labels, means(t, p, len(rows))[at], lows(t, p, len(rows))[at])
    average = {
        k: round(float(np.mean([f[k] for f in found.values()])), 3)
        for k in ("auc", "auc_lowest", "balanced_accuracy", "balanced_accuracy_mean")
    }
    return {"domains": found, **average}


def store(
    model: tuple, names: tuple[str, ...], calibration: tuple[float, float, float], out: Path
) -> None:
    trees, (mean, deviation, coefficients, intercept) = model
    nodes = [p[0].nodes for p in trees._predictors]
    width = max(len(n) for n in nodes)
    shape = (len(nodes), width)
    feature, left, right = (np.full(shape, -1, np.int16) for _ in range(3))
    threshold, value = np.zeros(shape), np.zeros(shape)
    for i, tree in enumerate(nodes):
        n = len(tree)
        leaf = tree["is_leaf"].astype(bool)
        feature[i, :n] = np.where(leaf, -1, tree["feature_idx"])
        threshold[i, :n] = np.where(leaf, 0, tree["num_threshold"])
        left[i, :n], right[i, :n] = tree["left"], tree["right"]
        value[i, :n] = np.where(leaf, tree["value"], 0)
    np.savez_compressed(
        out, names=np.array(names), feature=feature, threshold=threshold, left=left, right=right,
        value=value, base=float(np.ravel(trees._baseline_prediction)[0]), mean=mean,
        deviation=deviation, weights=coefficients, intercept=intercept,
        calibration=np.array(calibration), depth=max(int(n["depth"].max()) for n in nodes),
    )  # fmt: skip


def main(variant: str) -> None:
    rows = data.everything()
    sources = {a: index(a) for a in sorted({r.article for r in rows})}
    made, _ = generated_table(rows, sources)
    table = joined(human_table(rows, sources), made)
    z = crossed(table)
    calibration = calibrate(table, z)
    p = probability(z, calibration)
    measured = figures(rows, means(table, p, len(rows)), lows(table, p, len(rows)))
    measured["summedits_left_out"] = left_out(table, rows, calibration)
    store(fit(table, np.ones(len(table.x), bool)), NAMES, calibration, PACKAGE / f"{variant}.npz")
    path = PACKAGE / "reliability.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    known[variant] = measured
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    print(json.dumps(measured, indent=1), (PACKAGE / f"{variant}.npz").stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1])
