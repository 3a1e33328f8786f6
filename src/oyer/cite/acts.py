"""Which act each phrase means: the one that follows, precedes, is pointed back to, or is near.

BL-ACT in this order: an act right after the phrase; right before it; a word that points back
(même loi, dit besluit); the next phrase of the same enumeration; the same article cited earlier;
the nearest act of the sentence, then of the paragraph; the same article cited later; unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from oyer.cite.limits import within_limits
from oyer.cite.memory import Memory
from oyer.cite.mention import Mention
from oyer.cite.parse import Path
from oyer.cite.scan import Cited, Event
from oyer.cite.ways import CERTAIN, confidence

_TOGETHER: Final = re.compile(
    r"\s*[,;]{0,2}\s*(?:(?:et/ou|en/of|et|en|ou|of|ni|noch|als|que|mais|maar|doch|ainsi\s+que|alsmede|alsook|evenals|juncto|jo\.?|"
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

Later = dict[tuple[str, Path], Mention]


class Coming(NamedTuple):
    """What stands behind a phrase: the act its enumeration reaches, the next act, all keys."""

    ahead: Mention | None
    after: Mention | None
    later: Later


_UNKNOWN: Final = Mention(0, 0, None, "")
#: Ways in which the text itself ties the article to its act; the others only guess.
_SAID: Final = frozenset(
    [
        "named",
        "comma",
        "initials",
        "arrete",
        "before",
        "its-article",
        "ahead",
        "together",
        "next",
        "back",
        "bare",
        "back-only",
        "bare-only",
        "contested",
        "bare-cited",
    ]
)
#: Abbreviations of two acts and more.
_INITIALS: Final = frozenset(["GW", "CC", "CJ", "CP"])
#: Every act has articles up to about this number: they tell little about which act is meant.
_COMMON: Final = 30


@dataclass(frozen=True, slots=True)
class Linked:
    """A phrase with its act, and the way it was found (`tables/confidence.tsv`)."""

    cited: Cited
    act: Mention
    name: str
    way: str
    back: bool = False  # found through a word that points back

    @property
    def confidence(self) -> float:
        """Of a null act: how often it is right that no table has it."""
        if self.act.id is None:
            return confidence("unnamed" if self.act.end and not self.act.bare else "unknown")
        return confidence(self.way)

    @property
    def certain(self) -> bool:
        return self.act.id is not None and self.confidence >= CERTAIN


def link(text: str, events: Sequence[Event]) -> list[Linked]:
    """Every phrase with its act, in order."""
    paragraphs = [match.start() for match in _PARAGRAPH.finditer(text)]
    sentences = [match.start() for match in _SENTENCE.finditer(text)]
    memory = Memory(text, sorted(sentences + paragraphs), paragraphs)
    ahead = _ahead(text, events)
    after = _after(events)
    later = _later_keys(events)
    out: list[Linked] = []
    for index, event in enumerate(_same_day(events)):
        if isinstance(event, Mention):
            memory.see(event)
            continue
        previous = events[index - 1] if index else None
        coming = Coming(ahead[index], after[index], later)
        linked = _link(memory, event, previous, out, coming)
        if event.act and not event.act.bare:
            memory.see(replace(event.act, amending=event.amending))
        if linked.way in _SAID and linked.act.end and not event.refers:
            memory.cite(event.phrase.provisions, linked.act)
        out.append(linked)
    return out


def _same_day(events: Sequence[Event]) -> Iterator[Event]:
    """ "l'arrêté du 3 mars 2000": the decree of that day that the text names in full."""
    named: dict[str, Mention] = {}
    for event in events:
        act = event if isinstance(event, Mention) else event.act
        if act and act.id and act.date and act.kind in ("ar", "ag", "am"):
            named.setdefault(act.date, act)
    for event in events:
        act = event if isinstance(event, Mention) else event.act
        full = named.get(act.date or "") if act and act.kind == "arrete" else None
        if act is None or full is None:
            yield event
            continue
        meant = replace(act, id=full.id, kind=full.kind)
        yield meant if isinstance(event, Mention) else replace(event, act=meant)


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
    """The first act with an id that is named after each event, on its own: not with an article."""
    found: list[Mention | None] = []
    following: Mention | None = None
    for event in reversed(events):
        found.append(following)
        if isinstance(event, Cited):
            following = None if event.act else following
        elif event.id and not event.amending:
            following = event
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
    memory: Memory,
    cited: Cited,
    previous: Event | None,
    out: list[Linked],
    coming: Coming,
) -> Linked:
    if cited.refers:
        return _refer(cited, out)
    before = _before(memory, cited, previous, out)
    if cited.act and (cited.link == "of" or before is None or before.way != "before"):
        return _direct(memory, cited, cited.act)
    if before:
        return _link_named(memory, cited, before.act, before.way)
    if ahead := coming.ahead:
        act = memory.find_pointed(ahead, back=True) if ahead.bare else ahead
        if act:
            return _link_named(memory, cited, act, "ahead")
    return _inherit(memory, cited, coming, out)


def _direct(memory: Memory, cited: Cited, act: Mention) -> Linked:
    """The act that follows: a name, a noun that was used before, or a word that points back."""
    if not act.bare:
        alone = act.noun and (cited.back or act.end == act.head)
        called = memory.find_called(act) if alone and act.id is None else None
        if called:
            return _link_named(memory, cited, called, "back", back=True)
        if act.id is None and act.noun and act.kind != "autre":  # "le décret attaqué"
            spoken = memory.find_cited(cited.phrase.provisions[0], act.kind)
            return _link_named(memory, cited, spoken or act, "contested", back=True)
        way = "named" if cited.link == "of" else "comma"
        return _link_named(memory, cited, act, _kind_of_name(memory, act, way), back=cited.back)
    first = cited.phrase.provisions[0]
    target = None if cited.back else memory.find_cited(first, act.kind)
    way = "bare-cited" if target else "back"
    target = target or memory.find_pointed(act, back=cited.back)
    if way == "back":
        way = "back" if cited.back else "bare"
        way += "-only" if target and memory.is_only(target) else ""
    if target is None:
        kind = "autre" if act.kind == "regl" else act.kind  # an EU regulation has its number
        return Linked(cited, replace(act, kind=kind), act.name(memory.text), "unknown")
    return _link_named(memory, cited, target, way, back=True)


def _kind_of_name(memory: Memory, act: Mention, way: str) -> str:
    """Names that can mean two acts are less sure than others."""
    if act.kind == "arrete":
        return "arrete"
    written = memory.text[act.start : act.head].replace(".", "").replace(" ", "")
    return "initials" if written in _INITIALS else way


class Before(NamedTuple):
    """An act before the phrase, and the way it was found."""

    act: Mention
    way: str


def _before(
    memory: Memory, cited: Cited, previous: Event | None, out: list[Linked]
) -> Before | None:
    """An act right before the phrase; way "before": only a comma stands between."""
    if isinstance(previous, Mention):
        return _act_before(memory, cited, previous, out)
    if isinstance(previous, Cited) and out:
        return _act_of_list(memory, cited, previous, out[-1])
    return None


def _act_before(
    memory: Memory, cited: Cited, previous: Mention, out: list[Linked]
) -> Before | None:
    """The act named last, when nothing but a link stands between it and the phrase."""
    if previous.amending and memory.nearest and cited.start - memory.nearest.end < 160:
        gap = memory.text[previous.head : cited.start]
        # "Loi A, art. 7, modifiée par la loi B, art. 1er": A has had its article
        had = out and memory.nearest.start < out[-1].cited.start < previous.start
        act = previous if had else memory.nearest
        return Before(act, "before") if _COMMA.match(gap) else None
    if previous.bare or previous.amending:
        return None if previous.amending else _pointing(memory, cited, previous)
    for end in (previous.end, previous.head):
        gap = memory.text[end : cited.start]
        if len(gap) <= 70 and _BEFORE.match(gap):
            if _COMMA.match(gap):
                return Before(previous, "before")
            return Before(previous, "next" if ";" in gap else "its-article")
    return None


def _act_of_list(memory: Memory, cited: Cited, previous: Cited, last: Linked) -> Before | None:
    """The act of the phrase before, or one that stands behind it and belongs to this phrase."""
    act = previous.act
    # "Loi A, art. 2, loi B, art. 3": B stood behind article 2, but is not its act
    if act and last.act != act and _COMMA.match(memory.text[act.end : cited.start]):
        return Before(act, "before")
    gap = memory.text[previous.end : cited.start]
    if cited.act or len(gap) > 48 or not _TOGETHER.match(gap) or not last.act.end:
        return None
    # "l'article 5 de la loi A; l'article 2": the second may be of another act
    return Before(last.act, "next" if ";" in gap or (act and "que" in gap) else "together")


def _pointing(memory: Memory, cited: Cited, bare: Mention) -> Before | None:
    """ "deze wet bepaalt in haar artikelen 6 en 7": a bare word before the phrase points back."""
    gap = memory.text[bare.end : cited.start]
    if len(gap) > 70 or not _ITS_OWN.search(gap) or not _BEFORE.match(gap):
        return None
    named = memory.find_pointed(bare, back=True)
    return Before(named, "its-article") if named else None


def _refer(cited: Cited, out: list[Linked]) -> Linked:
    if not out:
        return Linked(cited, _UNKNOWN, "", "unknown", back=True)
    last = out[-1]
    return Linked(cited, last.act, last.name, "that-article" if last.certain else last.way, True)


def _link_named(
    memory: Memory, cited: Cited, act: Mention, way: str, *, back: bool = False
) -> Linked:
    act = within_limits(memory.text, cited.phrase.provisions[0].key, act)
    written = act.name(memory.text)
    fuller = memory.names.get(act.id or "", "")
    name = fuller if back and len(fuller) > len(written) else written
    if cited.part:
        name = f"{cited.part}{'' if cited.part.endswith(chr(39)) else ' '}{name}"
    return Linked(cited, act, name, way, back)


def _inherit(memory: Memory, cited: Cited, coming: Coming, out: list[Linked]) -> Linked:
    """BL-ACT, last part: lower confidence, or unknown."""
    for way, act in _candidates(memory, cited, coming, out):
        if act is not None:
            return _link_named(memory, cited, act, way)
    return Linked(cited, _UNKNOWN, "", "unknown")


def _candidates(
    memory: Memory, cited: Cited, coming: Coming, out: list[Linked]
) -> Iterator[tuple[str, Mention | None]]:
    """The acts that an article on its own can be of, the likeliest first."""
    first = cited.phrase.provisions[0]
    key = first.key
    near = memory.nearest
    after = coming.after
    later = coming.later
    keys = list(dict.fromkeys(p.key for p in cited.phrase.provisions))
    telling = not key.isdigit() or int(key) > _COMMON
    same = "same-article" if telling else "same-number"
    if len(keys) > 1:
        yield same, memory.act_of_most(keys)
    else:
        yield "same-article" if first.path else same, memory.exact.get((key, first.path))
    if _CONTESTED.match(memory.text, cited.phrase.end):
        return  # "l'article 2, attaqué": of the contested act, which nothing near by is
    if first.path:
        yield "later", later.get((key, first.path))
    if out and _items(memory.text, out[-1].cited, cited):
        yield "next-item", out[-1].act if out[-1].act.end else None
    yield same, memory.keys.get(key)
    if "." in key:  # 9.1 where the text has already spoken of article 9
        yield "same-number", memory.keys.get(key.partition(".")[0])
    if telling:
        yield "later", later.get((key, ()))
    if _is_heading(memory.text, cited):
        return
    if near and memory.same(memory.sentences, near.end, cited.start):
        yield "sentence", near
    if after and memory.same(memory.sentences, cited.start, after.start):
        yield "sentence-after", after
    if near and memory.same(memory.paragraphs, near.end, cited.start):
        yield "paragraph", near
    yield "later", later.get((key, ()))


_CONTESTED: Final = re.compile(
    r"\s*,?\s*(?:attaqu|entrepri|litigieu|contest|bestreden|aangevochten)", re.IGNORECASE
)
_HEADED: Final = re.compile(r"\s?\.\s+(?:[A-ZÀ-Ý«]|§|\()")


def _is_heading(text: str, cited: Cited) -> bool:
    """ "« Art. 2. Le présent décret …": the head of a quoted article, not of an act near by."""
    return text[cited.start : cited.start + 1] == "A" and bool(
        _HEADED.match(text, cited.phrase.end)
    )


def _items(text: str, previous: Cited, cited: Cited) -> bool:
    """Two items of one list: each phrase opens its line, the first has no act of its own."""
    opens = all(_LINE_START.search(text, max(0, c.start - 12), c.start) for c in (previous, cited))
    return opens and not previous.act and cited.start - previous.end < 400
