"""Who can be asked here: keys that are set, servers that answer, packages that are installed."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from dataclasses import replace

from yarl import URL

from oyer.errors import UsageError
from oyer.judges.http import Network, Response
from oyer.judges.names import JudgeName
from oyer.judges.options import Options
from oyer.judges.registry import Availability, Provider, find_provider, provider_names
from oyer.judges.secrets import find_key
from oyer.judges.server import Endpoint, ServerJudge, endpoint
from oyer.judges.wire import Wire, as_map

SHORT = Options(timeout=1.0)
SHOWN = 20  # models of a local server


async def survey(environ: Mapping[str, str] = os.environ) -> list[Availability]:
    """Every kind of judge, the usable ones first. Only servers of the user's own are called."""
    found: list[Availability] = []
    for kind in provider_names():
        found += await _look(kind, environ)
    return sorted(found, key=lambda row: not row.usable)


async def _look(kind: str, environ: Mapping[str, str]) -> list[Availability]:
    try:
        provider = find_provider(kind)
    except UsageError as broken:
        return [Availability(kind, False, str(broken))]
    if provider.look is not None:
        answer = provider.look()
        return [await answer if inspect.isawaitable(answer) else answer]
    if provider.wire is None:
        return [_by_key(provider, environ)]
    found = [await _service(provider, provider.wire, environ)]
    if provider.wire.elsewhere is not None:
        name = f"{kind}:MODEL@http://host:port/v1"
        found.append(Availability(name, True, f"any server that speaks {kind}'s format"))
    return found


def _by_key(provider: Provider, environ: Mapping[str, str]) -> Availability:
    """A third party's judge that says only which variables hold its key."""
    name = provider.name if provider.follows == "anything" else f"{provider.name}:NAME"
    try:
        key = find_key(environ, provider.key_variables)
    except UsageError as error:
        return Availability(name, False, str(error))
    if key is not None:
        return Availability(name, True, f"{key.variable} is set")
    wanted = " or ".join(provider.key_variables)
    return Availability(
        name, not wanted, f"set {wanted} in the environment" if wanted else "no key"
    )


async def _service(provider: Provider, wire: Wire, environ: Mapping[str, str]) -> Availability:
    name = f"{provider.name}:MODEL"
    try:
        found = endpoint(JudgeName(provider.name, "MODEL"), wire, SHORT, environ)
    except UsageError as error:
        return Availability(name, False, str(error).removeprefix(f"judge '{name}' needs a key: "))
    if wire.models is not None:
        return await _server(name, found)
    moved = "" if found.base == wire.base + wire.version else f", at {_where(found.base)}"
    key = f"{found.key.variable} is set" if found.key else "no key"
    return Availability(name, True, f"{key}{moved}")


async def _server(name: str, found: Endpoint) -> Availability:
    """Knock at the door of a server on the user's own network."""
    assert found.wire.models is not None
    path, read_models = found.wire.models
    network = Network()
    request = ServerJudge(found, network, SHORT).request(path, "GET")
    answer = await network.send(replace(request, timeout=SHORT.timeout), None)
    where = _where(found.base)
    if not isinstance(answer, Response) or answer.status != 200:
        variable = found.wire.base_variable
        return Availability(name, False, f"no server at {where}: set {variable} or start it")
    models = read_models(as_map(answer.json()))[:SHOWN]
    return Availability(name, True, f"a server at {where}", tuple(map(found.hide, models)))


def _where(base: str) -> str:
    """Host and port: the rest of an address may hold what is not to be shown."""
    url = URL(base)
    return f"{url.host}:{url.port}"
