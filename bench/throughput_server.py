"""The server of bench/throughput.py: OpenAI's format, a fixed latency, as little work as possible.

    python throughput_server.py LATENCY_SECONDS

Prints its port, then serves until its standard input closes. The reply is chosen by the number of
the bulletin in the prompt, so that its quotations fit, and its objects carry the prompt's seal, as
the schema that is sent along makes every model do. One connection, one request at a time, as
keep-alive clients do it.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys

from throughput_material import KINDS, reply

_KIND = re.compile(rb"Bulletin (\d+) of")
_OURS = b"bias_toxicity"  # stands in every prompt of judge-lock, and in no rival's
_SEAL = re.compile(rb'"seal\\": \\"([0-9a-f]{12})')
_NO_SEAL = b"0" * 12
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


def _answers() -> list[bytes]:
    """A reply for each bulletin, and at the end one that suits the other tools."""
    made = []
    said = "Every point of the summary stands in the article and nothing is added. " * 55
    other = json.dumps({"score": 8, "pass": True, "reason": f"{said} GRADE: C"})
    sealed = f'{{"seal": "{_NO_SEAL.decode()}", "metric"'
    ours = [reply(kind).replace('{"metric"', sealed) for kind in range(KINDS)]
    for text in [*ours, other]:
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        usage = {"prompt_tokens": 1900, "completion_tokens": 1100, "total_tokens": 3000}
        body = json.dumps(
            {"id": "x", "object": "chat.completion", "created": 1, "model": "m",
             "choices": [choice], "usage": usage}
        ).encode()  # fmt: skip
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        made.append(head % len(body) + body)
    return made


class Judge(asyncio.Protocol):
    answers: list[bytes]
    latency: float

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.buffer = transport, b""
        self.loop = asyncio.get_running_loop()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head = self.buffer.find(b"\r\n\r\n")
        if head < 0:
            return
        length = _LENGTH.search(self.buffer, 0, head)
        if length is None or len(self.buffer) < head + 4 + int(length[1]):
            return
        found = _KIND.search(self.buffer, head)
        ours = found is not None and _OURS in self.buffer
        answer = self.answers[int(found[1]) % KINDS if found and ours else KINDS]
        seal = _SEAL.search(self.buffer, head)
        if seal is not None:
            answer = answer.replace(_NO_SEAL, seal[1])
        self.buffer = b""
        self.loop.call_later(self.latency, self.transport.write, answer)


async def main(latency: float) -> None:
    Judge.answers, Judge.latency = _answers(), latency
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Judge, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
