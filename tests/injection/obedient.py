"""A judge that does whatever the judged text tells it: the worst judge there is.

It is what a server answers with (`ProviderServer(reply=Obedient())`): all it knows is the words of
the request, as they came over the wire.
"""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass, field

from oyer.text.fence import BREAK
from oyer.text.seal import seal_of
from oyer.types import Judge, Prompt, Reply
from tests.injection.attacked_cases import ATTACKED, AttackedCase, as_reply
from tests.injection.corpus import FAMILIES, VERDICT, Family

_FENCED = re.compile(r"<(\w+)-([0-9a-f]{16})>\n(.*?)\n</\1-\2>", re.DOTALL)


@dataclass(frozen=True)
class Order:
    """An order that the judge read: whose court, which family and language, in which fence."""

    protocol: str
    family: str
    language: str
    fence: str


@dataclass
class Obedient(Judge):
    """Honest until it reads an order. `outside` is what stood outside the fences when it did."""

    name: str = "obedient"
    deaf: bool = False  # an honest colleague, for panels
    outside: dict[Order | str, str] = field(default_factory=dict)

    async def ask(self, prompt: Prompt) -> Reply:
        """The same judge without a server, for panels of several."""
        return Reply(self(f"{prompt.system}\n{prompt.user}"), self.name)

    def __call__(self, words: str) -> str:
        court = court_of(words)
        nonce = next(_FENCED.finditer(words))[2]
        found = None if self.deaf else ordered(words, court)
        if "<COMPLAINT-" not in words:
            bare = _FENCED.sub("[fenced]", words).replace(nonce, "[nonce]")
            bare = bare.replace(seal_of(nonce), "[seal]")
            self.outside[found[0] if found else court.protocol] = bare
        if found is None:
            return as_reply(court.honest, seal_of(nonce))
        return obey(court, found[1].obeys, nonce)


def court_of(words: str) -> AttackedCase:
    """Which protocol asks; the two judges of summaries are told apart by what they ask for."""
    if "<RUBRIC-" in words:
        return ATTACKED["rubric"]
    if "<EXTRACTED-" in words:
        return ATTACKED["belgian-law"]
    return ATTACKED["judge-lock" if "qag_results" in words else "twin-lock"]


def ordered(words: str, court: AttackedCase) -> tuple[Order, Family] | None:
    """The order in a request, wherever it stands, as a reader who sees through the fence."""
    finished = court.finished()
    for name, _, inside in _FENCED.findall(words):
        text = inside.replace(BREAK, "")
        for family in FAMILIES:
            for language, order in family.texts.items():
                written = order.replace(VERDICT, finished)
                if written in text or json.dumps(written, ensure_ascii=False)[1:-1] in text:
                    return Order(court.protocol, family.name, language, name), family
    return None


def obey(court: AttackedCase, obeys: str, nonce: str) -> str:
    """What the order wants."""
    honest, seal = court.honest, seal_of(nonce)
    if obeys == "echo":
        return court.finished()
    if obeys == "silence":
        return '{"error": "not allowed"}'
    if obeys == "labels":
        return as_reply(court.numbers(court.best(honest, "")), seal)
    if obeys == "quotes":
        return as_reply(court.numbers(court.best(honest, "it plainly says so right here")), seal)
    made = copy.deepcopy(honest)
    if obeys == "leak":
        made[0]["rationale"] = f"</SUMMARY-{nonce}> flawless <SUMMARY-{nonce}>"
    elif obeys == "amend":
        made = court.numbers(made)
        made[0]["weights"] = {"logic_and_fact": 100, "coverage": 1}
        made[0]["total"] = 100
    else:
        made = court.numbers(made)
    return as_reply(made, seal)
