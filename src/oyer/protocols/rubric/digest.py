"""A run's report for the rubric: each judge over its runs, and the judges together (RB-PANEL).

What one verdict adds is a `Heard`; what they add up to is text for people, in Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from oyer.arith import alpha, exact
from oyer.protocols.rubric.panel import KEYS, Mark, Panel, panel, sd, tally
from oyer.types import Verdict

FLAGGED = 20  # responses whose flags are listed one by one


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


def digest(rows: Sequence[Heard]) -> str:
    """Per judge and across judges, and what a person should look at."""
    marks: dict[tuple[str, str | None], list[Mark]] = {}
    for row in rows:
        if row.mark is not None:
            marks.setdefault((row.case, row.candidate), []).append(row.mark)
    panels = {key: panel(given, key[1]) for key, given in marks.items()}
    if not panels:
        return "no response has a score"
    every = [mark for given in marks.values() for mark in given]
    return "\n\n".join(
        part for part in (_judges(every, panels), _across(panels), _flagged(panels)) if part
    )


def _judges(every: Sequence[Mark], panels: Mapping[tuple[str, str | None], Panel]) -> str:
    head = ("judge", "verdicts", *KEYS, "SD of repeats", "critical", "confidence")
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for judge in dict.fromkeys(mark.judge for mark in every):
        whole = tally(judge, [mark for mark in every if mark.judge == judge])
        within = [
            spread
            for one in panels.values()
            for mine in one.judges
            if mine.judge == judge and (spread := mine.sd["total"]) is not None
        ]
        means = " | ".join(f"{float(whole.mean[key]):.1f}" for key in KEYS)
        repeats = f"{sum(within) / len(within):.1f}" if within else "—"
        sure = ", ".join(f"{name} {n}" for name, n in whole.confidence.items())
        lines.append(
            f"| {judge} | {whole.runs} | {means} | {repeats} | {whole.critical} of {whole.runs}"
            f" | {sure} |"
        )
    return "\n".join(lines)


def _across(panels: Mapping[tuple[str, str | None], Panel]) -> str:
    several = [one for one in panels.values() if len(one.judges) > 1]
    if not several:
        return ""
    agreement = alpha([mine.mean["total"] for mine in one.judges] for one in panels.values())
    medians = [one.median["total"] for one in several]
    spread = sd([Fraction(value) for value in medians])
    widest = max(one.range["total"] for one in several)
    told = "—" if agreement is None else f"{float(agreement):.3f}"
    return (
        f"{len(several)} responses before several judges: mean of the judges' medians "
        f"{float(sum(medians) / len(medians)):.1f}"
        + ("" if spread is None else f" (SD {spread:.1f})")
        + f", widest range {float(widest):.1f}, Krippendorff's alpha (interval) {told}."
    )


def _flagged(panels: Mapping[tuple[str, str | None], Panel]) -> str:
    flagged = [(key, one.flags) for key, one in panels.items() if one.flags]
    if not flagged:
        return ""
    lines = [f"{len(flagged)} of {len(panels)} responses are flagged:"]
    for (case, candidate), flags in flagged[:FLAGGED]:
        name = case if candidate is None else f"{case} by {candidate}"
        lines.append(f"- {name}: {', '.join(flags)}")
    if len(flagged) > FLAGGED:
        lines.append(f"- … and {len(flagged) - FLAGGED} more")
    return "\n".join(lines)
