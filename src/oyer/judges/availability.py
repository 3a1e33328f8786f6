"""Who can be asked here: keys that are set, servers that answer, packages that are installed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec

from yarl import URL

from oyer.errors import UsageError
from oyer.judges.http import Network, Response
from oyer.judges.names import JudgeName
from oyer.judges.options import Options
from oyer.judges.server import ServerJudge, endpoint
from oyer.judges.wire import as_map, as_maps, as_text

SHORT = Options(timeout=1.0)
SHOWN = 20  # models of a local server


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of judge: usable or not, and why. `why` names variables, never their values."""

    name: str
    usable: bool
    why: str
    models: tuple[str, ...] = ()


async def survey(environ: Mapping[str, str] = os.environ) -> list[Finding]:
    """Look at the environment, and knock at Ollama's door; services are not called."""
    hosted = ("openai", "openai-responses", "anthropic", "gemini", "openrouter")
    return [
        _embedded(),
        *(_hosted(kind, environ) for kind in hosted),
        await _ollama(environ),
        Finding("openai:MODEL@http://host:port/v1", True, "any server that speaks OpenAI's format"),
        _llamacpp(),
        Finding("replay:FILE", True, "recorded replies: JSON Lines with id and reply"),
    ]


def _embedded() -> Finding:
    if find_spec("oyer.judges.embedded") is None:
        return Finding("embedded", False, "not part of this build")
    from oyer.judges.embedded import open_embedded

    if open_embedded().variant == "full":
        means = "means embedded:full here; embedded:light is there, too"
    else:
        means = "means embedded:light here; pip install 'oyer[embedded]' for embedded:full"
    return Finding("embedded", True, f"no key, no network; {means}")


def _hosted(kind: str, environ: Mapping[str, str]) -> Finding:
    name = f"{kind}:MODEL"
    try:
        found = endpoint(JudgeName(kind, "MODEL"), SHORT, environ)
    except UsageError as error:
        return Finding(name, False, str(error).removeprefix(f"judge '{name}' needs a key: "))
    moved = (
        f", at {_where(found.base)}" if found.base != found.wire.base + found.wire.version else ""
    )
    key = f"{found.key.variable} is set" if found.key else "no key"
    return Finding(name, True, f"{key}{moved}")


async def _ollama(environ: Mapping[str, str]) -> Finding:
    try:
        found = endpoint(JudgeName("ollama", "MODEL"), SHORT, environ)
    except UsageError as error:
        return Finding("ollama:MODEL", False, str(error))
    network = Network()
    request = ServerJudge(found, network, SHORT).request("api/tags", "GET")
    answer = await network.send(replace(request, timeout=SHORT.timeout), None)
    if not isinstance(answer, Response) or answer.status != 200:
        return Finding(
            "ollama:MODEL", False, f"no server at {_where(found.base)}: set OLLAMA_HOST or start it"
        )
    models = as_maps(as_map(answer.json()).get("models"))
    names = tuple(found.hide(as_text(model.get("name"))) for model in models)[:SHOWN]
    return Finding("ollama:MODEL", True, f"a server at {_where(found.base)}", names)


def _llamacpp() -> Finding:
    usable = find_spec("xllamacpp") is not None
    why = "xllamacpp is installed" if usable else "needs xllamacpp: pip install 'oyer[local]'"
    return Finding("llamacpp:PATH.gguf", usable, why)


def _where(base: str) -> str:
    """Host and port: the rest of an address may hold what is not to be shown."""
    url = URL(base)
    return f"{url.host}:{url.port}"
