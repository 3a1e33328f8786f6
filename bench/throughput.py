"""How fast judging is: python bench/throughput.py [--calls N …] [--memory N …] [--rivals]

Judge-lock calls (5 KB prompts, 4 KB replies) against a local server in its own process, with 50 and
200 ms latency, at 64 and 256 in flight. `oyer` is the whole product: `oyer run`'s own machinery
plans, asks, audits every reply (all quotations looked up, all scores recomputed) and stores case,
reply and verdict in SQLite. `bare` is aiohttp alone: the same bodies built, sent, read and parsed,
and thrown away. `ask` is Oyer's judge alone, without audit and store. Each runs in a fresh process;
wall and CPU are of the work, without the start of the interpreter and imports, the CPU of workers
(processes that read replies) included. Memory is taken in a run of its own: the largest sum over
the run and its workers of their share of memory (PSS, which counts a page of several processes
once), looked at every tenth of a second. Prints what it measured, nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SETTINGS = [(50, 64), (50, 256), (200, 64), (200, 256)]  # latency in ms, in flight


# ── the children ──────────────────────────────────────────────────────────────────────────────


def measured(work: Any) -> None:
    """Run the work and print wall, CPU and peak memory as one line of JSON."""
    before, started = cpu_so_far(), time.perf_counter()
    done = work()
    wall = time.perf_counter() - started
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"done": done, "wall": wall, "cpu": cpu_so_far() - before, "rss": rss}))


def cpu_so_far() -> float:
    """Seconds of CPU of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def bare(folder: Path, count: int, in_flight: int, url: str) -> None:
    """aiohttp and nothing else: `in_flight` workers over one session."""
    import aiohttp

    sample = json.loads((folder / "sample.json").read_text())

    async def worker(session: aiohttp.ClientSession, numbers: Iterator[int]) -> int:
        done = 0
        for number in numbers:
            messages = [sample["messages"][0], {**sample["messages"][1], "n": number}]
            data = json.dumps({**sample, "messages": messages}).encode()
            headers = {"Content-Type": "application/json"}
            async with session.post(url, data=data, headers=headers) as response:
                payload = json.loads(await response.read())
            done += bool(payload["choices"][0]["message"]["content"])
        return done

    async def main() -> int:
        numbers = iter(range(count))
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            return sum(await asyncio.gather(*(worker(session, numbers) for _ in range(in_flight))))

    measured(lambda: asyncio.run(main()))


def asked(folder: Path, count: int, in_flight: int, url: str) -> None:
    """Oyer's judge alone: the same questions through its gate, limits and accounts; no audit."""
    import oyer.judges.server  # noqa: F401 — imports are not measured
    from oyer.judges import JudgePool, Options
    from oyer.types import Prompt

    sample = json.loads((folder / "sample.json").read_text())
    system, user = (message["content"] for message in sample["messages"])
    schema = sample["response_format"]["json_schema"]["schema"]

    async def worker(pool: JudgePool, numbers: Iterator[int]) -> int:
        judge, done = pool.open(f"openai:m@{url.removesuffix('/chat/completions')}"), 0
        for number in numbers:
            reply = await judge.ask(Prompt(system, f"{user}{number}", schema))
            done += bool(reply.text)
        return done

    async def main() -> int:
        numbers = iter(range(count))
        async with JudgePool(Options(in_flight=in_flight)) as pool:
            return sum(await asyncio.gather(*(worker(pool, numbers) for _ in range(in_flight))))

    measured(lambda: asyncio.run(main()))


def product(folder: Path) -> None:
    """What `oyer run` does, from the plan to the closed store."""
    import oyer.judges.server
    import oyer.store.store  # noqa: F401 — imports are not measured
    from oyer.runs.deciding import open_deciding_workers
    from oyer.runs.plan import make_plan
    from oyer.runs.session import run_session
    from oyer.runs.suite import read_suite
    from oyer.store import open_store

    plan = make_plan(read_suite(folder / "suite.toml"))

    def work() -> int:
        tasks, where = plan.manifest.tasks, str(folder / "run.db")
        with open_deciding_workers(tasks, forked=True) as workers, open_store(where) as store:
            session = run_session(plan, store, workers)
        assert session.unscored == 0, "every reply fits its case"
        return session.new

    measured(work)


# ── the parent ────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def server(latency: float) -> Iterator[str]:
    command = [sys.executable, str(HERE / "throughput_server.py"), str(latency)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
    finally:
        process.kill()
        process.wait()


def child(*arguments: str, watched: bool = False) -> dict[str, float]:
    """One measurement in a fresh process; `watched`: with the memory of all its processes."""
    environ = {**os.environ, "PYTHONPATH": f"{HERE.parent / 'src'}{os.pathsep}{HERE}"}
    command = [sys.executable, str(HERE / "throughput.py"), "--child", *arguments]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, env=environ, stdout=out, stderr=said)
        peak = 0.0
        while watched and process.poll() is None:
            peak = max(peak, footprint(process.pid))
            time.sleep(0.1)
        failed = process.wait()
        out.seek(0)
        said.seek(0)
        if failed:
            raise SystemExit(said.read())
        row: dict[str, float] = json.loads(out.read().splitlines()[-1])
    return row | {"pss": peak}


def footprint(process: int) -> float:
    """MB of a process and its children; a page they share is counted once. 0: it is gone."""
    total = 0.0
    with contextlib.suppress(OSError):
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        for one in (str(process), *children):
            with contextlib.suppress(OSError):
                told = Path(f"/proc/{one}/smaps_rollup").read_text()
                total += int(told.partition("\nPss:")[2].split()[0]) / 1024
    return total


def sample_body(folder: Path, url: str) -> int:
    """The body that oyer sends for the first case: `bare` sends the same; its size."""
    from throughput_material import TEMPLATE, case

    from oyer.engine import Asking, prompt_of
    from oyer.judges import JudgePool
    from oyer.judges.server import ServerJudge
    from oyer.judges.wire import Call
    from oyer.protocols.catalogue import find_protocol
    from oyer.types import Case

    judge = JudgePool().open(f"openai:m@{url}")
    assert isinstance(judge, ServerJudge)
    one = case(0)
    subject = Case(one["id"], {k: v for k, v in one.items() if k != "id"})
    prompt = prompt_of(subject, find_protocol("judge-lock"), judge, Asking(template=TEMPLATE))
    call = Call("m", prompt, judge.options, judge.features)
    body = json.dumps(judge.endpoint.wire.body(call), ensure_ascii=False)
    (folder / "sample.json").write_text(body)
    return len(prompt.system.encode()) + len(prompt.user.encode())


def compare(count: int, latency: int, in_flight: int, repeat: int) -> dict[str, Any]:
    """Both in turns, `repeat` times; medians."""
    from throughput_material import write_suite

    rows: dict[str, list[dict[str, float]]] = {"bare": [], "ask": [], "oyer": []}
    with server(latency / 1000) as url, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_suite(folder, count, in_flight, url)
        sample_body(folder, url)
        for _ in range(repeat):
            path = f"{url}/chat/completions"
            for who in ("bare", "ask"):
                rows[who].append(child(who, name, str(count), str(in_flight), path))
            for old in folder.glob("run.db*"):
                old.unlink()
            rows["oyer"].append(child("oyer", name))
    middle = {
        who: {key: statistics.median(row[key] for row in made) for key in ("wall", "cpu", "rss")}
        for who, made in rows.items()
    }
    return {"calls": count, "latency": latency, "in_flight": in_flight, **middle}


def memory(count: int, latency: int, in_flight: int) -> None:
    """One run of that many calls, watched."""
    from throughput_material import write_suite

    with server(latency / 1000) as url, tempfile.TemporaryDirectory() as name:
        write_suite(Path(name), count, in_flight, url)
        row = child("oyer", name, watched=True)
        size = (Path(name) / "run.db").stat().st_size / 1e6
    print(
        f"{count:6,} {latency:4} ms {in_flight:9} | {row['pss']:4.0f} MB with workers "
        f"(the run alone: resident {row['rss']:.0f}) | {row['wall']:.1f} s, "
        f"{row['cpu'] / count * 1000:.2f} ms of CPU a call; the store has {size:.0f} MB",
        flush=True,
    )


def print_settings() -> None:
    import aiohttp
    import sqlalchemy
    from throughput_material import reply

    with tempfile.TemporaryDirectory() as name:
        prompt = sample_body(Path(name), "http://127.0.0.1:1/v1")
        body = (Path(name) / "sample.json").stat().st_size
    print(
        f"python {platform.python_version()}, aiohttp {aiohttp.__version__}, "
        f"sqlalchemy {sqlalchemy.__version__}, {os.cpu_count()} processors, "
        f"load {os.getloadavg()[0]:.1f}; prompt {prompt:,} bytes "
        f"(request {body:,} with its schema), "
        f"reply {len(reply(0).encode()):,} bytes"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, nargs="+", default=[1_000, 10_000])  # 0: none
    parser.add_argument("--memory", type=int, nargs="+", default=[10_000, 20_000])  # 0: none
    parser.add_argument(
        "--repeat", type=int, default=3, help="runs of each, the median counts; one from 10,000"
    )
    parser.add_argument(
        "--settings", nargs="+", metavar="MS:N", help="latency in ms and calls in flight: 1000:256"
    )
    parser.add_argument("--rivals", action="store_true", help="install and run the others, too")
    parser.add_argument("--envs", help="where the others are installed (else a temporary folder)")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        who, folder, *more = args.child
        if more:
            (bare if who == "bare" else asked)(Path(folder), int(more[0]), int(more[1]), more[2])
        else:
            product(Path(folder))
        return
    print_settings()
    print(
        " calls latency in flight | wall s: bare    ask   oyer  ratio | "
        "CPU ms a call: bare ask oyer | rss MB | load"
    )
    settings = SETTINGS
    if args.settings:
        pairs = [setting.split(":") for setting in args.settings]
        settings = [(int(latency), int(in_flight)) for latency, in_flight in pairs]
    for count in filter(None, args.calls):
        for latency, in_flight in settings:
            row = compare(count, latency, in_flight, args.repeat if count < 10_000 else 1)
            wall = [row[who]["wall"] for who in ("bare", "ask", "oyer")]
            cpu = [row[who]["cpu"] / count * 1000 for who in ("bare", "ask", "oyer")]
            print(
                f"{count:6,} {latency:4} ms {in_flight:9} | "
                f"{wall[0]:12.2f} {wall[1]:6.2f} {wall[2]:6.2f} {wall[2] / wall[0]:5.2f}x | "
                f"{cpu[0]:18.2f} {cpu[1]:.2f} {cpu[2]:.2f} | {row['oyer']['rss']:6.0f} | "
                f"{os.getloadavg()[0]:.1f}",
                flush=True,
            )
    for count in filter(None, args.memory):
        memory(count, 50, 256)
    if args.rivals:
        from throughput_rivals import run_rivals

        run_rivals(args.envs)


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parent / "src")]
    main()
