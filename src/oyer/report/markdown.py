"""`report.md`: what a pull request needs, in Markdown. Everything untrusted is neutralised."""

from __future__ import annotations

from collections.abc import Iterator

from oyer.report.explain import cause
from oyer.report.filters import Filter
from oyer.report.found import conclusions, found_sheets, read_findings
from oyer.report.html import Titled, commands, made_by, sheets, subtitle
from oyer.report.open_run import Opened, digest_of
from oyer.report.standings import Gathered, standings
from oyer.report.tables import Sheet, cell, leaderboard, markdown, parts

KINDS = 15  # of violations
WORST = 10  # verdicts that are told one by one


def render(opened: Opened) -> str:
    """The whole text."""
    rows = standings(opened.gathered, opened.protocol.scale)
    said = [f"## {cell(opened.run.name)} · {cell(opened.protocol.title)}", cell(subtitle(opened))]
    found = read_findings(opened)
    said.insert(1, f"**{cell(' '.join(conclusions(opened, rows, found)))}**")
    if opened.unfinished:
        said.insert(1, f"**{cell(opened.unfinished)}**")
    said.append(markdown(leaderboard(opened.gathered, rows)))
    if found.titles:
        said += ["### What was found", *map(markdown, found_sheets(found, rows))]
    said += ["### The lowest totals", markdown(_worst(opened))]
    if digest := digest_of(opened):
        said.append("### By the protocol")
        said += [cell(one) if isinstance(one, str) else markdown(one) for one in parts(digest)]
    for titled in (*_violations(opened.gathered), *sheets(opened)):
        said += [f"### {titled.title}", markdown(titled.sheet)]
    said.append("\n".join(f"- {what}: `{command}`" for what, command in commands(opened)))
    said.append(cell(made_by(opened)))
    return "\n\n".join(part.rstrip() for part in said) + "\n"


def _worst(opened: Opened) -> Sheet:
    """What decided the lowest totals."""
    body = []
    for outcome in Filter(worst=WORST).choose(opened.outcomes()):
        (kept,) = opened.store.verdicts(opened.run.id, outcome.row - 1, outcome.row)
        why = cause(kept.record, opened.protocol)
        name = (outcome.verdict[:8], outcome.case, outcome.candidate or "")
        body.append((*name, f"{outcome.total:.2f}", why))
    return Sheet(("id", "case", "candidate", "total", "why"), tuple(body), names=3, words=(4,))


def _violations(made: Gathered) -> Iterator[Titled]:
    """By kind and judge, the commonest first."""
    if not made.by_judge:
        return
    judges = list(made.by_judge)
    total = {code: sum(made.by_judge[j][code] for j in judges)
             for code in dict.fromkeys(c for j in judges for c in made.by_judge[j])}  # fmt: skip
    kinds = sorted(total, key=lambda code: (-total[code], code))[:KINDS]
    rows = ((code, *(f"{made.by_judge[j][code]:,}" for j in judges)) for code in kinds)
    yield Titled("Violations by kind and judge", Sheet(("violation", *judges), tuple(rows)))
