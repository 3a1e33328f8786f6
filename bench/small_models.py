"""What small local models manage as judges: every protocol, one-shot and exam, end to end.

    python bench/small_models.py SmolLM2-135M-Instruct.Q4_1.gguf [MORE.gguf …] [--cases 2]

Each row is written to small-models.json when it is done; the same command goes on behind it.

A real llama.cpp server (extra `oyer[local]`), real tokens, our own few cases below. Prints one
Markdown table a model: how many verdicts have scores, how many quotes stand where the model says,
how many rules it broke, what it took. The table of docs/asking.md was made by this command.
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
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oyer.audit import record
from oyer.audit.reader import read_reply
from oyer.errors import InputError
from oyer.judges.exam import Exam, MemoryShelf
from oyer.judges.exam.judge import prompt_sha as exam_sha
from oyer.judges.options import Options
from oyer.judges.pool import JudgePool
from oyer.pipeline import Asking, hear
from oyer.protocols.catalogue import find_protocol
from oyer.types import Ask, Case, Judge, Verdict

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


@dataclass
class Row:
    """One protocol in one mode."""

    protocol: str
    mode: str
    verdicts: list[Verdict] = field(default_factory=list)
    seconds: float = 0.0

    def cells(self) -> list[str]:
        scored = [v for v in self.verdicts if v.scores is not None]
        right = sum(len(v.evidence) for v in scored)
        wrong = sum(len({x.where for x in v.violations if x.code in BAD_QUOTES}) for v in scored)
        broken = sum(len(v.violations) for v in scored)
        errors = Counter(v.error for v in self.verdicts if v.error)
        tokens = sum(v.usage.output_tokens for v in self.verdicts)
        calls = sum(v.usage.calls for v in self.verdicts)
        told = ", ".join(f"{kind} {n}" for kind, n in errors.items()) or "–"
        return [
            self.protocol,
            self.mode,
            f"{len(scored)}/{len(self.verdicts)}",
            told,
            f"{right}/{right + wrong}" if right + wrong else "–",
            f"{broken / len(scored):.1f}" if scored else "–",
            f"{calls}",
            f"{tokens:,}",
            f"{self.seconds:.0f}",
        ]


HEADER = [
    "protocol", "mode", "scored", "without score", "quotes found", "violations a verdict",
    "calls", "tokens out", "seconds",
]  # fmt: skip


def cases(protocol: str, count: int) -> Iterator[Case]:
    """The first cases of the file beside this one."""
    names = [f.name for f in find_protocol(protocol).fields]
    group = "summary" if protocol in ("judge-lock", "twin-lock") else protocol
    rows = json.loads(Path(__file__).with_name("small_models.json").read_text("utf-8"))[group]
    for row in rows[:count]:
        yield Case.of(row, names)


def done_before(results: Path) -> dict[str, Json]:
    """Rows of earlier sittings by their key; none when there is no file yet."""
    if not results.is_file():
        return {}
    return {row["key"]: row for row in json.loads(results.read_text("utf-8"))}


def keep(results: Path, rows: dict[str, Json]) -> None:
    """Write all rows; the file is whole at any time, so a sitting may end whenever it likes."""
    draft = results.with_suffix(".draft")
    draft.write_text(json.dumps(list(rows.values()), indent=1, ensure_ascii=False), "utf-8")
    draft.replace(results)


def key_of(model: Path, protocol: str, mode: str, args: argparse.Namespace) -> str:
    """What a row depends on: another model, prompt, case or setting is another row."""
    told = [model.name, model.stat().st_size, protocol, mode, args.cases, args.max_tokens]
    told += [args.attempts, [dict(case.fields) for case in cases(protocol, args.cases)]]
    told.append(exam_sha() if mode == "exam" else _prompt_sha(protocol, args))
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def _prompt_sha(protocol: str, args: argparse.Namespace) -> str:
    chosen = find_protocol(protocol)
    assert chosen.prompt is not None
    return chosen.prompt(next(cases(protocol, args.cases)), Ask("0" * 16)).sha


async def measure(model: Path, args: argparse.Namespace) -> list[Json]:
    """Every row that is not there yet, one case after another: their prompts share a beginning,
    which llama.cpp reads once and keeps."""
    kept, made = done_before(args.results), []
    shelf = MemoryShelf()  # an article's exam serves both protocols
    async with JudgePool(Options(timeout=3600, max_tokens=args.max_tokens)) as pool:
        for protocol, mode in WAYS:
            if args.only and protocol not in args.only:
                continue
            key = key_of(model, protocol, mode, args)
            if key not in kept:
                judge = pool.open(f"llamacpp:{model}")
                if mode == "exam":
                    judge = Exam(judge, read_reply, shelf, attempts=args.attempts)
                row = await _row(protocol, mode, judge, args)
                kept[key] = {"key": key, "model": model.name, "cells": row.cells(),
                             "verdicts": [record(v) for v in row.verdicts]}  # fmt: skip
                keep(args.results, kept)
            print("| " + " | ".join(kept[key]["cells"]) + " |", file=sys.stderr, flush=True)
            made.append(kept[key])
    return made


async def _row(protocol: str, mode: str, judge: Judge, args: argparse.Namespace) -> Row:
    row, asking = Row(protocol, mode), Asking(attempts=args.attempts)
    for case in cases(protocol, args.cases):
        began = time.monotonic()
        verdict = (await hear(case, find_protocol(protocol), judge, asking=asking)).verdict
        row.seconds += time.monotonic() - began
        row.verdicts.append(verdict)
        for one in verdict.violations:
            told = f"  {case.id}: {one.code} {one.where}: {one.detail[:100]}"
            print(told, file=sys.stderr, flush=True)
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="+", type=Path, metavar="MODEL.gguf")
    parser.add_argument("--cases", type=int, default=2, help="of each protocol (2)")
    parser.add_argument("--max-tokens", type=int, default=1024, help="of one reply (1024)")
    parser.add_argument("--attempts", type=int, default=2, help="at a readable reply (2)")
    parser.add_argument("--only", action="append", default=[], metavar="PROTOCOL")
    parser.add_argument("--results", type=Path, default=Path("small-models.json"), metavar="FILE",
                        help="rows done; the same command goes on behind them")  # fmt: skip
    args = parser.parse_args()
    for model in args.models:
        if not model.is_file():
            raise InputError("no such model file", file=str(model))
        rows = asyncio.run(measure(model, args))
        version = importlib.metadata.version("xllamacpp")
        print(
            f"\n{model.name}, xllamacpp {version}, Python {platform.python_version()}, "
            f"{os.cpu_count()} cores, {args.cases} cases a row, temperature 0, schema-constrained, "
            f"{args.max_tokens} tokens a reply and {args.attempts} attempts at most\n"
        )
        print("| " + " | ".join(HEADER) + " |")
        print("|" + "---|" * len(HEADER))
        for row in rows:
            print("| " + " | ".join(row["cells"]) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
