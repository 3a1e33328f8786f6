"""The judges: what is usable here, what is missing for the others, and how far to trust them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from itertools import chain

from oyer.store import Run
from oyer.store.cards import KeptCard, read_card, read_cards
from oyer.web.render import Page
from oyer.web.site import NotThere, PageRequest, Site

NEWEST = 30  # runs whose judges are named


def show(site: Site, _: PageRequest) -> Page:
    """Who can be asked, who has been, and the cards of those that were measured."""
    from oyer.judges.availability import survey  # not with the page: it takes long to import

    known = asyncio.run(survey())
    newest = site.store.runs()[-NEWEST:]
    names = set(chain.from_iterable(_judges(site, run) for run in newest))
    cards = sorted(read_cards(site.store), key=lambda card: (card.judge, card.protocol))
    unmeasured = sorted(names - {card.judge for card in cards})
    values = {"page": "judges", "known": known, "cards": cards, "unmeasured": unmeasured}
    return Page("judges.html", values)


def show_card(site: Site, request: PageRequest) -> Page:
    """One card: the sentence, then every part of it."""
    card = _find_card(site, request.word("judge"), request.word("protocol"))
    whole = json.dumps(card.body, ensure_ascii=False, indent=1)
    return Page("card.html", {"page": "judges", "card": card, "whole": whole})


def _judges(site: Site, run: Run) -> Iterable[str]:
    """By the names of their verdicts, as far as they are known: a card has that name."""
    known = site.snapshots.find(run)
    return known.judges if known else run.manifest.judges


def _find_card(site: Site, judge: str, protocol: str) -> KeptCard:
    card = read_card(site.store, judge, protocol)
    if card is None:
        raise NotThere(f"'{judge}' has no card for {protocol} in this store.")
    return card
