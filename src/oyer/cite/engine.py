"""The public functions: clean -> scan -> parse -> expand -> acts, on one screen."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from oyer.cite import lexicon
from oyer.cite.acts import Linked, link
from oyer.cite.clean import Cleaned, clean
from oyer.cite.lexicon import type_of
from oyer.cite.limits import key_in
from oyer.cite.mention import Mention
from oyer.cite.model import TYPES, Act, Citation, Language, Via
from oyer.cite.names import dated_id
from oyer.cite.parse import Provision, phrase_at
from oyer.cite.scan import ARTICLE, scan
from oyer.cite.succession import act_at, day_of_decision

_FRENCH: Final = re.compile(
    r"\b(?:le|la|les|des|du|est|qui|que|pour|et|loi|articles?|alinéa)\b", re.IGNORECASE
)
_DUTCH: Final = re.compile(
    r"\b(?:het|een|van|dat|die|voor|zijn|wordt|en|wet|artikel(?:en)?|lid)\b", re.IGNORECASE
)
_GERMAN: Final = re.compile(
    r"\b(?:der|das|und|ist|nicht|wird|gemäß|Gesetz(?:es|buch)?|Absatz|Gericht|Erlass(?:es)?|vom|zum|zur|"
    r"auf|werden|durch|für|des\s+Gesetz\w*)\b"
)
_OPERATIVE: Final = re.compile(
    r"PAR CES MOTIFS|OM DEZE REDENEN|OM DIE REDENEN|D[ÉE]CIDE\b|BESLIST\b|BESLUIT\b"
)
_PASSAGE: Final = 1200
_OPENS: Final = re.compile(r"[.:]\s+(?:[#>_-]+\s*)?$")
_HEADING: Final = 400  # a decision's own ECLI stands at its head
_OWN_ARTICLE: Final = re.compile(r"\s*(?:[.:–—-]|\n|$)")


def cite(
    text: str, language: Language | None = None, when: str | None = None
) -> tuple[Citation, ...]:
    """Every provision that `text` cites, in its order; `language` None: detect it.

    `when` (yyyy-mm-dd) is the day of the decision, which tells what act a name meant (BL-ALIAS);
    None: that of the ECLI at the head of the text, if there is linked.
    """
    cleaned = clean(text)
    when = when or day_of_decision(text[:_HEADING])
    spoken = language or detect(cleaned.text)
    events = list(scan(cleaned.text, {}))
    links = link(cleaned.text, events)
    operative = _operative(cleaned.text)
    dates = {e.id: e.date for e in _mentions(links, events) if e.id and e.date}
    german = language is None and is_german(cleaned.text)
    found: list[Citation] = []
    last: tuple[Provision, ...] = ()
    for group, linked in enumerate(links):
        if operative and _is_own(cleaned.text, linked, operative):
            continue
        provisions = _provisions(linked, last)
        last = provisions or last
        dated = _set_date(linked, cleaned.text, when)
        if german:
            dated = replace(dated, act=replace(dated.act, id=None), way="unknown")
        found.extend(_citations(cleaned, dated, provisions, (group, spoken, dates)))
    return tuple(found)


def _set_date(linked: Linked, text: str, when: str | None) -> Linked:
    id_ = act_at(linked.act.id, text[linked.act.start : linked.act.head], when)
    return linked if id_ == linked.act.id else replace(linked, act=replace(linked.act, id=id_))


def _mentions(links: list[Linked], events: Sequence[object]) -> Iterator[Mention]:
    for event in events:
        if isinstance(event, Mention):
            yield event
    for linked in links:
        if linked.cited.act:
            yield linked.cited.act


def _operative(text: str) -> list[int]:
    return [match.start() for match in _OPERATIVE.finditer(text)]


def _is_own(text: str, linked: Linked, operative: list[int]) -> bool:
    """An article of the decision's own operative part: "Article 1er." at the head of a line.

    A text of passages has no lines: there it opens a sentence soon after the operative words.
    """
    cited = linked.cited
    at = bisect_right(operative, cited.start) - 1
    if at < 0 or cited.act or len(cited.phrase.provisions) != 1:
        return False
    last = at == len(operative) - 1
    line = text.rfind("\n", 0, cited.start) + 1
    opens = last and not text[line : cited.start].strip(" #>_-")
    if not opens and cited.start - operative[at] < _PASSAGE:
        opens = bool(_OPENS.search(text, max(0, cited.start - 8), cited.start))
    plain = not cited.phrase.provisions[0].path
    return opens and plain and bool(_OWN_ARTICLE.match(text, cited.phrase.end))


def _provisions(linked: Linked, last: tuple[Provision, ...]) -> tuple[Provision, ...]:
    cited = linked.cited
    if cited.refers:
        if not last:
            return ()
        key = last[-1].key
        paths = cited.inner or (last[-1].path,)
        return tuple(Provision(key, path, "back-reference") for path in paths)
    inner = cited.inner or ((),)
    provisions = []
    for provision in cited.phrase.provisions:
        for path in inner:
            via = provision.via if len(inner) == 1 else "list"
            whole = provision.path + path
            provisions.append(
                Provision(provision.key, whole, via, provision.open, provision.doubtful)
            )
    for path in cited.later:
        before = provisions[-1]
        provisions.append(Provision(before.key, before.path + path, "single"))
    return tuple(provisions)


def _citations(
    cleaned: Cleaned,
    linked: Linked,
    provisions: tuple[Provision, ...],
    setting: tuple[int, Language, dict[str, str]],
) -> Iterator[Citation]:
    group, language, dates = setting
    cited = linked.cited
    end = cited.phrase.end
    if cited.act and linked.act.head and cited.act.start < end + 200:
        end = max(end, cited.act.head)
    start, stop = cleaned.span(cited.start, end)
    quote = cleaned.original[start:stop]
    act = Act(
        linked.act.id,
        linked.name,
        type_of(linked.act.kind, language) if linked.act.kind else None,
        linked.act.date or dates.get(linked.act.id or ""),
    )
    for provision in provisions:
        via: Via = provision.via
        if linked.back and via == "single":
            via = "back-reference"
        yield Citation(
            quote,
            start,
            stop,
            key_in(act.id, provision.key),
            provision.path,
            act,
            via,
            provision.open,
            linked.certain and not provision.doubtful,
            round(linked.confidence / 2, 2) if provision.doubtful else linked.confidence,
            group,
        )


def is_german(text: str) -> bool:
    """Whether a text is in the third national language, whose acts the tables do not have."""
    sample = text[:20000]
    german = len(_GERMAN.findall(sample))
    return german > 3 and german > 2 * max(
        len(_FRENCH.findall(sample)), len(_DUTCH.findall(sample)) // 2
    )


def detect(text: str) -> Language:
    """French or Dutch, by their commonest words."""
    sample = text[:20000]
    french = len(_FRENCH.findall(sample))
    dutch = len(_DUTCH.findall(sample))
    return "nl" if dutch > french else "fr"


def resolve(
    name: str,
    *,
    type: str | None = None,
    date: str | None = None,
    language: Language | None = None,
    when: str | None = None,
) -> Act:
    """The act that `name` means, as an extractor or a decision wrote it; `when`: see `cite`."""
    text = clean(name[:600]).text
    spoken = language or _language_of(type) or detect(text)
    found = [e for e in scan(text, {}) if isinstance(e, Mention) and not e.amending]
    best = next((m for m in found if m.id), None) or next(iter(found), None)
    kind = best.kind if best else _kind_of(type)
    id_ = act_at(best.id, text[best.start : best.head], when) if best else None
    if id_ is None and date and re.fullmatch(r"\d{4}-\d{2}-\d{2}", date) and kind:
        id_ = dated_id(kind, date) if kind in lexicon.KINDS and kind not in ("code",) else None
    shown = type_of(kind, spoken) if kind else type
    return Act(id_, " ".join(name.split()), shown, (best.date if best else None) or date)


def _language_of(type_: str | None) -> Language | None:
    for language, types in TYPES.items():
        if type_ in types:
            return language
    return None


def _kind_of(type_: str | None) -> str | None:
    kinds = ("loi", "ar", "code", "constitution", "regl", "dir", "traite", "ag", "ord", "decret")
    for types in TYPES.values():
        if type_ in types[:-1]:
            return kinds[types.index(type_)]
    return None


def article(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Key and path of a provision number such as "article 31, § 2, alinéa 1er"."""
    plain = clean(text[:400]).text
    word = re.search(r"[^\W\d_]+", plain)
    many: bool | None = None
    at = 0
    if word and word[0].lower() in ARTICLE:
        many = ARTICLE[word[0].lower()]
        at = word.end()
    elif match := re.search(r"(?i)\b(?:artikel(?:en)?|articles?|artt?)\b", plain):
        many, at = ARTICLE.get(match[0].lower()), match.end()
    opening = re.compile(r"[\s.,]*").match(plain, at)
    phrase = phrase_at(plain, 0, opening.end() if opening else at, many)
    if phrase is None or not phrase.provisions:
        return None
    first = phrase.provisions[0]
    return first.key, first.path
