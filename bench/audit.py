"""How fast `audit` is, and how much memory it takes.

    python bench/audit.py [--rounds 7] [--stream 200000] [--workers 0] [--quick]

One core: judge-lock replies of about 4 KB with articles of about 5 KB, trace, evidence and JSON
record included, beside a bare `json.loads` of the same replies and pydantic validation alone.
Times are CPU time of this process, the best of several rounds. Then a stream of replies through
`oyer audit` on standard input, with the memory of all its processes, and `oyer --help` beside
`python -c pass`. Prints what it measured, nothing else.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import random
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from oyer import __version__, find_protocol
from oyer.types import Case, Reply
from oyer.verdicts.core import audit
from oyer.verdicts.reader import read_reply
from oyer.verdicts.record import as_json

ROOT = Path(__file__).resolve().parents[1]
PAIRS = 200
_WHO = ["the council", "a harbour master", "one engineer", "the school board", "a baker",
        "the ferry company", "its mayor", "a botanist", "the museum", "an orchestra"]  # fmt: skip
_DID = ["decided to repair", "promised to measure", "refused to sell", "agreed to paint",
        "began to count", "wants to rebuild", "plans to move", "stopped cleaning"]  # fmt: skip
_WHAT = ["the northern bridge", "nine wooden boats", "an old clock tower", "a public garden",
         "the winter market", "two stone ovens", "the tram to the sea", "seven lamps"]  # fmt: skip
_WHEN = ["before the end of June", "after a long and quiet debate", "in spite of heavy rain",
         "because the river had risen", "with money from the region"]  # fmt: skip


def _sentences(chance: random.Random, count: int) -> list[str]:
    parts = (_WHO, _DID, _WHAT, _WHEN)
    return [
        f"On day {n} {' '.join(chance.choice(words) for words in parts)}." for n in range(count)
    ]


def _quote(chance: random.Random, sentence: str) -> str:
    words = sentence.rstrip(".").split()
    start = chance.randint(0, len(words) - 7)
    return " ".join(words[start : start + 7])


def pair(seed: int) -> tuple[Case, str]:
    """A case and a judge's reply to it: twelve true quotes, ten claims, seven key points."""
    chance = random.Random(seed)
    sentences = _sentences(chance, 60)
    summary = sentences[::5]
    objects: list[dict[str, Any]] = [
        {"metric": "coverage",
         "key_points": [{"point": s, "coverage": "Fully"} for s in summary[:7]],
         "qag_results": [_qag(chance, s) for s in summary[:6]],
         "precision": 1.0, "recall": 1.0, "f1": 1.0, "qag_accuracy": 1.0, "overall_score": 10,
         "rationale": "Every key point of the article is in the summary."},
        {"metric": "alignment", "aspects": {"intent": "to inform", "tone": "neutral"},
         "deviations": [], "overall_score": 9, "rationale": "The same intent and tone."},
        {"metric": "hallucination",
         "claims_checked": [{"claim": s, "status": "Supported"} for s in summary[:10]],
         "qag_results": [_qag(chance, s) for s in sentences[1:7]],
         "unsupported_fraction": 0, "severity": "minor", "qag_precision": 1.0,
         "overall_score": 10, "rationale": "Nothing is invented."},
        {"metric": "relevance", "article_theme": "news of a small town by the sea",
         "summary_sections": [{"section": s[:30], "relevance": "High"} for s in summary[:6]],
         "section_overlap": 1.0, "overall_score": 10, "rationale": "All of it matters."},
        {"metric": "bias_toxicity", "tone": "neutral", "issues_found": [], "bias_score": 9,
         "tox_score": 10, "overall_score": 9.5, "rationale": "Calm throughout."},
    ]  # fmt: skip
    fields = {"article": " ".join(sentences), "summary": " ".join(summary)}
    return Case(str(seed), fields), "\n\n".join(json.dumps(one) for one in objects)


def _qag(chance: random.Random, sentence: str) -> dict[str, str]:
    return {"q": "hidden", "status": "Correct", "evidence": _quote(chance, sentence)}


Pairs = list[tuple[Case, str]]


def best(work: Callable[[Case, str], object], pairs: Pairs, rounds: int) -> float:
    """The best CPU time of a round, in microseconds a reply; nothing made is kept."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for case, reply in pairs:
            work(case, reply)
        times.append(time.process_time() - start)
    return min(times) / len(pairs) * 1e6


def validator() -> Callable[[Case, str], object] | None:
    """The five objects as pydantic models: validation alone, no quote is looked up."""
    try:
        from pydantic import BaseModel, TypeAdapter
    except ImportError:
        return None

    class Qag(BaseModel):
        q: str
        status: str
        evidence: str

    class Point(BaseModel):
        point: str
        coverage: str

    class Claim(BaseModel):
        claim: str
        status: str

    class Verdict(BaseModel):
        metric: str
        rationale: str
        overall_score: float
        key_points: list[Point] = []
        claims_checked: list[Claim] = []
        qag_results: list[Qag] = []
        summary_sections: list[dict[str, str]] = []
        precision: float = 0
        recall: float = 0

    Verdict.model_rebuild(_types_namespace=locals())
    adapter = TypeAdapter(Verdict)
    return lambda _, reply: [adapter.validate_json(part) for part in reply.split("\n\n")]


def one_core(rounds: int) -> None:
    pairs = [pair(seed) for seed in range(PAIRS)]
    protocol = find_protocol("judge-lock")
    verdicts = [audit(case, protocol, Reply(reply)) for case, reply in pairs]
    scored = sum(verdict.status == "scored" for verdict in verdicts)
    found = sum(len(verdict.evidence) for verdict in verdicts) / PAIRS
    reply_size = sum(len(reply) for _, reply in pairs) / PAIRS
    article = sum(len(case.text("article")) for case, _ in pairs) / PAIRS
    print(f"\n{PAIRS} judge-lock replies of {reply_size:.0f} characters on articles of "
          f"{article:.0f}; {scored} scored, {found:.1f} quotes found in each")  # fmt: skip
    loads = best(lambda _, r: [json.loads(p) for p in r.split("\n\n")], pairs, rounds)
    rows: list[tuple[str, Callable[[Case, str], object]]] = [
        ("oyer: read_reply", lambda _, r: read_reply(r)),
        ("oyer: audit", lambda c, r: audit(c, protocol, Reply(r))),
        ("oyer: audit + JSON record", lambda c, r: as_json(audit(c, protocol, Reply(r)))),
    ]
    validate = validator()
    validated = best(validate, pairs, rounds) if validate else None
    print(f"{'':28}{'µs a reply':>12}{'a second':>11}{'× json.loads':>14}{'× pydantic':>12}")
    _row("json.loads", loads, loads, validated)
    if validated is not None:
        _row("pydantic validation", validated, loads, validated)
    else:
        print("pydantic is not installed: no such row")
    for name, work in rows:
        _row(name, best(work, pairs, rounds), loads, validated)
    tracemalloc.start()
    for case, reply in pairs:
        as_json(audit(case, protocol, Reply(reply)))
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    print(f"peak of Python memory while auditing them: {peak:.2f} MB")


def _row(name: str, micros: float, loads: float, validated: float | None) -> None:
    other = f"{micros / validated:12.1f}" if validated else f"{'-':>12}"
    print(f"{name:28}{micros:12.1f}{1e6 / micros:11.0f}{micros / loads:14.1f}{other}")


def tree_memory(pid: int) -> int:
    """Proportional memory of a process and its children, in bytes (Linux)."""
    total, pending = 0, [pid]
    while pending:
        one = pending.pop()
        with contextlib.suppress(OSError):
            rollup = Path(f"/proc/{one}/smaps_rollup").read_text("ascii")
            total += next(int(x.split()[1]) for x in rollup.splitlines() if x.startswith("Pss:"))
            for task in Path(f"/proc/{one}/task").iterdir():
                pending += map(int, (task / "children").read_text("ascii").split())
    return total * 1024


def stream(many: int, workers: int) -> None:
    """Replies through `oyer audit` on standard input; memory is looked at all the while."""
    rows = []
    for seed in range(PAIRS):
        case, reply = pair(seed)
        rows.append(json.dumps({**case.fields, "reply": reply})[1:].encode())
    command = [sys.executable, "-m", "oyer", "audit", "judge-lock", "-", "--json",
               "--workers", str(workers)]  # fmt: skip
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               env={**os.environ, "PYTHONPATH": str(ROOT / "src")})  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    feed = process.stdin

    def write() -> None:
        for number in range(many):
            feed.write(b'{"id": "%d", ' % number + rows[number % PAIRS] + b"\n")
        feed.close()

    threading.Thread(target=write, daemon=True).start()
    scored, peaks, last = 0, [0] * 10, 0.0
    for seen, line in enumerate(process.stdout):
        scored += b'"status": "scored"' in line
        if time.perf_counter() - last > 0.2:
            last = time.perf_counter()
            tenth = min(9, seen * 10 // many)
            peaks[tenth] = max(peaks[tenth], tree_memory(process.pid))
    process.wait()
    took = time.perf_counter() - start
    print(f"\n{many} replies through `oyer audit` (--workers {workers or 'all cores'}): "
          f"{took:.1f} s of wall time, {many / took:.0f} a second, {scored} scored")  # fmt: skip
    shown = " ".join(f"{peak / 2**20:.0f}" for peak in peaks)
    print(f"memory of all its processes together (PSS, MB), highest in each tenth: {shown}")


def help_time(rounds: int) -> None:
    def seconds(*arguments: str) -> float:
        times = []
        for _ in range(rounds * 2):
            start = time.perf_counter()
            subprocess.run([sys.executable, *arguments], capture_output=True, check=True,
                           env={**os.environ, "PYTHONPATH": str(ROOT / "src")})  # fmt: skip
            times.append(time.perf_counter() - start)
        return min(times)

    bare, told = seconds("-c", "pass"), seconds("-m", "oyer", "--help")
    print(f"\n`oyer --help` {told * 1000:.0f} ms, `python -c pass` {bare * 1000:.0f} ms: "
          f"{told / bare:.1f} times (wall time, best of {rounds * 2})")  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--stream", type=int, default=200_000, metavar="N", help="0: none")
    parser.add_argument("--workers", type=int, default=0, help="of the stream; 0: all cores")
    parser.add_argument("--quick", action="store_true", help="a stream of 5,000")
    args = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"oyer {__version__}, Python {platform.python_version()}, {platform.machine()}, "
          f"{os.cpu_count()} cores, load {load:.1f} at the start")  # fmt: skip
    one_core(args.rounds)
    help_time(args.rounds)
    many = 5_000 if args.quick else args.stream
    if many:
        stream(many, args.workers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
