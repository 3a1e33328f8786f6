"""What a text has said so far: the acts it named, by kind, noun and number, and their articles."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from oyer.cite import lexicon
from oyer.cite.mention import Mention
from oyer.cite.parse import Path, Provision

_FIRST_WORD: Final = re.compile(r"[^\W\d_]+")

#: What a bare word can point back to.
_FAMILY: Final = {
    "loi": ("loi", "lois-coordonnees", "arrete-loi"),
    "lois-coordonnees": ("lois-coordonnees", "loi"),
    "arrete": ("ar", "ag", "am", "arrete-regent", "arrete"),
    "ar": ("ar", "arrete"),
    "regl": ("regl", "autre"),
    "autre": ("autre", "regl"),
}
#: A treaty is pointed to by the noun that it is called by: "cette convention" is no "traité".
_TREATY_NOUNS: Final = frozenset(
    [
        "convention",
        "traite",
        "pacte",
        "charte",
        "protocole",
        "accord",
        "statut",
        "verdrag",
        "handvest",
        "protocol",
        "overeenkomst",
        "akkoord",
        "conventie",
    ]
)


@dataclass(slots=True)
class Memory:
    """Grows with the text; asked by the words that point back."""

    text: str
    sentences: list[int]
    paragraphs: list[int]
    nearest: Mention | None = None
    last: dict[str, Mention] = field(default_factory=dict)  # kind -> act named last
    unknown: dict[str, Mention] = field(default_factory=dict)  # the same, of acts without an id
    passed: dict[str, Mention] = field(default_factory=dict)  # acts that only amend or are amended
    nouns: dict[str, Mention] = field(default_factory=dict)  # noun -> treaty or instrument
    numbers: dict[str, Mention] = field(default_factory=dict)  # "20" -> the royal decree nr. 20
    keys: dict[str, Mention] = field(default_factory=dict)  # article -> act it was cited with
    exact: dict[tuple[str, Path], Mention] = field(default_factory=dict)  # the same with its path
    names: dict[str, str] = field(default_factory=dict)  # id -> fullest name so far
    ids: dict[str, set[str]] = field(default_factory=dict)  # kind -> acts named so far

    def see(self, act: Mention) -> None:
        """An act is named."""
        if act.amending and act.id:
            self.passed[act.kind] = act
        if act.bare or act.amending:
            return
        self.nearest = act
        for noun in self._nouns(act):
            self.nouns[noun] = act
        if act.number:
            self.numbers[act.number] = act
        if act.id is None:
            self.unknown[act.kind] = act
            return
        self.last[act.kind] = act
        self.ids.setdefault(act.kind, set()).add(act.id)
        if act.id.startswith("code-"):
            self.last["code"] = act
        if act.id in _coordinated_laws():
            self.last["lois-coordonnees"] = act
        name = act.name(self.text)
        if len(name) > len(self.names.get(act.id, "")):
            self.names[act.id] = name

    def cite(self, provisions: Sequence[Provision], act: Mention) -> None:
        """Articles are cited with their act."""
        for provision in provisions:
            self.keys[provision.key] = act
            self.exact[provision.key, provision.path] = act

    def find_pointed(self, bare: Mention, *, back: bool) -> Mention | None:
        """The act that a bare word means: the last of its kind; `back`: "cette", "précité"."""
        if bare.number:
            return self.numbers.get(bare.number)
        if bare.kind == "traite":
            return self.nouns.get(self.word(bare))
        if bare.kind == "lois-coordonnees" and bare.kind in self.last:
            return self.last[bare.kind]
        family = _FAMILY.get(bare.kind, (bare.kind,))
        known = [self.last[k] for k in family if k in self.last]
        unknown = [self.unknown[k] for k in family if k in self.unknown]
        if bare.kind in ("autre", "regl"):
            unknown = [act for act in unknown if self.word(act) == self.word(bare)]
        if back:  # "ce règlement" may be one that no table has
            known += unknown
        known = known or [self.passed[k] for k in family if k in self.passed] or unknown
        return max(known, key=lambda act: act.start, default=None)

    def is_only(self, act: Mention) -> bool:
        """Whether the text has named no other act of that kind."""
        family = _FAMILY.get(act.kind, (act.kind,))
        named = set[str]().union(*(self.ids.get(kind, ()) for kind in family))
        return named == {act.id}

    def find_called(self, act: Mention) -> Mention | None:
        """ "cet accord", "l'accord": the instrument that was called so."""
        return self.nouns.get(act.noun)

    def find_cited(self, first: Provision, kind: str) -> Mention | None:
        """ "l'article 4 de la loi": a law whose article 4 was cited is meant before another."""
        family = _FAMILY.get(kind, (kind,))
        act = self.exact.get((first.key, first.path)) or self.keys.get(first.key)
        return act if act and act.id and act.kind in family and kind != "traite" else None

    def act_of_most(self, keys: Sequence[str]) -> Mention | None:
        """The act that half of these articles or more were cited with."""
        acts = [self.keys[key] for key in keys if key in self.keys]
        found = {act.id: act for act in acts}
        votes = Counter(act.id for act in acts)
        best, count = votes.most_common(1)[0] if votes else (None, 0)
        return found[best] if 2 * count >= len(keys) and best else None

    def same(self, breaks: list[int], low: int, high: int) -> bool:
        """Whether no break lies between two places."""
        at = bisect_left(breaks, low)
        return at == len(breaks) or breaks[at] >= high

    def word(self, act: Mention) -> str:
        match = _FIRST_WORD.match(self.text, act.start)
        return lexicon.fold(match[0]) if match else ""

    def _nouns(self, act: Mention) -> frozenset[str]:
        if act.noun:  # a samenwerkingsovereenkomst is an overeenkomst
            tails = (noun for noun in _TREATY_NOUNS if act.noun.endswith(noun))
            return frozenset([act.noun, *tails])
        if act.kind == "traite":
            words = frozenset(lexicon.words(self.text[act.start : min(act.end, act.start + 80)]))
            return (words & _TREATY_NOUNS) | _table_nouns().get(act.id or "", frozenset())
        return frozenset([self.word(act)]) if act.kind in ("autre", "cct") else frozenset()


@cache
def _coordinated_laws() -> frozenset[str]:
    """Coordinated laws, also those whose id is that of a law."""
    known = {to for dated, to in lexicon.same().items() if dated.startswith("lois-coordonnees/")}
    return frozenset(known | {id_ for id_ in lexicon.dates() if id_.startswith("lois-c")})


@cache
def _table_nouns() -> dict[str, frozenset[str]]:
    """Treaty id -> the nouns in its names: the CEDH is a convention and a verdrag."""
    found: dict[str, frozenset[str]] = {}
    for id_, _, kind, _, name in lexicon.act_rows():
        if kind == "traite":
            nouns = frozenset(lexicon.words(name)) & _TREATY_NOUNS
            if id_.startswith("protocole-"):
                nouns &= {"protocole", "protocol"}
            found[id_] = found.get(id_, frozenset()) | nouns
    return found
