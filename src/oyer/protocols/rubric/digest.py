"""A run's report for the rubric: each judge over its runs, and the judges together (RB-PANEL).

What one verdict adds is a `Heard`; what they add up to is text for people, in Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from oyer.arith import alpha, exact
from oyer.protocols.rubric.panel import KEYS, Mark, Panel, panel, tally
from oyer.types import Verdict

LISTED = 20  # responses that are listed one by one
Response = tuple[str, str | None]  # case, candidate


@dataclass(frozen=True, slots=True)
class Heard:
    """One verdict on one response; without a mark it has no score."""

    case: str
    candidate: str | None
    mark: Mark | None


def heard(verdict: Verdict) -> Heard:
    """What a verdict adds to the report."""
    if verdict.scores is None:
        return Heard(verdict.case, verdict.candidate, None)
    said = verdict.output if isinstance(verdict.output, Mapping) else {}
    mark = Mark(
        judge=verdict.judge,
        scores={key: exact(verdict.scores[key]) for key in KEYS},
        critical_fail=bool(verdict.extra.get("critical_fail")),
        confidence=said.get("confidence"),
    )
    return Heard(verdict.case, verdict.candidate, mark)


def digest(rows: Iterable[Heard]) -> str:
    """Per judge, across judges, and response by response, with what a person should look at."""
    marks: dict[Response, list[Mark]] = {}
    for row in rows:
        if row.mark is not None:
            marks.setdefault((row.case, row.candidate), []).append(row.mark)
    panels = {key: panel(given, key[1]) for key, given in marks.items()}
    if not panels:
        return "no response has a score"
    every = [mark for given in marks.values() for mark in given]
    parts = (_judges(every, panels), _across(panels), _responses(panels))
    return "\n\n".join(part for part in parts if part)


def _judges(every: Sequence[Mark], panels: Mapping[Response, Panel]) -> str:
    """Each judge over all responses; ± is the standard deviation of its repeats of one response."""
    lines, repeated = [], False
    for judge in dict.fromkeys(mark.judge for mark in every):
        whole = tally(judge, [mark for mark in every if mark.judge == judge])
        mine = [one for made in panels.values() for one in made.judges if one.judge == judge]
        cells = []
        for key in KEYS:
            spreads = [spread for one in mine if (spread := one.sd[key]) is not None]
            repeated = repeated or bool(spreads)
            within = f" ± {sum(spreads) / len(spreads):.1f}" if spreads else ""
            cells.append(f"{float(whole.mean[key]):.1f}{within}")
        failed = sum(one.failed for one in mine)
        critical = f"{whole.critical} of {whole.runs}"
        if failed:
            critical += f", {failed} responses fail"
        sure = ", ".join(f"{name} {n}" for name, n in whole.confidence.items())
        lines.append((_cell(judge), str(whole.runs), *cells, critical, sure))
    head = ("judge", "verdicts", *KEYS, "critical", "confidence")
    note = "± is the SD of a judge's repeats, mean over the responses." if repeated else ""
    return _table(head, lines, words=(0, len(head) - 1)) + (f"\n\n{note}" if note else "")


def _across(panels: Mapping[Response, Panel]) -> str:
    """The judges together: their medians, means and ranges, and how far they agree."""
    several = [one for one in panels.values() if len(one.judges) > 1]
    if not several:
        return ""
    agreement = alpha([mine.mean["total"] for mine in one.judges] for one in panels.values())
    told = "—" if agreement is None else f"{float(agreement):.3f}"
    kinds = {
        "median of the judges": [one.median for one in several],
        "mean of the judges": [one.mean for one in several],
        "range of the judges": [one.range for one in several],
    }
    lines = [
        (name, *(f"{float(sum(row[key] for row in given) / len(given)):.1f}" for key in KEYS))
        for name, given in kinds.items()
    ]
    widest = (f"{float(max(one.range[key] for one in several)):.1f}" for key in KEYS)
    lines.append(("widest range", *widest))
    head = ("across judges, mean over responses", *KEYS)
    return (
        f"{_table(head, lines, words=(0,))}\n\n{len(several)} responses before several judges; "
        f"Krippendorff's alpha (interval) of their totals {told}."
    )


def _responses(panels: Mapping[Response, Panel]) -> str:
    """Every response of a small run; else the flagged ones, as far as there is room."""
    flagged = sum(bool(one.flags) for one in panels.values())
    chosen = [item for item in panels.items() if item[1].flags or len(panels) <= LISTED][:LISTED]
    lines = []
    for (case, candidate), one in chosen:
        failed = sum(mine.failed for mine in one.judges)
        numbers = (f"{float(row['total']):.1f}" for row in (one.median, one.mean, one.range))
        critical = f"{failed} of {len(one.judges)}"
        lines.append((_cell(case), _cell(candidate or ""), *numbers, critical, _flags(one)))
    head = ("response", "candidate", "median", "mean", "range", "judges that fail it", "flags")
    more = f"\n\n… and {flagged - len(lines)} more are flagged." if flagged > len(lines) else ""
    table = _table(head, lines, words=(0, 1, len(head) - 1)) if lines else ""
    told = f"{flagged} of {len(panels)} responses are flagged" + (":" if flagged else ".")
    return f"{told}\n\n{table}{more}".rstrip()


def _flags(one: Panel) -> str:
    """`sd: a`, `sd: b` and `range` -> sd (a, b), range."""
    whose: dict[str, list[str]] = {}
    for flag in one.flags:
        kind, _, judge = flag.partition(": ")
        whose.setdefault(kind, []).extend([_cell(judge)] if judge else [])
    return ", ".join(f"{kind} ({', '.join(of)})" if of else kind for kind, of in whose.items())


def _table(head: Sequence[str], lines: Iterable[Sequence[str]], words: Sequence[int]) -> str:
    ruler = ("---" if at in words else "---:" for at in range(len(head)))
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, tuple(ruler), *lines))


def _cell(name: str) -> str:
    """Untrusted text in a table's cell: no bars, no line ends."""
    return " ".join(name.replace("|", "¦").split())
