"""Looking for cyclic garbage seldom, where there is next to none."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

_EVERY = 20_000  # new objects between two looks; Python's own pace is 700


@contextlib.contextmanager
def collected_seldom() -> Iterator[None]:
    """A verdict is thousands of small objects that form no cycle: looking for some in all of
    them was a tenth of the CPU of a run."""
    before = gc.get_threshold()
    gc.freeze()  # what is loaded stays
    gc.set_threshold(_EVERY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
