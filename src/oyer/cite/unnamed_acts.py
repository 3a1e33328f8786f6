"""Instruments that no table has: agreements, drafts, statutes, policies, abbreviations.

BL-ACT: such an act is null, with its words as name; it never becomes the nearest known one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from oyer.cite.lexicon import fold, words
from oyer.cite.mention import Mention

_UNKNOWN: Final = re.compile(
    r"(?=[A-Z][a-z.]{0,3}[A-Z])[A-Z][A-Za-z.]{1,9}(?![\w-])(?!\s+[A-ZÀ-Ý]{2,})", re.ASCII
)
_NOT_NAMES: Final = frozenset(
    [
        "en",
        "et",
        "of",
        "ou",
        "van",
        "het",
        "de",
        "du",
        "la",
        "le",
        "les",
        "des",
        "der",
        "eur",
        "bef",
    ]
)
#: What is only thought of as an act: the draft's own articles are not those of the law it changes.
DRAFTS: Final = frozenset(
    [
        "avantprojet",
        "avant",
        "projet",
        "proposition",
        "voorontwerp",
        "ontwerp",
        "voorstel",
        "wetsontwerp",
        "wetsvoorstel",
        "ontwerpbesluit",
        "ontwerpdecreet",
        "voorontwerpdecreet",
    ]
)
_DRAFT: Final = re.compile(
    r"(?:avant-projet|projet|proposition|voorontwerp|ontwerp|voorstel)\s+"
    r"(?:de\s+(?:loi|d[ée]cret|r[èe]glement|directive)|d'(?:arr[êe]t[ée](?:\s+royal)?|ordonnance)|"
    r"(?:van\s+)?(?:bijzondere\s+)?(?:wet|decreet|ordonnantie|koninklijk\s+besluit|besluit|verordening|richtlijn))"
    r"(?!\w)|(?:wetsontwerp|wetsvoorstel|ontwerpbesluit|ontwerpdecreet)(?!\w)",
    re.IGNORECASE,
)
_PRIVATE: Final = re.compile(
    r"(?:statuts?|statut(?:en|air\w*)|statuut|contrats?(?:-type)?|bail|police|polis|compromis|"
    r"acte|akte|testament|charte-partie|avant-projet|projet|proposition|"
    r"(?:model|huur|koop|aannemings|verzekerings)(?:contract|overeenkomst)|contract|bestek|"
    r"voorontwerp|ontwerp|voorstel|(?:wets|ontwerp)(?:voorstel|ontwerp|besluit)|dading|"
    r"(?:algemene\s+)?\w*voorwaarden)(?![\w'])(?:\s+n°\s?\d+)?",
    re.IGNORECASE,
)
#: A noun behind "article 5 de la …" that names no instrument of its own: near acts may be meant.
_NO_INSTRUMENT: Final = re.compile(
    r"(?:dispositions?|l[ée]gislations?|r[ée]glementations?|textes?|normes?|mani[èe]re|fa[çc]on|"
    r"sorte|suite|part|chef|fait|moment|jour|date|avis|entr[ée]e|version|r[ée]daction|mesure|"
    r"regeling|wetgeving|reglementering|bepaling(?:en)?|tekst|versie|hand|dag|moment|ogenblik|"
    r"datum|inwerkingtreding|toepassing|kracht|articles?|artikel(?:en)?|alin[ée]as?|paragraphes?|"
    r"lid|leden|eerste|tweede|partie|deel|titre|titel|livre|boek|chapitre|hoofdstuk|section|"
    r"afdeling|annexe|bijlage|m[êe]me|pr[ée]sente?|droit|recht|mots?|woord(?:en)?|lors|plus|"
    r"nouveau|nouvelle|ancien|ancienne|oude|nieuwe)(?!\w)",
    re.IGNORECASE,
)
_NOUN: Final = re.compile(r"[^\W\d_]{4,}(?:-[^\W\d_]{3,})?")
_GENITIVE: Final = re.compile(
    r"(?:du|de\s+la|de\s+l'|des|dudit|de\s?ladite|desdite?s?|van\s+(?:het|de|den))\s*$",
    re.IGNORECASE,
)
#: "accord de coopération entre l'État et les régions": the words that go on naming it.
_MORE: Final = re.compile(
    r"(?:\s+(?:de\s+la\s|de\s+l'|de\s|du\s|des\s|d'|van\s+de\s|van\s+het\s|van\s|entre\s|tussen\s|"
    r"relati\w+\s|betreffende\s|inzake\s|sur\s|à\s+la\s|met\s|over\s)\s*[^\W\d_][^\s.,;:()«»\"]*){0,4}"
)


def private_at(text: str, position: int) -> Mention | None:
    """ "l'article 14 des statuts": no act of the law, so no act near by is meant either."""
    match = _DRAFT.match(text, position) or _PRIVATE.match(text, position)
    return _read_unnamed(text, position, match.end()) if match else None


def draft_at(text: str, position: int) -> Mention | None:
    """ "het wetsontwerp houdende …": a draft on its own, before the articles in brackets."""
    match = _DRAFT.match(text, position)
    return _read_unnamed(text, position, match.end()) if match else None


def instrument_at(text: str, position: int, link: str) -> Mention | None:
    """ "l'article 5 de la politique": whatever an article is said to be of is its act.

    `link` is the word between; one that points back ("de cet") counts as well.
    """
    match = _NOUN.match(text, position)
    if not match or not _GENITIVE.fullmatch(link) or _NO_INSTRUMENT.match(text, position):
        return None
    return _read_unnamed(text, position, match.end())


def _read_unnamed(text: str, start: int, end: int) -> Mention:
    more = _MORE.match(text, end, min(end + 80, len(text)))
    stop = more.end() if more else end
    noun = fold(re.match(r"[^\W\d_]*", text[start:end])[0])  # type: ignore[index]
    return Mention(start, stop, None, "autre", head=end, noun=noun)


def unknown_at(text: str, position: int) -> Mention | None:
    """ "artikel 44 RIO": an abbreviation that no table knows names an act of its own."""
    match = _UNKNOWN.match(text, position)
    if not match or match[0].lower().strip(".") in _NOT_NAMES:
        return None
    return Mention(position, match.end(), None, "", head=match.end(), noun=match[0].lower())


# ── names that only look like a known act's ─────────────────────────────────────────────────


_ABROAD: Final = re.compile(
    r"(?:(?<=\bcivil)|(?<=commerce)|(?<=pénal)|(?<=\bloi)|(?<=décret))\s+(?:fran[çc]aise?|n[ée]erlandaise?|"
    r"luxembourgeoise?|allemande?|suisse|anglaise?|italienne?|espagnole?)(?!\w)",
    re.IGNORECASE,
)
_ADJECTIVE: Final = (
    r"\s+(?:conclue?|sign[ée]e?|faite?|gesloten|ondertekend|Benelux|[a-z]{4,}-[a-z]{4,}|"
    r"[^\W\d_]{4,}(?:ale|ales|elle|enne|ique|aire|aise|oise))(?!\w)"
)
_OF_SOMETHING: Final = (
    r"(?:\s+(?:entre|tussen)\s[^.;()\n,]{3,40}?\s(?:et|en)\s"
    r"(?:la\s|le\s|les\s|de\s|het\s|l')?[^\s.;(),]+|"
    r"\s+(?:du|des?|d'|relati[fv]e?|concernant|van|inzake|betreffende)"
    r"(?!\s*(?:toepassing|kracht|mani[èe]re|fa[çc]on|la\s+part)(?!\w))(?!\w)\s?"
    r"[^.;()\n,]{3,60}?(?=\s(?:et|en|qui|que|die|dat|ne|est|is|dispose|bepaalt|peut|kan)\s|[.;()\n,]|$))"
)
#: What follows "convention" or "code" when it is a name of its own and points to nothing.
_QUALIFIED: Final = {
    "traite": re.compile(f"{_ADJECTIVE}(?:{_OF_SOMETHING})?|{_OF_SOMETHING}"),
    "code": re.compile(
        r"\s+(?:[^\W\d_]{3,}(?:ier|al|el|if|ique|aire|ois|ais|ain|ien)(?!\w)(?:\s+[^\W\d_]{4,}aire(?!\w))?|"
        r"(?:de|du|des|d'|van|der|voor|inzake)(?!\s+(?:toepassing|kracht|mani[èe]re))(?!\w)\s?[^\s.,;()]{4,}"
        r"(?:\s+(?:de|du|des|et|van|en)\s+[^\s.,;()]{4,})?)"
    ),
}


def as_belgian(text: str, found: Mention) -> Mention:
    """ "Code civil français", "loi française du …": not the Belgian act of that name."""
    abroad = _ABROAD.search(text, found.start, min(found.end + 14, len(text)))
    if abroad is None or found.kind in ("traite", "regl", "dir"):
        return found
    end = max(found.end, abroad.end())
    noun = " ".join(words(text[found.start : end]))
    return replace(found, id=None, end=end, head=end, noun=noun)


def qualify(text: str, bare: Mention) -> Mention:
    """ "la convention fiscale entre …": a name of its own, though no table has it."""
    pattern = _QUALIFIED.get(bare.kind)
    match = pattern.match(text, bare.head) if pattern else None
    if match is None:
        return bare
    return replace(bare, end=match.end(), head=match.end(), bare=False)


_CONTESTED: Final = re.compile(
    r"\s+(?:attaqu[ée]e?s?|entreprise?s?|litigieu(?:x|se)s?|contest[ée]e?s?|en\s+cause|en\s+projet)(?!\w)"
)


def own_name(text: str, start: int, end: int, kind: str) -> Mention | None:
    """ "règlement de travail", "le décret attaqué": an act of its own, not a word that points."""
    if contested := _CONTESTED.match(text, end):
        end = contested.end()
        return Mention(start, end, None, kind, head=end, noun=" ".join(words(text[start:end])))
    own_words = words(text[start:end])
    pointing = len(own_words) < 2 or "general" in own_words or "algemeen" in own_words
    if kind != "autre" or pointing:
        return None
    return Mention(start, end, None, kind, head=end, noun=own_words[0])
