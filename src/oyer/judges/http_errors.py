"""From an HTTP answer that is not a reply to what it means: retry, refuse, or tell the user."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from oyer.judges.limits import read_seconds, retry_after
from oyer.judges.wire import Fault, Refusal, as_map, as_maps, as_text
from oyer.records import JsonObject
from oyer.text.printable import plain

#: Passes by itself, perhaps: request timeout, conflict, too early, server trouble, overloaded.
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
#: A gateway gave up on a model that may well have answered, and been billed.
GATEWAY = frozenset({502, 504, 524})
#: Error codes that mean "not this text", whatever the status.
POLICY = frozenset({"content_filter", "content_policy_violation", "invalid_prompt", "moderation"})
#: A 429 that no waiting cures.
EXHAUSTED = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
BAD_KEYS = ("API_KEY_INVALID", "API_KEY_EXPIRED")
LONGEST = 300  # characters of a server's message that are shown


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a server says went wrong, in one shape for all of them."""

    message: str = ""
    code: str = ""
    param: str = ""
    wait: float | None = None
    moderated: bool = False
    unkeyed: bool = False  # Gemini says 400 to a bad key

    @property
    def broke(self) -> bool:
        """Anthropic says 400 to an account without credit: no other request will do better."""
        return "credit balance" in self.message.lower()


def complaint(payload: object) -> Complaint:
    """Read the error objects of every provider and of FastAPI."""
    if isinstance(payload, list) and payload:
        payload = payload[0]  # Gemini wraps an error in a list when it was asked to stream
    body = as_map(payload)
    error = body.get("error")
    if isinstance(error, str):
        return Complaint(error)
    inner = as_map(error)
    if not inner:
        text = body.get("message") or body.get("detail") or ""
        return Complaint(text if isinstance(text, str) else json.dumps(text), _word(body, "code"))
    return Complaint(
        message=_full_message(inner),
        code=_word(inner, "code", "status", "type"),
        param=as_text(inner.get("param")),
        wait=_retry_info(inner),
        moderated="reasons" in as_map(inner.get("metadata")),
        unkeyed=any(d.get("reason") in BAD_KEYS for d in as_maps(inner.get("details"))),
    )


def _full_message(error: JsonObject) -> str:
    """A gateway says "Provider returned error" and puts the provider's words in `metadata`."""
    raw = as_text(as_map(error.get("metadata")).get("raw"))
    message = as_text(error.get("message"))
    return f"{message}: {raw}" if raw else message


def _word(error: JsonObject, *names: str) -> str:
    """The most telling of its codes: a word rather than the status number again."""
    values = [error.get(name) for name in names]
    words = [v for v in values if isinstance(v, str) and v]
    numbers = [str(v) for v in values if isinstance(v, int)]
    return (words or numbers or [""])[0]


def _retry_info(error: JsonObject) -> float | None:
    """Gemini's RetryInfo: {"retryDelay": "33s"}."""
    for detail in as_maps(error.get("details")):
        delay = read_seconds(as_text(detail.get("retryDelay")).removesuffix("s"))
        if delay is not None:
            return delay
    return None


def classify(
    status: int, headers: Mapping[str, str], payload: object, body: bytes
) -> Fault | Refusal:
    """What an HTTP status other than 200 means."""
    error = complaint(payload)
    if error.code in POLICY or error.moderated:
        return Refusal(f"{status}: {clip(error.message or error.code)}")
    if status == 401 or error.unkeyed:  # providers quote part of the key here
        return Fault("the server rejected the key (401)", status=status)
    if error.broke:
        return Fault(f"the server answered {status}: {clip(error.message)}", status=status)
    if 300 <= status < 400:
        where = clip(headers.get("location", ""))
        return Fault(
            f"the server redirects ({status}) to '{where}': use that address", status=status
        )
    words = error.message or clip(body.decode(errors="replace"))
    exhausted = error.code in EXHAUSTED
    code = f" {error.code}" if error.code else ""
    return Fault(
        f"the server answered {status}{code}: {clip(words)}",
        again=status in PASSING and not exhausted,
        throttled=status == 429 and not exhausted,
        wait=error.wait if error.wait is not None else retry_after(headers),
        billed=status in GATEWAY,
        status=status,
        blames=f"{error.param} {error.code} {words}"[:2000]
        if status in (400, 404, 422, 501)
        else "",
    )


def error_inside(payload: JsonObject) -> Fault | Refusal | None:
    """A 200 whose body is an error object: proxies and gateways do this."""
    error = payload.get("error")
    if not error:
        return None
    code = as_map(error).get("code")
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    fault = classify(status, {}, payload, b"")
    if isinstance(fault, Refusal):
        return fault
    error = complaint(payload)
    code = f" {error.code}" if error.code else ""
    return Fault(
        f"the server answered 200 with an error{code}: {clip(error.message)}",
        again=fault.again,
        throttled=fault.throttled,
        wait=fault.wait,
        billed=True,
        status=200,
        blames=fault.blames,
    )


def clip(text: str) -> str:
    """A server's words on one line, and not too many of them."""
    line = " ".join(plain(text, instead=" ").split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
