"""A real HTTP server on the loopback interface that speaks every provider's format.

    with ProviderServer(reply="…") as server:
        judge = JudgePool(environ=server.environ).open("anthropic:claude-test")

It runs in a thread of its own, so it serves tests, event loops and child processes alike. What it
should do wrong is a list of fault names, one a request, then it behaves:

    429 · 429:SECONDS · 500 · 502 · 503 · 529 · 4xx · hang · reset · drip · truncated · not-json ·
    html · empty · error-200 · refusal · filter · length · quota · policy · echo · redirect ·
    reject:WORD (400 naming a parameter, for as long as requests hold it)
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.servers.batches import Batches
from tests.servers.shapes import SHAPES, Json, Shape
from tests.servers.subsets import outside

KEY = "sk-test-0123456789abcdef"
Replier = Callable[[str], str]  # the words of a prompt -> the judge's reply


@dataclass
class Seen:
    """One request as it came in."""

    provider: str
    path: str
    headers: dict[str, str]
    body: Json


@dataclass
class ProviderServer:
    """See the module. `rejects` are words no request may contain as a parameter's name.

    `together` and `answers` are for tests of what happens at the same time: requests wait for
    each other, not for a clock, so the outcome is the same on a slow machine and on a fast one.
    """

    reply: str | Replier = '{"answer": "yes"}'
    faults: Iterable[str] = ()
    tokens: tuple[int, int] = (81, 11)
    key: str | None = KEY
    latency: float = 0.0
    rejects: tuple[str, ...] = ()
    together: int = 0  # so many requests must be here before the first is answered
    answers: float = math.inf  # whoever asks beyond them waits until `release`
    seen: list[Seen] = field(default_factory=list)
    most: int = 0  # requests at the same time, at most
    port: int = 0

    def __post_init__(self) -> None:
        self._faults = list(self.faults)
        self._active = 0
        self._ready = threading.Event()
        self.batches = Batches(self)

    # ── life ──

    def __enter__(self) -> ProviderServer:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(120), "the test server did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._all_here, self._released = asyncio.Event(), asyncio.Event()
        runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self.port)
        await site.start()
        self.port = runner.addresses[0][1]
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        routes = {
            "/v1/chat/completions": "openai",
            "/v1/responses": "openai-responses",
            "/v1/messages": "anthropic",
            "/v1beta/models/{model}:generateContent": "gemini",
            "/api/chat": "ollama",
            "/api/v1/chat/completions": "openrouter",
        }
        for path, name in routes.items():
            app.router.add_post(path, self._handler(SHAPES[name]))
        app.router.add_get("/api/tags", _ollama_tags)
        self.batches.add_routes(app)
        return app

    # ── what tests use ──

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environ(self) -> dict[str, str]:
        """An environment that sends every provider here, with the key this server wants."""
        key = self.key or ""
        return {
            "OPENAI_BASE_URL": f"{self.url}/v1",
            "ANTHROPIC_BASE_URL": self.url,
            "GEMINI_BASE_URL": self.url,
            "OLLAMA_HOST": self.url,
            "OPENROUTER_BASE_URL": f"{self.url}/api/v1",
            "OPENAI_API_KEY": key,
            "ANTHROPIC_API_KEY": key,
            "GEMINI_API_KEY": key,
            "OPENROUTER_API_KEY": key,
            "OLLAMA_API_KEY": key,
        }

    def will(self, *faults: str) -> None:
        """Queue more faults."""
        self._faults.extend(faults)

    def release(self) -> None:
        """Answer those who wait because `answers` were given."""
        self._loop.call_soon_threadsafe(self._released.set)

    # ── answering ──

    def _handler(self, shape: Shape) -> Callable[[web.Request], Any]:
        async def handle(request: web.Request) -> web.StreamResponse:
            self._active += 1
            self.most = max(self.most, self._active)
            try:
                return await self._answer(shape, request)
            finally:
                self._active -= 1

        return handle

    async def _answer(self, shape: Shape, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if shape.name == "gemini":
            body["model"] = request.match_info["model"]
        self.seen.append(Seen(shape.name, request.path, dict(request.headers), body))
        await self._turn()
        if denied := self.denied(shape, request):
            return denied
        free = "tools" in body  # a tool's schema is not held to the subset
        if not free and (wrong := outside(shape.name, shape.schema(body))):
            return _json(shape.error(400, "invalid_request_error", wrong[1], wrong[0]), 400)
        fault = self._faults.pop(0) if self._faults else ""
        if fault.startswith("reject:"):
            self.rejects = (*self.rejects, fault.removeprefix("reject:"))
        for word in self.rejects:
            if f'"{word}":' in json.dumps(body):
                return _json(shape.error(400, "unsupported_parameter", f"no {word}", word), 400)
        if fault and not fault.startswith("reject:"):
            return await self._fail(shape, request, body, fault)
        return _json(self.success(shape, body))

    async def _turn(self) -> None:
        if self.latency:
            await asyncio.sleep(self.latency)
        if len(self.seen) >= self.together:
            self._all_here.set()
        await self._all_here.wait()
        self.answers -= 1
        if self.answers < 0:
            await self._released.wait()

    def denied(self, shape: Shape, request: web.Request) -> web.Response | None:
        """The 401 of a request without the right key; Ollama asks for none."""
        given = request.headers.get(shape.key_header, "").removeprefix("Bearer ")
        if self.key is None or given == self.key or shape.name == "ollama":
            return None
        told = f"Incorrect API key provided: {given}."
        return _json(shape.error(401, "invalid_api_key", told, ""), 401)

    def success(self, shape: Shape, body: Json) -> Json:
        """The answer of a server that behaves."""
        text = self.reply if isinstance(self.reply, str) else self.reply(shape.prompt(body))
        return shape.success(body, text, *self.tokens)

    async def _fail(
        self, shape: Shape, request: web.Request, body: Json, fault: str
    ) -> web.StreamResponse:
        name, _, argument = fault.partition(":")
        if name.isdigit():
            headers = {"Retry-After": argument} if argument else {}
            return _json(
                shape.error(int(name), _code(int(name)), "try later", ""), int(name), headers
            )
        simple = {
            "empty": lambda: _json(shape.nothing(body)),
            "refusal": lambda: _json(shape.refusal(body)),
            "filter": lambda: _json(shape.filtered(body)),
            "length": lambda: _json(shape.length(body, '{"answer": "y', *self.tokens)),
            "error-200": lambda: _json(shape.error(500, "server_error", "went wrong", "")),
            "quota": lambda: _json(shape.error(429, "insufficient_quota", "no credit", ""), 429),
            "policy": lambda: _json(shape.error(400, "content_filter", "not this text", ""), 400),
            "html": lambda: web.Response(text="<h1>Bad gateway</h1>", content_type="text/html"),
            "not-json": lambda: web.Response(text='{"choices": [', content_type="application/json"),
            "array": lambda: web.json_response([1, 2]),
            "redirect": lambda: web.Response(
                status=307, headers={"Location": "http://example.org/"}
            ),
            "echo": lambda: _echo(shape, request, 400),
            "echo-500": lambda: _echo(shape, request, 500),
            "echo-reply": lambda: _json(
                shape.success(body, f"your key is {_given(shape, request)}", *self.tokens)
            ),
        }
        if name in simple:
            return simple[name]()
        return await self._break(shape, request, body, name)

    async def _break(
        self, shape: Shape, request: web.Request, body: Json, name: str
    ) -> web.StreamResponse:
        """Faults below HTTP: silence, a reset, a drip, a body cut short."""
        transport = request.transport
        assert transport is not None
        if name == "hang":
            await asyncio.Event().wait()  # until the server is closed
        if name == "reset":
            transport.abort()
            return web.Response()
        whole = json.dumps(self.success(shape, body)).encode()
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        response.content_length = len(whole)
        await response.prepare(request)
        if name == "drip":
            for byte in whole:
                await response.write(bytes([byte]))
                await asyncio.sleep(0.2)
        elif name == "truncated":
            await response.write(whole[: len(whole) // 2])
            transport.close()
        else:
            raise AssertionError(f"unknown fault {name}")
        return response


async def _ollama_tags(request: web.Request) -> web.Response:
    model = {"name": "llama-test:latest", "model": "llama-test:latest", "size": 4661224676}
    return web.json_response({"models": [model]})


def _given(shape: Shape, request: web.Request) -> str:
    return request.headers.get(shape.key_header, "")


def _echo(shape: Shape, request: web.Request, status: int) -> web.Response:
    told = f"bad request with header {shape.key_header}: {_given(shape, request)}"
    return _json(shape.error(status, "bad", told, ""), status, {"X-Echo": _given(shape, request)})


def _code(status: int) -> str:
    return {429: "rate_limit_exceeded", 404: "model_not_found"}.get(status, "server_error")


def _json(payload: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    return web.json_response(payload, status=status, headers=headers)
