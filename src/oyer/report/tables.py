"""Standings and comparisons as tables: for a terminal (rich) and for a pull request (Markdown)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from oyer.report.compare import Comparison, tell_changes
from oyer.report.conclusion import FEWEST
from oyer.report.left_out import tell_left_out
from oyer.report.standings import NOBODY, Gathered, Standing

ALL = "all candidates"
CLEAR = 0.05  # p of a change that is told as one
P_VALUE = (
    "p: how often chance alone would move a line as far, up or down; oyer gate asks only whether "
    "it fell, so its p is smaller."
)
ITSELF = "Both names mean the same run: compared with itself, nothing can differ."


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table before it is drawn: a header, rows of plain text, notes under it."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    names: int = 1  # how many columns name the row
    words: tuple[int, ...] = ()  # further columns that hold words, not numbers
    breaks: tuple[int, ...] = ()  # columns that begin a new block where one is too narrow for all

    def is_number(self, column: int) -> bool:
        """Whether a column is set to the right and never broken."""
        return column >= self.names and column not in self.words


@dataclass(frozen=True, slots=True)
class TitledSheet:
    """A sheet with its heading."""

    title: str
    sheet: Sheet


def leaderboard(
    gathered: Gathered, rows: Sequence[Standing], reasons: Sequence[str] = (), scale: str = ""
) -> Sheet:
    """The standings; equal ranks are ties, a candidate without any score has no rank.

    A column that says nothing of anybody is left out. `reasons`: what judges said where there is no
    score; told when nothing has one. `scale`: what a good score is.
    """
    if not any(row.cases for row in rows):
        return _nobody(gathered, rows, reasons)
    ranks = Counter(row.rank for row in rows)
    columns = {
        "rank": [_rank(row.rank, ranks) for row in rows],
        "candidate": [row.candidate for row in rows],
        "total [95 %]": [row.total.text for row in rows],
    }
    if any(row.win_rate is not None for row in rows):
        columns["wins"] = [_win_rate(row) for row in rows]
    if any(row.unscored for row in rows):
        columns["unscored"] = [f"{row.unscored:.1%}" for row in rows]
        columns["bounds"] = [_bounds(row) for row in rows]
    if any(row.cost != 0 for row in rows):
        columns["cost"] = [_cost(row) for row in rows]
    if any(row.violations for row in rows):
        columns["violations"] = [f"{row.violations:,}" for row in rows]
    for label in dict.fromkeys(chain.from_iterable(gathered.words.values())):
        counts = [gathered.words.get(row.candidate, Counter())[label] for row in rows]
        columns[label] = [f"{count:,}" for count in counts]
    metrics = gathered.metrics[:-1] if len(gathered.metrics) > 2 else ()  # one score is the total
    breaks = (len(columns),) if metrics else ()
    for key in metrics:
        columns[key] = [_mean(row.metrics[key].mean) for row in rows]
    notes = [scale] if scale else []
    notes += _notes(gathered, rows)
    body = tuple(zip(*columns.values(), strict=True))
    return Sheet(tuple(columns), body, tuple(notes), names=2, breaks=breaks)


def _rank(rank: int | None, ranks: Mapping[int | None, int]) -> str:
    if rank is None:
        return "—"
    return f"{rank}=" if ranks[rank] > 1 else str(rank)


def _win_rate(row: Standing) -> str:
    return "—" if row.win_rate is None else f"{row.win_rate:.0%}"


def _bounds(row: Standing) -> str:
    low, high = row.bounds
    return f"{low:.2f}–{high:.2f}" if row.unscored else ""


def _cost(row: Standing) -> str:
    return "unknown" if row.cost is None else f"${row.cost:.4f}"


def _nobody(gathered: Gathered, rows: Sequence[Standing], reasons: Sequence[str]) -> Sheet:
    """No verdict has a score: that there is nothing to rank, and why, in the place of ranks."""
    body = tuple((row.candidate, f"{sum(row.errors.values()):,}", kinds(row.errors))
                 for row in rows)  # fmt: skip
    nobody = f"none of the {gathered.verdicts:,} verdicts has a score ({kinds(gathered.kinds)})"
    if not gathered.verdicts:
        nobody = "the run has no verdict; the same `oyer run` goes on with it"
    notes = (
        f"Nothing to rank: {nobody}.",
        f"{_count(len(gathered.cases), 'case')}; judges: {', '.join(gathered.judges)}.",
        *reasons,
    )
    return Sheet(("candidate", "verdicts", "without a score"), body, notes, words=(2,))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def kinds(errors: Mapping[str, int]) -> str:
    """`provider 12, refused 3`: why verdicts have no score, the commonest first."""
    ordered = sorted(errors.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{kind} {n:,}" for kind, n in ordered)


def _mean(value: float) -> str:
    return "—" if math.isnan(value) else f"{value:.2f}"


def _notes(gathered: Gathered, rows: Sequence[Standing]) -> list[str]:
    judges = ", ".join(f"{judge} ({n:,})" for judge, n in gathered.judges.most_common())
    method = rows[0].total.method if rows else ""
    lines = [
        f"{_count(gathered.verdicts, 'verdict')} of {_count(len(gathered.cases), 'case')}; "
        f"judges: {judges}; {method}.",
    ]
    if gathered.aside:
        lines.append(
            f"{', '.join(sorted(gathered.aside))}: members of a panel that judged, too; only the "
            "panel counts here, in means, violations and cost."
        )
    ranked = [row.rank for row in rows if row.rank is not None]
    if len({*ranked}) < len(ranked):
        lines.append("= ranks tie: the paired difference from the best is not clear of chance.")
    if gathered.doubled:
        lines.append(_tell_doubled(gathered.doubled))
    if gathered.short:
        lines.append(f"{_are_on(gathered.short)} texts too short to be judged reliably.")
    if gathered.copied:
        one, many = "a summary that copies its article", "summaries that copy their article"
        copies = one if gathered.copied == 1 else many
        lines.append(f"{_are_on(gathered.copied)} {copies}, which no score counts.")
    if len(ranked) < len(rows):
        lines.append("— has no rank: none of its verdicts has a score.")
    if any(row.unscored for row in rows):
        lines.append(f"without a score: {kinds(gathered.kinds)}; violations count what was judged.")
        lines.append("bounds: the mean if every verdict without a score had the worst or the best.")
    return lines


def _are_on(verdicts: int) -> str:
    return f"{_count(verdicts, 'verdict')} {'is' if verdicts == 1 else 'are'} on"


def comparison(compared: Comparison) -> Sheet:
    """The paired differences: of all candidates together, then of each."""
    several = bool(compared.candidates)
    header = ("metric", "before", "after", "difference [95 %]", "p", "cases")
    still = _find_unmoved(compared)
    deltas = [*compared.deltas, *(d for d in compared.candidates if d.candidate not in still)]
    body = [
        (d.metric, f"{d.before:.2f}", f"{d.after:.2f}", d.difference.text, f"{d.p:.3g}",
         str(d.difference.n))
        for d in deltas
    ]  # fmt: skip
    notes = [ITSELF] if compared.itself else []
    if still:
        notes.append(f"the same in every case: {', '.join(still)}.")
    notes += tell_pairs(compared)
    notes.append(P_VALUE)
    if several:
        notes.append(f"{ALL}: averaged case by case. p: each line on its own, not corrected.")
    notes += [f"changed: {change}" for change in tell_changes(compared.changed)]
    if not several:
        return Sheet(header, tuple(body), tuple(notes))
    names = [d.candidate or ALL for d in deltas]
    rows = tuple((name, *row) for name, row in zip(names, body, strict=True))
    return Sheet(("candidate", *header), rows, tuple(notes), names=2)


def tell_pairs(compared: Comparison) -> list[str]:
    """How many pairs there are, and what is in none of them, by name."""
    left = sum(group.count for group in compared.left_out)
    none = f"{left:,} {'is' if left == 1 else 'are'} left out" if left else "no case is left out"
    lines = [f"{compared.pairs:,} pairs (same case, same candidate); {none}."]
    lines += tell_left_out(compared.left_out)
    for run, doubled in zip(("before", "after"), compared.doubled, strict=True):
        if doubled:
            lines.append(f"{run}, {_tell_doubled(doubled)}")
    return lines


def _tell_doubled(verdicts: int) -> str:
    return (
        f"{_are_on(verdicts)} rows with the id and candidate of another row: "
        "they count as one case. Give each source an id of its own; its candidates share it."
    )


def _find_unmoved(compared: Comparison) -> list[str]:
    """Candidates of which no metric moved in any case."""
    moved = {d.candidate for d in compared.candidates if d.before != d.after or d.difference.low}
    names = dict.fromkeys(d.candidate for d in compared.candidates)
    return [name for name in names if name is not None and name not in moved]


def conclude_comparison(compared: Comparison) -> str:
    """Better or worse, in one sentence: the total of all candidates together."""
    total = next(d for d in compared.deltas if d.metric == "total")
    change = total.after - total.before
    cases = _count(total.difference.n, "case")
    if total.difference.n < compared.cases:
        cases = f"{total.difference.n:,} of {_count(compared.cases, 'case')}"
    moved = f"from {total.before:.2f} to {total.after:.2f}"
    if total.difference.n < FEWEST:
        return f"Too few cases to tell ({cases}; it takes {FEWEST}): the total went {moved}."
    if total.p > CLEAR:
        return f"No clear change: the total went {moved} ({cases}, p = {total.p:.2g}, two-sided)."
    text = f"The total {'rose' if change > 0 else 'fell'} by {abs(change):.2f} "
    text += f"({total.before:.2f} → {total.after:.2f}, {cases}, p = {total.p:.2g}, two-sided)"
    own = [d for d in compared.candidates if d.metric == "total"]
    if own:
        most = max(own, key=lambda d: abs(d.after - d.before))
        text += f"; most: {most.candidate} ({most.after - most.before:+.2f})"
    return f"{text}."


def moves(compared: Comparison, most: int = 10) -> Sheet:
    """The cases that moved most."""
    shown = compared.moved[:most]
    named = any(move.candidate != NOBODY for move in shown)
    body = []
    for m in shown:
        names = (m.case, m.candidate) if named else (m.case,)
        numbers = (f"{m.before:.2f}", f"{m.after:.2f}", f"{m.after - m.before:+.2f}")
        body.append((*names, *numbers, m.why))
    header = ("case", *(("candidate",) if named else ()), "before", "after", "moved", "why now")
    return Sheet(header, tuple(body), names=len(header) - 4, words=(len(header) - 1,))


def parts(text: str) -> list[Sheet | str]:
    """A protocol's own report, written in Markdown: its tables as sheets, its lines as text."""
    pieces: list[Sheet | str] = []
    for block in text.split("\n\n"):
        if not block.strip():
            continue
        lines = block.splitlines()
        if not lines[0].startswith("|"):
            pieces += lines
            continue
        head, ruler, *rows = map(_split_cells, lines)
        names = next((at for at, rule in enumerate(ruler) if rule.endswith(":")), 1)
        words = tuple(at for at, rule in enumerate(ruler) if not rule.endswith(":"))
        fitting = (tuple((row + [""] * len(head))[: len(head)]) for row in rows)
        pieces.append(Sheet(tuple(head), tuple(fitting), names=names, words=words))
    return pieces


def _split_cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip()[1:-1].split("|")]


def markdown(sheet: Sheet) -> str:
    """GitHub-flavoured; names come from models, so pipes, backticks and tags are neutralised."""
    lines = [_line([cell(name) for name in sheet.header]), _line(["---"] * len(sheet.header))]
    lines += [_line(list(map(cell, row))) for row in sheet.rows]
    lines += ["", *(f"{cell(note)}  " for note in sheet.notes)]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def cell(text: str) -> str:
    """Untrusted text in Markdown: nothing in it is markup, calls people or ends the line."""
    return "".join(_ESCAPED.get(ch, ch) if ch.isprintable() else " " for ch in text)


#: Characters that mean something to Markdown, HTML or GitHub (@ calls people).
_ESCAPED = {ch: f"&#{ord(ch)};" for ch in "\\`*_[]<>|!#@&"}
