"""Judge names: `openai:gpt-5@http://host:8000/v1` -> who, which model, where.

A name is stored with every verdict and printed in reports, so it may never hold a secret.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from urllib.parse import urlsplit

from oyer.errors import UsageError
from oyer.text.vendors import house

#: Judges that need a model, a path or a file after the colon.
SERVERS = ("openai", "openai-responses", "anthropic", "gemini", "openrouter", "ollama")
FILES = ("llamacpp", "replay")
KINDS = ("embedded", *SERVERS, *FILES)

#: Before a judge's name: the same judge in exam mode (`oyer.judges.exam`).
EXAM = "exam:"

_URL = re.compile(r"@(?=https?://)")
_BARE = re.compile(r"@([\w.-]+:\d+)/?(?:v1/?)?$")
_PLAIN = re.compile(r"[\w.+-]{1,60}")
#: Whose models a bare name most likely means, where the house has an API of its own here.
_ROUTES = {"openai": "openai", "anthropic": "anthropic", "google": "gemini"}
_SPLIT = re.compile(rf"\+(?=(?:{EXAM})?(?:{'|'.join(KINDS)})(?:[:+]|$))")


@dataclass(frozen=True, slots=True)
class JudgeName:
    """One judge: its kind, the model or file, and a server of the user's own."""

    kind: str
    model: str = ""
    url: str | None = None

    def __str__(self) -> str:
        model = f":{self.model}" if self.model else ""
        return f"{self.kind}{model}@{self.url}" if self.url else f"{self.kind}{model}"


def members(name: str) -> list[str]:
    """The judges of a panel `a+b+c`; one judge is a panel of one.

    Only a `+` before the kind of a judge separates: model and file names may hold one themselves.
    """
    return _SPLIT.split(name.strip())


def parse_name(name: str) -> JudgeName:
    """Read the name of one judge; `UsageError` says what a name looks like."""
    kind, colon, rest = name.strip().partition(":")
    if kind not in KINDS:
        raise UsageError(
            f"unknown judge '{shown(name)}'{_meant(kind, rest)}: a judge is one of "
            f"{', '.join(KINDS)}, as in 'embedded', 'openai:MODEL' or "
            "'openai:MODEL@http://host:port/v1'; a panel is a+b"
        )
    if kind == "embedded":
        return JudgeName(kind, rest)
    if not colon or not rest:
        wanted = "a file" if kind in FILES else "a model"
        raise UsageError(f"judge '{kind}' needs {wanted}: write '{kind}:NAME'")
    if kind in FILES:
        return JudgeName(kind, rest)
    model, *urls = _URL.split(rest, maxsplit=1)
    if not model:
        raise UsageError(f"judge '{kind}' needs a model before '@': write '{kind}:MODEL@URL'")
    if model.endswith("+"):
        raise UsageError(f"'{shown(name)}' ends in a +: a panel is a+b, each by its full name")
    if bare := _BARE.search(model):
        raise UsageError(
            f"judge '{shown(name)}' names a server without http://: write "
            f"'{kind}:{model[: bare.start()]}@http://{bare[1]}/v1'"
        )
    return JudgeName(kind, model, _checked(urls[0]) if urls else None)


def _meant(kind: str, rest: str) -> str:
    """What the user may have meant: a kind with a slip of the pen, or a bare model's name."""
    if not _PLAIN.fullmatch(f"{kind}{rest}"):  # it may hold a secret: nothing of it is repeated
        return ""
    near = get_close_matches(kind, KINDS, n=1, cutoff=0.75)
    if near:
        return f" (did you mean '{near[0]}{':' if rest else ''}{rest}'?)"
    route = _ROUTES.get(house(kind) or "")
    return f" (did you mean '{route}:{kind}'?)" if route and not rest else ""


def _checked(url: str) -> str:
    """A server's address without anything that must not be stored."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise UsageError(
            "the host or port of a judge's address cannot be read: write http://host:port/v1"
        ) from None
    if not host:
        raise UsageError(f"judge address '{shown(url)}' has no host: write http://host:port/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            f"judge address '{parts.scheme}://…{parts.path}' carries a user, password or query: "
            "names are stored, so put the key in its environment variable instead"
        )
    return url.rstrip("/")


def shown(name: str) -> str:
    """A name that failed to parse, safe to print: whatever may be a password is left out."""
    return re.sub(r"//[^/@\s]*@", "//…@", name).partition("?")[0][:200]
