"""BL-ACT, BL-ALIAS: the act whose name stands at a place in the text.

A name of the tables, a dated act ("loi du 10 mai 2007"), an EU act by number, a Dutch compound
("Arbeidsongevallenwet"), or a bare word that points back ("la loi", "dit besluit").
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from oyer.cite import lexicon
from oyer.cite.dates import Date, date_at
from oyer.cite.lexicon import Entry, Trie
from oyer.cite.mention import Mention
from oyer.cite.titles import title_at
from oyer.cite.unnamed_acts import as_belgian, own_name, qualify

_TOKEN: Final = re.compile(r"[^\W_]+")
#: What may stand between two words of one name.
_BETWEEN: Final = re.compile(r"(?!\.\s*\(\s*[A-ZÀ-Ý])[\s.'\-/()°\"«»]*")
_WINDOW: Final = 180
_NOTED: Final = re.compile(r"([^\W\d_]{2,})(\d{1,3})")
_INITIAL: Final = re.compile(r"[^\W\d_](?![^\W_]|°)")
_DATE_LINK: Final = re.compile(
    r"\s*,?\s*(?:\(\s*)?(?:du|des|le|de|van\s+den|van|op|dd\.?|d\.d\.|en\s+date\s+du)?\s*"
)
_COORDINATED_ON: Final = re.compile(
    r"\s*,?\s*(?:coordonn[ée]e?s?\s+(?:le|du|par\s+(?:l')?arrêté\s+royal\s+du)|"
    r"gecoördineerde?\s+(?:op|bij\s+(?:het\s+)?(?:koninklijk\s+besluit|K\.\s?B\.)\s+van))\s+"
)
_GAP: Final = re.compile(
    r"(?:[\s,]*(?:(?:de|la|le|du|des|van|het|der|r[ée]gion|communaut[ée]|wallonn?e?|flamande?|"
    r"fran[çc]aise?|germanophone|vlaamse?|waalse?|franse|duitstalige|gemeenschap(?:scommissie)?|"
    r"gewest|brussels?e?|hoofdstedelijk|bruxelles(?:-capitale)?|commission|commune|communautaire|"
    r"parlement|Vl\.\s?(?:R|Parl|Reg|Ex)\.|W\.\s?Gew\.\s?(?:R|Parl)\.|raad|conseil|regering|gouvernement|ex[ée]cutif|executieve|culturel(?:le)?|"
    r"pr[ée]cit[ée]e?s?|susvis[ée]e?s?|susdite?s?|pr[ée]dite?|voormelde?|voornoemde?|genoemde?|"
    r"vermelde?|bovenvermelde?|sp[ée]ciale?|d'ex[ée]cution|organique|minist[ée]riel(?:le)?|"
    r"coordonn[ée]e?s?|gecoördineerde?)(?!\w)|l'|d'|\(?\s?(?:n(?:°|r\.?|o\.?|E|um\.)|№)\s?\d{1,4}(?:bis|ter)?(?!\w)\s?\)?|"
    r"\(\s?[IVX]{1,4}\s?\)|[IVX]{1,4}(?=\s+(?:du|van)\s))){0,9}",
    re.IGNORECASE,
)
_COORDINATED: Final = re.compile(
    r"[^.;\n()]{0,150}?(?:coordonn[ée]e?s?|gecoördineerde?|gecoordineerde?)\s*,?\s*"
    r"(?:(?:wetten|lois|wet)\s+)?(?:le|par|du|op|bij|door|van)?\s*(?:l'|het\s+|un\s+)?"
    r"(?:(?:arrêté\s+royal|koninklijk\s+besluit|A\.\s?R\.|K\.\s?B\.|arr\.\s?roy\.)\s*(?:du|van)?\s*)?"
    r"(?=\d)"
)
_EU: Final = re.compile(
    r"(?:\s+(?:du\s+Conseil|van\s+de\s+Raad|de\s+la\s+Commission|van\s+de\s+Commissie|"
    r"du\s+Parlement\s+europ[ée]en(?:\s+et\s+du\s+Conseil)?|"
    r"van\s+het\s+Europees\s+Parlement(?:\s+en\s+(?:van\s+)?de\s+Raad)?))?"
    r"\s*(?:\(\s?(?:UE|CE|CEE|EU|EG|EEG|Euratom)[^)\d]{0,14}\)|UE|CE|CEE|EU|EG|EEG)?\s*,?\s*"
    r"(?:n\s?(?:°|r\.?|o\.?)\s*)?(?P<a>\d{1,4})(?:\s?/\s?|-(?=\d{1,4}-[CEU]))(?P<b>\d{1,4})"
    r"(?:\s?[/-]\s?(?:CEE|CE|UE|EEG|EG|EU|Euratom|JAI|JBZ|EGKS)(?!\w))?"
)
_EU_DATE: Final = re.compile(
    r"\s*,?\s*(?:du|van)\s+(?:Parlement|Conseil|la\s+Commission|het\s+Europe|de\s+Raad|de\s+Commissie)"
    r"[^.;:()\n\d]{0,70}?\s(?:du|van)\s+(?=\d)"
)
_TITLE: Final = re.compile(
    r"\s*,?\s*(?:relati[fv]e?s?|portant|concernant|sur|modifiant|organisant|organique|instituant|"
    r"fixant|tendant|visant|contenant|r[ée]glant|d[ée]terminant|[ée]tablissant|ins[ée]rant|"
    r"pris(?:e|es)?|abrogeant|rempla[çc]ant|approuvant|accordant|r[ée]gissant|en\s+matière|"
    r"(?!(?:pendant|durant|avant|devant|[ée]tant|ayant|suivant|maintenant|nonobstant)\W)"
    r"[^\W\d_]{3,}ant|betreffende|tot|houdende|inzake|op|ter|"
    r"over|waarbij|aangaande|voor|rakende|omtrent|nopens|dat|met\s+betrekking|d'orientation|"
    r"de\s+réorientation|de\s+défense|de\s+redressement)(?!\w)"
)
_TITLE_END: Final = re.compile(
    r"[.;:()\n«»\"\[\]]|,(?:\s|$|art)|\s(?:en/of|et/ou)\s|\s(?:de\s)?(?:l'|d'|\b)art(?:icles?|ikel|\.|t\.)|"
    r"\s(?:et|ou|ni|en|of)\s+(?:\d|(?:de\s+|à\s+|van\s+)?(?:la|les?|de|het)\s+(?:loi|code|conv|wet)|"
    r"du\s+(?:code|d[ée]cret)|(?:de\s+)?l'arr|(?:van\s+)?(?:het\s+)?(?:ger|burg|konin))|"
    r"\s(?:qui|que|dont|dispose|pr[ée]voi(?:t|ent)|est|sont|impose|vise|exige|interdit|ne|se|"
    r"en\s+vertu|ainsi|lorsque|doit|peut|die|dat|bepaalt|bepalen|luidt|is|zijn|wordt|worden|kan|"
    r"moet|heeft|hebben|niet|zoals|volgt|blijkt|regelt|geldt|voorziet|vereist|verplicht|tel|tels|telle|telles)(?!\w)|\s(?:qu|n|s)'",
    re.IGNORECASE,
)
_NAMED_BY_TITLE: Final = re.compile(
    r"\s+(?:relati[fv]e?s?\s+[àa]|sur\s+(?!la\s+base|le\s+fondement|ce\s)(?:l[ae]s?\s|l')|portant|concernant|organique|instituant|"
    r"tendant\s+à|betreffende|houdende|inzake|op\s+(?:de|het)\s)"
)
_TREATY: Final = re.compile(r"[^.;()\n\d]{0,160}?\s(?:du|le|van|op)\s+(?=\d{1,2}(?:er|\s))")
#: "decreet betreffende de bodemsanering van 27 oktober 2006": the date after the subject.
_SUBJECT: Final = re.compile(
    r"\s+(?:relati[fv]e?s?\s+[àa]|sur\s|portant\s|concernant\s|organi(?:que|sant)\s|instituant\s|"
    r"betreffende\s|houdende\s|inzake\s|tot\s|op\s)[^.;:()\n]{4,220}?\s"
    r"(?:du|van|dd\.?|d\.d\.|en\s+date\s+du)\s+(?=\d{1,2}[\s./-])"
)
#: What shows, between an act and a date, that the date is of something else.
_OTHER_DATE: Final = re.compile(
    r"\b(?:lois?|wet(?:ten|boek)?|codes?|arr[êe]t[ée]?s?|besluit(?:en)?|d[ée]crets?|decre(?:et|ten)|"
    r"ordonn\w+|conventions?|verdrag|art(?:icles?|ikel(?:en)?)?|date|datum|jugement|vonnis|arrest|"
    r"d[ée]cision|beslissing|vigueur|inwerkingtreding|contrat\s+du|aanvraag|requ[êe]te|lettre|brief|"
    r"applicable|toepasselijk|est|sont|is|werd|wordt|qui|que|die|dat)\b",
    re.IGNORECASE,
)
_DATED_BY_TITLE: Final = frozenset(["loi", "ar", "am", "ag", "arrete", "decret", "ord"])
_DANGLING: Final = re.compile(r"(?:\s+(?:et|en|ou|of|de|du|van|la|les?))*$")
_CCT: Final = re.compile(
    r"\s*n(?:°|r\.?|o\.)\s?(\d{1,3}(?:bis|ter|quater|quinquies|sexies|octies)?)(?!\w)"
)
_SHORT: Final = frozenset(["KB", "AR", "MB", "AM"])
_NUMBER: Final = re.compile(
    r"\s*\(?n(?:°|r\.?|o\.?|um\.)\s?(\d{1,3}(?:bis|ter)?)(?!\w)", re.IGNORECASE
)
_CAPITALS: Final = re.compile(
    r"(?:\s+(?:van\s+|en\s+|of\s+|het\s+|de\s+){0,2}[A-Z][a-zë-]{3,}){1,5}"
)
#: Dutch compounds name an act in one word; the longest ending counts.
COMPOUNDS: Final = {
    "wetboek": "code",
    "wet": "loi",
    "wetten": "loi",
    "decreet": "decret",
    "besluit": "ar",
    "ordonnantie": "ord",
    "richtlijn": "dir",
    "verordening": "regl",
    "reglement": "autre",
    "verdrag": "traite",
    "conventie": "traite",
}
_HYPHENATED: Final = re.compile(r"[^\W_]+(?:-[^\W\d_]+){0,4}")
_NOT_ACTS: Final = frozenset(
    [
        "grondwet",
        "trouwet",
        "wanbesluit",
        "deelbesluit",
        "eindbesluit",
        "ontwerpbesluit",
        "raadsbesluit",
    ]
)
_AFTER: Final = re.compile(
    r"\s*,?\s*(?:pr[ée]cit[ée]e?s?|susvis[ée]e?s?|susmentionn[ée]e?s?|susdite?s?|pr[ée]dite?s?|"
    r"ci-avant|ci-dessus|voormeld|voornoemd)(?!\w)"
)


def mention_at(text: str, position: int, local: Trie) -> Mention | None:
    """The act whose name starts at `position`; names that the decision defines come first."""
    entry, end = _longest(text, position, local)
    if entry is None:
        return _compound(text, position)
    if entry.head:
        return _read_dated(text, position, end, entry.kind)
    end = _full_stop(text, position, end)
    found = Mention(position, end, entry.id, entry.kind, head=end)
    return as_belgian(text, _with_date(text, found))


def _longest(text: str, position: int, local: Trie) -> tuple[Entry | None, int]:
    """The longest name of either table from `position` on; a comma ends a name."""
    nodes: list[Trie] = [local, lexicon.names()]
    best: Entry | None = None
    end = at = position
    held = ""  # initials so far: C, C.E, C.E.D, C.E.D.H are one word
    while nodes and at < position + _WINDOW and (match := _TOKEN.match(text, at)):
        word = lexicon.fold(match[0])
        gap = _BETWEEN.match(text, match.end())
        at = gap.end() if gap else match.end()
        if len(word) == 1 and word.isalpha():
            held += word
            if _INITIAL.match(text, at) and "\n" not in text[match.end() : at]:
                continue
            word, held = held, ""
        stop, below = match.end(), _below(nodes, word)
        if not below and (noted := _NOTED.fullmatch(match[0])):  # "AVG204": a footnote's number
            stop = match.end() - len(noted[2])
            below = _below(nodes, lexicon.fold(noted[1]))
        nodes = below
        for node in reversed(nodes):  # the decision's own names win
            if "" in node:
                best, end = node[""], stop
    return best, end


def _below(nodes: list[Trie], word: str) -> list[Trie]:
    return [below for node in nodes if (below := node.get(word)) is not None]


def dated_id(kind: str, iso: str) -> str | None:
    """`loi/2007-05-10`; acts that have a name of their own keep it.

    A treaty or an agreement by its date alone is null unless the tables have it.
    """
    id_ = f"{'ar' if kind == 'arrete' else kind}/{iso}"
    known = lexicon.same().get(id_)
    if known is None and kind in ("traite", "autre"):
        return id_ if id_ in lexicon.dates() else None
    return known or id_


def _with_date(text: str, found: Mention) -> Mention:
    """A name followed by a date: another date than the table's means another act."""
    past = _past(text, found.end)
    link = _COORDINATED_ON.match(text, past) or _DATE_LINK.match(text, past)
    date = date_at(text, link.end()) if link else None
    if date is None:
        return found
    known = lexicon.dates().get(found.id or "")
    id_ = found.id
    renamed = found.kind in ("loi", "ar", "decret", "ord", "ag")
    if found.id and found.id.startswith("conv-"):  # "Convention de Genève du 29 avril 1958"
        by_place = text.count(" ", found.start, found.end) < 4
        renamed = bool(known and known[:4] != date.iso[:4] and by_place)
    if known and known != date.iso and renamed:
        id_ = dated_id(found.kind, date.iso)
    if found.kind == "code":  # "Code pénal du 29 février 2024"
        id_ = lexicon.same().get(f"code/{date.iso}", id_)
    return _with_title(text, replace(found, end=date.end, head=date.end, id=id_, date=date.iso))


def _past(text: str, end: int) -> int:
    after = _AFTER.match(text, end)
    return after.end() if after else end


def _read_dated(text: str, start: int, end: int, kind: str) -> Mention | None:
    if kind in ("dir", "regl") and (found := _european(text, start, end, kind)):
        return found
    end = _full_stop(text, start, end)
    date = _date_after(text, end)
    if date and kind == "regl":  # a regulation by date is not one of the EU's
        kind = "autre"
    if date:
        number = _NUMBER.search(text, end, date.end)
        found = Mention(start, date.end, dated_id(kind, date.iso), kind, date.iso, head=date.end)
        found = as_belgian(text, replace(found, number=number[1] if number else ""))
        return _with_title(text, found)
    if found := _read_later_date(text, start, end, kind):
        return found
    # "L." and "W." are laws only with their date, "KB" only with its number
    undated = _read_undated(text, start, end, kind)
    return undated if end - start > 2 or undated.number or text[start:end] in _SHORT else None


def _read_later_date(text: str, start: int, end: int, kind: str) -> Mention | None:
    """A treaty's date and that of coordinated laws stand after the title; of others, they may."""
    match = _TREATY.match(text, end) if kind == "traite" else None
    if kind in ("loi", "lois-coordonnees") and (match := _COORDINATED.match(text, end)):
        kind = "lois-coordonnees"
    elif kind in _DATED_BY_TITLE:
        match = _SUBJECT.match(text, end)
        if match and _OTHER_DATE.search(text, end, match.end()):
            match = None
    date = date_at(text, match.end()) if match else None
    if date is None:
        return None
    return Mention(start, date.end, dated_id(kind, date.iso), kind, date.iso, head=date.end)


def _read_numbered(text: str, start: int, end: int, kind: str) -> Mention | None:
    """ "CCT n° 109"; "voormeld KB nr. 20" points back by its number."""
    if kind == "cct" and (number := _CCT.match(text, end)):
        return Mention(start, number.end(), f"cct/{number[1]}", kind, head=number.end())
    if kind == "ar" and (number := _NUMBER.match(text, end)):
        stop = number.end()
        return Mention(start, stop, None, kind, bare=True, head=stop, number=number[1])
    return None


def _read_undated(text: str, start: int, end: int, kind: str) -> Mention:
    if numbered := _read_numbered(text, start, end, kind):
        return numbered
    if titled := _CAPITALS.match(text, end):  # "Wet Bescherming Loon": a name, not a pointer
        return Mention(start, titled.end(), None, kind, head=titled.end())
    if title := title_at(text, start):
        entry, stop = title
        return Mention(start, stop, entry.id, entry.kind, head=stop)
    if own := own_name(text, start, end, kind):
        return own
    bare = Mention(start, _past(text, end), None, kind, bare=True, head=end)
    if _NAMED_BY_TITLE.match(text, end) and (named := _with_title(text, bare)).end > bare.end:
        return replace(named, bare=False)
    return qualify(text, bare)


def _full_stop(text: str, start: int, end: int) -> int:
    """Past the full stop of an abbreviation (K.B., C. jud., Sw.), not of a sentence."""
    last = re.search(r"[^\W_]+$", text[max(start, end - 8) : end])
    if text[end : end + 1] == ")" and "(" in text[start:end]:
        return end + 1  # W.I.B. (1964)
    if text[end : end + 1] != "." or not last:
        return end
    if text[end + 1 : end + 2] == ",":  # "Code judic., art. 608"
        return end + 1
    short = end - start <= 3 and text[start].isupper() and not text[start:end].isupper()
    abbreviated = "." in text[start:end] or short or end - start == 1
    whole = last[0].lower().endswith(("wet", "code", "loi"))
    return end + 1 if abbreviated and len(last[0]) <= 5 and not whole else end


def _date_after(text: str, end: int) -> Date | None:
    for pattern in (_GAP, None):
        gap = pattern.match(text, end) if pattern else None
        link = _DATE_LINK.match(text, gap.end() if gap else end)
        if link and (date := date_at(text, link.end())):
            return date
    return None


def _european(text: str, start: int, end: int, kind: str) -> Mention | None:
    match = _EU.match(text, end)
    if not match:
        return None
    number = f"{match['a']}/{match['b']}"
    id_ = f"{kind}/{number}"
    id_ = lexicon.same().get(id_, id_)
    found = Mention(start, match.end(), id_, kind, head=match.end())
    link = _EU_DATE.match(text, match.end())
    date = date_at(text, link.end()) if link else None
    if date:
        found = replace(found, end=date.end, date=date.iso, head=date.end)
    return _with_title(text, found)


def _with_title(text: str, found: Mention) -> Mention:
    """With the title that follows, as far as it can be told from the sentence."""
    opening = _TITLE.match(text, found.end)
    if not opening or not opening[0].strip(" ,"):
        return found
    limit = min(found.end + 260, len(text))
    stop = _TITLE_END.search(text, opening.end(), limit)
    end = opening.end()
    if stop:
        end = stop.start()
    elif limit == len(text):
        end = limit
    end -= len(_DANGLING.search(text[opening.end() : end])[0])  # type: ignore[index]
    return replace(found, end=end) if end > opening.end() else found


def _compound(text: str, position: int) -> Mention | None:
    match = _HYPHENATED.match(text, position)
    if not match:
        return None
    word = lexicon.fold(match[0])
    kind = next((k for tail, k in COMPOUNDS.items() if word.endswith(tail) and word != tail), None)
    if kind is None or word in _NOT_ACTS:
        return None
    date = _date_after(text, match.end())
    if date:
        return Mention(position, date.end, dated_id(kind, date.iso), kind, date.iso, head=date.end)
    return Mention(position, match.end(), None, kind, head=match.end())


_COORDINATED_BY: Final = re.compile(
    r"(?:op|bij\s+(?:het\s+)?(?:K\.\s?B\.|koninklijk\s+besluit)\s+van)\s+(?=\d)"
)
_COORDINATED_LAWS: Final = re.compile(
    r"\s+(?:ge|samenge)(?:co[oö]rd(?:\.|ineerde)|ordende)\s+wet(?:ten)?(?!\w)"
)


def find_coordinated(text: str, position: int) -> Mention | None:
    """ "de op 3 juni 1970 gecoördineerde wetten": in Dutch the date may stand first."""
    opening = _COORDINATED_BY.match(text, position)
    date = date_at(text, opening.end()) if opening else None
    laws = _COORDINATED_LAWS.match(text, date.end) if date else None
    if date is None or laws is None:
        return None
    kind = "lois-coordonnees"
    found = Mention(position, laws.end(), dated_id(kind, date.iso), kind, date.iso, head=laws.end())
    return _with_title(text, found)
