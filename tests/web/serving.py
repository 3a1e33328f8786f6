"""A real `oyer view` process on a free port, and a way to talk to it without a browser."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOKEN = "a-token-for-tests"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass
class Served:
    """A running page."""

    port: int
    process: subprocess.Popen[str]
    cookie: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        path: str,
        method: str = "GET",
        headers: dict[str, str] | None = None,
        body: Any = None,
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and text of one request; it carries the cookie unless told otherwise."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        own = {"Cookie": self.cookie} if self.cookie else {}
        payload = None
        if body is not None:
            payload = json.dumps(body)
            own["Content-Type"] = "application/json"
        with contextlib.closing(connection):
            connection.request(method, path, body=payload, headers={**own, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()

    def send(self, path: str, body: Any) -> Any:
        status, _, text = self.ask(path, "POST", body=body)
        assert status == 200, text
        return json.loads(text)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def start(store: str | Path, *options: str, port: int = 0, **variables: str) -> Served:
    """Start the command and wait for the line with its address."""
    command = [sys.executable, "-m", "oyer", "view", "--no-open", "--store", str(store)]
    process = subprocess.Popen(
        [*command, "--port", str(port), *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OYER_VIEW_TOKEN": TOKEN, **variables},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://[^:]+:(\d+)/", line)
    assert found, line
    served = Served(int(found[1]), process)
    _, headers, _ = served.ask(f"/?token={TOKEN}")
    served.cookie = headers.get("Set-Cookie", "").partition(";")[0]
    return served


@contextlib.contextmanager
def serving(store: str | Path, *options: str, **variables: str) -> Iterator[Served]:
    served = start(store, *options, port=0, **variables)
    try:
        yield served
    finally:
        served.process.terminate()
        try:
            served.process.wait(10)
        except subprocess.TimeoutExpired:
            served.kill()
