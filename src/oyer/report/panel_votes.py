"""A panel's verdict finding by finding: who said what, what counts, where a tie went."""

from __future__ import annotations

from typing import NamedTuple

from oyer.records import JsonObject, MemberRecord, PanelRecord, VerdictRecord

RULE = "Labels by majority, numbers by the median, finding by finding; a tie goes to the stricter."
STRICTER = "ties go to the stricter, finding by finding."


class Ballot(NamedTuple):
    """One finding that members do not agree on."""

    finding: str
    where: str
    votes: JsonObject
    value: object  # None: dropped, too few spoke of it
    tie: bool


def split(panel: PanelRecord) -> list[Ballot]:
    """The findings on which members differ, or that too few spoke of."""
    ballots = []
    for finding in panel.get("findings", ()):
        votes, value = finding["said"], finding["value"]
        if value is None or len(set(map(repr, votes.values()))) > 1:
            tie = bool(finding.get("tie"))
            ballots.append(Ballot(finding["finding"], finding["where"], votes, value, tie))
    return ballots


def standing(member: MemberRecord) -> tuple[str, str]:
    """A member's total or why it has none, and what is to be said of it."""
    unheard = member["scores"] is None
    total = f"unscored: {member['error']}" if unheard else f"total {member['total']:g}"
    marks = (("self-judging", member["self_judging"]), ("not counted", not member["counted"]))
    return total, ", ".join(mark for mark, holds in marks if holds)


def summary(record: VerdictRecord) -> list[str]:
    """How the panel came to its verdict, in sentences."""
    panel = record["panel"]
    findings = panel.get("findings", ())
    if not findings:
        scored = record["scores"] is not None
        return ["Combined score by score: the median of the members."] if scored else []
    ballots = split(panel)
    ties = sum(ballot.tie for ballot in ballots)
    lines = [RULE, f"{len(findings)} findings, {len(ballots)} of them split, {ties} ties."]
    if is_below(record):
        given = ", ".join(f"{total:g}" for total in _totals(panel))
        lines.append(
            f"The panel's total ({record['total']:g}) is below each of its members' ({given}): "
            "each was strict about something else, and ties go to the stricter."
        )
    return lines


def is_below(record: VerdictRecord) -> bool:
    """Whether the panel's total is below that of each member that counts."""
    totals = _totals(record["panel"])
    return record["total"] is not None and bool(totals) and record["total"] < min(totals)


def _totals(panel: PanelRecord) -> list[float]:
    return [m["total"] for m in panel["members"] if m["counted"] and m["total"] is not None]


def flags(panel: PanelRecord) -> list[str]:
    """What a person should look at, but for ties: those stand in the ballots."""
    return [flag for flag in panel.get("flags", ()) if not flag.startswith("tie: ")]


def outcome(ballot: Ballot) -> str:
    """What counts, and why where that is not plain to see."""
    if ballot.value is None:
        return "dropped: too few speak of it"
    label = str(ballot.value)
    return f"{label} (a tie: the stricter)" if ballot.tie else label
