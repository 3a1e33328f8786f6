"""What a judge broke, and what it never judged: two things that one list of a record holds.

A record's `violations` also carry why a verdict has no score. A server that is down, a refusal, a
row that cannot be read: none of these breaks a rule of the protocol.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import get_args

from oyer.errors import PROTOCOL_ERROR, UnscoredKind
from oyer.records import JsonObject, VerdictRecord, ViolationRecord

#: The case could not be judged, judge or candidate not be asked, no member of a panel counted, or
#: the protocol's own code failed.
_UNHEARD = (
    "input",
    *(f"{who}.{kind}" for who in ("judge", "candidate") for kind in get_args(UnscoredKind)),
    "panel.nobody",
    PROTOCOL_ERROR,
)

_RULE = re.compile(r"^[A-Z]{2,}(?:-[A-Z]+)+: ")


def is_breach(code: str) -> bool:
    """Whether the code names a rule that the judge broke, not a reason why nothing was judged."""
    return code not in _UNHEARD and not code.endswith(".refused")


def failed_by_protocol(record: VerdictRecord) -> bool:
    """Whether there is no score because the code of the protocol failed on the case."""
    return any(violation["code"] == PROTOCOL_ERROR for violation in record["violations"])


def is_unwritten(codes: Iterable[str]) -> bool:
    """Whether a verdict has no score because its candidate wrote nothing, not for its judge."""
    return any(code.startswith("candidate.") for code in codes)


def breaches(counts: Mapping[str, int]) -> dict[str, int]:
    """Of violations counted by code: those that are the judge's doing."""
    return {code: n for code, n in counts.items() if is_breach(code)}


def reason(record: VerdictRecord, most: int = 300) -> str:
    """Why a record has no score, in its own words; of a panel, also which member says so."""
    first = next(iter(record["violations"]), None)
    if first is None:
        return str(record["error"])
    member = first["where"].rpartition(": ")[0] if record.get("panel") else ""
    detail = without_rule(str(first["detail"]))
    message = f"{member}: {detail}" if member else detail
    for name in (record["judge"], record["candidate"]):  # whoever tells it names them
        message = message.removeprefix(f"{name}: ")
    return message if len(message) <= most else f"{message[:most]}…"


def without_rule(detail: str) -> str:
    """A detail for people: `JL-MISSING: no relevance` without the rule's id."""
    return _RULE.sub("", detail)


def silent(record: JsonObject) -> dict[str, str]:
    """A panel's members who gave no score, with the kind of error; empty for a single judge."""
    seats = (record.get("panel") or {}).get("members", ())
    return {seat["judge"]: seat["error"] for seat in seats if seat["error"] is not None}


def incomplete(record: JsonObject) -> str:
    """`1 of 3 members not heard (b: provider)`; nothing when all were."""
    missing = silent(record)
    if not missing:
        return ""
    reasons = ", ".join(f"{judge}: {error}" for judge, error in missing.items())
    return f"{len(missing)} of {len(record['panel']['members'])} members not heard ({reasons})"


def caution(record: JsonObject) -> str:
    """What makes a verdict's scores worth little, though they are computed as always; and who
    judged, where that is not the judge that was asked."""
    short, copied, other = (record.get(key) for key in ("too_short", "copied", "judged_by"))
    notes = [f"too short to be judged reliably ({short})"] if short else []
    if copied:
        notes.append(f"the summary copies {copied}, which no score counts")
    if other:
        notes.append(f"judged by {other}")
    return "; ".join(notes)


def split_violations(
    violations: Iterable[ViolationRecord],
) -> tuple[list[ViolationRecord], list[ViolationRecord]]:
    """A record's violations: what the judge broke, and why something was not judged."""
    broken: list[ViolationRecord] = []
    unheard: list[ViolationRecord] = []
    for violation in violations:
        (broken if is_breach(violation["code"]) else unheard).append(violation)
    return broken, unheard
