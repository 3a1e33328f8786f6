"""The nearest equivalents of other tools, for bench/throughput.py --rivals.

Each is installed in an environment of its own (in --envs, else a temporary folder) and makes the
same number of calls with the same prompt to the same server, whose reply suits them all:

    DeepEval    GEval with fixed evaluation steps: one call a case, score and reason read
    Inspect AI  one generation a sample, graded by `includes`, with its log file
    promptfoo   one call a test, `is-json` asserted, results kept in its database

None of them looks quotations up or recomputes a score. Wall is of the whole command.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from throughput_material import case

CALLS, LATENCY, IN_FLIGHT = 1_000, 0.05, 64
PATIENCE = 900  # seconds for each installation and each command: one that hangs stops no other

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
steps = ["Compare the summary with the article."]
metric = GEval(name="Summary", model=model, evaluation_steps=steps,
               evaluation_params=[Params.INPUT, Params.ACTUAL_OUTPUT])
cases = [LLMTestCase(input=r["article"], actual_output=r["summary"]) for r in rows]
done = evaluate(cases, [metric],
                async_config=AsyncConfig(max_concurrent=in_flight, throttle_value=0),
                display_config=DisplayConfig(show_indicator=False, print_results=False),
                cache_config=CacheConfig(write_cache=False))
print("scored", sum(r.metrics_data[0].score is not None for r in done.test_results))
"""

INSPECT = """
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate
url, in_flight, rows = sys.argv[1], int(sys.argv[2]), json.load(open(sys.argv[3]))
samples = [Sample(input=r["article"] + "\\n\\n" + r["summary"], target="GRADE") for r in rows]
logs = eval(Task(dataset=samples, solver=generate(), scorer=includes()), model="openai/gpt-4o",
            model_base_url=url, max_connections=in_flight, max_samples=in_flight, display="none",
            log_dir=sys.argv[4], model_args={"responses_api": False})
print("scored", logs[0].results.completed_samples if logs[0].results else logs[0].error)
"""


@contextlib.contextmanager
def _folder(given: str | None) -> Iterator[Path]:
    if given:
        Path(given).mkdir(parents=True, exist_ok=True)
        yield Path(given)
    else:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)


def _python(envs: Path, name: str, *packages: str) -> str:
    """The interpreter of an environment with these packages; installed where they are not."""
    python = envs / name / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(envs / name)], check=True)
    if not all(_version(str(python), package) for package in packages):
        install = [str(python), "-m", "pip", "install", "-q", *packages]
        subprocess.run(install, check=True, timeout=PATIENCE)
    return str(python)


def _version(python: str, package: str) -> str:
    """Of an installed package; "" when it is not."""
    code = f"from importlib.metadata import version; print(version('{package}'))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _timed(name: str, command: list[str], environ: Mapping[str, str], where: Path) -> None:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    try:
        done = subprocess.run(
            command, env=dict(environ), cwd=where, capture_output=True, text=True, check=False,
            timeout=PATIENCE,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        print(f"{name:24} not done after {PATIENCE} s", flush=True)
        return
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    last = (done.stdout.strip().splitlines() or [""])[-1][:60]
    told = last if done.returncode == 0 else f"exit {done.returncode}: {done.stderr.strip()[-200:]}"
    print(f"{name:24} {wall:8.2f} s  {cpu / CALLS * 1000:7.2f} ms CPU a call   {told}", flush=True)


def run_rivals(
    server: Callable[..., contextlib.AbstractContextManager[str]], given: str | None = None
) -> None:
    """Install and run each; one that cannot be installed or fails says so and does not count."""
    print(f"\n{CALLS:,} calls, {LATENCY * 1000:.0f} ms, {IN_FLIGHT} in flight, whole command:")
    quiet = {
        **os.environ,
        "OPENAI_API_KEY": "none",
        "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
    }
    with _folder(given) as envs, tempfile.TemporaryDirectory() as name, server(LATENCY) as url:
        work = Path(name)
        rows = work / "rows.json"
        rows.write_text(json.dumps([case(number) for number in range(CALLS)]))
        _ours(work, url)
        arguments = [url, str(IN_FLIGHT), str(rows), str(work)]
        for tool, package, script in (
            ("DeepEval", "deepeval", DEEPEVAL),
            ("Inspect AI", "inspect-ai", INSPECT),
        ):
            try:
                python = _python(envs, package.partition("-")[0], package, "openai")
            except subprocess.SubprocessError as failed:
                print(f"{tool:24} not installed: {failed}", flush=True)
                continue
            named = f"{tool} {_version(python, package)}"
            _timed(named, [python, "-c", script, *arguments], quiet, work)
        _promptfoo(envs, work, url, quiet)


def _ours(work: Path, url: str) -> None:
    """`oyer run` as a command, its start included, as for the others."""
    from throughput_material import write_suite

    from oyer import __version__

    suite = write_suite(work, CALLS, IN_FLIGHT, url)
    source = str(Path(__file__).resolve().parents[1] / "src")
    command = [sys.executable, "-m", "oyer", "run", str(suite), "--store", str(work / "oyer.db")]
    _timed(f"oyer {__version__}", command, {**os.environ, "PYTHONPATH": source}, work)


def _promptfoo(envs: Path, work: Path, url: str, environ: Mapping[str, str]) -> None:
    home = envs / "promptfoo"
    home.mkdir(exist_ok=True)
    binary = home / "node_modules" / ".bin" / "promptfoo"
    if not binary.exists():
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        try:
            install = ["npm", "install", *quiet, "promptfoo"]
            subprocess.run(install, cwd=home, check=True, timeout=PATIENCE)
        except (subprocess.SubprocessError, OSError) as failed:
            print(f"{'promptfoo':24} not installed: {failed}", flush=True)
            return
    config = {"apiBaseUrl": url, "apiKey": "none"}
    suite = {
        "prompts": ["{{article}}\n\n{{summary}}"],
        "providers": [{"id": "openai:chat:gpt-4o", "config": config}],
        "tests": [
            {"vars": {k: v for k, v in case(number).items() if k != "id"}}
            for number in range(CALLS)
        ],
        "defaultTest": {"assert": [{"type": "contains", "value": "GRADE"}]},
    }
    (work / "promptfooconfig.json").write_text(json.dumps(suite))
    told = json.loads((home / "node_modules" / "promptfoo" / "package.json").read_text())
    command = [str(binary), "eval", "-c", "promptfooconfig.json", "--no-cache", "--no-table",
               "--no-progress-bar", "-j", str(IN_FLIGHT)]  # fmt: skip
    environ = {**environ, "PROMPTFOO_CONFIG_DIR": str(work / "promptfoo-home")}
    _timed(f"promptfoo {told['version']}", command, environ, work)
