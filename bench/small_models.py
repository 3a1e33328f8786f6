"""What small local models manage as judges: every protocol, one-shot and exam, end to end.

    python bench/small_models.py SmolLM2-135M-Instruct.Q4_1.gguf [MORE.gguf …] [--cases 2]

A real llama.cpp server (extra `oyer[local]`), real tokens, our own few cases below. Prints one
Markdown table a model: how many verdicts have scores, how many quotes stand where the model says,
how many rules it broke, what it took. The table of docs/asking.md was made by this command.
"""

from __future__ import annotations

import argparse
import asyncio
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

from oyer.audit.reader import read_reply
from oyer.errors import InputError
from oyer.judges.exam import Exam
from oyer.judges.options import Options
from oyer.judges.pool import JudgePool
from oyer.pipeline import Asking, hear
from oyer.protocols.catalogue import find_protocol
from oyer.types import Case, Verdict

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


async def measure(model: Path, args: argparse.Namespace) -> list[Row]:
    rows = []
    options = Options(timeout=3600, max_tokens=args.max_tokens)
    async with JudgePool(options) as pool:
        for protocol, mode in WAYS:
            if args.only and protocol not in args.only:
                continue
            row = Row(protocol, mode)
            judge = pool.open(f"llamacpp:{model}")
            if mode == "exam":
                judge = Exam(judge, read_reply, attempts=args.attempts)
            for case in cases(protocol, args.cases):
                began = time.monotonic()
                hearing = await hear(
                    case, find_protocol(protocol), judge, asking=Asking(attempts=args.attempts)
                )
                row.seconds += time.monotonic() - began
                row.verdicts.append(hearing.verdict)
                for violation in hearing.verdict.violations:
                    print(f"  {case.id}: {violation.code} {violation.where}: "
                          f"{violation.detail[:100]}", file=sys.stderr)  # fmt: skip
            print("| " + " | ".join(row.cells()) + " |", file=sys.stderr, flush=True)
            rows.append(row)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="+", type=Path, metavar="MODEL.gguf")
    parser.add_argument("--cases", type=int, default=2, help="of each protocol (2)")
    parser.add_argument("--max-tokens", type=int, default=2048, help="of one reply (2048)")
    parser.add_argument("--attempts", type=int, default=3, help="at a readable reply (3)")
    parser.add_argument("--only", action="append", default=[], metavar="PROTOCOL")
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
            print("| " + " | ".join(row.cells()) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
