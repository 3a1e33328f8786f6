"""Who may ask: only a browser that was given the token, from this very page.

A page on 127.0.0.1 can be reached by every site that the user's browser has open. So each request
is looked at, whatever its route: its Host (DNS rebinding), Sec-Fetch-Site and Origin (other sites),
its cookie (other users of this machine). Writes are POST with JSON, which no form can send.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlencode

from aiohttp import web
from aiohttp.typedefs import Middleware

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

POLICY = "; ".join((
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
))  # fmt: skip

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Server": "oyer",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
LARGEST = 4 * 1024 * 1024  # bytes of a request
OPEN = ("/login", "/static/")  # what somebody without the cookie may see, where there is a password


@dataclass(frozen=True, slots=True)
class Safety:
    """The secrets of one server, and the names under which it may be asked for."""

    port: int
    hosts: tuple[str, ...] = LOOPBACK
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    password: str = field(default="", repr=False)

    @property
    def cookie(self) -> str:
        """Its name: cookies are shared by all ports of a host."""
        return f"oyer-{self.port}"

    @property
    def pass_(self) -> str:
        """The cookie's value; not the token itself, which may stand in a terminal's history."""
        return hmac.new(self.token.encode(), b"oyer view", hashlib.sha256).hexdigest()

    def knows_host(self, host: str) -> bool:
        """Whether a Host header names this server."""
        name, colon, port = host.rpartition(":")
        if not colon or not port.isdigit():
            name, port = host, "80"
        return name.lower() in self.hosts and port == str(self.port)

    def is_own_origin(self, origin: str) -> bool:
        """Whether an Origin header names this server."""
        return origin.startswith("http://") and self.knows_host(origin.removeprefix("http://"))

    def lets_in(self, request: web.Request) -> bool:
        """Whether a request carries the cookie."""
        return _same(request.cookies.get(self.cookie, ""), self.pass_)

    def admit(self, response: web.StreamResponse) -> None:
        """Give a browser the cookie."""
        response.set_cookie(
            self.cookie, self.pass_, httponly=True, samesite="Strict", path="/", max_age=30 * 86400
        )


def guard(safety: Safety) -> Middleware:
    """The middleware in front of every route."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        refuse_strangers(request, safety)
        if safety.lets_in(request):
            return await handler(request)
        token = request.query.get("token", "")
        if request.method == "GET" and not safety.password and _same(token, safety.token):
            response = web.Response(status=303, headers={"Location": _without_token(request)})
            safety.admit(response)
            return response
        if safety.password:
            if request.path.startswith(OPEN):
                return await handler(request)
            if request.method == "GET" and not request.path.startswith("/api/"):
                raise web.HTTPSeeOther("/login")
        raise web.HTTPForbidden(text="Open the address that `oyer view` printed: it has a token.")

    return middleware


def refuse_strangers(request: web.Request, safety: Safety) -> None:
    """Raise for a request that did not come from this page or the address bar."""
    if not safety.knows_host(request.headers.get("Host", "")):
        raise web.HTTPBadRequest(text="This server does not answer to that name.")
    site = request.headers.get("Sec-Fetch-Site")
    writes = request.method == "POST"
    if site not in (None, "same-origin", *(() if writes else ("none",))):
        raise web.HTTPForbidden(text="Another site asked for this. Type the address instead.")
    if request.method not in ("GET", "HEAD", "POST"):
        raise web.HTTPMethodNotAllowed(request.method, ("GET", "HEAD", "POST"))
    if not writes:
        return
    origin = request.headers.get("Origin")
    if origin is not None and not safety.is_own_origin(origin):
        raise web.HTTPForbidden(text="Another site sent this.")
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType(text="Send JSON.")


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """What a browser may do with any answer of ours: nothing but show it."""
    response.headers.update(HEADERS)
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"


def _same(guess: str, secret: str) -> bool:
    return hmac.compare_digest(guess.encode("utf-8", "replace"), secret.encode())


def _without_token(request: web.Request) -> str:
    query = [(name, value) for name, value in request.query.items() if name != "token"]
    path = "/" + request.rel_url.raw_path.lstrip("/")  # //host would leave this server
    return f"{path}?{urlencode(query)}" if query else path
