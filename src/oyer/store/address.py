"""A store's address: a file, or the URL of a server with perhaps a password in it."""

from __future__ import annotations

import os.path


def shown_store(where: str) -> str:
    """A store's name as it may be printed: without a password, wherever it stands."""
    head, slashes, rest = where.partition("://")
    if not slashes:
        return where
    server, question, options = rest.partition("?")
    user, at, host = server.rpartition("@")
    named = f"{user.partition(':')[0]}{at}{host}"
    parts = [part for part in options.split("&") if part and "password" not in part.casefold()]
    return f"{head}://{named}{question if parts else ''}{'&'.join(parts)}"


def store_option(where: str | None, default: str) -> str:
    """What a printed command needs to read this store: ` --store FILE`, as short as it can be."""
    if where is None or where == default:
        return ""
    name = shown_store(where)
    if "://" not in name and os.path.isabs(name):
        short = os.path.relpath(name)
        name = short if len(short) < len(name) else name
    return "" if name == default else f" --store {name}"
