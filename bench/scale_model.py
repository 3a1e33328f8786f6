"""What 10^6 to 10^9 verdicts cost, from measured constants; and a simulation that checks it.

The model is four divisions: calls in flight over latency, cores over CPU, rows over what a server
takes, bytes a verdict. The simulation plays single calls: it knows nothing of those divisions, only
how long a call waits, a core decides and a commit takes.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass

#: Cores that one worker can use, as far as we have measured: it has one event loop.
USED = 2


@dataclass(frozen=True, slots=True)
class Constants:
    """Measured on this project's two-core machine, but for `commit`; see docs/scale.md."""

    cpu: float = 0.0025  # seconds of a core a verdict: asked, read, decided, written
    commit: float = 0.004  # seconds of a commit that is synced
    rows_a_commit: int = 64  # rows that share one
    rows: int = 3  # a verdict: a case, a reply, a verdict
    input_tokens: int = 1_900  # of an article of 1,000 words with the prompt of judge-lock
    output_tokens: int = 1_100
    bytes: int = 6_500  # in PostgreSQL with its indexes, a verdict with its case and reply
    parquet_bytes: int = 1_400
    rescore_cpu: float = 0.0008  # seconds of a core a stored verdict


@dataclass(frozen=True, slots=True)
class Setting:
    """Machines and a judge."""

    workers: int = 4
    cores: int = 8  # a worker's
    in_flight: int = 256  # a worker's
    latency: float = 2.0
    dollars_a_million: float = 0.5  # tokens, input and output alike


@dataclass(frozen=True, slots=True)
class Forecast:
    calls: int
    rate: float  # verdicts a second
    limit: str  # what sets it
    seconds: float
    core_hours: float
    tokens: float
    dollars: float
    rows: int
    gigabytes: float
    parquet_gigabytes: float
    rescore_core_hours: float


def forecast(verdicts: int, setting: Setting, constants: Constants) -> Forecast:
    """One call a verdict; retries and repeats multiply it."""
    limits = rates(setting, constants)
    limit = min(limits, key=lambda name: limits[name])
    tokens = verdicts * (constants.input_tokens + constants.output_tokens)
    return Forecast(
        verdicts, limits[limit], limit, verdicts / limits[limit],
        verdicts * constants.cpu / 3600, tokens, tokens / 1e6 * setting.dollars_a_million,
        verdicts * constants.rows, verdicts * constants.bytes / 1e9,
        verdicts * constants.parquet_bytes / 1e9, verdicts * constants.rescore_cpu / 3600,
    )  # fmt: skip


def rates(setting: Setting, constants: Constants) -> dict[str, float]:
    """Verdicts a second that each resource allows."""
    workers = setting.workers
    cores = min(setting.cores, USED)
    return {
        "waiting for judges": workers * setting.in_flight / setting.latency,
        "CPU of workers": workers * cores / constants.cpu,
        "commits": workers * constants.rows_a_commit / constants.commit / 2,
    }


def simulate(setting: Setting, constants: Constants, rounds: int = 40) -> float:
    """Verdicts a second of all workers, by playing the calls of one of them one by one."""
    calls = rounds * setting.in_flight
    return setting.workers * calls / _play_worker(setting, constants, calls)


def _play_worker(setting: Setting, constants: Constants, calls: int) -> float:
    """When one worker has done its calls: each waits, is committed with others, is decided."""
    cores = [0.0] * min(setting.cores, USED)
    events: list[tuple[float, int]] = []  # when a reply comes
    begun = min(setting.in_flight, calls)
    for number in range(begun):
        heapq.heappush(events, (setting.latency * (1 + number / begun), number))
    waiting: deque[float] = deque()
    done, writer_free, end = 0, 0.0, 0.0
    while events:
        now, _ = heapq.heappop(events)
        waiting.append(now)
        if events and events[0][0] <= max(now, writer_free) and len(waiting) < 32:
            continue  # the writer is busy: who comes meanwhile shares the next commit
        writer_free = max(now, writer_free) + constants.commit
        for _ in range(len(waiting)):
            waiting.popleft()
            core = heapq.heappop(cores)
            decided = max(core, writer_free) + constants.cpu
            heapq.heappush(cores, decided)
            end, done = max(end, decided), done + 1
            if begun < calls:
                # The place is free when the reply is committed; the core is busy for itself.
                heapq.heappush(events, (max(writer_free, core) + setting.latency, begun))
                begun += 1
    assert done == calls
    return end


def print_model(constants: Constants | None = None) -> None:
    constants = constants or Constants()
    print(constants)
    print("\nsimulated beside the model, verdicts a second:")
    for setting in SETTINGS:
        limits = rates(setting, constants)
        limit = min(limits, key=lambda name: limits[name])
        played = simulate(setting, constants)
        print(
            f"  {setting.workers:>3} workers x {setting.cores} cores, {setting.in_flight:>5} in "
            f"flight, {setting.latency:g} s: model {limits[limit]:>8,.0f} ({limit}), played "
            f"{played:>8,.0f}, {played / limits[limit]:.2f}"
        )
    print(f"\n{Setting()}")
    for power in (6, 7, 8, 9):
        cost = forecast(10**power, Setting(), constants)
        print(
            f"10^{power}: {cost.rate:,.0f}/s ({cost.limit}), {cost.seconds / 3600:,.1f} h; "
            f"{cost.tokens:.1e} tokens, ${cost.dollars:,.0f}; {cost.core_hours:,.1f} core hours, "
            f"rescoring {cost.rescore_core_hours:,.1f}; {cost.rows:,} rows, "
            f"{cost.gigabytes:,.0f} GB, {cost.parquet_gigabytes:,.0f} GB of Parquet"
        )


SETTINGS = (
    Setting(1, 2, 3, 0.05),
    Setting(1, 2, 32, 0.5),
    Setting(4, 8, 256, 2.0),
    Setting(4, 8, 1024, 0.5),
    Setting(16, 8, 1024, 3.0),
)


if __name__ == "__main__":
    print_model()
