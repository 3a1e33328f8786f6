"""A judge's server in its own process: OpenAI's format, one line of a log for each answer.

    python counting_server.py LOG [DELAY]

Prints its port. Before it sends an answer it appends the first line of the prompt to LOG, so the
log is what the provider would bill. `PUT /N` allows N more answers: who asks beyond them waits
for ever, so a run cannot end before it is killed; with `PUT /N?bill=1` the first of those is billed
all the same, so a kill then costs an answer. It runs until its standard input is closed: it dies
with whoever started it.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

LOG = Path(sys.argv[1])
DELAY = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
LOCK = threading.Lock()
HANDLE = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server
    wbufsize = -1  # headers and body in one packet, or Nagle makes every answer 40 ms late

    def do_GET(self) -> None:
        """How many connections there are besides this one."""
        body = str(self.server.open - 1).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self) -> None:
        with LOCK:
            allowed, _, bill = self.path[1:].partition("?bill=")
            self.server.allowed, self.server.billed_unsent = float(allowed), int(bill or 0)
        self.send_response(204)
        self.send_header("Connection", "close")
        self.end_headers()

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        user = asked["messages"][-1]["content"]
        first = user.partition("\n")[0]
        time.sleep(DELAY)
        with LOCK:
            self.server.allowed -= 1
            withheld = self.server.allowed < 0
            if withheld:
                self.server.billed_unsent -= 1
            billed = not withheld or self.server.billed_unsent >= 0
        if billed:
            os.write(HANDLE, f"{first}\n".encode())
        if withheld:
            self.connection.recv(1)  # nothing comes but the end of whoever waits
            self.close_connection = True
            return
        marks = sum(first.encode()) % 11
        said = f"WRITTEN for {first[:60]}" if "WRITE" in first else json.dumps({"marks": marks})
        body = json.dumps(
            {
                "id": "x",
                "model": "toy",
                "choices": [
                    {"finish_reason": "stop", "message": {"role": "assistant", "content": said}}
                ],
                "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    open = 0
    allowed = math.inf
    billed_unsent = 0

    def process_request(self, request: Any, client_address: Any) -> None:
        with LOCK:
            self.open += 1
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        with LOCK:
            self.open -= 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is no news here."""


server = Server(("127.0.0.1", 0), Answer)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
