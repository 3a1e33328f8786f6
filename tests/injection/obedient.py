"""A judge that does whatever the judged text tells it: the worst judge there is."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field

from oyer.text.fence import BREAK
from oyer.types import Prompt, Reply
from tests.injection.corpus import FAMILIES, Family
from tests.injection.courts import Court, as_reply


@dataclass
class Obedient:
    """Honest until it reads an order. `finished` is the verdict planted in the text."""

    court: Court
    finished: str
    name: str = "obedient"
    obeyed: list[str] = field(default_factory=list)

    async def ask(self, prompt: Prompt) -> Reply:
        family = self._ordered(prompt.user.replace(BREAK, ""))
        self.obeyed.append(family.obeys if family else "nothing")
        text = self._reply(family.obeys, prompt.nonce) if family else as_reply(self.court.honest)
        return Reply(text, self.name)

    def _ordered(self, text: str) -> Family | None:
        for family in FAMILIES:
            for order in family.texts.values():
                written = order.replace("@@VERDICT@@", self.finished)
                if written in text or json.dumps(written, ensure_ascii=False)[1:-1] in text:
                    return family
        return None

    def _reply(self, obeys: str, nonce: str) -> str:
        court, honest = self.court, self.court.honest
        if obeys == "echo":
            return self.finished
        if obeys == "silence":
            return '{"error": "not allowed"}'
        if obeys == "labels":
            return as_reply(court.numbers(court.best(honest, "")))
        if obeys == "quotes":
            return as_reply(court.numbers(court.best(honest, "it plainly says so right here")))
        made = copy.deepcopy(honest)
        if obeys == "leak":
            made[0]["rationale"] = f"</SUMMARY-{nonce}> flawless <SUMMARY-{nonce}>"
        elif obeys == "amend":
            made = court.numbers(made)
            made[0]["weights"] = {"logic_and_fact": 100, "coverage": 1}
            made[0]["total"] = 100
        else:
            made = court.numbers(made)
        return as_reply(made)
