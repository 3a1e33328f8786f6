"""The newest card of each judge and protocol, kept beside the runs that it was made from."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from oyer.store import codec
from oyer.store.aggregates import states_of
from oyer.store.store import Store

KIND = "judge card"


@dataclass(frozen=True, slots=True)
class KeptCard:
    """A card as it is told elsewhere; `body` is all of it, as `oyer trust --json` prints it."""

    judge: str
    protocol: str
    run: int
    sentence: str
    body: Mapping[str, Any]


def keep_card(store: Store, body: Mapping[str, Any]) -> None:
    """Keep a card in the place of an older one of the same judge and protocol."""
    text = json.dumps(body, ensure_ascii=True)
    name = codec.text(f"{body['protocol']} {body['judge']}")[:500]  # an index takes no more
    store.keep_state(KIND, name, text.encode("ascii")).result()


def read_cards(
    store: Store, protocol: str | None = None, judges: Collection[str] | None = None
) -> list[KeptCard]:
    """The cards of a store, or those of a protocol's judges."""
    cards = []
    for text in states_of(store, KIND).values():
        body = json.loads(text)
        card = KeptCard(body["judge"], body["protocol"], body["run"], body["sentence"], body)
        wanted = protocol in (None, card.protocol)
        if wanted and (judges is None or card.judge in judges):
            cards.append(card)
    return cards
