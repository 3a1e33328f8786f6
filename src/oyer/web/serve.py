"""Open the store, bind the port, print the address, serve until Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import signal
import socket
import sys
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass

from aiohttp import web

from oyer.errors import StoreError, UsageError
from oyer.store import open_store
from oyer.store.store import Store
from oyer.web.safety import LOOPBACK, Safety
from oyer.web.server import make_app, warm_up
from oyer.web.site import Site
from oyer.web.snapshots import Snapshots

TRIES = 20  # ports, from the one that was asked for
EXPOSED = """\
oyer: this page is served to the network at {host}. Whoever has the password can read every stored
case and reply and add labels. It is plain HTTP: others on the network can read along. An SSH tunnel
to 127.0.0.1 is safer (ssh -L {port}:127.0.0.1:{port} THIS-MACHINE)."""


@dataclass(frozen=True, slots=True)
class Serving:
    """How the page is to be served."""

    where: str | None = None
    host: str = "127.0.0.1"
    port: int = 7117
    opens: bool = True
    path: str = "/"  # what is opened first
    paths: tuple[str, ...] = ()  # folders of protocols
    password: str = ""
    token: str = ""


def serve(serving: Serving) -> int:
    """Serve until Ctrl-C."""
    beyond = not _is_loopback(serving.host)
    if beyond and len(serving.password) < 8:
        raise UsageError(
            f"--host {serving.host} serves the page beyond this machine: set a password of 8 "
            "characters or more in OYER_VIEW_PASSWORD first."
        )
    with _open(serving) as site, _bind(serving) as listener:
        port = listener.getsockname()[1]
        secret = {"token": serving.token} if serving.token else {}
        password = serving.password if beyond else ""
        hosts = _names(serving.host) if beyond else LOOPBACK
        safety = Safety(port, hosts, password=password, **secret)
        if beyond:
            print(EXPOSED.format(host=serving.host, port=port), file=sys.stderr)
        address = _address(serving, safety)
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(site, safety, listener, (address, serving.opens)))
    return 0


async def _serve(
    site: Site, safety: Safety, listener: socket.socket, first: tuple[str, bool]
) -> None:
    app = make_app(site, safety)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    await web.SockSite(runner, listener).start()
    address, opens = first
    print(f"oyer: {site.name} at {address}\nCtrl-C ends it.", flush=True)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    if opens:
        await asyncio.to_thread(webbrowser.open, address)
    warm = asyncio.create_task(warm_up(app))
    await ended.wait()
    warm.cancel()
    await runner.cleanup()


@contextlib.contextmanager
def _open(serving: Serving) -> Iterator[Site]:
    store, writable = _open_store(serving.where)
    with store:
        where = serving.where or "oyer.db"
        snapshots = Snapshots(store, where, serving.paths, writable=writable)
        try:
            yield Site(store, writable, where, snapshots, serving.paths)
        finally:
            snapshots.close()


def _open_store(where: str | None) -> tuple[Store, bool]:
    """For writing, since people's labels are kept; for reading only where that cannot be."""
    try:
        return open_store(where, create=False), True
    except StoreError as refused:
        if "read-only" not in str(refused):
            raise
        return open_store(where, create=False, write=False), False


@contextlib.contextmanager
def _bind(serving: Serving) -> Iterator[socket.socket]:
    kind = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    for port in range(serving.port, serving.port + TRIES) if serving.port else (0,):
        listener = socket.socket(kind, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((serving.host, port))
            listener.listen(128)
        except OSError as refused:
            listener.close()
            last = refused
            continue
        with listener:
            yield listener
        return
    raise UsageError(f"cannot serve at {serving.host}, port {serving.port}: {last.strerror}")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _names(host: str) -> tuple[str, ...]:
    """The names under which this machine may be asked for."""
    own = {socket.gethostname(), socket.getfqdn(), host}
    with contextlib.suppress(OSError):
        own |= {str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)}
    bracketed = {f"[{name}]" if ":" in name else name for name in own}
    return (*LOOPBACK, *(name.lower() for name in bracketed))


def _address(serving: Serving, safety: Safety) -> str:
    host = "127.0.0.1" if serving.host in ("0.0.0.0", "::") else serving.host  # noqa: S104
    named = f"[{host}]" if ":" in host else host
    mark = "&" if "?" in serving.path else "?"
    secret = "" if safety.password else f"{mark}token={safety.token}"
    return f"http://{named}:{safety.port}{serving.path}{secret}"
