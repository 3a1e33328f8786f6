"""Plots as SVG by matplotlib, in the page's own colours (light and dark), nothing to load.

Ink is drawn in a marker colour and replaced by `currentColor`, so the page's theme decides.
Names come from models: math parsing is off, and matplotlib escapes them.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

import numpy as np

from oyer.report.standings import Gathered, Standing
from oyer.text.printable import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#010203"
ACCENT, SOFT = "#2f7ed8", "#e08a2e"
MOST = 30  # candidates in one plot; the table has them all
STYLE: Any = {
    "svg.hashsalt": "oyer", "svg.fonttype": "none", "text.parse_math": False,
    "font.family": "sans-serif", "font.size": 10, "axes.edgecolor": INK, "text.color": INK,
    "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False,
    "axes.spines.right": False, "figure.facecolor": "none", "axes.facecolor": "none",
    "savefig.facecolor": "none",
}  # fmt: skip


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


class AxisLabels:
    """Untrusted names as far as there is room, for one figure.

    A name that matplotlib's own font cannot draw is drawn as letters about as wide, and put into
    the SVG afterwards: the browser has the glyphs, matplotlib only has to leave room for them.
    """

    def __init__(self) -> None:
        from matplotlib.font_manager import findfont, get_font

        self._known = get_font(findfont("DejaVu Sans")).get_charmap()
        self._named: dict[str, str] = {}

    def __call__(self, name: str, most: int = 28) -> str:
        short = _short(name, most)
        if all(ord(ch) in self._known for ch in short):
            return short
        wide = "".join("W" if _width(ch) == 2 else "n" for ch in short)
        stand_in = f"Q{len(self._named)}{wide[2:]}Q"
        self._named[stand_in] = short
        return stand_in

    def svg(self, figure: Figure) -> str:
        """The figure as SVG, in the page's ink."""
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        svg = out.getvalue()
        svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
        for stand_in, name in self._named.items():
            svg = svg.replace(f">{stand_in}<", f">{escape(name)}<")
        return svg


def _width(ch: str) -> int:
    return 2 if east_asian_width(ch) in "WF" else 1


def _short(name: str, most: int) -> str:
    """The name, or its beginning; Japanese takes two places a character."""
    shown = plain(name)
    if sum(map(_width, shown)) <= most:
        return shown
    while sum(map(_width, shown)) > most - 1:
        shown = shown[:-1]
    return shown + "…"


def _style_context() -> Any:
    from matplotlib import rc_context

    return rc_context(STYLE)


def intervals(rows: Sequence[Standing], top: float) -> str:
    """The leaderboard: mean and 95 % interval of the total, best on top."""
    kept = list(rows[:MOST])
    labels = AxisLabels()
    with _style_context():
        figure, axes = _figure(8, 0.9 + 0.34 * len(kept))
        for at, row in enumerate(kept):
            low, high = row.total.low, row.total.high
            if low is not None and high is not None:
                axes.plot([low, high], [at, at], color=ACCENT, linewidth=2.5, alpha=0.55)
            axes.plot(row.total.mean, at, "o", color=ACCENT, markersize=7)
        axes.set_yticks(range(len(kept)), [labels(row.candidate) for row in kept])
        axes.set_ylim(len(kept) - 0.4, -0.6)
        axes.set_xlim(-0.02 * top, 1.02 * top)
        axes.set_xlabel("total, mean over cases with 95 % interval")
        axes.grid(axis="x", color=INK, alpha=0.12)
        return labels.svg(figure)


def distributions(gathered: Gathered, rows: Sequence[Standing], top: float) -> str:
    """Every candidate's totals over cases: box (quartiles) with whiskers to 5 % and 95 %."""
    kept = [row.candidate for row in rows[:MOST]]
    data = []
    for who in kept:
        values = gathered.values(who, "total")
        data.append(values[~np.isnan(values)])
    labels = AxisLabels()
    with _style_context():
        figure, axes = _figure(8, 0.9 + 0.34 * len(kept))
        axes.boxplot(
            data, orientation="horizontal", whis=(5, 95), widths=0.55, patch_artist=True,
            boxprops={"facecolor": ACCENT, "alpha": 0.35, "edgecolor": ACCENT},
            medianprops={"color": SOFT, "linewidth": 2},
            whiskerprops={"color": INK}, capprops={"color": INK},
            flierprops={"marker": ".", "markersize": 3, "markeredgecolor": INK, "alpha": 0.3},
        )  # fmt: skip
        axes.set_yticks(range(1, len(kept) + 1), [labels(who) for who in kept])
        axes.invert_yaxis()
        axes.set_xlim(-0.02 * top, 1.02 * top)
        axes.set_xlabel("total of each case")
        axes.grid(axis="x", color=INK, alpha=0.12)
        return labels.svg(figure)


def plot_stated(pairs: Counter[tuple[float, float]], metric: str, top: float) -> str:
    """The judge's stated score against ours; the area is the number of verdicts."""
    labels = AxisLabels()
    with _style_context():
        figure, axes = _figure(3.4, 3.2)
        most = max(pairs.values())
        theirs, ours = zip(*pairs, strict=True)
        sizes = [8 + 200 * n / most for n in pairs.values()]
        axes.plot([0, top], [0, top], color=INK, alpha=0.4, linewidth=1)
        axes.scatter(theirs, ours, s=sizes, color=ACCENT, alpha=0.5, linewidths=0)
        axes.set_xlim(-0.03 * top, 1.03 * top)
        axes.set_ylim(-0.03 * top, 1.03 * top)
        axes.set_xlabel("the judge said")
        axes.set_ylabel("recomputed")
        axes.set_title(metric, fontsize=10)
        return labels.svg(figure)


def violations(by_judge: Mapping[str, Counter[str]]) -> str:
    """Violations by kind, one colour a judge."""
    total: Counter[str] = Counter()
    for counts in by_judge.values():
        total.update(counts)
    codes = [code for code, _ in total.most_common(15)]
    labels = AxisLabels()
    with _style_context():
        figure, axes = _figure(8, 0.9 + 0.3 * len(codes))
        left = np.zeros(len(codes))
        colours = [ACCENT, SOFT, "#4a9c5d", "#b6507e", "#7a6cc4", "#8a8a8a"]
        for at, (judge, counts) in enumerate(sorted(by_judge.items())):
            widths = np.array([counts[code] for code in codes], dtype=float)
            axes.barh(range(len(codes)), widths, left=left, height=0.6,
                      color=colours[at % len(colours)], label=labels(judge))  # fmt: skip
            left += widths
        axes.set_yticks(range(len(codes)), [labels(code) for code in codes])
        axes.invert_yaxis()
        axes.set_xlabel("violations")
        axes.legend(frameon=False, fontsize=9, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
        return labels.svg(figure)
