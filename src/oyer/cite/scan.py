"""One pass over the words: article phrases with the act that follows them, and acts by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from oyer.cite import lexicon
from oyer.cite.define import define
from oyer.cite.lexicon import Trie
from oyer.cite.main_act import MainAct
from oyer.cite.mention import Mention
from oyer.cite.names import COMPOUNDS, find_coordinated, mention_at
from oyer.cite.numbers import number_at
from oyer.cite.parse import LONGEST, CitationPhrase, Path, Provision, phrase_at
from oyer.cite.paths import JOIN, RANK, Around, sub_at, write_level
from oyer.cite.unnamed_acts import DRAFTS, draft_at, instrument_at, private_at, unknown_at

_WORD: Final = re.compile(r"[^\W\d_]+")
#: Article words; True: plural, False: singular, None: the abbreviation leaves it open.
ARTICLE: Final[dict[str, bool | None]] = {
    "article": False,
    "articles": True,
    "artikel": False,
    "artikelen": True,
    "artikels": True,
    "art": None,
    "arts": True,
    "artt": True,
    "artn": True,
    "artik": None,
    # OCR lost the blank or the apostrophe before the word
    "larticle": False,
    "laarticle": False,
    "delarticle": False,
    "vanartikel": False,
    "vanart": None,
    "lesarticles": True,
    "desarticles": True,
    "deartikelen": True,
}
_AFTER_WORD: Final = re.compile(
    r"\s?[.,;:]{0,2}\s*(?:n°\s*|nr\.\s*|van\s+|de\s+)?"
    r"(?:(?:anciens?|nouveaux?|actuels?|pr[ée]cit[ée]s|susvis[ée]s|susmentionn[ée]s|oude?|nieuwe?|"
    r"huidige?|voormelde?|voornoemde?|bovenvermelde?)\s+(?=\d))?"
)
#: "le Groupe de travail « Article 29 »" is a body, not a provision.
_NOT_CITED: Final = re.compile(
    r"(?:groep|groupe(?:\s+de\s+travail)?|GT|WP|party)\s+(?:de\s+l'|van\s+)?[\"«'“]?\s*$",
    re.IGNORECASE,
)
#: "rue de l'Article 12": an address.
_STREET: Final = re.compile(
    r"\b(?:rue|avenue|av\.|place|boulevard|bd|quai|chauss[ée]e|square|all[ée]e|drève|impasse)\s+"
    r"(?:[^\W\d_]+\s+){0,3}(?:l'|d'|de\s+l')?$",
    re.IGNORECASE,
)
_A_BODY: Final = re.compile(r"[\"»”']?\s*-?(?:werkgroep|working\s)", re.IGNORECASE)
_ENIG: Final = re.compile(r"\b(?:enig|unique)\s$", re.IGNORECASE)
_BEFORE_WORD: Final = re.compile(r"[lLdD]'\s?$")
_LINK: Final = re.compile(
    r"\s*(?P<comma>,\s*)?(?:\((?=[^)]{0,60}\)))?\s*"
    r"(?P<contained>(?:contenue?s?|ins[ée]r[ée]e?s?|figurant|repris\w*|vervat|opgenomen|ingevoegd)\s+"
    r"(?:dans|à|in)\s+)?"
    r"(?P<word>du\s+|de\s+la\s+|de\s+l''?\s?|des\s+|de\s+|d'\s?|dudit\s+|de\s?ladite\s+|desdites?\s+|"
    r"van\s+(?:het\s+|de\s+|den\s+)?|uit\s+(?:de|het)\s+|in\s+(?:de|het)\s+|der\s+|"
    r"bij\s+(?:de|het)\s+|op\s+(?:de|het)\s+|dans\s+(?:la\s+|les?\s+|l')|la\s+|le\s+|l'|het\s+)?"
    r"(?:algemeen\s+verbindend\s+verklaarde\s+)?"
    r"(?P<back>(?:m[êe]mes?|dudit|ledit|ladite|cette|cet|ces|ce|susdite?s?|pr[ée]dite?|"
    r"pr[ée]cit[ée]e?s?|derni[èe]re?|laatstgenoemde?|pr[ée]sente?s?|onderhavige?|hetzelfde|dezelfde|datzelfde|diezelfde|deze|dit|dat|die|voormelde?|"
    r"voornoemde?|bovenvermelde?|bovengenoemde?|genoemde?|vermelde?|gezegde|bedoelde?)\s+){0,2}"
    r"(?P<age>(?:anciennes?|anciens?|nouveau|nouvelle|oude?|nieuwe?|toenmalige?|[a-z]{4,9}i[èe]me|premi[èe]re?|"
    r"(?:eerste|tweede|derde|vierde|vijfde|zesde|zevende|achtste|dertiende))\s+(?!prot|aanv))?",
    re.IGNORECASE,
)
_BACK_WORD: Final = re.compile(
    r"\b(?:dudit|ladite|desdites?|m[êe]mes?|cette|cet|ces|ce|dezelfde|hetzelfde|datzelfde|die|dat|"
    r"dit|deze|voormelde?|voornoemde?|genoemde?|susdite?s?|pr[ée]cit[ée]e?s?|gezegde)\s",
    re.IGNORECASE,
)
_PART: Final = re.compile(
    r"(?:(?:titre|livre|chapitre|section|partie|annexe|boek|titel|hoofdstuk|afdeling|deel|bijlage)"
    r"\s+(?:[IVXLC]{1,6}|\d{1,3}|pr[ée]liminaire|unique|premier)(?:er|bis|ter|quater)?(?!\w)"
    r"\s*,?\s*(?:du\s+|de\s+la\s+|de\s+l'\s?|des\s+|van\s+(?:het\s+|de\s+)?|uit\s+(?:de|het)\s+)?){1,4}|"
    r"(?:dispositions\s+transitoires|overgangsbepalingen|section|afdeling|annexe|bijlage)\s+"
    r"(?:du\s+|de\s+la\s+|de\s+l'\s?|à\s+la\s+|à\s+l'\s?|au\s+|(?:van|bij)\s+(?:het\s+|de\s+)|"
    r"(?:van|bij|de|à)\s+(?=(?:dit|dat|deze|die|ce|cette|cet)\s))(?:(?:dit|dat|deze|die|ce|cette|cet)\s)?",
    re.IGNORECASE,
)
_AMENDED: Final = re.compile(
    r"(?:modifi|remplac|ins[ée]r|compl[ée]t|abrog|introdui|approuv|ratifi|r[ée]tabli|coordonn|"
    r"gewijzigd|vervangen|ingevoegd|aangevuld|opgeheven|goedgekeurd|bekrachtigd|hersteld|"
    r"mod\.|rempl\.|gew\.|verv\.)[^.;()]{0,40}?\s(?:par|bij|door)\s+"
    r"(?:la\s+|l'\s?|le\s+|les\s+|de\s+|het\s+|den\s+)?$|"
    r"(?:modifiant|abrogeant|rempla[çc]ant|(?:wijziging|opheffing|intrekking|vervanging)\s+van|"
    r"(?:modification|abrogation)\s+d(?:e|u|es))\s+(?:la\s+|l'\s?|le\s+|les\s+|de\s+|het\s+)?$"
)
#: "article 5bis, inséré par la loi B, du Code A": the act stands behind the one that changed it.
_CHANGED_BY: Final = re.compile(
    r"\s*,?\s*(?:(?:tel(?:le)?s?\s+qu(?:e\s+|')|zoals\s+)(?:\w+\s+){0,2})?"
    r"(?:modifi|remplac|ins[ée]r|compl[ée]t|introdui|r[ée]tabli|gewijzigd|vervangen|ingevoegd|"
    r"aangevuld|hersteld)\w{0,4}\s+(?:\w+\s+)?(?:par|bij|door)\s+"
    r"(?:la\s+|l'\s?|le\s+|de\s+|het\s+)?",
    re.IGNORECASE,
)
_CHANGES: Final = re.compile(
    r"\s*,?\s*(?:modifiant|rempla[çc]ant|compl[ée]tant|tot\s+(?:wijziging|aanvulling|vervanging)\s+van)"
    r"\s+(?:la\s+|le\s+|les\s+|l'|de\s+|het\s+)?"
)
_PATH_OF: Final = re.compile(
    r"\s*,?\s*(?:de\s+l'\s?|de\s+cet\s+|du(?:dit|\s+m[êe]me)?\s+|des\s+|"
    r"van\s+(?:het\s+|dit\s+|dat\s+|ditzelfde\s+|datzelfde\s+|hetzelfde\s+|voormeld\s+|"
    r"voornoemd\s+|bedoeld\s+|genoemd\s+|de\s+)?)$"
)
_PATH_START: Final = re.compile(
    r"§|\d+\s?°|\bn°\s?\d|\balin[ée]as?\b|\bal\.|\blid\b|\bpar(?:agraphe|agraaf|\.)|\bpoints?\b|\bpunt\b|"
    r"\b(?:premi|deuxi|troisi|quatri|cinqui|second|dernier|eerste|tweede|derde|vierde|vijfde|laatste|"
    r"zesde|zevende)|\d+(?:de|ste|e)\s|\b[a-h]\)"
)
_IN_ITS: Final = re.compile(
    r"[^.;:\n()]{0,45}?\s(?:en\s+ses?|en\s+son|dans\s+son|dans\s+ses|in\s+zijn|in\s+haar)\s+"
)


_STRAY_STOP: Final = re.compile(r"\.\s?(?=[A-Z][A-Za-z]{0,3}\.|[A-Z]{2,})")
_SUBJECT: Final = re.compile(r"(?:la|le|l'|het)\s*$", re.IGNORECASE)
_VERB: Final = re.compile(
    r"\s*,?\s*(?:ne\s+|n'|se\s+|s'|y\s+)?(?:\w+(?:ait|aient|era|eront)|est|sont|a|ont|dispose|"
    r"pr[ée]voit|permet|constitue|impose|exige|doit|peut|vise|bepaalt|is|was|werd|wordt|voorziet|"
    r"heeft|had|kan|moet|vormt|vereist|laat|geldt)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Cited:
    """An article phrase, the act that follows it if one does, and how they are linked.

    `link` is "" (nothing follows), "of" (du, van, or nothing between) or "comma"; `back` says that
    the words point back (même, dezelfde, dit); `part` is the named part of the act.
    """

    start: int
    phrase: CitationPhrase
    act: Mention | None = None
    link: str = ""
    back: bool = False
    part: str = ""
    inner: tuple[Path, ...] = ()  # "l'alinéa 2 de l'article 5": paths that stand before
    later: tuple[Path, ...] = ()  # "l'article 169 … dispose en son alinéa 1er"
    refers: bool = False  # "l'article précité": no number of its own
    amending: bool = False  # "modifié par l'article 3 de la loi B": not the act spoken of

    @property
    def end(self) -> int:
        return max(self.phrase.end, self.act.end if self.act else 0)


Event = Cited | Mention


def scan(text: str, local: Trie) -> Iterator[Event]:
    """Events in the order of the text; `local` grows with the names the decision defines."""
    skip = 0
    main = MainAct()
    for match in _WORD.finditer(text):
        word = match[0]
        role = _role(word)
        if not role and (not local or lexicon.fold(word) not in local):
            continue
        start = match.start()
        if start < skip:
            continue
        if role == "article":
            for event in _scan_cited(text, match, ARTICLE[word.lower()], local):
                yield event
                skip = max(skip, event.end)
            continue
        if len(word) == 1 and text[match.end() : match.end() + 1] != ".":
            continue
        mention = mention_at(text, start, local)
        if role == "draft" and (mention is None or mention.id is None):
            mention = draft_at(text, start)
        if mention:
            mention = main.place(text, _mark_amending(text, mention), local)
            skip = mention.end
            if changed := _find_amended(text, mention, local):
                yield changed
            yield mention


@lru_cache(maxsize=1 << 16)
def _role(word: str) -> str:
    """Whether a word opens an article phrase or can open an act's name."""
    if word.lower() in ARTICLE:
        return "article"
    known = lexicon.fold(word)
    if known in DRAFTS:
        return "draft"
    compound = len(known) > 6 and known.endswith(tuple(COMPOUNDS))
    return "name" if compound or known in lexicon.openers() else ""


def _mark_amending(text: str, mention: Mention) -> Mention:
    """Acts that only amend or approve another one are not the act spoken of."""
    return replace(mention, amending=True) if _amends(text, mention.start) else mention


def _find_amended(text: str, mention: Mention, local: Trie) -> Mention | None:
    """ "de wet tot wijziging van het Wetboek …": what it changes may be pointed back to."""
    changes = _CHANGES.match(text, mention.head) if mention.end > mention.head else None
    act = mention_at(text, changes.end(), local) if changes else None
    return replace(act, amending=True) if act and act.id else None


def _amends(text: str, start: int) -> bool:
    return bool(_AMENDED.search(text, max(0, start - 75), start))


def _scan_cited(
    text: str, word: re.Match[str], many: bool | None, local: Trie
) -> Iterator[Cited | Mention]:
    after = _AFTER_WORD.match(text, word.end())
    position = after.end() if after else word.end()
    low = max(0, word.start() - 40)
    if _NOT_CITED.search(text, low, word.start()) or _STREET.search(text, low, word.start()):
        return
    before = _BEFORE_WORD.search(text, max(0, word.start() - 3), word.start())
    start = before.start() if before and text[before.start()] in "lL" else word.start()
    phrase = phrase_at(text, start, position, many)
    inner = _inner(text, word.start()) if many is not True or phrase else ()
    if phrase is None and _ENIG.search(text, max(0, word.start() - 8), word.start()):
        phrase = CitationPhrase(start, word.end(), (Provision("unique", (), "single"),))
    if phrase and _A_BODY.match(text, phrase.end):
        return
    if phrase is None:
        if reference := _reference(text, word, start, inner):
            yield reference
        return
    while phrase:
        cited = _link_following(text, replace_start(phrase, start), local)
        cited = replace(cited, inner=inner, amending=_amends(text, start))
        if cited.act and not cited.act.bare:
            define(text, cited.act, local)
        yield replace(cited, later=_later(text, cited))
        inner, phrase = (), None
        if cited.act:
            phrase = _continuation(text, cited.act.end, local)
        elif cited.phrase.end - cited.phrase.start >= LONGEST:
            phrase = _stretch(text, cited.phrase.end)
        start = phrase.start if phrase else start


def replace_start(phrase: CitationPhrase, start: int) -> CitationPhrase:
    return phrase if phrase.start == start else replace(phrase, start=start)


def _link_following(text: str, phrase: CitationPhrase, local: Trie) -> Cited:
    """BL-ACT: the act right after the phrase, or after the law that changed the article."""
    changed = _CHANGED_BY.match(text, phrase.end)
    by = mention_at(text, changed.end(), local) if changed else None
    if by is not None:
        beyond = _link_at(text, phrase, by.end, local)
        if beyond.act and beyond.act.id and beyond.link == "of" and not beyond.act.bare:
            return beyond
    stray = _STRAY_STOP.match(text, phrase.end)  # "Art. 3. W.A.M.-wet"
    if stray and (act := mention_at(text, stray.end(), local)) and act.id:
        return Cited(phrase.start, phrase, act, "comma")
    return _link_at(text, phrase, phrase.end, local)


def _link_at(text: str, phrase: CitationPhrase, position: int, local: Trie) -> Cited:
    """The act that is linked to the phrase at a position."""
    link = _LINK.match(text, position)
    at = link.end() if link else position
    if link is None or not _WORD.match(text, at):
        return Cited(phrase.start, phrase)
    act, part = mention_at(text, at, local), ""
    if link["age"]:  # "la nouvelle loi communale" is a name, "l'ancien article" an age
        aged = mention_at(text, link.start("age"), local)
        act = aged if aged and aged.id else act
    act = act or find_coordinated(text, at)
    if act is None and (named := _PART.match(text, at)):
        act = mention_at(text, named.end(), local)
        part = named[0]
    if act is None and link["word"]:
        act = private_at(text, at)
    if act is None and "," not in link[0] and "\n" not in link[0]:
        act = unknown_at(text, at)
    if act is None and link["word"] and not link["age"]:
        act = instrument_at(text, at, "du" if link["back"] else link["word"])
    if act is None:
        return Cited(phrase.start, phrase)
    subject = link["comma"] and not link["contained"] and _SUBJECT.match(link["word"] or "")
    if subject and _VERB.match(text, act.end):
        return Cited(phrase.start, phrase)  # "…, la loi du 5 mai 1999 prévoit": another clause
    kind = "comma" if link["comma"] and not link["word"] else "of"
    back = bool(_BACK_WORD.search(link[0])) or (act.bare and act.end > act.head)
    if act.bare and not back and not link["word"] and (link["comma"] or link["contained"]):
        return Cited(phrase.start, phrase)
    return Cited(phrase.start, phrase, act, kind, back, " ".join(part.split()))


def _continuation(text: str, position: int, local: Trie) -> CitationPhrase | None:
    """ "articles 6 de la Convention et 14 du Pacte": a number that has an act of its own."""
    join = JOIN.match(text, position)
    if not join or join.end() == position or not (join["word"] or join["comma"]):
        return None
    if number_at(text, join.end(), listed=True, singular=False) is None:
        return None
    phrase = phrase_at(text, join.end(), join.end(), True)
    if phrase is None:
        return None
    follow = _link_following(text, phrase, local)
    named = follow.act is not None and not (follow.act.bare and follow.link == "comma")
    # "l'article 5 de la loi, ainsi que 7 et 8": the list goes on behind its act
    goes_on = join["word"] and _CLAUSE_END.match(text, phrase.end)
    return phrase if named or goes_on else None


_CLAUSE_END: Final = re.compile(r"\s*(?:[.;)]|$)")


def _stretch(text: str, position: int) -> CitationPhrase | None:
    """The next stretch of an endless enumeration."""
    join = JOIN.match(text, position)
    if not join or join.end() == position:
        return None
    return phrase_at(text, join.end(), join.end(), True)


def _inner(text: str, start: int) -> tuple[Path, ...]:
    """ "het tweede lid van artikel 5": the path before the article word."""
    low = max(0, start - 90)
    of = _PATH_OF.search(text, max(low, start - 20), start)
    if not of:
        return ()
    for opening in _PATH_START.finditer(text, low, of.start()):
        paths: list[dict[str, str]] = [{}]
        at = opening.start()
        while sub := sub_at(text, at, Around(0, False, True)):
            if sub.level in paths[-1]:
                paths.append({k: v for k, v in paths[-1].items() if RANK[k] < RANK[sub.level]})
            stem = paths.pop()
            paths += [{**stem, sub.level: value} for value in sub.values]
            join = JOIN.match(text, sub.end)
            at = sub.end if sub.end == of.start() or join is None else join.end()
            if sub.end == of.start():
                return tuple(map(_write_path, paths))
            if sub.end > of.start():
                return ()
    return ()


def _write_path(path: dict[str, str]) -> Path:
    return tuple(write_level(level, value) for level, value in path.items())


def _later(text: str, cited: Cited) -> tuple[Path, ...]:
    if len(cited.phrase.provisions) != 1 or cited.act is None:
        return ()
    its = _IN_ITS.match(text, cited.act.end)
    sub = sub_at(text, its.end(), Around(0, False, False)) if its else None
    if sub is None:
        return ()
    return tuple((write_level(sub.level, value),) for value in sub.values)


_SAME_BEFORE: Final = re.compile(
    r"(?:\bm[êe]me|\bledit|\bdudit|\bcet|\bdit|\bdat|\bditzelfde|\bdatzelfde|\bhetzelfde|\bvoormeld|"
    r"\bgenoemd|\bvoornoemd)\s+$"
)
_SAME_AFTER: Final = re.compile(
    r"\s*(?:pr[ée]cit[ée]|susvis[ée]|susmentionn[ée]|pr[ée]vis[ée])(?!\w)"
)


def _reference(text: str, word: re.Match[str], start: int, inner: tuple[Path, ...]) -> Cited | None:
    """ "l'article précité", "het tweede lid van dat artikel": the article cited last."""
    after = _SAME_AFTER.match(text, word.end())
    before = _SAME_BEFORE.search(text, max(0, word.start() - 14), word.start())
    if not after and not before:
        return None
    end = after.end() if after else word.end()
    return Cited(start, CitationPhrase(start, end, ()), inner=inner, refers=True)
