"""A court of five scripted judges over HTTP, in four protocols: what each gains by its manner.

    python bench/court.py [--src PATH/TO/src] [--json]

honest      labels what is there, quotes character for character
lazy        leaves out what tells against the text, and most quotations
flattering  finds everything good, with true words of the wrong text for a quotation
forgetful   honest, but its first answer lacks a part
careless    honest, but writes quotations as models do: in marks, with a full stop, detokenised

`--src` plays them against another revision of Oyer: the table of docs/asking.md has both. They
answer what they are asked: one object again, or all of it.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Json = dict[str, Any]
JUDGES = ("honest", "lazy", "flattering", "forgetful", "careless")
DATA: Json = json.loads(Path(__file__).with_name("court.json").read_text("utf-8"))
PROTOCOLS = tuple(DATA["cases"])
SRC = Path(__file__).resolve().parents[1] / "src"


# ── what they say ─────────────────────────────────────────────────────────────────────────────


def objects(protocol: str, judge: str) -> list[Json]:
    """The whole answer of a judge, as its verdict objects."""
    honest: list[Json] = copy.deepcopy(DATA["honest"][protocol])
    if judge == "lazy":
        _lazy(protocol, honest)
    elif judge == "flattering":
        _flattering(protocol, honest)
    elif judge == "careless":
        _careless(honest)
    return honest


def _lazy(protocol: str, said: list[Json]) -> None:
    if protocol == "rubric":
        said[0].update(critical_fail=False, critical_fail_reason=None, critical_fail_id=None,
                       critical_fail_quote=None, score=DATA["full_marks"])  # fmt: skip
        said[0]["evidence"] = {axis: [] for axis in said[0]["evidence"]}
    elif protocol == "belgian-law":
        said[0].update(criticalIssues=[], majorIssues=[], missing=[], hallucinated=[])
    else:
        by_metric = {one["metric"]: one for one in said}
        points, claims = by_metric["coverage"], by_metric["hallucination"]
        claims["claims_checked"] = [
            {**one, "evidence": ""} for one in claims["claims_checked"]
            if one["status"] == "Supported"
        ]  # fmt: skip
        points["key_points"] = [{**one, "evidence": ""} for one in points["key_points"][:4]]
        points.pop("extraneous", None)


def _flattering(protocol: str, said: list[Json]) -> None:
    if protocol == "rubric":
        _lazy(protocol, said)
        said[0]["evidence"] = {axis: ["never written there"] for axis in said[0]["evidence"]}
    elif protocol == "belgian-law":
        _lazy(protocol, said)
        said[0].update(verdict="PASS", score=100, recommendation="PROCEED")
    else:
        by_metric = {one["metric"]: one for one in said}
        for claim in by_metric["hallucination"]["claims_checked"]:
            claim.update(status="Supported", evidence=claim["span"])
        for point in by_metric["coverage"]["key_points"]:
            point.update(coverage="Fully", evidence=point["evidence"] or DATA["filler"])
        by_metric["alignment"].update(overall_score=10, deviations=[])
        if "extraneous" in by_metric["coverage"]:
            by_metric["coverage"]["extraneous"] = []


def _careless(said: Any) -> None:
    """Every quotation as models write it."""
    ways = ("“{}”", "{}.", '"{}."', "{}")
    count = 0
    for item in _walk(said):
        for key in ("evidence", "quote", "span", "summary_text", "text", "critical_fail_quote"):
            value = item.get(key)
            if isinstance(value, str) and value:
                item[key] = ways[count % 4].format(value.replace("'s", " 's"))
                count += 1
            elif isinstance(value, dict):
                item[key] = {k: [ways[0].format(q) for q in v] for k, v in value.items()}


def _walk(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
        for inner in list(value.values()):
            yield from _walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _walk(inner)


def answer(protocol: str, judge: str, asked: str) -> str:
    """What a judge says to a question."""
    said = objects(protocol, judge)
    if protocol == "belgian-law":
        _as_asked(said[0], asked)
    again = "<COMPLAINT-" in asked
    if judge == "forgetful" and not again:
        if len(said) > 1:
            said = [one for one in said if one["metric"] != "alignment"]
        else:
            said[0].pop(DATA["forgets"][protocol])
    wanted = re.search(r"these members alone, complete and in the same form: ([\w, ]+)\.", asked)
    if wanted:
        said = [one for one in said if one["metric"] in wanted[1].split(", ")]
    seal = re.search(r'"seal": "([0-9a-f]+)"', asked)
    if seal:
        said = [{"seal": seal[1], **one} for one in said]
    return "\n\n".join(json.dumps(one, ensure_ascii=False) for one in said)


def _as_asked(said: Json, asked: str) -> None:
    """The first version asked for counts, and for items by their ids."""
    if "counts: expected (distinct" in asked:
        said["counts"] = DATA["counts"]
        for issue in said["criticalIssues"]:
            issue["items"] = [DATA["first_item"]]


# ── where they say it ─────────────────────────────────────────────────────────────────────────


class _Handler(BaseHTTPRequestHandler):
    """OpenAI's format; the model's name says who answers in which protocol."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        judge, _, protocol = body["model"].partition(".")
        asked = "\n".join(str(message["content"]) for message in body["messages"])
        text = answer(protocol, judge, asked)
        reply = {
            "id": "1", "object": "chat.completion", "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop",
                         "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": len(asked) // 4, "completion_tokens": len(text) // 4},
        }  # fmt: skip
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        """Nothing on standard error."""


@contextmanager
def court() -> Iterator[str]:
    """The judges' address, while they sit."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def verdicts(src: Path, protocols: tuple[str, ...] = PROTOCOLS) -> Iterator[Json]:
    """One row a protocol and judge, as `oyer judge` prints it."""
    environ = {**os.environ, "PYTHONPATH": str(src), "OPENAI_API_KEY": "sk-scripted"}
    with court() as address, tempfile.TemporaryDirectory() as folder:
        for protocol in protocols:
            file = Path(folder) / f"{protocol}.jsonl"
            file.write_text(json.dumps({"id": "c1", **DATA["cases"][protocol]}), "utf-8")
            names = [f"openai:{judge}.{protocol}@{address}" for judge in JUDGES]
            done = subprocess.run(
                [sys.executable, "-m", "oyer", "judge", protocol, str(file), "--json",
                 *(word for name in names for word in ("--judge", name))],
                capture_output=True, text=True, env=environ, cwd=folder, timeout=300, check=False,
            )  # fmt: skip
            if done.returncode not in (0, 3):
                raise SystemExit(done.stderr)
            for judge, line in zip(JUDGES, done.stdout.splitlines(), strict=True):
                yield row(protocol, judge, json.loads(line))


def row(protocol: str, judge: str, verdict: Json) -> Json:
    """What is shown of a verdict."""
    return {
        "protocol": protocol,
        "judge": judge,
        "total": verdict["total"],
        "error": verdict["error"],
        "violations": sorted({one["code"] for one in verdict["violations"]}),
        "calls": verdict["usage"]["calls"],
        "output_tokens": verdict["usage"]["output_tokens"],
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--src", type=Path, default=SRC, help="the revision's src folder")
    options.add_argument("--json", action="store_true")
    args = options.parse_args()
    if not args.json:
        print("| protocol | judge | total | told | calls | tokens out |\n|---|---|---|---|---|---|")
    for one in verdicts(args.src):
        if args.json:
            print(json.dumps(one))
            continue
        total = one["error"] if one["total"] is None else f"{one['total']:g}"
        told = ", ".join(one["violations"]) or "–"
        print(f"| {one['protocol']} | {one['judge']} | {total} | {told} | {one['calls']} | "
              f"{one['output_tokens']} |")  # fmt: skip


if __name__ == "__main__":
    main()
