"""How good and how fast the embedded judge is: `python bench/embedded.py [light] [full]`.

Every figure stands beside word-bigram containment on the same rows. No row is judged by a model
that saw its article: the support comes from the models of bench/folds, one for each fifth of the
articles, and for summedits one for each domain left out. For `full`, the doubts are those of
encoders that saw nothing of a row's half of the data, moved by as much as the shipped encoder
differs from the one that it went on from (bench/folds/doubts.npz, made by train/fit.py): that one
saw all of them.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy.stats import rankdata, spearmanr

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "train"), str(ROOT / "src")]

import data  # noqa: E402
import kept  # noqa: E402
import measure  # noqa: E402
from data import fold_of  # noqa: E402
from table import claims_of  # noqa: E402

import oyer  # noqa: E402
from oyer.judges.embedded import Embedded, replies  # noqa: E402
from oyer.judges.embedded.assess import Scorer, Variant, scorer  # noqa: E402
from oyer.judges.embedded.model import load_file  # noqa: E402
from oyer.judges.embedded.perception import perceive  # noqa: E402
from oyer.judges.embedded.source import index  # noqa: E402
from oyer.judges.embedded.words import grams, read  # noqa: E402
from oyer.types import Case  # noqa: E402

FOLDS = Path(__file__).parent / "folds"
VARIANTS: tuple[Variant, ...] = ("light", "full")
Floats = np.ndarray


def bigrams(row: data.Row) -> float:
    """The naive rival: the share of the summary's word bigrams that the article has."""
    mine = grams(read(row.summary).norms, 2)
    theirs = set(grams(read(row.article).norms, 2))
    return sum(g in theirs for g in mine) / max(1, len(mine))


def auc(labels: Floats, scores: Floats) -> float:
    ranks, good = rankdata(scores), labels.sum()
    wrong = len(labels) - good
    return float((ranks[labels].sum() - good * (good + 1) / 2) / (good * wrong))


def accuracy(labels: Floats, scores: Floats, part: Floats) -> float:
    """Balanced accuracy; the bound of each part is the best one on the other parts."""
    return measure.accuracy(labels, scores > measure.chosen(labels, scores, part))


@lru_cache
def fold_scorer(variant: Variant, name: object) -> Scorer:
    """Support by a model, and for `full` by doubts, that saw nothing of a fold or domain."""
    return scorer(variant, load_file(FOLDS / f"{name}.npz"), fold_doubts(variant))


@lru_cache
def fold_doubts(variant: Variant) -> kept.Kept | None:
    return kept.load(FOLDS / "doubts.npz") if variant == "full" else None


def judged(rows: list[data.Row], variant: Variant, part: Callable[[data.Row], object]) -> Floats:
    """Mean and lowest support of each row's claims, by the model that never saw its part."""
    found = []
    sources = {a: index(a) for a in sorted({r.article for r in rows})}
    for row in rows:
        claims = [text for _, text in claims_of(row)]
        p = [x for x, *_ in fold_scorer(variant, part(row))(sources[row.article], claims)] or [0.0]
        found.append((statistics.fmean(p), min(p)))
    return np.array(found)


def table(rows: list[data.Row], variant: Variant) -> None:
    print(f"\n{variant}: all rows, five folds; support, beside word-bigram containment")
    print(f"  {'set':12} {'rows':>5}  figure                    support  bigrams")
    for name in ("summeval", "factcc", "xsumfaith", "polytope", "cliff", "summedits"):
        mine = [r for r in rows if r.set == name]
        scores = judged(mine, variant, lambda r: fold_of(r.article))
        naive = np.array([bigrams(r) for r in mine])
        part = np.array([fold_of(r.article) for r in mine])
        if name == "summeval":
            for key, values in (("consistency", [r.grade for r in mine]),
                                ("relevance", [r.relevance for r in mine])):  # fmt: skip
                both = [spearmanr(s, values)[0] for s in (scores[:, 0], naive)]
                show(name, len(mine), f"Spearman, {key}", *both)
            continue
        labels = np.array([bool(r.consistent) for r in mine])
        show(name, len(mine), "AUC (mean support)", auc(labels, scores[:, 0]), auc(labels, naive))
        show(name, len(mine), "AUC (lowest claim)", auc(labels, scores[:, 1]), auc(labels, naive))
        show(name, len(mine), "balanced accuracy", accuracy(labels, scores[:, 1], part),
             accuracy(labels, naive, part))  # fmt: skip


def show(name: str, rows: int, figure: str, ours: float, naive: float) -> None:
    print(f"  {name:12} {rows:5}  {figure:24} {ours:8.3f} {naive:8.3f}", flush=True)


def domains(rows: list[data.Row], variant: Variant) -> None:
    """summedits, each domain by a model that saw nothing of it, its bound chosen on the others."""
    edits = [r for r in rows if r.set == "summedits"]
    print(f"\n{variant}: summedits, each domain left out in turn (balanced accuracy, lowest claim)")
    labels = np.array([bool(r.consistent) for r in edits])
    part = np.array([r.domain for r in edits])
    naive = np.array([bigrams(r) for r in edits])
    scores = judged(edits, variant, lambda r: r.domain)[:, 1]
    each = []
    for name in sorted(set(part)):
        at = part == name
        told = [decided(labels, s, part, name) for s in (scores, naive)]
        each.append((*told, auc(labels[at], scores[at])))
        print(f"  {name:12} {at.sum():5} {told[0]:8.3f}   bigrams {told[1]:.3f}", flush=True)
    ours, theirs, area = np.mean(each, axis=0)
    print(f"  {'mean':18} {ours:8.3f}   bigrams {theirs:.3f}   AUC {area:.3f}")


def decided(labels: Floats, scores: Floats, part: Floats, name: str) -> float:
    rest, mine = part != name, part == name
    bound = measure.best_bound(labels[rest], scores[rest])
    return measure.accuracy(labels[mine], scores[mine] > bound)


def protocols(rows: list[data.Row], variant: Variant) -> None:
    """The protocols' own scores, through the same audit as any judge's reply: on summeval beside
    experts' grades, on polytope beside its label, which is of omissions too."""
    mine = [r for r in rows if r.set == "summeval"]
    theirs = [r for r in rows if r.set == "polytope"]
    grade, relevance = [r.grade for r in mine], [r.relevance for r in mine]
    half = np.array([develops(r) for r in mine])
    flawless = np.array([bool(r.consistent) for r in theirs])
    print(f"\n{variant}: the protocols' scores: Spearman on summeval ({len(mine)} rows; in brackets"
          " the half that coverage was developed on and the other),"
          f" AUC on polytope ({len(theirs)})")  # fmt: skip
    for protocol in ("judge-lock", "twin-lock"):
        scores, others = scored(mine, variant, protocol), scored(theirs, variant, protocol)
        for key, values in scores.items():
            if len(set(values[half])) == 1 or len(set(values[~half])) == 1:
                continue  # the same for all: nothing to rank by
            parts = [spearmanr(values[at], np.array(relevance)[at])[0] for at in (half, ~half)]
            print(f"  {protocol:10} {key:14} consistency {spearmanr(values, grade)[0]:6.3f}"
                  f"   relevance {spearmanr(values, relevance)[0]:6.3f}"
                  f" ({parts[0]:.3f} and {parts[1]:.3f})"
                  f"   polytope {auc(flawless, others[key]):.3f}", flush=True)  # fmt: skip


def develops(row: data.Row) -> bool:
    """Key points and questions were chosen on these articles' rows alone."""
    return hashlib.sha256(f"dev {row.group}".encode()).digest()[0] % 2 == 0


def scored(rows: list[data.Row], variant: Variant, protocol: str) -> dict[str, Floats]:
    write = {"judge-lock": replies.with_questions, "twin-lock": replies.without_questions}[protocol]
    found: dict[str, list[float]] = {}
    for n, row in enumerate(rows):
        case = Case(str(n), {"article": row.article, "summary": row.summary})
        doubter = fold_doubts(variant)
        doubt = doubter.doubt if doubter else None
        score = fold_scorer(variant, fold_of(row.article))
        seen = perceive(row.article, row.summary, score, doubt=doubt)
        verdict = oyer.audit(protocol, case, write(seen, variant))
        for key, value in {**(verdict.scores or {}), "total": verdict.total}.items():
            found.setdefault(key, []).append(float(value or 0))
    return {key: np.array(values) for key, values in found.items()}


def speed(rows: list[data.Row], variant: Variant) -> None:
    """600-word articles, 80-word summaries, one core, after one verdict to warm up."""
    long = [r for r in rows if r.set == "polytope" and len(r.article.split()) >= 600][:40]
    cases = [
        Case(str(n), {"article": " ".join(r.article.split()[:600]),
                      "summary": " ".join((r.summary + " " + r.article).split()[:80])})
        for n, r in enumerate(long)
    ]  # fmt: skip
    judge = Embedded(variant)
    judge.reply("judge-lock", cases[0])
    gc.collect()
    began = time.process_time()
    for case in cases:
        judge.reply("judge-lock", case)
    took = time.process_time() - began
    code = (
        "import time; t = time.process_time(); from oyer.judges.embedded import Embedded;"
        "from oyer.types import Case;"
        f"Embedded({variant!r}).reply('judge-lock', Case('1', {{'article': 'A cat sat on a mat.',"
        " 'summary': 'A cat sat on a mat.'}));"
        "t = time.process_time() - t; lines = open('/proc/self/status').read().splitlines();"
        "print(t, next(x.split()[1] for x in lines if x.startswith('VmHWM')))"
    )
    load, memory = map(float, subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"},
    ).stdout.split())  # fmt: skip
    print(
        f"\n{variant}: {len(cases) / took:.1f} verdicts a second of one core's time"
        f" ({len(cases)} of 600 + 80 words); first one after {load:.2f} s, {memory / 1024:.0f} MB"
    )


def agreement(rows: list[data.Row], each: int = 12) -> None:
    """How far judge-lock's totals by light and full lie apart, on a few rows of every set."""
    by_digest = sorted(rows, key=lambda r: hashlib.sha256(r.summary.encode()).digest())
    gaps = []
    for name in sorted({r.set for r in rows}):
        for row in [r for r in by_digest if r.set == name][:each]:
            case = Case("1", {"article": row.article, "summary": row.summary})
            totals = [
                oyer.audit("judge-lock", case, Embedded(variant).reply("judge-lock", case)).total
                for variant in VARIANTS
            ]
            gaps.append(abs(totals[0] - totals[1]))
    far = np.mean(np.array(gaps) > 1)
    print(f"\nlight and full, judge-lock's totals of {len(gaps)} rows: {np.mean(gaps):.2f} apart"
          f" on average, {max(gaps):.1f} at most, more than 1 in {far:.0%}")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variants", nargs="*", default=VARIANTS)
    parser.add_argument("--agreement", action="store_true", help="of light and full, only")
    parser.add_argument("--speed", action="store_true", help="speed only")
    asked = parser.parse_args()
    rows = data.everything()
    print(f"oyer {oyer.__version__}, {len(rows)} rows, numpy {np.__version__}")
    if asked.agreement:
        return agreement(rows)
    for variant in asked.variants:
        if not asked.speed:
            table(rows, variant)
            domains(rows, variant)
            protocols(rows, variant)
        speed(rows, variant)


if __name__ == "__main__":
    main()
