"""A word before each further call for one question: where a run's budget speaks up.

A judge that tries again may be billed again. Before it does, it tells the guard (if there is one)
what this question has cost so far; the guard may raise BudgetError, and the judge asks no more.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from oyer.errors import BudgetError
from oyer.types import Usage

Guard = Callable[[Usage], None]
guard: ContextVar[Guard | None] = ContextVar("guard", default=None)


def before_another_call(usage: Usage) -> None:
    """Called by judges between two calls for the same question."""
    said = guard.get()
    if said is None:
        return
    try:
        said(usage)
    except BudgetError as full:
        full.usage = usage
        raise
