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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from ppi_py import ppi_mean_ci
from scipy import stats

from oyer.trust.biases import Bias, Compared, Judgements, adjust, find_biases
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

    @property
    def units(self) -> int:
        return int(self.sizes.sum())


@dataclass(frozen=True)
class Setting:
    """A run to draw: the true rate, how often the judge is right of bad and of good units."""

    rate: float
    right_of_bad: float
    right_of_good: float
    labels: int
    oversampled: bool = False
    units: int = UNITS

    @property
    def seed(self) -> int:
        return int(self.rate * 100) * 1000 + int(self.right_of_good * 10) * 100 + self.labels


def draws(setting: Setting, count: int) -> Iterator[Draw]:
    """Runs of cases like these, and labels drawn from them."""
    rng = np.random.default_rng(setting.seed)
    rate, found, passed = setting.rate, setting.right_of_bad, setting.right_of_good
    shares = [(1 - rate) * found, rate * (1 - passed), (1 - rate) * (1 - found), rate * passed]
    n, oversampled = setting.labels, setting.oversampled
    for _ in range(count):
        bad0, good0, bad1, good1 = rng.multinomial(setting.units, shares)
        sizes = np.array([bad0 + good0, bad1 + good1])
        first = int(rng.hypergeometric(sizes[0], sizes[1], n))
        if oversampled:
            first = max(min(n // 2, int(sizes[0])), n - int(sizes[1]))
        labels = np.array([first, n - first])
        chance = labels / np.maximum(sizes, 1) if oversampled else np.full(2, n / setting.units)
        hits = rng.hypergeometric([good0, good1], [bad0, bad1], labels)
        yield Draw(labels, hits, sizes, int(good0 + good1), chance)


def ours(draw: Draw, scope: str) -> tuple[float, float]:
    """MOVER over the judge's strata, from counts (checked against corrected_rate below)."""
    share = draw.sizes / draw.units
    rates = np.where(draw.labels > 0, draw.hits / np.maximum(draw.labels, 1), 0.5)
    strata = [
        Stratum(at, share[at], rates[at], int(n), float(n), 1 - n / max(draw.sizes[at], 1))
        for at, n in enumerate(draw.labels)
        if share[at]
    ]
    value = float((share * rates).sum())
    spread = float((share * rates**2).sum()) - value**2
    variance = spread / (draw.units - 1) if scope == "alike" else 0.0
    low, high = join_limits(strata, int(draw.labels.sum()), variance, scope)
    if scope == "run":
        misses = (draw.labels - draw.hits).sum()
        low, high = max(low, draw.hits.sum() / draw.units), min(high, 1 - misses / draw.units)
    return low, high


def check_ours(draw: Draw) -> None:
    """The counts' way is what the users get."""
    judge = np.repeat([0.0, 1.0], draw.sizes)
    picked = np.r_[0 : draw.labels[0], draw.sizes[0] : draw.sizes[0] + draw.labels[1]]
    people = np.concatenate([np.arange(n) < x for n, x in zip(draw.labels, draw.hits, strict=True)])
    labelled = Labelled(people.astype(float), judge[picked], picked)
    for scope in ("run", "alike"):
        found = corrected_rate(labelled, Judged(judge, np.arange(draw.units)), scope)
        assert np.allclose((found.low, found.high), ours(draw, scope), atol=1e-9)


def labels_alone(draw: Draw) -> tuple[float, float]:
    """Wilson's limits of the labels, weighted by their chances."""
    weights = 1 / np.maximum(draw.chance, 1e-9)  # an empty stratum has no labels to weigh
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
    share = draw.sizes / draw.units
    hits = rng.binomial(draw.labels, draw.hits / np.maximum(draw.labels, 1), size=(200, 2))
    rates = hits / np.maximum(draw.labels, 1)
    good, bad = share * rates, share * (1 - rates)
    with np.errstate(divide="ignore", invalid="ignore"):
        true_pass = good[:, 1] / good.sum(axis=1)
        true_fail = bad[:, 0] / bad.sum(axis=1)
        apparent = rng.binomial(draw.units, share[1], 200) / draw.units
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
                setting = Setting(rate, right, right, n, oversampled)
                for name, found in simulate(setting, count, METHODS).items():
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
    setting: Setting, count: int, methods: Mapping[str, Method]
) -> dict[str, tuple[float, float]]:
    """Coverage and mean width of each method in one setting."""
    held: dict[str, list[bool]] = {name: [] for name in methods}
    width: dict[str, list[float]] = {name: [] for name in methods}
    for number, draw in enumerate(draws(setting, count)):
        if number < 20:
            check_ours(draw)
        for name, method in methods.items():
            low, high = method(draw)
            truth = draw.passing / draw.units if name == "oyer" else setting.rate
            held[name].append(low <= truth <= high)
            width[name].append(high - low)
    return {name: (float(np.mean(held[name])), float(np.mean(width[name]))) for name in methods}


def fresh(count: int, seed: int = 20261117, settings: int = 40) -> None:
    """Settings that nobody looked at when the prior was chosen, drawn by chance.

    Rates, judges that err more on one side, sizes of runs and numbers of labels; half of them with
    half of the labels from fails.
    """
    print(f"\n### Rates, {settings} settings drawn by chance (seed {seed})\n")
    names = ("oyer", "oyer, alike", "labels")
    print("| rate | right of bad, good | units | labels | drawn | " + " | ".join(names) + " |")
    print("|---" * 8 + "|")
    rng = np.random.default_rng(seed)
    every: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for number in range(settings):
        drawn_rates = rng.uniform((0.03, 0.55, 0.55), (0.97, 0.97, 0.97)).round(2)
        rate, found, passed = map(float, drawn_rates)
        labels = int(rng.choice([20, 30, 50, 80, 150, 300]))
        units = int(rng.choice([500, 1000, 4000, 8000]))
        setting = Setting(rate, found, passed, labels, bool(number % 2), units)
        results = simulate(setting, count, {name: METHODS[name] for name in names})
        for name, result in results.items():
            every[name].append(result)
        cells = [f"{held:.3f} · {width:.3f}" for held, width in results.values()]
        drawn = "half fails" if setting.oversampled else "at random"
        row = f"| {rate} | {found}, {passed} | {units} | {labels} | {drawn} | "
        print(row + " | ".join(cells) + " |", flush=True)
    for name in names:
        held = [share for share, _ in every[name]]
        below = sum(share < 0.93 for share in held)
        print(f"\n{name}: worst {min(held):.3f}, below .93 in {below} of {settings}")
    ratios = [
        ours[1] / alone[1] for ours, alone in zip(every[names[1]], every[names[2]], strict=True)
    ]
    wider = sum(ratio > 1 for ratio in ratios)
    print(f"\nwider than labels alone: {wider} of {settings}, at most {max(ratios):.3f} times")


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


@dataclass(frozen=True)
class BiasSetting:
    """How many texts are judged and labelled; scores of 0 … 100.

    Truth has a standard deviation of 20, people are 8 off, the judge 15, of which a part goes with
    the case. Texts of the judge's own vendor are truly 5 points better and long ones better, too:
    neither is a bias.
    """

    name: str
    labelled: int  # cases
    judged: int  # cases
    texts: int = 1  # of a case
    of_case: float = 0.0  # share of the judge's error that all texts of a case have in common


BIAS_SETTINGS = (
    BiasSetting("200 labelled of 2,000 judged", 200, 2000),
    BiasSetting("200, all labelled", 200, 200),
    BiasSetting("200 with three texts each, all labelled", 200, 200, 3, 0.5),
)
KINDS = ("nothing", "lenient", "own vendor", "length")


def biases(count: int) -> None:
    """Cards of 200 labelled cases, three metrics each: false alarms, and planted biases found.

    The bias is ten points of what the judge gives: the ends of the scale cut some of what is
    planted, so a little more is planted.
    """
    print("\n### Biases, 200 labelled cases, three metrics on a card, ten points planted in one\n")
    print("| cases | planted | found | said underpowered | neither | false alarms | sees from |")
    print("|---" * 7 + "|")
    for setting in BIAS_SETTINGS:
        for kind in KINDS:
            _biases_of(setting, kind, count)


def _biases_of(setting: BiasSetting, kind: str, count: int) -> None:
    rng = np.random.default_rng(7)
    points = 0.0 if kind == "nothing" else _points_to_plant(setting, kind)
    found = unsure = false = 0
    seen = []
    for _ in range(count):
        tests = []
        for metric in ("a", "b", "c"):
            tests += _bias_card(rng, metric, kind, points if metric == "a" else 0.0, setting)
        card = adjust(tests)
        planted = [bias for bias in card if (bias.kind, bias.metric) == (kind, "a")]
        found += any(bias.flagged for bias in planted)
        unsure += any(bias.underpowered for bias in planted)
        innocent = [bias for bias in card if kind == "nothing" or bias.metric != "a"]
        false += any(bias.flagged for bias in innocent)
        seen += [bias.seen for bias in planted]
    cells = [f"{part / count:.3f}" for part in (found, unsure, count - found - unsure, false)]
    if kind == "nothing":
        cells[:3] = ["—"] * 3
    sees = f"{statistics.median(seen):.3f}" if seen else "—"
    print(f"| {setting.name} | {kind} | {' | '.join(cells)} | {sees} |", flush=True)


def _points_to_plant(setting: BiasSetting, kind: str) -> float:
    """So many points that the judge's scores move by ten, in the mean of many cards."""
    rng = np.random.default_rng(11)
    wide = BiasSetting("", 60_000, 60_000, setting.texts, setting.of_case)
    tests = _bias_card(rng, "a", kind, 10.0, wide)
    [effect] = [bias.effect for bias in tests if bias.kind == kind]
    return 1.0 / effect


def _bias_card(
    rng: np.random.Generator, metric: str, kind: str, points: float, setting: BiasSetting
) -> list[Bias]:
    texts = setting.judged * setting.texts
    case = np.repeat(np.arange(setting.judged), setting.texts)
    own = (rng.random(texts) < 0.5).astype(float)
    length = rng.normal(6, 0.5, texts)
    truth = 60 + 5 * own + 8 * (length - 6) + rng.normal(0, 20, texts)
    lean = {
        "nothing": np.zeros(texts),
        "lenient": np.ones(texts),
        "own vendor": own,
        "length": (length - 6) / (2 * 1.2816 * 0.5),  # from the lowest tenth to the highest
    }[kind]
    people = (truth + rng.normal(0, 8, texts)).clip(0, 100) / 100
    error = rng.normal(0, 15 * np.sqrt(setting.of_case), setting.judged)[case]
    error = error + rng.normal(0, 15 * np.sqrt(1 - setting.of_case), texts)
    judge = (truth + points * lean + error).clip(0, 100) / 100
    features = {"own vendor": own, "length": length}
    some = case < setting.labelled
    compared = Compared(
        judge=judge[some],
        case=case[some],
        features={name: values[some] for name, values in features.items()},
        reference=people[some],
        weights=np.ones(int(some.sum())),
    )
    return find_biases(metric, "people", compared, Judgements(judge, case, features))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=4000)
    parser.add_argument("--only", choices=["rates", "oversampled", "fresh", "means", "biases"])
    args = parser.parse_args()
    if args.only in (None, "rates"):
        coverage(args.draws, oversampled=False)
    if args.only in (None, "oversampled"):
        coverage(args.draws, oversampled=True)
    if args.only in (None, "fresh"):
        fresh(args.draws)
    if args.only in (None, "means"):
        means(args.draws // 2)
    if args.only in (None, "biases"):
        biases(args.draws // 4)


if __name__ == "__main__":
    main()
