"""Do the intervals of `oyer trust` hold? Coverage by simulation, beside the popular ways.

    python bench/trust.py [--draws 4000]

A run of 2,000 judged units, a true rate of .5, .8 or .95, two judges (right nine times in ten, and
seven times in ten), 20, 50 or 200 labels: 18 settings, drawn at random, and again with half of the
labels taken from what the judge failed. 95 % is promised; written is how often the truth lay
within, and how wide the interval was on average.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from ppi_py import ppi_mean_ci
from scipy import stats

from oyer.trust.biases import Bias, adjust, find_biases
from oyer.trust.means import corrected_mean
from oyer.trust.proportions import wilson_limits
from oyer.trust.rates import Stratum, corrected_rate, join_limits
from oyer.trust.samples import Judged, Labelled

UNITS = 2000
RATES, JUDGES, LABELS = (0.5, 0.8, 0.95), (0.9, 0.7), (20, 50, 200)


@dataclass(frozen=True)
class Draw:
    """One run and its labels, in counts: [said fail, said pass]."""

    labels: np.ndarray  # labelled units of each stratum
    hits: np.ndarray  # of these, truly passing
    sizes: np.ndarray  # units of each stratum
    passing: int  # of all units
    chance: np.ndarray  # of a unit of each stratum to be labelled


def draws(rate: float, right: float, n: int, count: int, oversampled: bool) -> Iterator[Draw]:
    """Runs of cases like these, and labels drawn from them."""
    rng = np.random.default_rng(int(rate * 100) * 1000 + int(right * 10) * 100 + n)
    shares = [(1 - rate) * right, rate * (1 - right), (1 - rate) * (1 - right), rate * right]
    for _ in range(count):
        bad0, good0, bad1, good1 = rng.multinomial(UNITS, shares)
        sizes = np.array([bad0 + good0, bad1 + good1])
        first = int(rng.hypergeometric(sizes[0], sizes[1], n))
        if oversampled:
            first = min(n // 2, int(sizes[0]))
        labels = np.array([first, n - first])
        chance = labels / sizes if oversampled else np.full(2, n / UNITS)
        hits = rng.hypergeometric([good0, good1], [bad0, bad1], labels)
        yield Draw(labels, hits, sizes, int(good0 + good1), chance)


def ours(draw: Draw, scope: str) -> tuple[float, float]:
    """MOVER over the judge's strata, from counts (checked against corrected_rate below)."""
    share = draw.sizes / UNITS
    rates = np.where(draw.labels > 0, draw.hits / np.maximum(draw.labels, 1), 0.5)
    strata = [
        Stratum(at, share[at], rates[at], int(n), float(n), 1 - n / max(draw.sizes[at], 1))
        for at, n in enumerate(draw.labels)
        if share[at]
    ]
    value = float((share * rates).sum())
    spread = float((share * rates**2).sum()) - value**2
    variance = spread / (UNITS - 1) if scope == "alike" else 0.0
    low, high = join_limits(strata, int(draw.labels.sum()), variance, scope)
    if scope == "run":
        misses = (draw.labels - draw.hits).sum()
        low, high = max(low, draw.hits.sum() / UNITS), min(high, 1 - misses / UNITS)
    return low, high


def check_ours(draw: Draw) -> None:
    """The counts' way is what the users get."""
    judge = np.repeat([0.0, 1.0], draw.sizes)
    picked = np.r_[0 : draw.labels[0], draw.sizes[0] : draw.sizes[0] + draw.labels[1]]
    people = np.concatenate([np.arange(n) < x for n, x in zip(draw.labels, draw.hits, strict=True)])
    labelled = Labelled(people.astype(float), judge[picked], picked)
    for scope in ("run", "alike"):
        found = corrected_rate(labelled, Judged(judge, np.arange(UNITS)), scope)
        assert np.allclose((found.low, found.high), ours(draw, scope), atol=1e-9)


def labels_alone(draw: Draw) -> tuple[float, float]:
    """Wilson's limits of the labels, weighted by their chances."""
    weights = 1 / draw.chance
    size = (weights * draw.labels).sum() ** 2 / (weights**2 * draw.labels).sum()
    share = (weights * draw.hits).sum() / (weights * draw.labels).sum()
    return wilson_limits(float(share), float(size))


def ppi(draw: Draw) -> tuple[float, float]:
    """ppi_py 0.2.3."""
    people = np.concatenate([np.arange(n) < x for n, x in zip(draw.labels, draw.hits, strict=True)])
    judge = np.repeat([0.0, 1.0], draw.labels)
    others = np.repeat([0.0, 1.0], draw.sizes - draw.labels)
    weights = np.repeat(1 / draw.chance, draw.labels)
    low, high = ppi_mean_ci(people.astype(float), judge, others, alpha=0.05, w=weights)
    return float(low[0]), float(high[0])


def bootstrap(draw: Draw) -> tuple[float, float]:
    """Rogan-Gladen (rate corrected by sensitivity and specificity), 200 bootstrap samples."""
    rng = np.random.default_rng(int(draw.hits.sum()) * 1000 + int(draw.labels[0]))
    share = draw.sizes / UNITS
    hits = rng.binomial(draw.labels, draw.hits / np.maximum(draw.labels, 1), size=(200, 2))
    rates = hits / np.maximum(draw.labels, 1)
    good, bad = share * rates, share * (1 - rates)
    with np.errstate(divide="ignore", invalid="ignore"):
        true_pass = good[:, 1] / good.sum(axis=1)
        true_fail = bad[:, 0] / bad.sum(axis=1)
        apparent = rng.binomial(UNITS, share[1], 200) / UNITS
        found = (apparent + true_fail - 1) / (true_pass + true_fail - 1)
    known = found[np.isfinite(found)].clip(0, 1)
    if not len(known):
        return 0.0, 1.0
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)


Method = Callable[[Draw], tuple[float, float]]
METHODS: dict[str, Method] = {
    "oyer": lambda draw: ours(draw, "run"),
    "oyer, alike": lambda draw: ours(draw, "alike"),
    "labels": labels_alone,
    "ppi_py": ppi,
    "bootstrap": bootstrap,
}


def coverage(count: int, oversampled: bool) -> None:
    """One table of 18 settings."""
    print(f"\n### Rates, {'half of the labels from fails' if oversampled else 'drawn at random'}\n")
    print("| rate | judge | labels | " + " | ".join(METHODS) + " |")
    print("|---" * (3 + len(METHODS)) + "|")
    every: dict[str, list[tuple[float, float]]] = {name: [] for name in METHODS}
    for rate in RATES:
        for right in JUDGES:
            for n in LABELS:
                cells = []
                for name, found in simulate(rate, right, n, count, oversampled).items():
                    every[name].append(found)
                    cells.append(f"{found[0]:.3f} · {found[1]:.3f}")
                print(f"| {rate} | {right} | {n} | {' | '.join(cells)} |", flush=True)
    worst = [f"{min(c for c, _ in every[name]):.3f}" for name in METHODS]
    middle = [f"{statistics.median(c for c, _ in every[name]):.3f}" for name in METHODS]
    width = [f"{statistics.mean(w for _, w in every[name]):.3f}" for name in METHODS]
    print(f"| worst coverage | | | {' | '.join(worst)} |")
    print(f"| median coverage | | | {' | '.join(middle)} |")
    print(f"| mean width | | | {' | '.join(width)} |")
    wider = sum(a[1] > b[1] for a, b in zip(every["oyer, alike"], every["labels"], strict=True))
    print(f"\nwider than labels alone: {wider} of {len(every['labels'])} settings")


def simulate(
    rate: float, right: float, n: int, count: int, oversampled: bool
) -> dict[str, tuple[float, float]]:
    """Coverage and mean width of each method in one setting."""
    held: dict[str, list[bool]] = {name: [] for name in METHODS}
    width: dict[str, list[float]] = {name: [] for name in METHODS}
    for number, draw in enumerate(draws(rate, right, n, count, oversampled)):
        if number < 20:
            check_ours(draw)
        for name, method in METHODS.items():
            low, high = method(draw)
            truth = draw.passing / UNITS if name == "oyer" else rate
            held[name].append(low <= truth <= high)
            width[name].append(high - low)
    return {name: (statistics.mean(held[name]), statistics.mean(width[name])) for name in METHODS}


def means(count: int) -> None:
    """Mean scores of 0 … 10, three texts of each case: corrected, labels alone, ppi_py."""
    print("\n### Mean scores, 600 cases of three texts each\n")
    print("| mean | labelled cases | oyer | oyer, alike | labels, t by case | ppi_py |")
    print("|---" * 6 + "|")
    for mean in (5.0, 8.0, 9.0):
        for n in LABELS:
            held = np.zeros((count, 4))
            width = np.zeros((count, 4))
            rng = np.random.default_rng(int(mean * 10) + n)
            case = np.repeat(np.arange(600), 3)
            centre = float(_scores(rng, mean, 200_000)[0].mean())
            for at in range(count):
                truth, judge = _scores(rng, mean, 600)
                picked = np.isin(case, rng.permutation(600)[:n])
                labelled = Labelled(truth[picked], judge[picked], case[picked])
                limits = []
                for scope in ("run", "alike"):
                    found = corrected_mean(labelled, Judged(judge, case), (0, 10), scope)
                    limits.append((found.low, found.high))
                by_case = truth[picked].reshape(-1, 3).mean(axis=1)
                half = stats.t.ppf(0.975, n - 1) * by_case.std(ddof=1) / np.sqrt(n)
                limits.append((by_case.mean() - half, by_case.mean() + half))
                low, high = ppi_mean_ci(truth[picked], judge[picked], judge[~picked], alpha=0.05)
                limits.append((low[0], high[0]))
                for way, (low, high) in enumerate(limits):
                    target = truth.mean() if way == 0 else centre
                    held[at, way] = low <= target <= high
                    width[at, way] = high - low
            cells = [f"{held[:, way].mean():.3f} · {width[:, way].mean():.2f}" for way in range(4)]
            print(f"| {centre:.2f} | {n} | {' | '.join(cells)} |", flush=True)


def _scores(rng: np.random.Generator, mean: float, cases: int) -> tuple[np.ndarray, np.ndarray]:
    """True scores that texts of one case share in part, and a judge's, lenient and noisy."""
    hard = np.repeat(rng.normal(0, 1, cases), 3)
    truth = (mean + hard + rng.normal(0, 1.2, 3 * cases)).clip(0, 10)
    judge = (0.8 * truth + 2.5 + rng.normal(0, 1, 3 * cases)).clip(0, 10).round()
    return truth, judge


def leans(count: int) -> None:
    """Cards of 200 labelled cases, three metrics each: false alarms, and planted leans found.

    Scores of 0 … 100: truth has a standard deviation of 20, people are 8 off, the judge 15. Texts
    of the judge's own vendor are truly 5 points better and long ones better, too: neither is a
    lean.
    """
    print("\n### Leans, 200 labelled cases, three metrics on a card\n")
    print("| planted | of 100 points | flagged it | flagged anything else | said underpowered |")
    print("|---" * 5 + "|")
    for kind, points in (("nothing", 0), ("lenient", 10), ("own vendor", 10), ("length", 10)):
        rng = np.random.default_rng(7)
        found = other = unsure = 0
        for _ in range(count):
            biases = []
            for metric in ("a", "b", "c"):
                planted = points if metric == "a" else 0
                biases += _card(rng, metric, kind, planted)
            card = adjust(biases)
            hit = [b for b in card if b.flagged and (b.kind, b.metric) == (kind, "a")]
            found += bool(hit)
            other += any(b.flagged for b in card if b not in hit)
            unsure += any(b.underpowered for b in card if (b.kind, b.metric) == (kind, "a"))
        cells = [f"{part / count:.3f}" for part in (found, other, unsure)]
        print(f"| {kind} | {points} | {' | '.join(cells)} |", flush=True)


def _card(rng: np.random.Generator, metric: str, kind: str, points: float) -> list[Bias]:
    n = 200
    own = (rng.random(n) < 0.5).astype(float)
    length = rng.normal(6, 0.5, n)
    truth = 60 + 5 * own + 8 * (length - 6) + rng.normal(0, 20, n)
    lean = {
        "nothing": np.zeros(n),
        "lenient": np.ones(n),
        "own vendor": own,
        "length": (length - 6) / (2 * 1.2816 * 0.5),  # from the lowest tenth to the highest
    }[kind]
    people = (truth + rng.normal(0, 8, n)).clip(0, 100)
    judge = (truth + points * lean + rng.normal(0, 15, n)).clip(0, 100)
    features = {"own vendor": own, "length": length}
    return find_biases(metric, "people", (judge / 100, people / 100), np.arange(n), features)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=4000)
    parser.add_argument("--only", choices=["rates", "oversampled", "means", "leans"])
    args = parser.parse_args()
    if args.only in (None, "rates"):
        coverage(args.draws, oversampled=False)
    if args.only in (None, "oversampled"):
        coverage(args.draws, oversampled=True)
    if args.only in (None, "means"):
        means(args.draws // 2)
    if args.only in (None, "leans"):
        leans(args.draws // 4)


if __name__ == "__main__":
    main()
