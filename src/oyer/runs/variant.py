"""Which `embedded` a run means: what is installed when it begins, and that one to its end.

The name `embedded` is full where its packages are installed, else light. A run that is resumed
after an installation would mix the two, so it keeps the one its first verdicts were made by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from oyer.errors import UsageError
from oyer.judges.names import EXAM, members
from oyer.judges.open_judges import JudgePool
from oyer.runs.plan import Plan
from oyer.store.store import Store

_SIGNED = re.compile(r"embedded@[^-+]*-(light|full)")


def settle(plan: Plan, store: Store, pool: JudgePool) -> str | None:
    """Bind the name `embedded` for this run; what to tell the user, if the suite uses it."""
    names = [one.removeprefix(EXAM) for name in plan.suite.judges for one in members(name)]
    if "embedded" not in names:
        return None
    here = pool.open("embedded").name
    run = next((r for r in store.runs() if r.identity == plan.manifest.identity), None)
    counts = {} if run is None else store.counts(run.id)
    began = _began(judge for judge, _ in counts)
    if run is None or began is None or here.endswith(f"-{began}"):
        return f"embedded is embedded:{here.rpartition('-')[2]} here ({here})"
    now = here.rpartition("-")[2]
    another = f"embedded is embedded:{now} here by now; name that in the suite for a new run"
    if sum(counts.values()) < plan.manifest.tasks:
        try:
            pool.bind_embedded(began)
        except UsageError as missing:
            raise UsageError(
                f"run {run.id} was begun with embedded:{began}, and keeps it: {missing} ({another})"
            ) from None
    return f"run {run.id} was begun with embedded:{began}, and keeps it ({another})"


def _began(judges: Iterable[str]) -> str | None:
    """The variant of the run's verdicts; panels sign with their members' names."""
    return next((found[1] for judge in judges if (found := _SIGNED.search(judge))), None)
