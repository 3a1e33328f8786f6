"""Oyer beside other tools: python bench/throughput_rivals.py --envs DIR [--calls N]
[--repeat N] [--latency SECONDS] [--in-flight N]

Also the last part of `bench/throughput.py --rivals`. The others are installed, at the versions
below, in environments of their own in DIR (kept: a second run finds them) and each does its nearest
equivalent of judging a summary against its article: one call a case, 5 KB of prompt, a reply of
4 KB read into a score, at its own option for calls in flight:

    DeepEval    `evaluate` with GEval and fixed steps; score and reason read from the JSON
    Inspect AI  `eval`, its scorer model_graded_qa; the grade read by its pattern, its log written
    promptfoo   `eval`, its assertion llm-rubric; pass and score read, kept in its database

None of them looks a quotation up or recomputes a score; Oyer does both, and stores the verdicts.
Telemetry, looking for updates, progress bars and caches are off. The wall is of the whole command;
`start` is the same command with one call, and its CPU is left out of the CPU of a call. A tool
that cannot be installed or fails says so in its row, and the others go on.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
LATENCY, IN_FLIGHT = 0.05, 64
INSTALLING, RUNNING = 1_800, 900  # seconds: one that hangs stops no other
PINS = {
    "deepeval": "4.3.1",
    "inspect-ai": "0.3.285",
    "promptfoo": "0.121.20",
    "node": "24.21.0",
    "openai": "3.49.0",
    "s3fs": "2026.6.0",
    "boto3": "1.43.117",
}
#: Inspect takes any s3fs and boto3, but each wants its own fsspec and botocore: pip would try them
#: one by one.
INSPECTED = ("inspect-ai", "openai", "s3fs", "boto3")
QUIET = {
    "OPENAI_API_KEY": "none",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_NO_INSPECT_PROMPT": "1",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_DISABLE_SHARING": "1",
    "PROMPTFOO_DISABLE_DEBUG_LOG": "1",  # its last lines come after it is closed: exit 1
    "PROMPTFOO_DISABLE_ERROR_LOG": "1",
    "NO_COLOR": "1",
    # promptfoo tells its makers by HTTPS that its telemetry is off: that, too, ends here
    "HTTPS_PROXY": "http://127.0.0.1:9",
}

DEEPEVAL = """
import json, sys
from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import GEval
from deepeval.models import GPTModel
from deepeval.test_case import LLMTestCase
try:
    from deepeval.test_case import SingleTurnParams as Params
except ImportError:
    from deepeval.test_case import LLMTestCaseParams as Params
url, in_flight, rows = sys.argv[1], int(sys.argv[2]), json.load(open(sys.argv[3]))
model = GPTModel(model="gpt-4o", base_url=url, api_key="none")
steps = ["Compare the summary with the article.", "Lower the score for what is not in it."]
metric = GEval(name="Summary", model=model, evaluation_steps=steps,
               evaluation_params=[Params.INPUT, Params.ACTUAL_OUTPUT])
cases = [LLMTestCase(input=r["article"], actual_output=r["summary"]) for r in rows]
done = evaluate(cases, [metric],
                async_config=AsyncConfig(max_concurrent=in_flight, throttle_value=0),
                display_config=DisplayConfig(show_indicator=False, print_results=False,
                                             inspect_after_run=False),
                cache_config=CacheConfig(write_cache=False))
scores = [r.metrics_data[0].score for r in done.test_results]
print("scored", scores.count(0.8), "of", len(scores), set(scores))
"""

INSPECT = """
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import model_graded_qa
from inspect_ai.solver import solver
url, in_flight, rows = sys.argv[1], int(sys.argv[2]), json.load(open(sys.argv[3]))

@solver
def given():  # the summary is there already: the only call is the judge's
    async def solve(state, generate):
        state.output = ModelOutput.from_content("given", state.metadata["summary"])
        return state
    return solve

samples = [Sample(input=r["article"], target="It says nothing that the text does not say.",
                  metadata={"summary": r["summary"]}) for r in rows]
logs = eval(Task(dataset=samples, solver=given(), scorer=model_graded_qa()), model="openai/gpt-4o",
            model_base_url=url, max_connections=in_flight, max_samples=in_flight, display="none",
            log_dir=sys.argv[4], model_args={"responses_api": False})
graded = [next(iter(s.scores.values())).value for s in logs[0].samples or [] if s.scores]
print("scored", graded.count("C"), "of", len(rows), logs[0].error or "")
"""


@dataclass(frozen=True, slots=True)
class Job:
    """What every tool is given."""

    url: str
    work: Path
    count: int
    in_flight: int

    @property
    def rows(self) -> list[dict[str, str]]:
        from throughput_material import case

        return [case(number) for number in range(self.count)]

    def arguments(self) -> list[str]:
        path = self.work / "rows.json"
        path.write_text(json.dumps(self.rows))
        return [self.url, str(self.in_flight), str(path), str(self.work)]


@dataclass(frozen=True, slots=True)
class Tool:
    """One row: who, how it is installed (nothing: it is there), what its command is, and what it
    has to say, with n for the number of calls: that every single reply was read."""

    name: str
    version: str
    install: Callable[[Path], list[str]] | None
    command: Callable[[Path, Job], list[str]]
    says: str


@dataclass(frozen=True, slots=True)
class Took:
    """One command: seconds of wall and CPU, and what went wrong, if anything."""

    wall: float
    cpu: float
    fault: str = ""


# ── the tools ─────────────────────────────────────────────────────────────────────────────────


def bare(home: Path, job: Job) -> list[str]:
    from throughput import sample_body

    sample_body(job.work, job.url)
    arguments = (str(job.work), str(job.count), str(job.in_flight), f"{job.url}/chat/completions")
    return [sys.executable, str(HERE / "throughput.py"), "--child", "bare", *arguments]


def oyer(home: Path, job: Job) -> list[str]:
    from throughput_material import write_suite

    suite = write_suite(job.work, job.count, job.in_flight, job.url)
    return [sys.executable, "-m", "oyer", "run", str(suite), "--store", str(job.work / "oyer.db")]


def pip(*wanted: str) -> Callable[[Path], list[str]]:
    """Wheels only: a package that wants to be compiled would take longer than we wait."""

    def install(home: Path) -> list[str]:
        if not (home / "bin" / "python").exists():
            subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        quiet = ("--no-input", "--disable-pip-version-check", "--only-binary", ":all:")
        pinned = [f"{name}=={PINS[name]}" for name in wanted]
        return [str(home / "bin" / "python"), "-m", "pip", "install", "-q", *quiet, *pinned]

    return install


def script(code: str) -> Callable[[Path, Job], list[str]]:
    return lambda home, job: [str(home / "bin" / "python"), "-c", code, *job.arguments()]


def npm(*wanted: str) -> Callable[[Path], list[str]]:
    quiet = ("--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline")
    pinned = [f"{name}@{PINS[name]}" for name in wanted]
    return lambda home: ["npm", "install", "--prefix", str(home), *quiet, *pinned]


def promptfoo(home: Path, job: Job) -> list[str]:
    """`echo` gives the summary back, so that the only call is the judge's."""
    judge = {
        "id": "openai:chat:gpt-4o",
        "config": {"apiBaseUrl": job.url, "apiKey": "none"},
    }
    rubric = {
        "type": "llm-rubric",
        "value": "It says nothing that this text does not say: {{article}}",
        "provider": judge,
    }
    suite = {
        "prompts": ["{{summary}}"],
        "providers": ["echo"],
        "tests": [{"vars": {k: v for k, v in row.items() if k != "id"}} for row in job.rows],
        "defaultTest": {"assert": [rubric]},
    }
    path, there = job.work / "promptfooconfig.json", home / "node_modules" / ".bin"
    path.write_text(json.dumps(suite))
    quiet = ("--no-cache", "--no-table", "--no-progress-bar", "--no-share")
    command = [str(there / "node"), str(there / "promptfoo"), "eval", "-c", str(path), *quiet]
    return [*command, "-j", str(job.in_flight)]


def tools() -> list[Tool]:
    import aiohttp

    from oyer import __version__

    read, runs_on = "scored {n} of {n}", f"{PINS['promptfoo']} (Node {PINS['node']})"
    return [
        Tool("bare aiohttp", aiohttp.__version__, None, bare, '"done": {n},'),
        Tool("Oyer", __version__, None, oyer, "{n:,} of {n:,} verdicts, 0 without"),
        Tool("DeepEval", PINS["deepeval"], pip("deepeval", "openai"), script(DEEPEVAL), read),
        Tool("Inspect AI", PINS["inspect-ai"], pip(*INSPECTED), script(INSPECT), read),
        Tool("promptfoo", runs_on, npm("promptfoo", "node"), promptfoo, "{n:,} passed"),
    ]


# ── installing and running ────────────────────────────────────────────────────────────────────


def installed(tool: Tool, home: Path) -> str:
    """Install what is not there yet; what went wrong, else "". Downloads are kept by pip and npm,
    so that a second try goes on where the first was stopped."""
    if tool.install is None or _marked(tool, home):
        return ""
    home.mkdir(parents=True, exist_ok=True)
    print(f"installing {tool.name} {tool.version} in {home} …", file=sys.stderr, flush=True)
    try:
        took = _run(tool.install(home), os.environ, home, INSTALLING)
    except (OSError, subprocess.SubprocessError) as why:
        return f"not installed: {why}"
    if took.fault:
        return f"not installed: {took.fault}"
    (home / "installed").write_text(tool.version)
    return ""


def _marked(tool: Tool, home: Path) -> bool:
    """Whether this very version was installed to its end."""
    mark = home / "installed"
    return mark.is_file() and mark.read_text() == tool.version


def once(tool: Tool, home: Path, url: str, count: int, in_flight: int) -> Took:
    """One command in a fresh folder and home, so that nothing is left from the one before."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        source = f"{HERE.parent / 'src'}{os.pathsep}{HERE}"
        ours = {"PYTHONPATH": source} if tool.install is None else {}
        environ = {**os.environ, **QUIET, **ours, "HOME": name, "PROMPTFOO_CONFIG_DIR": name}
        command = tool.command(home, Job(url, work, count, in_flight))
        return _run(command, environ, work, RUNNING, tool.says.format(n=count))


def _run(
    command: Sequence[str], environ: Mapping[str, str], where: Path, limit: int, wanted: str = ""
) -> Took:
    """In a session of its own, so that all of it ends when its time is over."""
    before, started = _cpu(), time.perf_counter()
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(
            command, env=environ, cwd=where, stdin=subprocess.DEVNULL, stdout=told, stderr=told,
            start_new_session=True,
        )  # fmt: skip
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return Took(limit, _cpu() - before, f"not done after {limit} s, stopped")
        wall = time.perf_counter() - started
        told.seek(0)
        said = told.read()
    last = " ".join(said.split())[-200:]
    if code:
        return Took(wall, _cpu() - before, f"exit {code}: {last}")
    fault = "" if wanted in said else f"not every reply was read: {last}"
    return Took(wall, _cpu() - before, fault)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextlib.contextmanager
def _folder(given: str | None) -> Iterator[Path]:
    if given:
        Path(given).mkdir(parents=True, exist_ok=True)
        yield Path(given).resolve()
    else:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)


@dataclass
class Row:
    """One tool: where it lives, what went wrong, what its commands took."""

    tool: Tool
    home: Path
    in_flight: int
    fault: str = ""
    start: Took = Took(0, 0)
    took: list[Took] = field(default_factory=list)

    def run(self, url: str, count: int) -> Took:
        """One command more, unless one has failed already."""
        done = Took(0, 0) if self.fault else once(self.tool, self.home, url, count, self.in_flight)
        self.fault = self.fault or done.fault
        return done

    def line(self, count: int, bare: float) -> str:
        named = f"| {self.tool.name} {self.tool.version} |"
        if self.fault:
            return f"{named} – | – | – | – | {self.fault} |"
        cpu = statistics.median(one.cpu for one in self.took) - self.start.cpu
        return (
            f"{named} {self.wall:.2f} | {self.wall / bare:.1f} | {self.start.wall:.2f} | "
            f"{cpu / (count - 1) * 1000:.2f} | |"
        )

    @property
    def wall(self) -> float:
        return statistics.median(one.wall for one in self.took)


def run_rivals(
    envs: str | None = None,
    count: int = 1_000,
    repeat: int = 3,
    latency: float = LATENCY,
    in_flight: int = IN_FLIGHT,
) -> None:
    """Install all, then each in turns, `repeat` times; prints a table of the medians."""
    from throughput import server

    with _folder(envs) as folder, server(latency) as url:
        rows = [Row(tool, folder / tool.name.split()[0].lower(), in_flight) for tool in tools()]
        for row in rows:
            row.fault = installed(row.tool, row.home)
        for row in rows:
            row.start = row.run(url, 1)
        for _ in range(repeat):
            for row in rows:
                row.took.append(row.run(url, count))
    print(
        f"\n{count:,} calls, {latency * 1000:.0f} ms, {in_flight} in flight, whole commands, "
        f"median of {repeat}; Python {platform.python_version()}, {os.cpu_count()} processors, "
        f"load {os.getloadavg()[0]:.1f}\n\n"
        "| tool | wall s | × bare | start s | CPU ms a call | |\n|---|---|---|---|---|---|"
    )
    for row in rows:
        print(row.line(count, rows[0].wall or 1), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", help="where the others are installed (else a temporary folder)")
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=3, help="runs of each, the median counts")
    parser.add_argument("--latency", type=float, default=LATENCY, help="seconds of an answer")
    parser.add_argument("--in-flight", type=int, default=IN_FLIGHT)
    args = parser.parse_args()
    run_rivals(args.envs, args.calls, args.repeat, args.latency, args.in_flight)


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parent / "src")]
    main()
