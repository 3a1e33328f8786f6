"""Routes and the loop. Pages read the store in threads; the loop only passes bytes on."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import json
import mimetypes
import time
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any

from aiohttp import web

from oyer.errors import OyerError
from oyer.web.live import Live
from oyer.web.render import Page, read_asset, render, templates
from oyer.web.safety import LARGEST, Safety, add_headers, guard
from oyer.web.site import JsonAnswer, NotThere, PageRequest, Site

Show = Callable[[Site, PageRequest], Page]
Answer = Callable[[Site, PageRequest], JsonAnswer]

#: Address -> file and function in pages/, which is imported when it is first asked for: the first
#: page needs few of them, and nobody waits for the others.
PAGES = {
    "/": "runs.show",
    "/runs/{run}": "run.show",
    "/runs/{run}/case": "case.show",
    "/verdicts/{verdict}": "case.show_verdict",
    "/compare": "compare.show",
    "/protocols": "protocols.show_all",
    "/protocols/{protocol}": "protocols.show",
    "/judges": "judges.show",
    "/judges/card": "judges.show_card",
    "/judge": "judge_here.show",
    "/review": "review.show_all",
    "/review/{queue}": "review.show",
    "/review/{queue}/decide": "review.show_decisions",
}
ANSWERS = {
    "/api/raw": "case.raw",
    "/api/labels-of": "what_if.labels_of",
    "/api/what-if": "what_if.answer",
    "/api/label": "review.keep_label",
    "/api/undo": "review.undo",
    "/api/decide": "review.decide",
    "/api/draw": "review.draw",
    "/api/estimate": "judge_here.estimate",
    "/api/judge": "judge_here.answer",
    "/api/stop": "runs.stop",
    "/api/go-on": "runs.go_on",
}
STATIC = (
    "oyer.css", "case.css", "icon.svg", "theme.js", "page.js", "case.js", "live.js", "login.js",
    "queues.js", "review.js", "judge.js",
)  # fmt: skip
FOR_EVER = "private, max-age=31536000, immutable"
SITE: web.AppKey[Site] = web.AppKey("site", Site)
SHOWN: web.AppKey[asyncio.Event] = web.AppKey("shown", asyncio.Event)  # somebody has seen a page
LATEST = 20  # runs whose protocols are read before somebody opens one
SOON = 5.0  # seconds after which the other pages are read, though nobody has come


def make_app(site: Site, safety: Safety) -> web.Application:
    """The application: every route behind the guard."""
    app = web.Application(middlewares=[guard(safety), say_errors], client_max_size=LARGEST)
    app[SITE] = site
    app[SHOWN] = asyncio.Event()
    app.on_response_prepare.append(add_headers)
    for path, name in PAGES.items():
        app.router.add_get(path, _page(name))
    for path, name in ANSWERS.items():
        app.router.add_post(path, _answer(name))
    app.router.add_get("/static/{name}", _static)
    live = Live(site)
    app.router.add_get("/api/live", live.stream)
    app.cleanup_ctx.append(live.run)
    if safety.password:
        _add_login(app, safety)
    return app


async def warm_up(app: web.Application) -> None:
    """Read what other pages need, but not while somebody waits for the first one."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(app[SHOWN].wait(), SOON)
    await asyncio.to_thread(_read_pages, app[SITE])
    gc.collect()
    gc.freeze()  # what was imported stays: looking through it again takes longer than a page


def _read_pages(site: Site) -> None:
    for name in (*PAGES.values(), *ANSWERS.values()):
        _find(name)
    for name in templates().list_templates(extensions=["html"]):
        templates().get_template(name)
    with contextlib.suppress(OyerError):  # a page will say what is wrong with a protocol
        for run in site.store.runs()[-LATEST:]:
            site.protocol(run)


@lru_cache(maxsize=64)
def _find(name: str) -> Callable[..., Any]:
    """A function of a page by its name here."""
    module, _, function = name.partition(".")
    found: Callable[..., object] = getattr(
        importlib.import_module(f"oyer.web.pages.{module}"), function
    )
    return found


def _page(name: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        site = request.app[SITE]
        wanted = PageRequest(dict(request.match_info), dict(request.query))
        began = time.perf_counter()
        page, html, busy = await asyncio.to_thread(_render_timed, name, site, wanted)
        if page.location:
            raise web.HTTPSeeOther(page.location)
        took = (time.perf_counter() - began) * 1000
        response = _html(html, page.status)
        response.headers["Server-Timing"] = f"page;dur={took:.1f}, cpu;dur={busy * 1000:.1f}"
        request.app[SHOWN].set()
        return response

    return handle


def _render_timed(name: str, site: Site, request: PageRequest) -> tuple[Page, bytes, float]:
    """The page, its HTML, and the seconds of work it took (a busy machine takes longer)."""
    began = time.thread_time()
    show: Show = _find(name)
    page = show(site, request)
    html = b"" if page.location else _encode(render(page, site.template_values()))
    return page, html, time.thread_time() - began


def _answer(name: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        try:
            body = await request.json()
        except ValueError:
            raise web.HTTPBadRequest(text="This is not JSON.") from None
        if not isinstance(body, dict):
            raise web.HTTPBadRequest(text="Send an object.")
        wanted = PageRequest(dict(request.match_info), dict(request.query), body)
        answer: Answer = await asyncio.to_thread(_find, name)
        words = await asyncio.to_thread(answer, request.app[SITE], wanted)
        return web.Response(
            body=_encode(json.dumps(words, ensure_ascii=True)), content_type="application/json"
        )

    return handle


@web.middleware
async def say_errors(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Oyer's own errors, and pages that are not there, in words."""
    try:
        return await handler(request)
    except NotThere as absent:
        return _error(request, str(absent), 404)
    except OyerError as error:
        return _error(request, str(error), 400)
    except web.HTTPNotFound:
        return _error(request, "There is no such page.", 404)


def _error(request: web.Request, message: str, status: int) -> web.Response:
    if request.path.startswith("/api/"):
        return web.json_response({"error": message}, status=status)
    page = Page("error.html", {"message": message}, status)
    return _html(_encode(render(page, request.app[SITE].template_values())), status)


def _html(body: bytes, status: int = 200) -> web.Response:
    return web.Response(body=body, content_type="text/html", charset="utf-8", status=status)


def _encode(text: str) -> bytes:
    """UTF-8; a lone surrogate in a model's text becomes visible instead of an error."""
    return text.encode("utf-8", "backslashreplace")


async def _static(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    if name not in STATIC:
        raise web.HTTPNotFound
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    response = web.Response(body=read_asset(name), content_type=kind, charset="utf-8")
    response.headers["Cache-Control"] = FOR_EVER if "v" in request.query else "no-cache"
    return response


def _add_login(app: web.Application, safety: Safety) -> None:
    import hmac

    async def show(request: web.Request) -> web.Response:
        return _html(_encode(render(Page("login.html"), request.app[SITE].template_values())))

    async def enter(request: web.Request) -> web.Response:
        body = await request.json()
        guess = str(body.get("password", "")) if isinstance(body, dict) else ""
        if not hmac.compare_digest(guess.encode(), safety.password.encode()):
            await asyncio.sleep(1)  # whoever guesses guesses slowly
            return web.json_response({"error": "That is not the password."}, status=403)
        response = web.json_response({"ok": True})
        safety.admit(response)
        return response

    app.router.add_get("/login", show)
    app.router.add_post("/login", enter)
