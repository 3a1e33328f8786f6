"""A protocol whose code fails, or that gives a score it does not have: one case's error.

Protocols are plug-ins. A fault in one case's `score` must neither end a run nor become a score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from traceback import FrameSummary, extract_tb

from oyer.errors import ProtocolError
from oyer.types import AnyProtocol, Case

_OYER = Path(__file__).parent.parent
_OURS = tuple(str(_OYER / room) for room in ("engine.py", "verdicts", "store", "runs"))


def blame_protocol(bug: Exception, protocol: AnyProtocol, case: Case) -> ProtocolError:
    """What went wrong, in which function of the protocol, at which line of its code."""
    frames = [frame for frame in extract_tb(bug.__traceback__) if not _is_ours(frame)]
    message = f"{type(bug).__name__}: {bug}" if str(bug) else type(bug).__name__
    if not frames:
        return _failure(protocol, case, message)
    folder = Path(frames[0].filename).parent
    inner = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)][-1]
    # Only the end of the path: the same case has the same verdict on every machine.
    file = "/".join(Path(inner.filename).parts[-2:])
    place = f"{file}, line {inner.lineno}, in {inner.name}"
    return _failure(protocol, case, f"{message} ({place})")


def _failure(protocol: AnyProtocol, case: Case, message: str) -> ProtocolError:
    """No file and line of the case: the same case has the same verdict wherever it was read."""
    return ProtocolError(f"case '{case.id}': a bug in the protocol {protocol.name}: {message}")


def _is_ours(frame: FrameSummary) -> bool:
    return frame.filename.startswith(_OURS)


def require_scale(
    protocol: AnyProtocol, case: Case, scores: Mapping[str, float], total: float
) -> Mapping[str, float]:
    """The scores, all of them within the protocol's own scale; else a ProtocolError."""
    scale = protocol.scale
    for key, value in scores.items():
        if key not in scale:
            known = ", ".join(scale)
            raise _failure(protocol, case, f"it gave a score '{key}'; its scale has {known}")
        low, high = scale[key]
        if not low <= value <= high:
            wrong = f"it gave {key} {value:g}; its scale is {low:g} to {high:g}"
            raise _failure(protocol, case, wrong)
    lowest, highest = scale.get("total") or _hull(scale)
    if not lowest <= total <= highest:
        wrong = f"it gave a total of {total:g}; its scale is {lowest:g} to {highest:g}"
        raise _failure(protocol, case, wrong)
    return scores


def _hull(scale: Mapping[str, tuple[int, int]]) -> tuple[float, float]:
    """Where a total lies that has no scale of its own: between the lowest and the highest score."""
    if not scale:
        return -math.inf, math.inf
    return min(low for low, _ in scale.values()), max(high for _, high in scale.values())
