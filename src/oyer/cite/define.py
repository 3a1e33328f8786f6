"""Names that a decision gives to acts: "(ci-après « la loi antidiscrimination »)", "hierna WER"."""

from __future__ import annotations

import re
from typing import Final

from oyer.cite import lexicon
from oyer.cite.lexicon import Entry, Trie
from oyer.cite.names import COMPOUNDS, Mention

_DEFINED: Final = re.compile(
    r"\s*,?\s*\(?\s*(?:\(\s*)?(?:ci-apr[èe]s|ci-dessous|hierna|verder|hieronder|en\s+abr[ée]g[ée]|"
    r"afgekort|kortweg|dite?(?=\s*[«\"“„])|d[ée]nomm[ée]e?(?=\s*[«\"“„]))\s*[,:]?\s*"
    r"(?:(?:[ée]galement|ook|aangeduid\s+als|d[ée]sign[ée]e?s?(?:\s+comme|\s+par)?|d[ée]nomm[ée]e?s?|"
    r"appel[ée]e?s?|genoemd|afgekort(?:\s+als)?|verkort)\s*:?\s*)?"
    r"(?P<open>[«\"'“„]\s*)?(?:la\s+|le\s+|l'|les\s+|de\s+|het\s+)?"
    r"(?P<name>[^\s«»\"“”„()\[\];:,'][^«»\"“”„()\[\];:,\n]{1,60})"
)
_BRACKETED: Final = re.compile(
    r"\s*\(\s*[«\"'“„]?\s*(?:la\s+|le\s+|l'|de\s+|het\s+)?"
    r"(?P<name>[A-Z][\w.\- ]{1,30}?)\s*[»\"'”]?\s*\)"
)
_NOT_NAMES: Final = frozenset(["mb", "bs", "m", "b", "s", "monb"])
_GENERIC: Final = frozenset(
    ["loi", "wet", "code", "wetboek", "decreet", "décret", "decret", "besluit"]
)


def define(text: str, mention: Mention, local: Trie) -> None:
    """BL-ACT: an abbreviation that the decision defines itself; and an act's own title."""
    if mention.bare or mention.amending:
        return
    entry = Entry(mention.id, mention.kind)
    if mention.id is None:
        return
    title = lexicon.words(text[mention.head : mention.end])
    head = lexicon.words(text[mention.start : mention.start + 30].split(" ", maxsplit=1)[0])
    if mention.date and len(title) >= 3 and len(head) == 1:
        lexicon.add(local, head + title[:7], entry)
    match = _DEFINED.match(text, mention.end)
    if match:
        name = match["name"] if match["open"] else _unquoted(match["name"])
    elif (match := _BRACKETED.match(text, mention.end)) and _abbreviates(match["name"]):
        name = match["name"]
    else:
        return
    defined = lexicon.words(name)
    generic = defined[:1] and defined[0] in _GENERIC
    if defined and not (generic and (len(defined) == 1 or defined[1] in ("du", "van", "de"))):
        lexicon.add(local, defined, entry)


def _unquoted(name: str) -> str:
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
