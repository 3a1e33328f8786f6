"""Whether the pairs of two runs are of the same sources: cases are paired by their ids alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from oyer.store.browse import Browser

if TYPE_CHECKING:
    from oyer.report.open_run import Opened

LOOKED_AT: Final = 40  # shared cases, spread over all: to read every text takes too long


def warn_other_sources(before: Opened, after: Opened) -> str:
    """That cases of one id have different sources in the two runs, in a sentence; "": not seen."""
    judged = after.protocol.judged
    if not judged or before.run.manifest.cases_sha == after.run.manifest.cases_sha:
        return ""
    shared = [case for case in before.gathered.cases if case in after.gathered.cases]
    some = shared[:: max(1, len(shared) // LOOKED_AT)]
    old = _sources(before, some, judged)
    new = _sources(after, some, judged)
    both = [case for case in some if case in old and case in new]
    others = [case for case in both if old[case] != new[case]]
    if not others:
        return ""
    fields = ", ".join(f.name for f in after.protocol.fields if f.required and f.name != judged)
    return (
        f"{len(others)} of {len(both)} pairs looked at have another {fields} in the two runs "
        f"(case {others[0]}, for example): cases are paired by id, and a row without an id is "
        "called by its number. Give each source an id of its own in both files."
    )


def _sources(opened: Opened, cases: Sequence[str], judged: str) -> dict[str, Mapping[str, object]]:
    """What each case says beside the judged text."""
    browser = Browser(opened.store)
    shas = {}
    for case in cases:
        outcomes = browser.case(opened.run.id, case)
        if outcomes:
            shas[case] = outcomes[0].case_sha
    stored = opened.store.cases(shas.values())
    sources: dict[str, Mapping[str, object]] = {}
    for case, sha in shas.items():
        if sha in stored:
            fields = stored[sha].case.fields
            sources[case] = {name: value for name, value in fields.items() if name != judged}
    return sources
