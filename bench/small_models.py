"""What small local models manage as judges: every protocol, one-shot and exam, end to end.

    python bench/small_models.py SmolLM2-135M-Instruct.Q4_1.gguf [MORE.gguf …] [--cases 5]

A real llama.cpp server (extra `oyer[local]`), real tokens, our own few cases in the file beside
this one. Every case is kept in small-models.json when it is done, with its raw replies; the same
command goes on behind it, and a changed prompt is asked anew. All rows grow evenly, a case each.
Prints one Markdown table a model: how many verdicts have scores, how many quotes stand where the
model says, how many rules it broke, what it took; `--table` prints what is done so far. The tables
of docs/asking.md were made by this command.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import importlib.metadata
import json
import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oyer.engine import Asking, hear
from oyer.errors import InputError, ProviderError
from oyer.judges.exam import Exam
from oyer.judges.exam.judge import prompt_sha as exam_sha
from oyer.judges.open_judges import JudgePool
from oyer.judges.options import Options
from oyer.protocols.catalogue import find_protocol
from oyer.types import Ask, Case
from oyer.verdicts import record
from oyer.verdicts.selection import choose_object

Json = dict[str, Any]

WAYS = (
    ("judge-lock", "one-shot"),
    ("judge-lock", "exam"),
    ("twin-lock", "one-shot"),
    ("twin-lock", "exam"),
    ("rubric", "one-shot"),
    ("belgian-law", "one-shot"),
)
#: Violations that mean: a quotation was looked up and did not stand there as asked for.
BAD_QUOTES = ("evidence.absent", "evidence.wrong_source", "evidence.length", "span.absent")
SLOWEST = 4 * 3600  # seconds for one reply: on a busy machine, behind everybody else

HEADER = [
    "protocol", "mode", "scored", "without score", "quotes found", "violations a verdict",
    "calls", "tokens out", "seconds",
]  # fmt: skip


def cells(protocol: str, mode: str, heard: Sequence[Json]) -> list[str]:
    """A row of the table: all cases of one protocol in one mode."""
    verdicts = [hearing["verdict"] for hearing in heard]
    scored = [v for v in verdicts if v["scores"] is not None]
    bad = [q for v in scored for q in _bad(v)]
    right = sum(len({e["where"] for e in v["evidence"]} - _bad(v)) for v in scored)
    broken = sum(len(v["violations"]) for v in scored)
    errors = Counter(v["error"] for v in verdicts if v["error"])
    tokens = sum(v["usage"]["output_tokens"] for v in verdicts)
    return [
        protocol,
        mode,
        f"{len(scored)}/{len(verdicts)}",
        ", ".join(f"{kind} {n}" for kind, n in errors.items()) or "–",
        f"{right}/{right + len(bad)}" if right + len(bad) else "–",
        f"{broken / len(scored):.1f}" if scored else "–",
        f"{sum(v['usage']['calls'] for v in verdicts)}",
        f"{tokens:,}",
        f"{sum(hearing['seconds'] for hearing in heard):.0f}",
    ]


def _bad(verdict: Json) -> set[str]:
    """Where quotes failed; one that stands in a text, but is too long, failed too."""
    return {x["where"] for x in verdict["violations"] if x["code"] in BAD_QUOTES}


def cases(protocol: str) -> list[Case]:
    """The cases of the file beside this one."""
    names = [f.name for f in find_protocol(protocol).fields]
    group = "summary" if protocol in ("judge-lock", "twin-lock") else protocol
    rows = json.loads(Path(__file__).with_name("small_models.json").read_text("utf-8"))[group]
    return [Case.of(row, names) for row in rows]


@dataclass
class Results:
    """The file of what is done; whole at any time, so a sitting may end whenever it likes."""

    path: Path
    heard: dict[str, Json] = field(default_factory=dict)  # by the key of a case in one mode
    papers: dict[str, str] = field(default_factory=dict)  # an article's exam serves all summaries

    @classmethod
    def read(cls, path: Path) -> Results:
        known = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        return cls(path, known.get("heard", {}), known.get("papers", {}))

    def keep(self) -> None:
        draft = self.path.with_suffix(".draft")
        results = {"heard": self.heard, "papers": self.papers}
        draft.write_text(json.dumps(results, indent=1, ensure_ascii=False), "utf-8")
        draft.replace(self.path)

    async def get(self, key: str) -> str | None:
        return self.papers.get(key)

    async def put(self, key: str, reply: str) -> None:
        self.papers[key] = reply


def key_of(model: Path, way: tuple[str, str], case: Case, args: argparse.Namespace) -> str:
    """What a verdict depends on: another model, prompt, case or setting is another verdict."""
    parts = [model.name, model.stat().st_size, *way, args.max_tokens, args.attempts]
    parts += [dict(case.fields), exam_sha() if way[1] == "exam" else _prompt_sha(way[0], case)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _prompt_sha(protocol: str, case: Case) -> str:
    chosen = find_protocol(protocol)
    assert chosen.prompt is not None
    return chosen.prompt(case, Ask("0" * 16)).sha


async def measure(args: argparse.Namespace) -> None:
    """Every case that is not there yet: the first of each row, then the second, so that all rows
    grow evenly, whenever the machine is wanted for something else."""
    results = Results.read(args.results)
    async with JudgePool(Options(timeout=SLOWEST, max_tokens=args.max_tokens)) as pool:
        for number in range(args.cases):
            for model in args.models:
                for way in chosen_ways(args):
                    await _hear_case(model, way, number, pool, results, args)


async def _hear_case(
    model: Path,
    way: tuple[str, str],
    number: int,
    pool: JudgePool,
    results: Results,
    args: argparse.Namespace,
) -> None:
    """One case in one mode, unless it is there already."""
    protocol, mode = way
    case = cases(protocol)[number]
    key = key_of(model, way, case, args)
    if key in results.heard:
        return
    judge = pool.open(f"llamacpp:{model}")
    if mode == "exam":
        judge = Exam(judge, choose_object, results, attempts=args.attempts)
    began = time.monotonic()
    asking = Asking(attempts=args.attempts)
    hearing = await hear(case, find_protocol(protocol), judge, asking=asking)
    if hearing.verdict.error == "provider":  # llama.cpp, not the model: nothing was measured
        raise ProviderError(f"{protocol}, {mode}, {case.id}: no answer from llama.cpp")
    seconds = time.monotonic() - began
    results.heard[key] = {
        "model": model.name, "protocol": protocol, "mode": mode, "case": case.id,
        "seconds": seconds, "verdict": record(hearing.verdict),
        "replies": [reply.text for reply in hearing.replies],
    }  # fmt: skip
    results.keep()
    spent = hearing.verdict.usage.output_tokens
    outcome = hearing.verdict.error or f"total {hearing.verdict.total}"
    line = f"{model.name} {protocol} {mode} {case.id}: {seconds:.0f} s, {spent} tokens, {outcome}"
    print(line, file=sys.stderr, flush=True)


def chosen_ways(args: argparse.Namespace) -> list[tuple[str, str]]:
    """The rows that were asked for."""
    ways = []
    for protocol, mode in WAYS:
        if args.only and protocol not in args.only:
            continue
        if args.mode and mode != args.mode:
            continue
        ways.append((protocol, mode))
    return ways


def print_table(model: Path, args: argparse.Namespace) -> None:
    """What is done of one model, as Markdown."""
    results = Results.read(args.results)
    version = importlib.metadata.version("xllamacpp")
    print(
        f"\n{model.name}, xllamacpp {version}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, temperature 0, "
        f"schema-constrained, {args.max_tokens} tokens a reply and {args.attempts} attempts at "
        "most\n"
    )
    print(_line(HEADER))
    print("|" + "---|" * len(HEADER))
    for way in chosen_ways(args):
        keys = [key_of(model, way, case, args) for case in cases(way[0])[: args.cases]]
        done = [results.heard[key] for key in keys if key in results.heard]
        if done:
            print(_line(cells(*way, done)))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="+", type=Path, metavar="MODEL.gguf")
    parser.add_argument("--cases", type=int, default=5, help="of each protocol (5, all there are)")
    parser.add_argument("--max-tokens", type=int, default=2048, help="of one reply (2048)")
    parser.add_argument("--attempts", type=int, default=2, help="at a readable reply (2)")
    parser.add_argument("--only", action="append", default=[], metavar="PROTOCOL")
    parser.add_argument("--mode", choices=("one-shot", "exam"), help="only this one")
    parser.add_argument("--results", type=Path, default=Path("small-models.json"), metavar="FILE",
                        help="what is done; the same command goes on behind it")  # fmt: skip
    parser.add_argument("--table", action="store_true", help="ask nobody: print what is done")
    args = parser.parse_args()
    for model in args.models:
        if not model.is_file():
            raise InputError("no such model file", file=str(model))
    if not args.table:
        asyncio.run(measure(args))
    for model in args.models:
        print_table(model, args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
