"""The one place that opens sockets: a POST or GET becomes a `Response` or a `Fault`, never raises.

Errors are returned as data, so that no exception of the HTTP library (which holds the request with
its headers, and so the key) ever becomes the cause of one of ours.
"""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

import aiohttp
from aiohttp.connector import Connection
from yarl import URL

from oyer.judges.secrets import Secret
from oyer.judges.wire import Fault

LARGEST = 4 * 1024 * 1024  # bytes of an answer: more than any reply that is read
_AT_ONCE = 64 * 1024  # bytes read from a socket in one go
_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request. The key is added at the last moment and belongs to no record."""

    url: URL
    headers: Mapping[str, str]
    key: Secret | None
    key_header: Callable[[str], Mapping[str, str]]
    timeout: float
    method: str = "POST"
    largest: int = LARGEST


@dataclass(frozen=True, slots=True)
class Response:
    """What came back, with any echo of the key already taken out."""

    status: int
    headers: Mapping[str, str]  # whatever their case
    body: bytes

    def json(self) -> Any:
        """The body as JSON; None when it is none (which no provider answers)."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


class Network:
    """An aiohttp session with keep-alive, and whatever must be closed with it."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None
        self._closers: list[Callable[[], Awaitable[None]]] = []

    async def open(self) -> None:
        if self._session is None:
            self._session = _session()

    async def close(self) -> None:
        for close in reversed(self._closers):
            await close()
        self._closers.clear()
        if self._session is not None:
            await self._session.close()
            self._session = None

    def closes(self, close: Callable[[], Awaitable[None]]) -> None:
        """Register something that lives as long as the session."""
        self._closers.append(close)

    async def send(
        self, request: Request, data: bytes | aiohttp.FormData | None
    ) -> Response | Fault:
        """Make one attempt. What can go wrong on the way comes back as a `Fault`."""
        try:
            if self._session is not None:
                return await _exchange(self._session, request, data)
            async with _session() as session:  # for this one request
                return await _exchange(session, request, data)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            return _fault(error, request)


def _fault(error: Exception, request: Request) -> Fault:
    """What went wrong on the way, in words of ours: the library's own may quote the request."""
    if isinstance(error, TimeoutError):
        return Fault(f"no answer within {request.timeout:g} s", again=True, billed=True)
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return Fault(f"the certificate of {request.url.host} is not valid")
    if isinstance(error, aiohttp.ClientConnectorError):
        refused = isinstance(error.os_error, ConnectionRefusedError)
        return Fault(
            f"cannot connect to {request.url.host}:{request.url.port} "
            f"({error.os_error.strerror or 'no such host'}): is the server running?",
            again=not (refused and is_loopback(request.url.host or "")),
        )
    if isinstance(error, aiohttp.InvalidURL):
        return Fault("the server's address is not valid")
    if isinstance(error, aiohttp.ClientPayloadError):
        return Fault("the answer broke off in the middle", again=True, billed=True)
    return Fault(f"the connection failed ({type(error).__name__})", again=True, billed=True)


class _Connector(aiohttp.TCPConnector):
    """Sockets that are read in pieces of a usual answer's size.

    asyncio asks for 256 KB each time, which malloc gets from and gives back to the kernel each
    time: reading an answer of 5 KB took ten times as long.
    """

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[Any], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        connection = await super().connect(req, traces, timeout)
        if getattr(connection.transport, "max_size", 0) > _AT_ONCE:
            setattr(connection.transport, "max_size", _AT_ONCE)  # noqa: B010 — not in its type
        return connection


def _session() -> aiohttp.ClientSession:
    # limit=0: the gates of the judges bound what is in flight, per model and adaptively.
    connector = _Connector(limit=0, ttl_dns_cache=300, keepalive_timeout=60)
    proxied = any(os.environ.get(name) or os.environ.get(name.upper()) for name in _PROXIES)
    return aiohttp.ClientSession(
        connector=connector,
        trust_env=proxied,
        auto_decompress=True,
        cookie_jar=aiohttp.DummyCookieJar(),  # no provider's API knows cookies
    )


async def _exchange(
    session: aiohttp.ClientSession, request: Request, data: bytes | aiohttp.FormData | None
) -> Response | Fault:
    headers = request.headers
    if request.key is not None:
        headers = {**headers, **request.key_header(request.key.reveal())}
    async with session.request(
        request.method,
        request.url,
        data=data,
        headers=headers,
        timeout=_patience(request.timeout),
        allow_redirects=False,  # a redirect would carry the key to another host
    ) as response:
        body = await _read_body(response, request.largest)
        if body is None:
            return Fault(f"the answer is larger than {request.largest} bytes", billed=True)
        if request.key is not None:
            body = request.key.hide_bytes(body)
        return Response(response.status, response.headers, body)


@lru_cache(maxsize=16)
def _patience(seconds: float) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=seconds, sock_connect=min(30.0, seconds))


async def _read_body(response: aiohttp.ClientResponse, largest: int) -> bytes | None:
    """The body, unless it is too large (a packed one may unpack to anything)."""
    known = response.content_length
    if known is not None and known <= largest and "Content-Encoding" not in response.headers:
        return await response.read()
    chunks, size = [], 0
    async for chunk in response.content.iter_any():
        size += len(chunk)
        if size > largest:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


def is_loopback(host: str) -> bool:
    """Whether that host is this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
