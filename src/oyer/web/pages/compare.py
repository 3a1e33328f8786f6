"""Two runs, or two judges of one run, paired case by case: what moved, and the cases that did."""

from __future__ import annotations

from oyer.errors import UsageError
from oyer.report.compare import Comparison, compare
from oyer.report.snapshot import total_range
from oyer.report.standings import Gathered, gather
from oyer.report.tables import tell_pairs
from oyer.report.take_snapshot import of_judge
from oyer.store import Run
from oyer.store.kept_columns import read_columns
from oyer.web.render import Page
from oyer.web.site import NotThere, PageRequest, Site

LARGEST = 60_000  # verdicts that are compared while somebody waits
SHOWN = 60  # cases that moved


def show(site: Site, request: PageRequest) -> Page:
    """The form, and the comparison that it asks for."""
    runs = sorted(site.store.runs(), key=lambda run: -run.id)
    values: dict[str, object] = {
        "page": "compare",
        "runs": runs,
        "before": request.word("before"),
        "after": request.word("after"),
        "before_judge": request.word("before_judge"),
        "after_judge": request.word("after_judge"),
        "comparison": None,
        "wrong": "",
        "judges": {},
    }
    if not (request.word("before") and request.word("after")):
        return Page("compare.html", values)
    old, new = (_run(site, request.word(name)) for name in ("before", "after"))
    values["judges"] = {run.id: _judges(site, run) for run in (old, new)}
    try:
        compared = values["comparison"] = _compare(site, old, new, request)
        values["notes"] = tell_pairs(compared)
        values["scale"] = total_range(site.protocol(old))
    except UsageError as wrong:
        values["wrong"] = str(wrong)
    values["old"], values["new"] = old, new
    return Page("compare.html", values)


def _run(site: Site, number: str) -> Run:
    if not number.isdigit():
        raise NotThere(f"'{number}' is no run's number.")
    return site.run(int(number))


def _judges(site: Site, run: Run) -> list[str]:
    snapshot = site.snapshots.of(run)
    return list(snapshot.judges) if snapshot else []


def _compare(site: Site, old: Run, new: Run, request: PageRequest) -> Comparison:
    if old.manifest.protocol.partition("@")[0] != new.manifest.protocol.partition("@")[0]:
        raise UsageError("Only runs of one protocol can be compared.")
    for run in (old, new):
        low, high = site.store.span(run.id)
        if high - low > LARGEST and run.manifest.tasks > LARGEST:
            raise UsageError(
                f"Run {run.id} has too many verdicts to be compared here while you wait: "
                f"oyer compare {old.id} {new.id}"
            )
    before = _gather(site, old, request.word("before_judge"))
    after = _gather(site, new, request.word("after_judge"))
    manifests = (old.manifest.as_json(), new.manifest.as_json())
    return compare(before, after, manifests)


def _gather(site: Site, run: Run, judge: str) -> Gathered:
    every = read_columns(site.store, run.id)
    chosen = of_judge(every, judge) if judge else every
    return gather(chosen, site.protocol(run).scale, panels=run.manifest.panels)
