"""Why a claim is not Supported whatever its support: its faults, in plain words.

All but `strange` say what seems: how often each is right by people's labels is in docs/embedded.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from oyer.judges.embedded.assess import Assessed
from oyer.judges.embedded.facts import FAULTS
from oyer.judges.embedded.strange import find_strange

NAMED = 2  # strange words that are told
WORDS = {
    "turned": "the article seems to say the opposite",
    "swapped": "two names seem to be exchanged",
    "moved": "a number, time or day seems to stand with another fact in the article",
    "usurped": "the article seems to tell this of another name",
}


def tell_faults(claim: Assessed) -> str:
    """The faults of a claim as half a sentence; "": it has none."""
    found = [fault for fault in FAULTS if fault in claim.faults]
    return " and ".join(WORDS.get(fault) or _tell_strange(claim) for fault in found)


def _tell_strange(claim: Assessed) -> str:
    v = claim.view
    places = sorted(set(find_strange(v.source, v.text, v.words)))
    words = [v.text[v.words.starts[at] : v.words.ends[at]] for at in places]
    return "the article does not have " + ", ".join(f"“{word}”" for word in words[:NAMED])


def list_faults(claims: Sequence[Assessed]) -> str:
    """All of them, each after its claim's number; "": there are none."""
    told = [(number, tell_faults(claim)) for number, claim in enumerate(claims, 1)]
    listed = "; ".join(f"claim {number} ({words})" for number, words in told if words)
    return f"Claims with a fault are never Supported: {listed}." if listed else ""
