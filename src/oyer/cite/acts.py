"""Which act each phrase means: the one that follows, precedes, is pointed back to, or is near.

BL-ACT in this order: an act right after the phrase; right before it; a word that points back
(même loi, dit besluit); the next phrase of the same enumeration; the same article cited earlier;
the nearest act of the sentence, then of the paragraph; the same article cited later; unknown.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final, NamedTuple

from oyer.cite import lexicon
from oyer.cite.names import Mention
from oyer.cite.parse import Path
from oyer.cite.scan import Cited, Event

_TOGETHER: Final = re.compile(
    r"\s*[,;]{0,2}\s*(?:(?:et/ou|en/of|et|en|ou|of|ni|noch|als|que|mais|maar|doch|ainsi\s+que|alsmede|evenals|juncto|jo\.?|"
    r"combin[ée]e?s?\s+(?:avec|à)|lue?s?\s+en\s+combinaison\s+avec|in\s+samenhang\s+(?:gelezen\s+)?met|"
    r"contenue?s?\s+(?:dans|à)|vervat\s+in|opgenomen\s+in|ins[ée]r[ée]e?s?\s+(?:dans|par))"
    r"(?!\w))?\s*(?:non\s+|niet\s+)?(?:notamment\s+|anderzijds\s+|d'autre\s+part\s*,?\s*|met\s+)?"
    r"(?:(?:de|des|du|à|aux|les?|la|in|van|door|par|bij|op|uit|met|naar|onder|sous|sur)\s+){0,2}(?:de\s+|het\s+|l')?$"
)
_BEFORE: Final = re.compile(
    r"[\s,:;)]{0,4}(?:\((?:[^()]{0,60})\))?[\s,:]{0,3}"
    r"(?:(?:heeft|a|dispose|pr[ée]voit|[ée]nonce|bepaalt|voorziet)\s+)?"
    r"(?:(?:et\s+|en\s+)?(?:en\s+ses?|en\s+son|notamment|sp[ée]cialement|singuli[èe]rement|"
    r"plus\s+(?:sp[ée]cialement|pr[ée]cis[ée]ment|particuli[èe]rement)|en\s+particulier|"
    r"in\s+(?:zijn|haar)|in\s+het\s+bijzonder|inzonderheid|meer\s+bepaald|meer\s+in\s+het\s+bijzonder|"
    r"met\s+name|via\s+(?:zijn|haar)|dans\s+(?:son|ses)|en\s+zijn|dont|waarvan|"
    r"(?:est\s+)?d[ée]finie?)(?!\w)[\s,:]{0,3}){0,2}"
    r"(?:(?:op|par|à|aux?|door|bij|en|in|sous|sub|son|ses|zijn|haar|les?|de|het|l')(?:\s+|(?<='))){0,3}$"
)
_ITS_OWN: Final = re.compile(r"(?<!\w)(?:ses|son|zijn|haar|dont|waarvan)(?!\w)")
_COMMA: Final = re.compile(r"[\s,(:]{1,4}(?:les?\s+|l'|de\s+)?$")
_LINE_START: Final = re.compile(r"(?:\n|^)[\s>*•–—-]{0,8}(?:\d{1,2}[.)°]\s?|[a-z]\)\s?)?$")
_SENTENCE: Final = re.compile(r"[.?!](?:(?<=[^\W\d_A-Z]{3}.)|(?<=[)»].))\s+(?=[A-ZÀ-Ý«\"(_-])")
_PARAGRAPH: Final = re.compile(r"\n\s*\n")

#: What a bare word can point back to.
_FAMILY: Final = {
    "loi": ("loi", "lois-coordonnees", "arrete-loi"),
    "lois-coordonnees": ("lois-coordonnees", "loi"),
    "arrete": ("ar", "ag", "am", "arrete-regent", "arrete"),
    "ar": ("ar", "arrete"),
    "regl": ("regl", "autre"),
    "autre": ("autre", "regl"),
}
#: Acts with Roman books: scanned "1.22" is I.22.
_ROMAN_BOOKS: Final = frozenset({"cde", "code-bien-etre"})
Later = dict[tuple[str, Path], Mention]


class Coming(NamedTuple):
    """What stands behind a phrase: the act its enumeration reaches, the next act, all keys."""

    ahead: Mention | None
    after: Mention | None
    later: Later


_UNKNOWN: Final = Mention(0, 0, None, "")


@dataclass(frozen=True, slots=True)
class Linked:
    """A phrase with its act; `back`: found through a word that points back."""

    cited: Cited
    act: Mention
    name: str
    certain: bool
    back: bool = False


@dataclass(slots=True)
class _Memory:
    """What the text has said so far."""

    text: str
    sentences: list[int]
    paragraphs: list[int]
    last: dict[str, Mention] = field(default_factory=dict)  # kind -> act named last
    unknown: dict[str, Mention] = field(default_factory=dict)  # the same, of acts without an id
    passed: dict[str, Mention] = field(default_factory=dict)  # acts that only amend or are amended
    nearest: Mention | None = None
    keys: dict[str, Mention] = field(default_factory=dict)  # article -> act it was cited with
    exact: dict[tuple[str, Path], Mention] = field(default_factory=dict)  # the same with its path
    names: dict[str, str] = field(default_factory=dict)  # id -> fullest name so far

    def see(self, act: Mention) -> None:
        if act.amending and act.id:
            self.passed[act.kind] = act
        if act.bare or act.amending:
            return
        if act.id is None:
            self.unknown[act.kind] = act
            return
        self.last[act.kind] = self.nearest = act
        if act.id.startswith("code-"):
            self.last["code"] = act
        if act.id in _coordinated():
            self.last["lois-coordonnees"] = act
        name = act.name(self.text)
        if len(name) > len(self.names.get(act.id, "")):
            self.names[act.id] = name

    def pointed(self, kind: str) -> Mention | None:
        if kind == "lois-coordonnees" and kind in self.last:
            return self.last[kind]
        family = _FAMILY.get(kind, (kind,))
        found = [self.last[k] for k in family if k in self.last]
        found = found or [self.passed[k] for k in family if k in self.passed]
        found = found or [self.unknown[k] for k in family if k in self.unknown]
        return max(found, key=lambda act: act.start, default=None)

    def cited(self, cited: Cited, kind: str) -> Mention | None:
        """ "l'article 4 de la loi": a law whose article 4 was cited is meant before another."""
        family = _FAMILY.get(kind, (kind,))
        first = cited.phrase.provisions[0]
        act = self.exact.get((first.key, first.path)) or self.keys.get(first.key)
        return act if act and act.id and act.kind in family else None

    def spoken(self, keys: Sequence[str]) -> Mention | None:
        """The act that half of these articles or more were cited with."""
        found = {act.id: act for key in keys if (act := self.keys.get(key))}
        votes = Counter(act.id for key in keys if (act := self.keys.get(key)))
        best, count = votes.most_common(1)[0] if votes else (None, 0)
        return found[best] if 2 * count >= len(keys) and best else None

    def same(self, breaks: list[int], low: int, high: int) -> bool:
        """Whether no break lies between two places."""
        at = bisect_left(breaks, low)
        return at == len(breaks) or breaks[at] >= high


def link(text: str, events: Sequence[Event]) -> list[Linked]:
    """Every phrase with its act, in order."""
    memory = _Memory(
        text,
        sorted(m.start() for p in (_SENTENCE, _PARAGRAPH) for m in p.finditer(text)),
        [m.start() for m in _PARAGRAPH.finditer(text)],
    )
    ahead = _ahead(text, events)
    after = _after(events)
    later = _later_keys(events)
    out: list[Linked] = []
    for index, event in enumerate(events):
        if isinstance(event, Mention):
            memory.see(event)
            continue
        previous = events[index - 1] if index else None
        coming = Coming(ahead[index], after[index], later)
        linked = _link(memory, event, previous, out, coming)
        if event.act and not event.act.bare:
            memory.see(replace(event.act, amending=event.amending))
        if linked.certain and not event.refers:
            for provision in event.phrase.provisions:
                memory.keys[provision.key] = linked.act
                memory.exact[provision.key, provision.path] = linked.act
        out.append(linked)
    return out


def _ahead(text: str, events: Sequence[Event]) -> list[Mention | None]:
    """The act that a phrase's enumeration reaches: "l'article 5 et l'article 7 de la loi"."""
    found: list[Mention | None] = [None] * len(events)
    for index in range(len(events) - 2, -1, -1):
        event, following = events[index], events[index + 1]
        if not isinstance(event, Cited) or not isinstance(following, Cited) or event.act:
            continue
        gap = text[event.end : following.start]
        if len(gap) <= 48 and _TOGETHER.match(gap):
            found[index] = following.act or found[index + 1]
    return found


def _after(events: Sequence[Event]) -> list[Mention | None]:
    """The first act with an id that is named after each event."""
    found: list[Mention | None] = []
    following: Mention | None = None
    for event in reversed(events):
        found.append(following)
        act = event if isinstance(event, Mention) else event.act
        amending = act.amending or (isinstance(event, Cited) and event.amending) if act else False
        if act and act.id and not amending:
            following = act
    return found[::-1]


def _later_keys(events: Sequence[Event]) -> Later:
    """Article (and path) -> act of its first explicit citation, wherever it stands."""
    found: Later = {}
    for event in events:
        if isinstance(event, Cited) and event.act and not event.act.bare:
            for provision in event.phrase.provisions:
                found.setdefault((provision.key, ()), event.act)
                found.setdefault((provision.key, provision.path), event.act)
    return found


def _link(
    memory: _Memory,
    cited: Cited,
    previous: Event | None,
    out: list[Linked],
    coming: Coming,
) -> Linked:
    if cited.refers:
        return _refer(cited, out)
    before = _before(memory, cited, previous, out)
    if cited.act and (cited.link == "of" or before is None or not before[1]):
        return _direct(memory, cited, cited.act)
    if before:
        return _named(memory, cited, before[0], certain=before[1] or before[0].id is not None)
    if ahead := coming.ahead:
        act = memory.pointed(ahead.kind) if ahead.bare else ahead
        if act:
            return _named(memory, cited, act, certain=act.id is not None)
    return _inherit(memory, cited, coming, out)


def _direct(memory: _Memory, cited: Cited, act: Mention) -> Linked:
    if not act.bare:
        return _named(memory, cited, act, certain=act.id is not None, back=cited.back)
    target = None if cited.back else memory.cited(cited, act.kind)
    target = target or memory.pointed(act.kind)
    if target is None:
        kind = "autre" if act.kind == "regl" else act.kind  # an EU regulation has its number
        return Linked(cited, replace(act, kind=kind), act.name(memory.text), certain=False)
    return _named(memory, cited, target, certain=target.id is not None, back=True)


def _before(
    memory: _Memory, cited: Cited, previous: Event | None, out: list[Linked]
) -> tuple[Mention, bool] | None:
    """An act right before the phrase, and whether only a comma stands between."""
    if isinstance(previous, Mention):
        return _mentioned(memory, cited, previous, out)
    if isinstance(previous, Cited) and out:
        return _enumerated(memory, cited, previous, out[-1])
    return None


def _mentioned(
    memory: _Memory, cited: Cited, previous: Mention, out: list[Linked]
) -> tuple[Mention, bool] | None:
    """The act named last, when nothing but a link stands between it and the phrase."""
    if previous.amending and memory.nearest and cited.start - memory.nearest.end < 160:
        gap = memory.text[previous.head : cited.start]
        # "Loi A, art. 7, modifiée par la loi B, art. 1er": A has had its article
        had = out and memory.nearest.start < out[-1].cited.start < previous.start
        return (previous if had else memory.nearest, True) if _COMMA.match(gap) else None
    if previous.bare or previous.amending:
        return None if previous.amending else _pointing(memory, cited, previous)
    for end in (previous.end, previous.head):
        gap = memory.text[end : cited.start]
        if len(gap) <= 70 and _BEFORE.match(gap):
            return previous, bool(_COMMA.match(gap))
    return None


def _enumerated(
    memory: _Memory, cited: Cited, previous: Cited, last: Linked
) -> tuple[Mention, bool] | None:
    """The act of the phrase before, or one that stands behind it and belongs to this phrase."""
    act = previous.act
    # "Loi A, art. 2, loi B, art. 3": B stood behind article 2, but is not its act
    if act and last.act != act and _COMMA.match(memory.text[act.end : cited.start]):
        return act, True
    gap = memory.text[previous.end : cited.start]
    together = len(gap) <= 48 and _TOGETHER.match(gap) and last.act.kind
    return (last.act, False) if together and not cited.act else None


def _pointing(memory: _Memory, cited: Cited, bare: Mention) -> tuple[Mention, bool] | None:
    """ "deze wet bepaalt in haar artikelen 6 en 7": a bare word before the phrase points back."""
    gap = memory.text[bare.end : cited.start]
    if len(gap) > 70 or not _ITS_OWN.search(gap) or not _BEFORE.match(gap):
        return None
    named = memory.pointed(bare.kind)
    return (named, False) if named else None


def _refer(cited: Cited, out: list[Linked]) -> Linked:
    if not out:
        return Linked(cited, _UNKNOWN, "", certain=False, back=True)
    last = out[-1]
    return Linked(cited, last.act, last.name, last.certain, back=True)


def _named(
    memory: _Memory, cited: Cited, act: Mention, *, certain: bool, back: bool = False
) -> Linked:
    act = _within_limits(cited, act)
    written = act.name(memory.text)
    fuller = memory.names.get(act.id or "", "")
    name = fuller if back and len(fuller) > len(written) else written
    if cited.part:
        name = f"{cited.part}{'' if cited.part.endswith(chr(39)) else ' '}{name}"
    return Linked(cited, act, name, certain, back)


def _inherit(memory: _Memory, cited: Cited, coming: Coming, out: list[Linked]) -> Linked:
    """BL-ACT, last part: lower confidence, or unknown."""
    first = cited.phrase.provisions[0]
    key = first.key
    near, after, later = memory.nearest, coming.after, coming.later
    keys = list(dict.fromkeys(p.key for p in cited.phrase.provisions))
    act = memory.spoken(keys) if len(keys) > 1 else memory.exact.get((key, first.path))
    if act is None and first.path:
        act = later.get((key, first.path))
    if act is None and out and _items(memory.text, out[-1].cited, cited):
        act = out[-1].act if out[-1].act.id else None
    act = act or memory.keys.get(key)
    if act is None and "." in key:  # 9.1 where the text has already spoken of article 9
        act = memory.keys.get(key.partition(".")[0])
    if act is None and near and memory.same(memory.sentences, near.end, cited.start):
        act = near
    if act is None and after and memory.same(memory.sentences, cited.start, after.start):
        act = after
    if act is None and near and memory.same(memory.paragraphs, near.end, cited.start):
        act = near
    act = act or later.get((key, ()))
    if act is None:
        return Linked(cited, _UNKNOWN, "", certain=False)
    return _named(memory, cited, act, certain=False)


def _items(text: str, previous: Cited, cited: Cited) -> bool:
    """Two items of one list: each phrase opens its line, the first has no act of its own."""
    opens = all(_LINE_START.search(text, max(0, c.start - 12), c.start) for c in (previous, cited))
    return opens and not previous.act and cited.start - previous.end < 400


@cache
def _coordinated() -> frozenset[str]:
    """Coordinated laws, also those whose id is that of a law."""
    known = {to for dated, to in lexicon.same().items() if dated.startswith("lois-coordonnees/")}
    return frozenset(known | {id_ for id_ in lexicon.dates() if id_.startswith("lois-c")})


@cache
def _limits() -> dict[str, tuple[int, str]]:
    return {id_: (int(high), other) for id_, high, other in lexicon.rows("limits.tsv", 3)}


def _within_limits(cited: Cited, act: Mention) -> Mention:
    """ "G.W., art. 1080": no Constitution has so many articles."""
    high, other = _limits().get(act.id or "", (0, ""))
    if high:
        whole = re.match(r"\d+", cited.phrase.provisions[0].key)
        if whole and int(whole[0]) > high:
            return replace(act, id=other, kind="code")
    return act


def key_in(act: str | None, key: str) -> str:
    """A key as the act numbers its articles: OCR's 1.22 is I.22, 1.382 is 1382."""
    if act in _ROMAN_BOOKS and (match := re.fullmatch(r"[1l]\.(\d+.*)", key)):
        return f"I.{match[1]}"
    if act in ("code-civil", "code-judiciaire", "cic"):
        return re.sub(r"^([12])\.(\d{3})(?!\d)", r"\1\2", key)
    return key
