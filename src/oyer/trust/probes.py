"""Probes: cases changed so that the right answer is known, and whether a judge gave it.

The size of the right answer is known, too: the known finding is put into what the judge itself
found in the unchanged case, and code scores it again. A relation that the protocol's own rule
breaks (a cap that no longer holds, a score that cannot fall further) is no fault of the judge.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random

from oyer.engine import Answers, decide
from oyer.errors import UsageError
from oyer.records import VerdictRecord, output_objects
from oyer.trust.proportions import wilson_limits
from oyer.types import AnyProtocol, Case, JsonObject, Probe, Reply

MARK = " ⟂ "  # in the id of a changed case: its own id, its author, the probe's name
TINY = 1e-9


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """One probe over many cases: how often the judge did what is right, and by how much."""

    name: str
    promise: str
    pairs: int  # of verdicts compared; those excused are not among them
    held: int
    excused: int  # the protocol's own rule moved the score, or would not have moved it
    unscored: int  # one of the two has no score
    judge_moved: float  # mean change of the score, in points
    right_moved: float  # ... if the judge had found just what was planted; NaN: not known

    @property
    def interval(self) -> str:
        if not self.pairs:
            return "—"
        low, high = wilson_limits(self.held / self.pairs, self.pairs)
        return f"{self.held / self.pairs:.2f} [{low:.2f}, {high:.2f}]"

    @property
    def size(self) -> str:
        right = "—" if math.isnan(self.right_moved) else f"{self.right_moved:+.2f}"
        judge = "—" if math.isnan(self.judge_moved) else f"{self.judge_moved:+.2f}"
        return f"{judge} / {right}"


def choose_probes(protocol: AnyProtocol, names: str) -> tuple[Probe, ...]:
    """The probes a user names: `all`, or names with commas."""
    if not protocol.probes:
        raise UsageError(f"{protocol.id} has no probes.")
    if names == "all":
        return protocol.probes
    known = {probe.name: probe for probe in protocol.probes}
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no probe '{name}'; there is {', '.join(known)}.")
    return tuple(known[name] for name in wanted)


def probe_cases(probes: Sequence[Probe], cases: Sequence[Case]) -> list[Case]:
    """Each case as it is, then changed by each probe that applies; the same every time."""
    every = []
    for case in cases:
        every.append(case)
        for probe in probes:
            chance = Random(sha256(f"{case.id} {case.candidate} {probe.name}".encode()).digest())
            changed = probe.change(case, chance)
            if changed is not None:
                name = MARK.join((case.id, case.candidate or "", probe.name))
                every.append(replace(changed, id=name))
    return every


@dataclass(frozen=True, slots=True)
class JudgedProbe:
    """A case and its verdict's record."""

    case: Case
    record: VerdictRecord


def judge_probes(
    protocol: AnyProtocol, probes: Sequence[Probe], verdicts: Sequence[JudgedProbe]
) -> list[ProbeResult]:
    """One judge's verdicts on `probe_cases`, by probe."""
    plain = {
        (judged.case.id, judged.case.candidate or ""): judged
        for judged in verdicts
        if MARK not in judged.case.id
    }
    results = []
    for probe in probes:
        pairs = list(_pairs(probe, plain, verdicts))
        if pairs:
            results.append(_judge(protocol, probe, pairs))
    return results


def _pairs(
    probe: Probe, plain: Mapping[tuple[str, str], JudgedProbe], verdicts: Sequence[JudgedProbe]
) -> Iterator[tuple[JudgedProbe, JudgedProbe]]:
    """The verdict on a case as it was, and on the changed one."""
    for judged in verdicts:
        if not judged.case.id.endswith(f"{MARK}{probe.name}"):
            continue
        name, author, _ = judged.case.id.rsplit(MARK, 2)
        before = plain.get((name, author))
        if before is not None:
            yield before, judged


def _judge(
    protocol: AnyProtocol, probe: Probe, pairs: Sequence[tuple[JudgedProbe, JudgedProbe]]
) -> ProbeResult:
    held = excused = unscored = refused = 0
    moves: list[float] = []
    rights: list[float] = []
    low, high = _scale(protocol, probe.metric)
    slack = probe.slack * (high - low) + TINY
    for before, after in pairs:
        old = _score(before.record, probe.metric)
        new = _score(after.record, probe.metric)
        if old is not None and _is_refused(probe, after):
            refused += 1
            continue
        if old is None or new is None:
            unscored += 1
            continue
        right = _right(protocol, probe, before, after)
        if _is_excused(protocol, probe, (before, after), right, new > old + slack):
            excused += 1
            continue
        moves.append(new - old)
        if right is not None:
            rights.append(right - old)
        held += _holds(probe, new - old, slack)
    return ProbeResult(
        name=probe.name,
        promise=probe.promise,
        pairs=len(moves) + refused,
        held=held + refused,
        excused=excused,
        unscored=unscored,
        judge_moved=sum(moves) / len(moves) if moves else math.nan,
        right_moved=sum(rights) / len(rights) if rights else math.nan,
    )


def _is_refused(probe: Probe, after: JudgedProbe) -> bool:
    """Whether the changed text got no score because there is nothing to judge: as it should."""
    return probe.relation == "falls" and after.record.get("error") == "input"


def _holds(probe: Probe, moved: float, slack: float) -> bool:
    if probe.relation == "falls":
        return moved < -TINY
    if probe.relation == "stays":
        return abs(moved) <= slack
    return moved <= slack


def _is_excused(
    protocol: AnyProtocol,
    probe: Probe,
    pair: tuple[JudgedProbe, JudgedProbe],
    right: float | None,
    rose: bool,
) -> bool:
    """Whether the protocol's own rule explains why the score did not do what was promised."""
    before, after = pair
    old = _score(before.record, probe.metric) or 0.0
    if probe.relation == "falls":
        floor = _scale(protocol, probe.metric)[0]
        return old <= floor + TINY or (right is not None and right >= old - TINY)
    return rose and bool(_caps(protocol, before.record) - _caps(protocol, after.record))


def _caps(protocol: AnyProtocol, record: VerdictRecord) -> set[str]:
    return {step["rule"] for step in record["trace"] if protocol.is_cap(step["rule"])}


def _right(
    protocol: AnyProtocol, probe: Probe, before: JudgedProbe, after: JudgedProbe
) -> float | None:
    """The score that the planted finding alone leads to; None: nobody knows."""
    if probe.insert is not None:
        objects = [found for _, found in output_objects(before.record["output"])]
        inserted = probe.insert(before.case, after.case, objects)
        if inserted is None:
            return None
        text = "\n\n".join(json.dumps(found) for found in inserted)
    elif protocol.answer is not None:
        text = protocol.answer(after.case)
    else:
        return None
    verdict = decide(Answers(after.case, "probe", (Reply(text, "probe"),)), protocol)
    if verdict.scores is None:
        return None
    return _score({"scores": verdict.scores, "total": verdict.total}, probe.metric)


def _score(record: JsonObject, metric: str) -> float | None:
    scores = record["scores"]
    if scores is None:
        return None
    value = record["total"] if metric == "total" else scores.get(metric)
    return None if value is None else float(value)


def _scale(protocol: AnyProtocol, metric: str) -> tuple[float, float]:
    if metric in protocol.scale:
        return protocol.scale[metric]
    scales = protocol.scale.values()
    return min(low for low, _ in scales), max(high for _, high in scales)
