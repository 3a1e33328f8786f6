"""Names that a decision gives to acts: "(ci-après « la loi antidiscrimination »)", "hierna WER"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from oyer.cite import lexicon
from oyer.cite.lexicon import Entry, Trie
from oyer.cite.mention import Mention
from oyer.cite.names import COMPOUNDS

_LEAD: Final = (
    r"(?:ci-apr[èe]s|ci-dessous|hierna|verder|hieronder|en\s+abr[ée]g[ée]|afgekort|kortweg|"
    r"dite?(?=\s*[«\"“„])|d[ée]nomm[ée]e?(?=\s*[«\"“„]))\s*[,:]?\s*"
    r"(?:(?:[ée]galement|ook|aangeduid\s+als|d[ée]sign[ée]e?s?(?:\s+comme|\s+par)?|d[ée]nomm[ée]e?s?|"
    r"appel[ée]e?s?|genoemd|afgekort(?:\s+als)?|verkort|abr[ée]g[ée]e?\s+en)\s*:?\s*)?"
)
_ARTICLE: Final = r"(?:la\s+|le\s+|l'|les\s+|de\s+|het\s+)?"
_NAME: Final = r"(?P<name>[^\s«»\"“”„()\[\];:,'][^«»\"“”„()\[\];:,\n]{1,60})"
#: An act's own title can end in a bracket: "(règlement général sur la protection des données)".
_TITLE_BRACKET: Final = (
    r"(?:\s*\((?!\s*(?:ci-apr|hierna|verder|ook|afgek))[^()]{3,90}\)"
    r"(?=\s*,?\s*\(?\s*(?:ci-apr|hierna)))?"
)
_DEFINED: Final = re.compile(
    rf"{_TITLE_BRACKET}\s*,?\s*\(?\s*(?:\(\s*)?{_LEAD}(?P<open>[«\"'“„]\s*)?{_ARTICLE}{_NAME}"
)
#: "…, ou « LAD »", "of ADW", "hierna ook Wet": one more name for the same act.
_OTHERWISE: Final = re.compile(
    rf"\s*[»\"'”]?\s*(?:,\s*)?(?:(?:ou|of|en|et|dan\s+wel|/)\s+)?(?:{_LEAD})?"
    rf"(?P<open>[«\"'“„]\s*){_ARTICLE}{_NAME}|"
    rf"\s*[»\"'”]?\s*,?\s*(?:ou|of)\s+(?:{_LEAD})?{_ARTICLE}(?P<plain>[A-Z][\w.-]{{1,30}})"
)
_BRACKETED: Final = re.compile(
    r"\s*\(\s*[«\"'“„]?\s*(?:la\s+|le\s+|l'|de\s+|het\s+)?"
    r"(?P<name>[A-Z][\w.\- ]{1,30}?)\s*[»\"'”]?\s*\)"
)
_OR: Final = re.compile(r"\s+(?:ou|of)\s+")
_NOT_NAMES: Final = frozenset(["mb", "bs", "m", "b", "s", "monb"])
_GENERIC: Final = frozenset(
    ["loi", "wet", "code", "wetboek", "decreet", "décret", "decret", "besluit"]
)


def define(text: str, mention: Mention, local: Trie, at: int | None = None) -> None:
    """BL-ACT: an abbreviation that the decision defines itself; and an act's own title.

    `at`: where the definition stands, when not right behind the act ("tot wijziging van A, B en C
    (hierna X)" names the law that amends).
    """
    if mention.bare or mention.amending:
        return
    entry = Entry(mention.id, mention.kind)
    title = lexicon.words(text[mention.head : mention.end])
    head = lexicon.words(text[mention.start : mention.start + 30].split(" ", maxsplit=1)[0])
    if mention.id and mention.date and len(title) >= 3 and len(head) == 1:
        lexicon.add(local, head + title[:7], entry)
    for name in _names(text, mention.end if at is None else at):
        defined = lexicon.words(name)
        generic = defined[:1] and defined[0] in _GENERIC
        if defined and not (generic and (len(defined) == 1 or defined[1] in ("du", "van", "de"))):
            lexicon.add(local, defined, entry)


def _names(text: str, position: int) -> Iterator[str]:
    match = _DEFINED.match(text, position)
    if match is None:
        match = _BRACKETED.match(text, position)
        if match and _abbreviates(match["name"]):
            yield match["name"]
        return
    name = match["name"] if match["open"] else _cut_unquoted(match["name"])
    yield from _OR.split(name)
    end = match.start("name") + len(name)
    while more := _OTHERWISE.match(text, end):
        yield more["name"] or more["plain"]
        end = more.end()


def _cut_unquoted(name: str) -> str:
    """As much as a name without quotation marks can be: "Ordewet genoemd. Artikel 3 …"."""
    kept: list[str] = []
    for word in name.split()[:3]:
        if lexicon.fold(word.strip(".")) in ("genoemd", "genaamd", "denomme", "denommee"):
            break
        kept.append(word)
        if word.endswith(".") and word.count(".") == 1 and len(word) > 5:
            break
    return " ".join(kept)


def _abbreviates(name: str) -> bool:
    words = lexicon.words(name)
    capitals = sum(c.isupper() for c in name)
    compound = len(words) == 1 and words[0].endswith(tuple(COMPOUNDS))
    return not _NOT_NAMES.intersection(words) and (
        (capitals >= 2 and len(name) <= 16 and not any(c.isdigit() for c in name[:-4])) or compound
    )
