"""Which variant of a judge a run means: what is installed when it begins, that one to its end.

The bare name `embedded` is full where its packages are installed, else light. A run that is
resumed after an installation would mix the two, so it keeps the one it was begun with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from oyer.errors import UsageError
from oyer.judges.names import members, provider_of, without_exam
from oyer.judges.open_judges import JudgePool
from oyer.runs.plan import Plan
from oyer.store.store import Store


def settle(plan: Plan, store: Store, pool: JudgePool) -> str | None:
    """Bind bare names for this run; what to tell the user, if the suite uses one."""
    names = {without_exam(one) for name in plan.suite.judges for one in members(name)}
    bare = sorted(name for name in names if _may_vary(name))
    notes = [_settle(name, plan, store, pool) for name in bare]
    return "; ".join(notes) or None


def _may_vary(name: str) -> bool:
    """Whether what is installed decides what this name means."""
    provider = provider_of(name)
    return name == provider.name and bool(provider.variants)


def _settle(name: str, plan: Plan, store: Store, pool: JudgePool) -> str:
    here = pool.open(name).name
    run = next((r for r in store.runs() if r.identity == plan.manifest.identity), None)
    counts = {} if run is None else store.counts(run.id)
    began = _began(name, [judge for judge, _ in counts])
    now = here.rpartition("-")[2]
    if run is None or began is None or now == began:
        return f"{name} is {name}:{now} here ({here})"
    another = f"{name} is {name}:{now} here by now; name that in the suite for a new run"
    if sum(counts.values()) < plan.manifest.tasks:
        try:
            pool.bind(name, f"{name}:{began}")
        except UsageError as missing:
            raise UsageError(
                f"run {run.id} was begun with {name}:{began}, and keeps it: {missing} ({another})"
            ) from None
    return f"run {run.id} was begun with {name}:{began}, and keeps it ({another})"


def _began(name: str, judges: Iterable[str]) -> str | None:
    """The variant of the run's verdicts; panels sign with their members' names."""
    variants = "|".join(provider_of(name).variants)
    signed = re.compile(rf"{re.escape(name)}@[^-+]*-({variants})")
    return next((found[1] for judge in judges if (found := signed.search(judge))), None)
