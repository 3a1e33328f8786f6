"""The protocols there are, and the rules of one."""

from __future__ import annotations

from oyer.errors import UsageError
from oyer.protocols.catalogue import names
from oyer.web.render import Page
from oyer.web.site import NotThere, PageRequest, Site


def show_all(site: Site, _: PageRequest) -> Page:
    """All of them."""
    protocols = [site.protocol_named(name) for name in names(site.paths)]
    return Page("protocols.html", {"page": "protocols", "protocols": protocols})


def show(site: Site, request: PageRequest) -> Page:
    """One: its fields, its scores, its rules; a rule has its own anchor."""
    try:
        protocol = site.protocol_named(request.path["protocol"])
    except UsageError as unknown:
        raise NotThere(str(unknown)) from None
    runs = [
        run
        for run in reversed(site.store.runs())
        if run.manifest.protocol.partition("@")[0] == protocol.id
    ]
    return Page("protocol.html", {"page": "protocols", "protocol": protocol, "runs": runs[:20]})
