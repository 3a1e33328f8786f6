"""Fit, calibrate, measure and store the model: `python train/fit.py OUT`.

Measured by five-fold cross-validation over articles (a fold never trains on an article that it
judges), and on summedits also by leaving out each domain in turn. The stored model is then fitted
on every row; the models of the folds go to bench/folds, so that the benchmark can judge every row
by a model that never saw its article.

Trees and line read the features alone. `full` adds the encoder's doubts: in our own texts,
of which it saw nothing, those of the shipped one; in people's summaries those of encoders that saw
nothing of the claim's half of the data, moved by what was taught since (`doubts`).
How much each opinion counts is fitted with pairs of our own beside people's labels (own.toml).

Faults (facts.py) take their share afterwards, by hand; the constants are fitted with them.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import data
import kept
import measure
import numpy as np
import point_doubts
import table
from data import FOLDS
from scipy.optimize import brentq, minimize
from sklearn.ensemble import HistGradientBoostingClassifier
from table import SEED, Floats, Table

from oyer.judges.embedded import cross
from oyer.judges.embedded.facts import FAULTS
from oyer.judges.embedded.features import NAMES
from oyer.judges.embedded.model import (
    COPIED,
    blend,
    copied,
    joined,
    left,
    lift,
    near,
    overrule,
    plain,
)
from oyer.judges.embedded.source import SourceText, index

#: How much each kind of data weighs as a whole, whatever its number of rows.
MASS = {"summeval": 6.0, "factcc": 1.0, "xsumfaith": 1.0, "polytope": 0.3, "cliff": 1.0,
        "summedits": 2.5, "generated": 1.0, "own": 0.0, "tales": 0.0}  # fmt: skip
#: For weighing the opinions of `light`, and for the constants, by which the mean support is right.
MIXED = {**MASS, "own": 2.0}
#: For weighing the doubts: the encoders are there for claims in words of their own.
FREE = {**MASS, "factcc": 4.0, "summedits": 6.0, "xsumfaith": 8.0, "cliff": 8.0, "own": 12.0,
        "tales": 12.0}  # fmt: skip
#: Which way a feature may move the judgement; those not named may move it either way.
BETTER = (
    "unigram", "best_sentence", "best_evidence", "near_min", "window1", "window2", "window3",
)  # fmt: skip
WORSE = (
    "numbers_missing", "numbers_far", "numbers_misplaced", "names_missing", "dates_missing",
    "novel", "opposites", "negation_added", "negation_dropped",
)  # fmt: skip
READ = len(NAMES) - len(FAULTS)  # features that trees and line read
ROOT = Path(__file__).resolve().parents[1]
WORKERS = 2
#: How far the constant of plain claims goes from what fits people's summaries to what fits our own
#: sentences: a part of the way, for both are judged with it.
TOWARDS_OWN = 0.45
OWN = Path(__file__).with_name("own.toml")
PACKAGE, BENCH = ROOT / "src/oyer/judges/embedded", ROOT / "bench/folds"
Fitted = tuple[HistGradientBoostingClassifier, tuple[Floats, Floats, Floats, float]]


def weights(t: Table, use: Floats, masses: dict[str, float]) -> tuple[Floats, Floats]:
    """Weights of the (supported, not supported) readings of each claim, by the sets' masses."""
    up, down = t.w * t.y * use, t.w * (1 - t.y) * use
    for name, mass in masses.items():
        at = t.set == name
        total = up[at].sum() + down[at].sum()
        if total > 0:
            up[at] *= mass / total
            down[at] *= mass / total
    return up, down


def doubled(t: Table, x: Floats, use: Floats, masses: dict[str, float]) -> tuple[Floats, ...]:
    """Every claim as it would be if supported, and as if not, with the weight of each reading."""
    up, down = weights(t, use, masses)
    w = np.concatenate([up[up > 0], down[down > 0]])
    y = np.repeat([1.0, 0.0], [(up > 0).sum(), (down > 0).sum()])
    return np.concatenate([x[up > 0], x[down > 0]]), y, w * len(w) / w.sum()


def straight(
    x: Floats, y: Floats, w: Floats, ways: list[int], ridge: float = 15.0, given: Floats | float = 0
) -> tuple[Floats, float]:
    """A logistic line whose weights keep to their directions, on top of what is given."""

    def loss(v: Floats) -> tuple[float, Floats]:
        z = x @ v[:-1] + v[-1] + given
        p = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
        value = np.sum(w * np.logaddexp(0, -np.where(y > 0, z, -z))) + ridge * v[:-1] @ v[:-1]
        return value, np.append(x.T @ (w * (p - y)) + 2 * ridge * v[:-1], np.sum(w * (p - y)))

    bounds = [(0 if d > 0 else None, 0 if d < 0 else None) for d in ways] + [(None, None)]
    found = minimize(loss, np.zeros(x.shape[1] + 1), jac=True, bounds=bounds, method="L-BFGS-B")
    return found.x[:-1], float(found.x[-1])


def fit(t: Table, use: Floats) -> Fitted:
    x, y, w = doubled(t, t.x[:, :READ], use, MASS)
    ways = [1 if n in BETTER else -1 if n in WORSE else 0 for n in NAMES[:READ]]
    trees = HistGradientBoostingClassifier(
        max_iter=140, learning_rate=0.06, max_leaf_nodes=8, min_samples_leaf=40,
        l2_regularization=10.0, random_state=SEED, early_stopping=False, monotonic_cst=ways,
    ).fit(x, y, sample_weight=w)  # fmt: skip
    mean, deviation = np.average(x, axis=0, weights=w), x.std(0) + 1e-6
    return trees, (mean, deviation, *straight(np.clip((x - mean) / deviation, -4, 4), y, w, ways))


def opinions(model: Fitted, x: Floats) -> Floats:
    trees, (mean, deviation, coefficients, intercept) = model
    x = x[:, :READ]
    line = np.clip((x - mean) / deviation, -4, 4) @ coefficients + intercept
    return np.stack([trees.decision_function(x), line], 1)


def crossed(t: Table) -> tuple[Floats, list[Fitted]]:
    """Opinions of each claim by models that never saw its article."""
    found = np.zeros((len(t.x), 2))
    models = [fit(t, t.fold != k) for k in range(FOLDS)]
    for k, model in enumerate(models):
        found[t.fold == k] = opinions(model, t.x[t.fold == k])
    return found, models


@dataclass(frozen=True)
class Calibration:
    """Weights of a constant, the trees' opinion and the line's; in `full` also of the encoder's
    doubts, one row for long claims and one for plain ones."""

    light: Floats
    full: Floats


def calibrate(t: Table, z: Floats, use: Floats) -> Calibration:
    """Lines through the opinions, each given by a model that never saw the article."""
    known = use & ~np.isnan(t.doubt).any(1)
    copies = COPIED * copied(t.x)
    given = copies + lift(t.x, t.share)
    constant, *long_and_plain = weighed(heard(t), in_full(t, z), known, FREE, given)
    *slopes, gap = long_and_plain
    long, short = np.array(slopes).reshape(2, -1)
    full = np.array([[constant, *long], [constant + gap, *short]])
    lines = Calibration(weighed(t, z, known, MIXED, copies), full)
    return shift_plain(lines, TOWARDS_OWN * plain_shift(t, z, known, lines))


def heard(t: Table) -> Table:
    """The claims as `full` judges them: without the faults that the encoder overrules."""
    return replace(t, x=overrule(t.x, np.nan_to_num(t.doubt)))


def shift_plain(lines: Calibration, value: float) -> Calibration:
    """The same with another constant of plain claims."""
    full = lines.full.copy()
    full[1, 0] += value
    return Calibration(lines.light, full)


def plain_shift(t: Table, z: Floats, use: Floats, lines: Calibration) -> float:
    """What the constant of plain claims lacks so that the mean support of our own sentences is
    right: people's summaries, of whose claims most are true, hardly have plain ones."""
    mine = use & np.isin(t.set, ("own", "tales"))
    ours, opinions = t.only(mine), z[mine]
    pairs = ours.set == "own"
    weight = np.where(pairs, 1 / pairs.sum(), 1 / (~pairs).sum())

    def gap(value: float) -> float:
        p = probability(ours, opinions, shift_plain(lines, value), "full")
        return float((weight * (p - ours.y)).sum())

    return float(brentq(gap, -5, 5))


def in_full(t: Table, z: Floats) -> Floats:
    """The columns of `full`: every opinion as far as a claim is long, then as far as it is plain,
    and how far it is plain."""
    share = plain(t.x)[:, None]
    both = np.column_stack([z, np.nan_to_num(t.doubt)])
    return np.column_stack([both * (1 - share), both * share, share])


#: Which way an opinion may move the judgement: the trees', the line's, and each doubt.
WAYS = [1, 1, *(-1 for _ in cross.NONE)]


def weighed(t: Table, z: Floats, use: Floats, masses: dict[str, float], given: Floats) -> Floats:
    """Weights of the opinions on top of what is given, and the constant with which their mean is
    right, faults and all."""
    x, y, w = doubled(t, np.column_stack([z, given]), use, masses)
    x, beside = x[:, :-1], x[:, -1]
    deviation, ways = x.std(0) + 1e-9, [*WAYS, *WAYS, 0] if x.shape[1] > 2 else WAYS[:2]
    coefficients, _ = straight(x / deviation, y, w, ways, 1.0, beside)
    slopes = coefficients / deviation
    return np.array([constant(t, z @ slopes + given, use), *slopes])


def constant(t: Table, told: Floats, use: Floats) -> float:
    up, down = weights(t, use, MIXED)
    kept = left(t.x)

    def gap(value: float) -> float:
        p = kept / (1 + np.exp(-np.clip(told + value, -30, 30)))
        return float(((up + down) * p).sum() - up.sum())

    return float(brentq(gap, -20, 20))


def probability(t: Table, z: Floats, lines: Calibration, variant: str) -> Floats:
    constant = np.ones(len(t.x))
    opinions = [constant, *z.T]
    total = joined(lines.light, opinions)
    if variant == "full":
        t = heard(t)
        opinions.extend(np.nan_to_num(t.doubt).T)
        total = near(blend(lines.full, opinions, plain(t.x)), total) + lift(t.x, t.share)
    return left(t.x) / (1 + np.exp(-(total + COPIED * copied(t.x))))


def left_out(t: Table, z: Floats) -> dict[str, tuple[Fitted, Calibration, Floats, Floats]]:
    """For each domain of summedits a model that saw nothing of it, and its opinions of it."""
    found = {}
    for domain in sorted(set(t.domain[t.set == "summedits"])):
        theirs = (t.domain == domain) & np.isin(t.set, ("summedits", "generated"))
        model = fit(t, ~theirs)
        found[domain] = (model, calibrate(t, z, ~theirs), theirs, opinions(model, t.x[theirs]))
    return found


def store(model: Fitted, lines: Calibration, out: Path) -> None:
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
        out, names=np.array(NAMES), feature=feature,
        threshold=threshold, left=left, right=right, value=value, mean=mean, deviation=deviation,
        base=float(np.ravel(trees._baseline_prediction)[0]), weights=coefficients,
        intercept=intercept, light=lines.light, full=lines.full,
        depth=max(int(n["depth"].max()) for n in nodes),
    )  # fmt: skip


def note(variant: str, figures: dict[str, Any]) -> None:
    path = PACKAGE / "reliability.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    pairs = known.get(variant, {}).get("pairs")  # bench/pairs.py --note
    known[variant] = figures if pairs is None else {**figures, "pairs": pairs}
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    print(json.dumps(figures, indent=1))


def read_table(out: Path, rows: list[data.Row], sources: dict[str, SourceText]) -> Table:
    """The claims with their features; kept in OUT, for they take some minutes."""
    path = out / "table.pkl"
    if not path.exists():
        path.write_bytes(pickle.dumps(table.human(rows, sources) + table.generated(rows, sources)))
    found: Table = pickle.loads(path.read_bytes())
    return found + table.own(OWN) + table.kept_back()


def doubts(out: Path, t: Table) -> dict[int, cross.Doubts]:
    """What the encoder says of every claim that people labelled, and of our own.

    It goes on from one that has seen people's rows (OUT/before.onnx). So of these it is not asked
    by itself: what is kept of the halves that had not seen them (bench/folds) is moved by as much
    as it differs from that one. Where it only forgets what that one had learnt by heart, this says
    less of it than is true."""
    path = out / "doubts.pkl"
    if not path.exists():
        mine = t.only(t.set != "generated")
        people = np.where(mine.row >= 0, "people", "own")
        asked = sorted(set(zip(mine.article, mine.text, people, strict=True)))
        found: dict[int, cross.Doubts] = {}
        with ProcessPoolExecutor(WORKERS) as pool:
            for some in pool.map(doubts_of, [(out, asked[n::WORKERS]) for n in range(WORKERS)]):
                found.update(some)
        path.write_bytes(pickle.dumps(found))
    known: dict[int, cross.Doubts] = pickle.loads(path.read_bytes())
    return known


#: A claim, its article, and whose it is.
Asked = tuple[str, str, str]


def doubts_of(share: tuple[Path, list[Asked]]) -> dict[int, cross.Doubts]:
    out, claims = share
    tokens = PACKAGE / cross.TOKENS
    before, now = (
        cross.open_cross(path, tokens) for path in (out / "before.onnx", PACKAGE / cross.ENCODER)
    )
    halves = kept.load(out / "doubts.npz")
    found: dict[int, cross.Doubts] = {}
    for article, group in groupby(claims, key=lambda claim: claim[0]):
        source = index(article)
        for _, text, whose in group:
            (told,) = now.doubts(source, [text])
            if whose == "people":
                (theirs,), (unseen,) = (d.doubts(source, [text]) for d in (before, halves))
                parts = zip(unseen, told, theirs, strict=True)
                told = cross.Doubts(*(round(was + new - old, 4) for was, new, old in parts))
            found[kept.key(article, text)] = told
    return found


def main(out: Path) -> None:
    rows = data.everything()
    sources = {a: index(a) for a in sorted({r.article for r in rows})}
    t = read_table(out, rows, sources)
    known = doubts(out, t)
    t = table.doubted(t, known)
    kept.keep(known, BENCH / "doubts.npz")
    z, folds = crossed(t)
    lines = [calibrate(t, z, t.fold != k) for k in range(FOLDS)]
    domains = left_out(t, z)
    for variant in ("light", "full"):
        p, q = np.ones((2, len(t.x)))
        for k, line in enumerate(lines):
            p[t.fold == k] = probability(t, z, line, variant)[t.fold == k]
        for _, line, theirs, opinion in domains.values():
            q[theirs] = probability(t.only(theirs), opinion, line, variant)
        figures = measure.figures(rows, t, p)
        figures["summedits_left_out"] = measure.domains(rows, t, q, sorted(domains))
        note(variant, figures)
    every = np.ones(len(t.x), bool)
    store(fit(t, every), calibrate(t, z, every), PACKAGE / "model.npz")
    for name, model, line in [*zip(range(FOLDS), folds, lines, strict=True),
                              *((d, m, c) for d, (m, c, _, _) in domains.items())]:  # fmt: skip
        store(model, line, BENCH / f"{name}.npz")
    of_points = point_doubts.read(out, BENCH, PACKAGE / cross.TOKENS, rows)
    kept.keep(known | of_points, BENCH / "doubts.npz")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
