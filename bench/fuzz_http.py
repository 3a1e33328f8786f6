"""A fuzzer over HTTP: hostile provider answers (status lines, headers, bodies) against real runs.

Four answers in five are sound HTTP around a hostile reply, so that the reader, the selection and
the checks are reached; one in five is hostile from its first byte.

    nice -n 10 python bench/fuzz_http.py --answers 100000 --seed 1

Each round is a run with a store: cases, six wire formats in turn, a server on loopback that answers
from a seeded generator. Counted: answers that were sent, tracebacks, hangs, runs that ended early,
cases without exactly one verdict. All but the first must be 0. The same seed, the same answers.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import faulthandler
import io
import json
import random
import re
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from oyer.cases import load
from oyer.runs.plan import make_plan
from oyer.runs.session import run_session
from oyer.runs.suite import Suite
from oyer.store import open_store
from oyer.verdicts.reader import read_reply

EXAMPLE = Path(__file__).parents[1] / "examples/first/replies.jsonl"
KINDS = ("openai", "anthropic", "gemini", "ollama", "openrouter", "openai-responses")
OPTIONS = {"retries": 1, "pause": 0.002, "timeout": 2.0, "patience": 0.01, "deadline": 9.0}
SOUND = 0.8  # share of answers that are sound HTTP
SEALS = re.compile(rb'\\"seal\\": \\"([0-9a-f]{12})\\"')
PATIENCE = 600  # seconds for one round before it counts as a hang

ODD: list[Callable[[random.Random], Any]] = [
    lambda r: None,
    lambda r: True,
    lambda r: -r.randrange(2**70),
    lambda r: r.choice([2**63, 2**63 - 1, 10**400, -1, 0]),
    lambda r: r.choice([1e308, -0.0, float("inf"), float("nan"), 1e-320]),
    lambda r: "",
    lambda r: r.choice(["²", "\ud800", "\x00", "\u202e", "\x1b[2J", "::error::x", "a" * 5000]),
    lambda r: [],
    lambda r: {},
    lambda r: [[[[[]]]]] * 3,
    lambda r: {
        "error": {"code": r.choice([429, "x", None, 2**70, "content_filter"]), "message": 3}
    },
    lambda r: "".join(chr(r.randrange(0x20, 0x3000)) for _ in range(20)),
]
# fmt: off
WAITS = ["0", "-1", "²", "1e999", "NaN", "0.001", "Wed, 21 Oct 2015 07:28:00 GMT",
         "Wed, 21 Oct 99999999999999 07:28:00 GMT", "9" * 500, "", "soon", "\x00", "0x10"]
STATUSES = [200] * 30 + [201, 204, 206, 301, 302, 307, 400, 401, 403, 404, 408, 409, 413, 418, 422,
            425, 429, 429, 429, 451, 500, 501, 502, 503, 504, 520, 524, 529, 599, 600, 999, 0, -1]
# fmt: on


def answer_of(kind: str, text: str) -> dict[str, Any]:
    """What each provider sends when all is well."""
    if kind == "anthropic":
        usage = {"input_tokens": 5, "output_tokens": 7}
        return {
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "usage": usage,
        }
    if kind == "gemini":
        part = {"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}
        return {"candidates": [part], "usageMetadata": {"promptTokenCount": 5}}
    if kind == "ollama":
        return {"message": {"content": text}, "done": True, "prompt_eval_count": 5, "eval_count": 7}
    if kind == "openai-responses":
        part = {"type": "output_text", "text": text}
        return {"output": [{"type": "message", "content": [part]}], "status": "completed",
                "usage": {"input_tokens": 5, "output_tokens": 7}}  # fmt: skip
    usage = {"prompt_tokens": 5, "completion_tokens": 7, "cost": 0.1}
    choice = {"message": {"content": text}, "finish_reason": "stop"}
    return {"choices": [choice], "usage": usage, "model": "m"}


def mutate(value: Any, rng: random.Random) -> Any:
    """One node of a JSON value, somewhere, becomes odd; or a key goes."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        if rng.random() < 0.15:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: mutate(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        place = rng.randrange(len(value))
        return [mutate(v, rng) if i == place else v for i, v in enumerate(value)]
    if isinstance(value, str) and value and rng.random() < 0.6:
        return break_text(value, rng)
    return rng.choice(ODD)(rng)


def break_text(text: str, rng: random.Random) -> str:
    """A reply that is cut, doubled, salted or swapped."""
    place = rng.randrange(len(text))
    salt = rng.choice(["{", "}", '"', "\\", "\x00", "\ud83d", "```", "<think>", "]", "\u200b", "é"])
    ways = [
        text[:place],
        text[place:],
        text + text,
        text[:place] + salt + text[place:],
        text[:place] + salt * 200 + text[place:],
        "I'm sorry, but I can't help with that.",
        json.dumps({"error": "no"}),
        text.replace("e", salt),
    ]
    return rng.choice(ways)


#: What models put around their objects.
WRAPPINGS = ("{}", "```json\n{}\n```", "<think>hm</think>\n{}", "Here it is:\n{}\nDone.", "[{}]",
             '{{"answer": {}}}', "{}\n{}", "{} {{", "/* first */ {}", "\ufeff{}")  # fmt: skip


def reply_of(objects: list[Any], seal: str, rng: random.Random) -> str:
    """A judge's reply: its objects, sealed or not, with odd values, in an odd dialect of JSON."""
    changed: Any = [{"seal": seal, **one} for one in objects] if rng.random() < 0.8 else objects
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3, 6])):
        changed = mutate(changed, rng)
    if not isinstance(changed, list):
        changed = [changed]
    if rng.random() < 0.1:
        rng.shuffle(changed)
    text = rng.choice(["\n\n", "\n", ", ", " "]).join(json.dumps(one) for one in changed)
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        text = DIALECTS[rng.randrange(len(DIALECTS))](text)
    text = rng.choice(WRAPPINGS[:1] * 5 + WRAPPINGS).replace("{{", "{").replace("{}", text)
    if text and rng.random() < 0.25:
        text = break_text(text, rng)
    return text


#: Ways in which models write JSON that is none.
DIALECTS: list[Callable[[str], str]] = [
    lambda text: text.replace('"', "'"),
    lambda text: text.replace("}", ",}"),
    lambda text: text.replace('": ', '" : '),
    lambda text: text.replace("true", "True").replace("null", "None"),
    lambda text: text.replace('"metric"', "metric"),
    lambda text: text.replace(", ", " ", 3),
    lambda text: text.replace("\\", ""),
    lambda text: text.replace(": 10", ": NaN").replace(": 1", ": 01"),
    lambda text: text.replace('"', "“"),
]


def body_of(kind: str, text: str, rng: random.Random) -> bytes:
    value: Any = answer_of(kind, text)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 4])):
        value = mutate(value, rng)
    raw = json.dumps(value).encode("utf-8", "surrogatepass")
    chance = rng.random()
    if chance < 0.10:
        return raw[: rng.randrange(len(raw) + 1)]
    if chance < 0.20:
        broken = bytearray(raw)
        for _ in range(rng.randrange(1, 9)):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        return bytes(broken)
    if chance < 0.23:
        return rng.choice(
            [b"", b"[" * 100_000, b"{}" * 10_000, b"\xff\xfe" + raw, b"<html>", b"1e999"]
        )
    if chance < 0.232:
        return b"[" + b"{}," * 2_000_000 + b"{}]"  # 6 MB: more than is read
    return raw


def sound_response(kind: str, text: str) -> bytes:
    """Nothing is wrong with it but what the judge says."""
    body = json.dumps(answer_of(kind, text)).encode("utf-8", "surrogatepass")
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return f"{head}\r\nConnection: keep-alive\r\n\r\n".encode() + body


def response_of(kind: str, text: str, rng: random.Random) -> bytes | None:
    """A whole HTTP answer; None: nothing is ever sent."""
    chance = rng.random()
    if chance < 0.001:
        return None
    if chance < 0.02:
        return rng.choice([b"", b"\x00" * 50, b"HTTP/1.1", b"HTTP/9.9 abc\r\n\r\n", b"SSH-2.0\r\n",
                           b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
                           b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 5000 + b"\r\n"])  # fmt: skip
    body = body_of(kind, text, rng)
    status = rng.choice(STATUSES)
    headers = [("Content-Type", rng.choice(["application/json", "text/html", "", "x" * 300]))]
    if rng.random() < 0.3:
        headers.append((rng.choice(["Retry-After", "retry-after-ms"]), rng.choice(WAITS)))
    if rng.random() < 0.03:
        headers.append(("Content-Encoding", rng.choice(["gzip", "br", "deflate", "zstd", "x"])))
    if rng.random() < 0.05:
        headers.append(("Location", rng.choice(["http://127.0.0.1:1/", "file:///etc/passwd", "²"])))
    length = len(body) + (rng.choice([-3, 5, 10**12]) if rng.random() < 0.03 else 0)
    if rng.random() < 0.05:
        headers.append(("Transfer-Encoding", "chunked"))
        body = b"%x\r\n%b\r\n" % (len(body), body) + rng.choice([b"0\r\n\r\n", b"zz\r\n", b""])
    else:
        headers.append(("Content-Length", str(max(length, 0))))
    headers.append(("Connection", rng.choice(["close", "close", "keep-alive"])))
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode("latin-1", "replace") + body


class Server:
    """Answers on loopback, from its own thread; the n-th answer depends on the seed alone."""

    def __init__(self, seed: int, objects: list[Any]) -> None:
        self.seed, self.objects = seed, objects
        self.sent = 0
        self.kind = KINDS[0]
        self.port = 0
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._ready.wait()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0, limit=2**24)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await asyncio.Event().wait()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, ValueError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                size = next((int(line.split(b":")[1]) for line in head.split(b"\r\n")
                             if line.lower().startswith(b"content-length")), 0)  # fmt: skip
                asked = await reader.readexactly(size)
                self.sent += 1
                rng = random.Random(f"{self.seed}/{self.sent}")
                seals = SEALS.findall(asked)
                text = reply_of(self.objects, seals[-1].decode() if seals else "", rng)
                if rng.random() < SOUND:
                    response: bytes | None = sound_response(self.kind, text)
                else:
                    response = response_of(self.kind, text, rng)
                if response is None:
                    await asyncio.sleep(30)
                    break
                writer.write(response)
                await writer.drain()
                if b"keep-alive" not in response[:2000]:
                    break
        writer.close()


def play_round(server: Server, number: int, cases: int, folder: Path) -> list[str]:
    """One run of many cases; what went wrong, in words."""
    server.kind = KINDS[number % len(KINDS)]
    row = json.loads(EXAMPLE.read_text().splitlines()[0])
    file = folder / f"cases-{number}.jsonl"
    rows = [
        {"id": f"c{n}", "article": row["article"], "summary": f"{row['summary']} ({number}/{n})"}
        for n in range(cases)
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    suite = Suite(
        file=file,
        name=f"fuzz {number}",
        protocol="judge-lock",
        judges=(f"{server.kind}:m@http://127.0.0.1:{server.port}",),
        concurrency=64,
        options=OPTIONS,
    )
    plan = make_plan(suite, lambda wanted: load(str(file), wanted))
    with open_store(str(folder / "oyer.db")) as store:
        session = run_session(plan, store)
        counts = store.counts(session.run.id)
    problems = []
    if session.state != "done":
        problems.append(f"round {number}: the run ended: {session.state} {session.why}")
    if sum(counts.values()) != cases:
        problems.append(f"round {number}: {sum(counts.values())} verdicts for {cases} cases")
    OUTCOMES.update(error or "scored" for (_, error), n in counts.items() for _ in range(n))
    return problems


OUTCOMES: Counter[str] = Counter()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=250, help="of one round")
    args = parser.parse_args()
    reply = json.loads(EXAMPLE.read_text().splitlines()[0])["reply"]
    server = Server(args.seed, [found.value for found in read_reply(reply).objects])
    server.start()
    started, number = time.monotonic(), 0
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="oyer-fuzz-") as folder:
        while server.sent < args.answers:
            faulthandler.dump_traceback_later(PATIENCE, exit=True)  # a hang: where, and exit 1
            try:
                with contextlib.redirect_stderr(io.StringIO()):
                    problems += play_round(server, number, args.cases, Path(folder))
            except Exception:
                problems.append(f"round {number}: {traceback.format_exc()}")
            faulthandler.cancel_dump_traceback_later()
            number += 1
            if number % 20 == 0:
                print(
                    f"{server.sent:,} answers, {number} runs, {len(problems)} problems", flush=True
                )
            if len(problems) > 20:
                break
    seconds = time.monotonic() - started
    print(json.dumps({"seed": args.seed, "answers": server.sent, "runs": number,
                      "verdicts": dict(OUTCOMES), "problems": len(problems),
                      "seconds": round(seconds)}))  # fmt: skip
    for problem in problems[:5]:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
