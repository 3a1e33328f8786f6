"""Judge names: `openai:gpt-5@http://host:8000/v1` -> who, which model, where.

A name is stored with every verdict and printed in reports, so it may never hold a secret.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from urllib.parse import urlsplit

from oyer.errors import UsageError
from oyer.judges.registry import Provider, find_provider, provider_names
from oyer.text.vendors import vendor_of

#: Before a judge's name: the same judge in exam mode (`oyer.judges.exam`).
EXAM = "exam:"

_URL = re.compile(r"@(?=https?://)", re.IGNORECASE)
_SCHEME = re.compile(r"(?:@|^)\s*([a-zA-Z][a-zA-Z0-9+.-]*):\s*//")
_BARE = re.compile(r"@([\w.-]+:\d+)/?(?:v1/?)?$")
_PLAIN = re.compile(r"[\w.+-]{1,60}")


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
    return _between_members().split(name.strip())


@cache
def _between_members() -> re.Pattern[str]:
    kinds = "|".join(map(re.escape, provider_names()))
    return re.compile(rf"\+(?=(?:{EXAM})?(?:{kinds})(?:[:+]|$))")


def is_exam(name: str) -> bool:
    """Whether the name is that of a judge in exam mode."""
    return name.startswith(EXAM)


def without_exam(name: str) -> str:
    """The judge that sits the exam."""
    return name.removeprefix(EXAM)


def in_exam_mode(name: str) -> str:
    """The name in exam mode, of a panel each member's. A judge that reads the case itself judges
    as always, beside a model that sits exams."""
    return "+".join(map(_member_in_exam_mode, members(name)))


def _member_in_exam_mode(name: str) -> str:
    return name if is_exam(name) or not provider_of(name).needs_prompt else f"{EXAM}{name}"


def provider_of(name: str) -> Provider:
    """The kind of a judge, by its name; what it can do is said there.

    A panel's second seat of the same judge (`openai:gpt-5#1`) is of the same kind.
    """
    return find_provider(_kind(name) if is_known(name) else parse_name(name).kind)


def is_known(name: str) -> bool:
    """Whether such a judge can be opened here: recorded replies may be anybody's."""
    return _kind(name) in provider_names()


def works_itself(name: str) -> bool:
    """Whether a judge needs a core of ours rather than a server's answer."""
    return is_known(name) and provider_of(name).heavy


def counts_as_call(signed: str) -> bool:
    """Whether a reply signed so was a call to a model. What a free judge of this program decides
    is none: it uses up no cap, and nobody is billed."""
    kind = re.split("[:@#]", without_exam(signed), maxsplit=1)[0]  # `embedded@2-light` too
    if kind not in provider_names():
        return True
    provider = find_provider(kind)
    return provider.needs_prompt or not provider.free


def _kind(name: str) -> str:
    return without_exam(name).partition(":")[0].partition("#")[0]


def parse_name(name: str) -> JudgeName:
    """Read the name of one judge; `UsageError` says what a name looks like."""
    kind, colon, rest = name.strip().partition(":")
    if kind not in provider_names():
        raise UsageError(
            f"unknown judge '{hide_secrets(name)}'{_suggest(kind, rest)}: a judge is one of "
            f"{', '.join(provider_names())}, as in 'embedded', 'openai:MODEL' or "
            "'openai:MODEL@http://host:port/v1'; a panel is a+b"
        )
    provider = find_provider(kind)
    if provider.follows == "anything":
        return JudgeName(kind, rest)
    if not colon or not rest:
        raise UsageError(f"judge '{kind}' needs a {provider.follows}: write '{kind}:NAME'")
    if not provider.takes_address:
        return JudgeName(kind, rest)
    model, *urls = _URL.split(rest, maxsplit=1)
    if not model:
        raise UsageError(f"judge '{kind}' needs a model before '@': write '{kind}:MODEL@URL'")
    if model.endswith("+"):
        raise UsageError(
            f"'{hide_secrets(name)}' ends in a +: a panel is a+b, each by its full name"
        )
    if other := _SCHEME.search(model):
        raise UsageError(
            f"judge '{kind}' is asked over http:// or https://, not {other[1].lower()}://: write "
            f"'{kind}:MODEL@http://host:port/v1'"
        )
    if bare := _BARE.search(model):
        raise UsageError(
            f"judge '{hide_secrets(name)}' names a server without http://: write "
            f"'{kind}:{model[: bare.start()]}@http://{bare[1]}/v1'"
        )
    return JudgeName(kind, model, _check_address(urls[0]) if urls else None)


def _suggest(kind: str, rest: str) -> str:
    """What the user may have meant: a kind with a slip of the pen, or a bare model's name."""
    if not _PLAIN.fullmatch(f"{kind}{rest}"):  # it may hold a secret: nothing of it is repeated
        return ""
    near = get_close_matches(kind, provider_names(), n=1, cutoff=0.75)
    if near:
        return f" (did you mean '{near[0]}{':' if rest else ''}{rest}'?)"
    vendor = vendor_of(kind)
    if rest or vendor is None:
        return ""
    routes = [name for name in provider_names() if find_provider(name).vendor == vendor]
    return f" (did you mean '{routes[0]}:{kind}'?)" if routes else ""


def _check_address(url: str) -> str:
    """A server's address without anything that must not be stored."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise UsageError(
            "the host or port of a judge's address cannot be read: write http://host:port/v1"
        ) from None
    if not host:
        raise UsageError(
            f"judge address '{hide_secrets(url)}' has no host: write http://host:port/v1"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            f"judge address '{parts.scheme}://…{parts.path}' carries a user, password or query: "
            "names are stored, so put the key in its environment variable instead"
        )
    return url.rstrip("/")


def hide_secrets(name: str) -> str:
    """A name that failed to parse, safe to print: whatever may be a password is left out."""
    return re.sub(r"//[^/@\s]*@", "//…@", name).partition("?")[0][:200]
