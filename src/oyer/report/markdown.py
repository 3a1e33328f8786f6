"""`report.md`: what a pull request needs, in Markdown. Everything untrusted is neutralised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from oyer.report.explain import cause
from oyer.report.filters import Filter
from oyer.report.found import conclusions, findings_sheets, read_findings
from oyer.report.html import commands, describe_origin, sheets, subtitle
from oyer.report.open_run import Opened, digest_of
from oyer.report.standings import Gathered, standings
from oyer.report.tables import Sheet, TitledSheet, cell, leaderboard, markdown, parts

KINDS = 15  # of violations
WORST = 10  # verdicts that are told one by one


def render(opened: Opened) -> str:
    """The whole text."""
    rows = standings(opened.gathered, opened.protocol.scale)
    blocks = [f"## {cell(opened.run.name)} · {cell(opened.protocol.title)}", cell(subtitle(opened))]
    found = read_findings(opened)
    blocks.insert(1, f"**{cell(' '.join(conclusions(opened, rows, found)))}**")
    if opened.unfinished:
        blocks.insert(1, f"**{cell(opened.unfinished)}**")
    blocks.append(markdown(leaderboard(opened.gathered, rows)))
    if found.titles:
        blocks += ["### What was found", *map(markdown, findings_sheets(found, rows))]
    blocks += ["### The lowest totals", markdown(_worst(opened))]
    if digest := digest_of(opened):
        blocks.append("### By the protocol")
        blocks += [
            cell(part) if isinstance(part, str) else markdown(part) for part in parts(digest)
        ]
    for titled in (*_violations(opened.gathered), *sheets(opened)):
        blocks += [f"### {titled.title}", markdown(titled.sheet)]
    blocks.append("\n".join(f"- {what}: `{command}`" for what, command in commands(opened)))
    blocks.append(cell(describe_origin(opened)))
    return "\n\n".join(part.rstrip() for part in blocks) + "\n"


def _worst(opened: Opened) -> Sheet:
    """What decided the lowest totals."""
    body = []
    for outcome in Filter(worst=WORST).choose(opened.outcomes()):
        (kept,) = opened.store.verdicts(opened.run.id, outcome.row - 1, outcome.row)
        why = cause(kept.record, opened.protocol)
        name = (outcome.verdict[:8], outcome.case, outcome.candidate or "")
        body.append((*name, f"{outcome.total:.2f}", why))
    return Sheet(("id", "case", "candidate", "total", "why"), tuple(body), names=3, words=(4,))


def _violations(gathered: Gathered) -> Iterator[TitledSheet]:
    """By kind and judge, the commonest first."""
    if not gathered.by_judge:
        return
    judges = list(gathered.by_judge)
    total = sum(gathered.by_judge.values(), Counter[str]())
    kinds = sorted(total, key=lambda code: (-total[code], code))[:KINDS]
    rows = []
    for code in kinds:
        counts = [f"{gathered.by_judge[judge][code]:,}" for judge in judges]
        rows.append((code, *counts))
    yield TitledSheet("Violations by kind and judge", Sheet(("violation", *judges), tuple(rows)))
