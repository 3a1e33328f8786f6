"""A run's report for the rubric: each judge over its runs, and the judges together (RB-PANEL).

What one verdict adds is a `Heard`; what they add up to is text for people, in Markdown.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import chain

from oyer.arith import Alpha, exact
from oyer.protocols.rubric.panel import KEYS, AxisMark, RubricPanel, VoteTally, panel
from oyer.protocols.rubric.rules import CONFIDENCES
from oyer.records import ANSWER
from oyer.types import Number, Verdict

LISTED = 20  # up to so many responses are listed one by one; of more, the flagged ones
JUDGES = 6  # up to so many have a column of their own
Response = tuple[str, str | None, int | None]  # case, candidate, which of its answers


@dataclass(frozen=True, slots=True)
class HeardRubric:
    """One verdict on one response; without a mark it has no score."""

    case: str
    candidate: str | None
    mark: AxisMark | None
    answer: int | None = None  # of a candidate that wrote several

    @property
    def response(self) -> Response:
        return self.case, self.candidate, self.answer


def read_verdict(verdict: Verdict) -> HeardRubric:
    """What a verdict adds to the report."""
    answer = verdict.extra.get(ANSWER)
    if verdict.scores is None:
        return HeardRubric(verdict.case, verdict.candidate, None, answer)
    output = verdict.output if isinstance(verdict.output, Mapping) else {}
    mark = AxisMark(
        judge=sys.intern(verdict.judge),
        scores=_exactly(*(verdict.scores[key] for key in KEYS)),
        critical_fail=bool(verdict.extra.get("critical_fail")),
        confidence=output.get("confidence"),
        self_judging=bool(verdict.extra.get("self_judging")),
    )
    return HeardRubric(verdict.case, verdict.candidate, mark, answer)


@lru_cache(maxsize=1 << 16)
def _exactly(*scores: float) -> Mapping[str, Number]:
    """The scores by their names; many verdicts have the same, and share them."""
    return dict(zip(KEYS, map(exact, scores), strict=True))


def digest(rows: Iterable[HeardRubric]) -> str:
    """Per judge, across judges, and response by response, with what a person should look at.

    Only the marks are held until all are there, for a response's judges may come in any order.
    """
    marks: dict[Response, list[AxisMark]] = {}
    for row in rows:
        if row.mark is not None:
            marks.setdefault(row.response, []).append(row.mark)
    if not marks:
        return "no response has a score"
    judges: dict[str, _Judge] = {}
    across = _Across()
    responses = _Responses(all_listed=len(marks) <= LISTED)
    for response, of_response in marks.items():
        for mark in of_response:
            judges.setdefault(mark.judge, _Judge()).take(mark)
        together = panel(of_response, response[1])
        for tally in together.judges:
            judges[tally.judge].take_tally(tally)
        across.take(together)
        responses.take(response, together)
    parts = (_judges(judges), across.as_text(), responses.as_text())
    return "\n\n".join(part for part in parts if part)


def _zeros() -> dict[str, Fraction]:
    return dict.fromkeys(KEYS, Fraction(0))


@dataclass
class _Judge:
    """One judge over all responses."""

    runs: int = 0
    critical: int = 0
    responses: int = 0
    failed: int = 0  # of the responses
    sums: dict[str, Fraction] = field(default_factory=_zeros)
    confidence: Counter[str | None] = field(default_factory=Counter)
    spreads: dict[str, list[float]] = field(default_factory=lambda: {key: [0, 0] for key in KEYS})

    def take(self, mark: AxisMark) -> None:
        self.runs += 1
        self.critical += mark.critical_fail
        self.confidence[mark.confidence] += 1

    def take_tally(self, tally: VoteTally) -> None:
        """Its runs of one response: their mean, whether they fail it, how far they are apart."""
        self.responses += 1
        self.failed += tally.failed
        for key in KEYS:
            self.sums[key] += tally.mean[key]
        for key, spread in tally.sd.items():
            if spread is not None:
                self.spreads[key][0] += spread
                self.spreads[key][1] += 1

    @property
    def has_repeats(self) -> bool:
        return any(count for _, count in self.spreads.values())

    def cells(self) -> tuple[str, ...]:
        cells = []
        for key in KEYS:
            total, n = self.spreads[key]
            within = f" ± {total / n:.1f}" if n else ""
            cells.append(f"{float(self.sums[key] / max(self.responses, 1)):.1f}{within}")
        failed = f", {self.failed} responses fail" if self.failed else ""
        confidences = [(name, self.confidence[name]) for name in CONFIDENCES]
        sure = ", ".join(f"{name} {n}" for name, n in confidences if n)
        return (str(self.runs), *cells, f"{self.critical} of {self.runs}{failed}", sure)


def _judges(judges: Mapping[str, _Judge]) -> str:
    """Each judge over all responses; ± is the standard deviation of its repeats of one response."""
    lines = [(_cell(name), *judge.cells()) for name, judge in judges.items()]
    repeated = any(judge.has_repeats for judge in judges.values())
    head = ("judge", "verdicts", *KEYS, "critical", "confidence")
    note = "± is the SD of a judge's repeats, mean over the responses." if repeated else ""
    return _table(head, lines, words=(0, len(head) - 1)) + (f"\n\n{note}" if note else "")


@dataclass
class _Across:
    """The judges together: their medians, means and ranges, and how far they agree."""

    responses: int = 0
    alpha: Alpha = field(default_factory=Alpha)
    medians: dict[str, Fraction] = field(default_factory=_zeros)
    means: dict[str, Fraction] = field(default_factory=_zeros)
    ranges: dict[str, Fraction] = field(default_factory=_zeros)
    widest: dict[str, Fraction] = field(default_factory=_zeros)

    def take(self, panel: RubricPanel) -> None:
        self.alpha.add(mine.mean["total"] for mine in panel.judges)
        if len(panel.judges) < 2:
            return
        self.responses += 1
        for key in KEYS:
            self.medians[key] += panel.median[key]
            self.means[key] += panel.mean[key]
            self.ranges[key] += panel.range[key]
            self.widest[key] = max(self.widest[key], panel.range[key])

    def as_text(self) -> str:
        if not self.responses:
            return ""
        kinds = {"median": self.medians, "mean": self.means, "range": self.ranges}
        lines: list[tuple[str, ...]] = []
        for kind, sums in kinds.items():
            means = [f"{float(sums[key] / self.responses):.1f}" for key in KEYS]
            lines.append((f"{kind} of the judges", *means))
        lines.append(("widest range", *(f"{float(self.widest[key]):.1f}" for key in KEYS)))
        head = ("across judges, mean over responses", *KEYS)
        agreement = self.alpha.value
        alpha = "—" if agreement is None else f"{float(agreement):.3f}"
        return (
            f"{_table(head, lines, words=(0,))}\n\n{self.responses} responses before several "
            f"judges; Krippendorff's alpha (interval) of their totals {alpha}."
        )


@dataclass
class _Responses:
    """Every response of a small run; else the flagged ones."""

    all_listed: bool
    lines: list[tuple[str, ...]] = field(default_factory=list)
    judges: list[dict[str, str]] = field(default_factory=list)  # of each line: judge -> its mean
    seen: int = 0
    flagged: int = 0

    def take(self, response: Response, panel: RubricPanel) -> None:
        self.seen += 1
        self.flagged += bool(panel.flags)
        if not (self.all_listed or panel.flags):
            return
        failed = sum(mine.failed for mine in panel.judges)
        numbers = (f"{float(row['total']):.1f}" for row in (panel.median, panel.mean, panel.range))
        critical = f"{failed} of {len(panel.judges)}"
        case, candidate, answer = response
        which = f" (answer {answer})" if answer is not None else ""
        names = (_cell(f"{case}{which}"), _cell(candidate or ""))
        self.lines.append((*names, *numbers, critical, _flags(panel)))
        self.judges.append({mine.judge: _mean_and_sd(mine) for mine in panel.judges})

    def as_text(self) -> str:
        """Each response over its judges: the mean of a judge's runs ± their SD."""
        names = list(dict.fromkeys(chain.from_iterable(self.judges)))
        shown = names if 1 < len(names) <= JUDGES else []
        last = ("judges that fail it", "flags")
        head = ("response", "candidate", *map(_cell, shown), "median", "mean", "range", *last)
        lines: list[tuple[str, ...]] = []
        for line, means in zip(self.lines, self.judges, strict=True):
            own = [means.get(judge, "—") for judge in shown]
            lines.append((*line[:2], *own, *line[2:]))
        table = _table(head, lines, words=(0, 1, len(head) - 1)) if lines else ""
        count = f"{self.flagged} of {self.seen} responses are flagged"
        return f"{count}{':' if self.flagged else '.'}\n\n{table}".rstrip()


def _mean_and_sd(tally: VoteTally) -> str:
    spread = tally.sd["total"]
    mean = f"{float(tally.mean['total']):.1f}"
    return mean if spread is None else f"{mean} ± {spread:.1f}"


def _flags(panel: RubricPanel) -> str:
    """`sd: a`, `sd: b` and `range` -> sd (a, b), range."""
    whose: dict[str, list[str]] = {}
    for flag in panel.flags:
        kind, _, judge = flag.partition(": ")
        whose.setdefault(kind, []).extend([_cell(judge)] if judge else [])
    return ", ".join(f"{kind} ({', '.join(of)})" if of else kind for kind, of in whose.items())


def _table(head: Sequence[str], lines: Iterable[Sequence[str]], words: Sequence[int]) -> str:
    ruler = ("---" if at in words else "---:" for at in range(len(head)))
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, tuple(ruler), *lines))


def _cell(name: str) -> str:
    """Untrusted text in a table's cell: no bars, no line ends."""
    return " ".join(name.replace("|", "¦").split())
