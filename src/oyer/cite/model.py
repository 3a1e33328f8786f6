"""What the engine returns: an act, a citation of one of its articles, and their JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Language = Literal["fr", "nl"]
Via = Literal["single", "list", "range", "back-reference"]

#: BL-TYPE: an act's type in the words of each language, in the same order.
TYPES: dict[Language, tuple[str, ...]] = {
    "fr": (
        "LOI",
        "ARRETE_ROYAL",
        "CODE",
        "CONSTITUTION",
        "REGLEMENT_UE",
        "DIRECTIVE_UE",
        "TRAITE",
        "ARRETE_GOUVERNEMENT",
        "ORDONNANCE",
        "DECRET",
        "AUTRE",
    ),
    "nl": (
        "WET",
        "KONINKLIJK_BESLUIT",
        "WETBOEK",
        "GRONDWET",
        "EU_VERORDENING",
        "EU_RICHTLIJN",
        "VERDRAG",
        "BESLUIT_VAN_DE_REGERING",
        "ORDONNANTIE",
        "DECREET",
        "ANDERE",
    ),
}


@dataclass(frozen=True, slots=True)
class Act:
    """A normative act: its id (None: unknown), its name as written, type and date.

    `name` carries the named part of the act when the text gives one (BL-HIERARCHY).
    """

    id: str | None
    name: str
    type: str | None
    date: str | None


@dataclass(frozen=True, slots=True)
class Citation:
    """One provision cited at one place: `text[start:end] == quote`.

    `group` numbers the phrase that gave it: all provisions of one list or range share it.
    """

    quote: str
    start: int
    end: int
    key: str
    path: tuple[str, ...]
    act: Act
    via: Via
    open: bool
    certain: bool
    confidence: float = 0.0  # the measured share of right acts among citations found in this way
    group: int = -1

    @property
    def provision(self) -> tuple[str, str, tuple[str, ...]]:
        """What makes two citations the same provision: act, article and path.

        An act without id is told apart by its name; an unknown act is the empty name.
        """
        return (self.act.id or f"?{self.act.name.casefold()}", self.key, self.path)


def distinct(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    """The set of provisions, in the order of the text, each by its most telling citation.

    One that stands on its own somewhere is `single`, even when a list names it too.
    """
    seen: dict[tuple[str, str, tuple[str, ...]], Citation] = {}
    for citation in citations:
        first = seen.get(citation.provision)
        if first is None or (_rank(citation) < _rank(first)):
            seen[citation.provision] = citation
    return tuple(seen.values())


def _rank(citation: Citation) -> tuple[bool, int]:
    order = ("single", "list", "range", "back-reference")
    return (not citation.certain, order.index(citation.via))


def record(citation: Citation) -> dict[str, Any]:
    """One line of `oyer cite --json`, keys in the order of the notation."""
    act = citation.act
    return {
        "quote": citation.quote,
        "start": citation.start,
        "end": citation.end,
        "key": citation.key,
        "path": list(citation.path),
        "act": {"id": act.id, "name": act.name, "type": act.type, "date": act.date},
        "via": citation.via,
        "open": citation.open,
        "certain": citation.certain,
        "confidence": citation.confidence,
    }
