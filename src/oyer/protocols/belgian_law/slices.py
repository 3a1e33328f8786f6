"""A whole test set: verdict rates and issues by language, court, decision type and length."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from oyer.arith import round_to_show
from oyer.protocols.belgian_law.rules import RULES, VERDICTS, Rules
from oyer.types import Case, Verdict

#: ECLI:BE:<court>:<year>:<type>.<number>, as the Belgian courts write it.
_ECLI = re.compile(r"ECLI:BE:([A-Z0-9]+):\d{4}:([A-Z]+)?", re.IGNORECASE)
DIMENSIONS = ("language", "court", "type", "length")


@dataclass(frozen=True, slots=True)
class Slice:
    """The decisions with one value of one dimension."""

    dimension: str  # "all" for the whole set
    value: str
    decisions: int
    verdicts: int
    unscored: int
    rates: dict[str, int]  # verdict -> how many
    mean: Fraction | None  # of the scores; None: nothing was scored
    issues: dict[str, int]  # code -> decisions that have it


@dataclass(frozen=True, slots=True)
class Slices:
    """The set as a whole, its slices, and the issue codes that are systemic for the run."""

    all: Slice
    parts: tuple[Slice, ...]
    systemic: tuple[str, ...]
    threshold: Fraction


@dataclass(frozen=True, slots=True)
class SliceRow:
    """What one verdict adds: light, and without any of the decision's text."""

    decision: tuple[str, str]  # one ECLI exists in both languages: only with it is it one decision
    values: Mapping[str, str]
    verdict: str | None
    score: Fraction | None
    codes: frozenset[str]


def slices(judged: Iterable[tuple[Case, Verdict]], rules: Rules = RULES["3.1"]) -> Slices:
    """Slice the verdicts of a run; a decision judged twice counts once a code."""
    return gather((row(verdict, place(case, rules)) for case, verdict in judged), rules)


def gather(rows: Iterable[SliceRow], rules: Rules = RULES["3.1"]) -> Slices:
    """The slices of many rows, in one pass: memory grows with the decisions, not the verdicts."""
    everything = _Sums()
    values: dict[str, dict[str, _Sums]] = {dimension: {} for dimension in DIMENSIONS}
    for row in rows:
        everything.take(row)
        for dimension, sums in values.items():
            sums.setdefault(row.values[dimension], _Sums()).take(row)
    whole = everything.slice("all", "")
    parts: list[Slice] = []
    for dimension, sums in values.items():
        parts += [sums[value].slice(dimension, value) for value in sorted(sums)]
    share = Fraction(rules["run_share"])
    systemic = [c for c, n in whole.issues.items() if n and n >= share * whole.decisions]
    order = list(rules.severity)
    systemic.sort(key=lambda code: order.index(code) if code in order else len(order))
    return Slices(whole, tuple(parts), tuple(systemic), share)


def digest(rows: Iterable[SliceRow]) -> str:
    """The report on many verdicts, from what each adds."""
    return report(gather(rows))


def court_and_type(decision: str) -> tuple[str, str]:
    """Court and decision type of an ECLI: ("CASS", "ARR"); "?" for what it does not say."""
    match = _ECLI.match(decision.strip())
    return ((match[1].upper(), (match[2] or "?").upper())) if match else ("?", "?")


def length_class(characters: int, rules: Rules = RULES["3.1"]) -> str:
    """The length class, named by its bounds, so that the names sort in order."""
    low = 0
    for high in rules.lengths:
        if characters < high:
            return f"{low:>6}–{high}"
        low = high
    return f"{low:>6}+"


def place(case: Case, rules: Rules = RULES["3.1"]) -> dict[str, str]:
    """Where a case stands in a set: in every verdict, so that stored ones can be sliced too."""
    decision = str(case.fields.get("decisionId", case.id)).strip()
    court, kind = court_and_type(decision)
    text = case.fields.get("sourceText")
    return {
        "decision": decision,
        "language": str(case.fields.get("proceduralLanguage", "?")).strip().upper(),
        "court": court,
        "type": kind,
        "length": length_class(len(text) if isinstance(text, str) else 0, rules),
    }


def row(verdict: Verdict, where: Mapping[str, str] | None = None) -> SliceRow:
    """A verdict's row; without a place it has the one that the verdict carries."""
    at = where or verdict.extra.get("slice") or {"decision": verdict.case}
    scored = verdict.status == "scored" and verdict.scores is not None
    word = verdict.output.get("verdict") if isinstance(verdict.output, dict) else None
    issues = verdict.extra.get("issues", ())
    return SliceRow(
        decision=(at["decision"], at.get("language", "?")),
        values={dimension: at.get(dimension, "?") for dimension in DIMENSIONS},
        verdict=word if scored else None,
        score=Fraction(str((verdict.scores or {})["score"])) if scored else None,
        codes=frozenset(issue["code"] for issue in issues) if scored else frozenset(),
    )


@dataclass
class _Sums:
    """What the rows of one slice come to so far."""

    decisions: set[tuple[str, str]] = field(default_factory=set)
    verdicts: int = 0
    words: Counter[str] = field(default_factory=Counter)  # by verdict
    total: Fraction = Fraction(0)
    scored: int = 0
    having: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))

    def take(self, row: SliceRow) -> None:
        self.decisions.add(row.decision)
        self.verdicts += 1
        if row.verdict is not None:
            self.words[row.verdict] += 1
        if row.score is not None:
            self.total += row.score
            self.scored += 1
        for code in row.codes:
            self.having[code].add(row.decision)

    def slice(self, dimension: str, value: str) -> Slice:
        return Slice(
            dimension,
            value.strip(),
            len(self.decisions),
            self.verdicts,
            self.verdicts - self.words.total(),
            {name: self.words[name] for name in VERDICTS},
            self.total / self.scored if self.scored else None,
            {code: len(self.having[code]) for code in sorted(self.having)},
        )


def as_json(slices: Slices) -> dict[str, object]:
    """The slices as plain JSON."""
    return {
        "all": _plain(slices.all),
        "slices": [_plain(part) for part in slices.parts],
        "systemic": list(slices.systemic),
        "threshold": round_to_show(slices.threshold),
    }


def _plain(part: Slice) -> dict[str, object]:
    return {
        "dimension": part.dimension,
        "value": part.value,
        "decisions": part.decisions,
        "verdicts": part.verdicts,
        "unscored": part.unscored,
        **part.rates,
        "mean": None if part.mean is None else round_to_show(part.mean),
        "issues": part.issues,
    }


def report(slices: Slices) -> str:
    """A short report in Markdown."""
    lines = [
        f"{slices.all.decisions} decisions, {slices.all.verdicts} verdicts, "
        f"{slices.all.unscored} without a score.",
        "",
        "| slice | decisions | PASS | REVIEW_REQUIRED | FAIL | unscored | mean score |",
        "|---|---:|---:|---:|---:|---:|---:|",
        *(_line(part) for part in (slices.all, *slices.parts)),
        "",
        f"Issues (systemic from {round_to_show(slices.threshold * 100):g} % of the decisions):",
        "",
        "| issue | decisions | share | |",
        "|---|---:|---:|---|",
    ]
    for code, many in sorted(slices.all.issues.items(), key=lambda pair: (-pair[1], pair[0])):
        share = round_to_show(Fraction(100 * many, slices.all.decisions), 1)
        mark = "systemic" if code in slices.systemic else ""
        lines.append(f"| {code} | {many} | {share:g} % | {mark} |")
    if not slices.all.issues:
        lines.append("| none | 0 | 0 % | |")
    return "\n".join(lines) + "\n"


def _line(part: Slice) -> str:
    name = "all" if part.dimension == "all" else f"{part.dimension} {_cell(part.value)}"
    judged = part.verdicts - part.unscored
    rates = (
        f"{part.rates[v]} ({round_to_show(Fraction(100 * part.rates[v], judged), 0):g} %)"
        if judged
        else "–"
        for v in ("PASS", "REVIEW_REQUIRED", "FAIL")
    )
    mean = "–" if part.mean is None else f"{round_to_show(part.mean, 1):g}"
    cells = (name, str(part.decisions), *rates, str(part.unscored), mean)
    return f"| {' | '.join(cells)} |"


def _cell(value: str) -> str:
    """Untrusted text in a table's cell: no bars, no line ends, no markup."""
    return re.sub(r"[^\w.:+–-]", "_", value)[:40]
