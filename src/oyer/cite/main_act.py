"""Which act a definition is of, when a title names several: the one that changes the others."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from oyer.cite.define import define
from oyer.cite.lexicon import Trie
from oyer.cite.mention import Mention

#: Whether a title says that its act changes others; and what stands between those.
_CHANGING: Final = re.compile(
    r"\b(?:modifiant|abrogeant|rempla[çc]ant|wijziging|opheffing|intrekking|vervanging|modification|"
    r"abrogation)(?!\w)",
    re.IGNORECASE,
)
_IN_TITLE: Final = re.compile(
    r"\s*(?:,|et|en|,\s*(?:et|en))\s*(?:(?:tot\s+\w+\s+van|de|het|la|le|les|du|des|van|modifiant|abrogeant)"
    r"\s+|l'|d'){0,3}"
)
_SENTENCE_END: Final = re.compile(r"[.;]\s+[A-ZÀ-Ý]|\n\s*\n")


@dataclass(slots=True)
class MainAct:
    """The instrument whose title is being read: acts inside it are only what it changes."""

    act: Mention | None = None
    end: int = 0  # where its title, or the list of acts it changes, has come to
    changing: bool = False

    def place(self, text: str, mention: Mention, local: Trie) -> Mention:
        """The mention as it counts, and the names that the decision gives behind it."""
        if mention.bare:
            return mention
        near = self.act is not None and mention.start - self.end < 400
        listed = self.changing and _IN_TITLE.fullmatch(text, self.end, mention.start)
        if mention.amending or listed:
            if self.act and near and not _SENTENCE_END.search(text, self.end, mention.start):
                define(text, self.act, local, mention.end)
                self.end, self.changing = mention.end, True
            return replace(mention, amending=True)
        if self._renames(text, mention):  # "directive 2019/1023 (directive sur la restructuration)"
            return replace(mention, id=self.act.id if self.act else None)
        define(text, mention, local)
        title = _CHANGING.search(text, mention.head, mention.end)
        self.act = mention
        self.end = mention.end
        self.changing = title is not None
        return mention

    def _renames(self, text: str, mention: Mention) -> bool:
        """A title without a date, in brackets behind the act: its own other name."""
        if self.act is None or mention.id is not None or mention.kind != self.act.kind:
            return False
        return text[self.end : mention.start].strip() == "("
