"""Issues: what is wrong with an extraction, each with its code, severity, items and quotes.

One issue a code and kind, listing all it concerns: thirty bad keys are one MAJOR, systemic.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oyer.cite import Citation
from oyer.protocols.belgian_law.output import ConcernRecord, IssueRecord
from oyer.protocols.belgian_law.rules import Rules, Severity


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing an issue is about: an item, a provision of the source, or both."""

    label: str
    note: str
    item: int | None = None
    place: Citation | None = None


@dataclass(frozen=True, slots=True)
class ProvisionIssue:
    """A code with its severity and everything it concerns."""

    code: str
    severity: Severity
    concerns: tuple[Concern, ...]
    text: str
    kind: str | None = None

    @property
    def name(self) -> str:
        return f"{self.code}/{self.kind}" if self.kind else self.code

    @property
    def line(self) -> str:
        """As the output's issue lists show it; `reply.code_of` reads the code back."""
        return f"{self.name}: {self.text}"

    def systemic(self, extracted: int, rules: Rules) -> bool:
        """Whether it concerns many items, and a good share of them."""
        size = len(self.concerns)
        share = rules["systemic_share"] * max(extracted, 1)
        return size >= rules["systemic_items"] and size >= share


def issue(
    rules: Rules, code: str, concerns: Iterable[Concern], kind: str | None = None
) -> list[ProvisionIssue]:
    """The issue, or none when it concerns nothing."""
    about = tuple(concerns)
    if not about:
        return []
    meaning = rules.kind[kind] if kind else rules.issue[code]
    shown = "; ".join(
        f"{concern.label} ({concern.note})" if concern.note else concern.label
        for concern in about[:3]
    )
    more = f"; and {len(about) - 3} more" if len(about) > 3 else ""
    text = f"{meaning}: {shown}{more}"
    return [ProvisionIssue(code, rules.severity[code], about, text, kind)]


def as_json(issue_found: ProvisionIssue, extracted: int, rules: Rules) -> IssueRecord:
    """An issue for the verdict's `issues`."""
    return {
        "severity": issue_found.severity,
        "code": issue_found.code,
        "kind": issue_found.kind,
        "text": issue_found.text,
        "systemic": issue_found.severity == "MAJOR" and issue_found.systemic(extracted, rules),
        "items": [_concern(about) for about in issue_found.concerns],
    }


def _concern(about: Concern) -> ConcernRecord:
    concern: ConcernRecord = {"label": about.label, "note": about.note, "item": about.item}
    if about.place is not None:
        concern["quote"] = about.place.quote
        concern["start"] = about.place.start
        concern["end"] = about.place.end
    return concern
