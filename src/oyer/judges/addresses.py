"""Addresses that an environment variable moves a provider to. No value of one is ever repeated."""

from __future__ import annotations

from urllib.parse import urlsplit

from oyer.errors import UsageError


def check_variable(value: str, variable: str, keys: tuple[str, ...]) -> str:
    """The address as it is asked; `UsageError` names the variable that holds none."""

    def refusal(why: str) -> UsageError:
        return UsageError(f"the address in {variable} cannot be used: {why}")

    key = f"put the key in {' or '.join(keys)} instead"
    if not value.isprintable():
        raise refusal("it holds a control character or a line break")
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise refusal("its host or port cannot be read; write http://host:port/path") from None
    if parts.username is not None or parts.password is not None:
        raise refusal(f"it carries a user or password; {key}")
    if "?" in value or "#" in value:
        raise refusal(f"it carries a query or fragment, which no call could follow; {key}")
    if parts.scheme not in ("http", "https") or not host or " " in value:
        raise refusal("write it as http://host:port/path or https://host/path")
    return value.rstrip("/")
