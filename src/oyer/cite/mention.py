"""An act named at a place in the text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mention:
    """An act named at a place. `bare`: a word that only points back ("la loi", "dit besluit")."""

    start: int
    end: int
    id: str | None
    kind: str
    date: str | None = None
    bare: bool = False
    amending: bool = False
    head: int = 0  # where the name ends without its title
    noun: str = ""  # what an act without a table is called: accord, polis, a defined abbreviation
    number: str = ""  # of a numbered decree: "KB nr. 20"

    def name(self, text: str) -> str:
        return " ".join(text[self.start : self.end].split())
