"""The judges: what is usable here, what is missing for the others."""

from __future__ import annotations

import asyncio

from oyer.judges.availability import survey
from oyer.web.render import Page
from oyer.web.site import PageRequest, Site


def show(site: Site, _: PageRequest) -> Page:
    """Who can be asked, and who has been."""
    found = asyncio.run(survey())
    asked = sorted({judge for run in site.store.runs() for judge in run.manifest.judges})
    return Page("judges.html", {"page": "judges", "found": found, "asked": asked})
