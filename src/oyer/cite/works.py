"""What is known of an act beyond its id: its title in both languages, and where its text is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from oyer.cite import lexicon
from oyer.cite.model import TYPES, Citation, Language, record

_JUSTEL: Final = "https://www.ejustice.just.fgov.be/eli/{}/justel"
_EUR_LEX: Final = "https://eur-lex.europa.eu/legal-content/{}/TXT/?uri=CELEX:{}"
_EUROPEAN: Final = re.compile(r"(dir|regl)/(\d{1,4})/(\d{1,4})")
_TREATIES: Final = {"tfue": "12012E/TXT", "tue": "12012M/TXT", "charte-ue": "12012P/TXT"}
_DATED: Final = re.compile(r"([a-z-]+)/(\d{4})-(\d{2})-(\d{2})")
_NUMBERED_FIRST: Final = 2015  # from this year on, an EU act is year/number
_HEADS: Final = {
    "loi": ("loi", "wet"),
    "ar": ("arrêté royal", "koninklijk besluit"),
    "am": ("arrêté ministériel", "ministerieel besluit"),
    "decret": ("décret", "decreet"),
    "ord": ("ordonnance", "ordonnantie"),
    "ag": ("arrêté du gouvernement", "besluit van de regering"),
    "arrete-loi": ("arrêté-loi", "besluitwet"),
    "lois-coordonnees": ("lois coordonnées", "gecoördineerde wetten"),
}
#: "loi relative aux contrats de travail": its kind, then what it is about.
_SUBJECT: Final = re.compile(
    r"(?:loi|wet|d[ée]cret|decreet|arr[êe]t[ée] royal|koninklijk besluit|ordonnance|ordonnantie|"
    r"lois coordonn[ée]es|gecoördineerde wetten)\s(?=(?:relati|sur|concernant|portant|organi|"
    r"betreffende|houdende|tot|op|inzake|instituant|tendant)\w*\s)",
    re.IGNORECASE,
)
_MONTHS: Final = (
    ("janvier", "januari"),
    ("février", "februari"),
    ("mars", "maart"),
    ("avril", "april"),
    ("mai", "mei"),
    ("juin", "juni"),
    ("juillet", "juli"),
    ("août", "augustus"),
    ("septembre", "september"),
    ("octobre", "oktober"),
    ("novembre", "november"),
    ("décembre", "december"),
)


@dataclass(frozen=True, slots=True)
class Work:
    """An act as a library would list it; what is not known is None."""

    id: str
    kind: str | None
    date: str | None
    titles: dict[Language, str]
    eli: str | None  # the address of the official text
    celex: str | None  # the EU's own number

    def url(self, language: Language) -> str | None:
        """The official text in that language, where it is known."""
        if self.celex:
            return _EUR_LEX.format(language.upper(), self.celex)
        return self.eli


@cache
def work(id_: str) -> Work:
    """All that the tables and the id itself say of an act."""
    dated = _DATED.fullmatch(id_)
    date = lexicon.dates().get(id_) or (id_.partition("/")[2] if dated else None)
    kind = lexicon.kinds().get(id_) or (dated[1] if dated else None)
    path = _elis().get(id_)
    titles: dict[Language, str] = {}
    for number, language in enumerate(("fr", "nl")):
        if title := _title(id_, kind, number):
            titles["fr" if language == "fr" else "nl"] = title
    return Work(id_, kind, date, titles, _JUSTEL.format(path) if path else None, celex(id_))


def describe(citation: Citation) -> dict[str, object]:
    """One line of `oyer cite --json`: the citation, and what is known of its act."""
    line = record(citation)
    if citation.act.id is not None:
        known = work(citation.act.id)
        line["act"]["titles"] = known.titles
        line["act"]["celex"] = known.celex
        line["act"]["url"] = known.url("nl" if citation.act.type in TYPES["nl"] else "fr")
    return line


def celex(id_: str) -> str | None:
    """The CELEX number of an EU act: dir/2000/35 is 32000L0035, regl/44/2001 is 32001R0044."""
    if id_ in _TREATIES:
        return _TREATIES[id_]
    numbers = [number for number, known in lexicon.same().items() if known == id_]
    match = next((m for m in map(_EUROPEAN.fullmatch, [id_, *numbers]) if m), None)
    if not match:
        return None
    first, second = int(match[2]), int(match[3])
    year, number = first, second
    if match[1] == "regl" and first < _NUMBERED_FIRST:
        year, number = second, first
    if year < 100:
        year += 1900
    return f"3{year}{'L' if match[1] == 'dir' else 'R'}{number:04d}"


def _title(id_: str, kind: str | None, language: int) -> str | None:
    """The first full name of the tables, with the date that a law is told by."""
    names = _names().get((id_, ("fr", "nl")[language]), [])
    spelt = [name for name in names if "." not in name and not name.isupper()]
    heads = _HEADS.get(kind or "")
    dated = _DATED.fullmatch(id_)
    if heads is None or dated is None:
        return next(iter(spelt or names), None)
    day = int(dated[4])
    month = _MONTHS[int(dated[3]) - 1][language]
    first = "1er" if day == 1 and language == 0 else str(day)
    head = f"{heads[language]} {('du', 'van')[language]} {first} {month} {dated[2]}"
    for name in spelt:
        subject = _SUBJECT.match(name)
        if subject:
            return f"{head} {name[subject.end() :]}"
    return f"{head} ({spelt[0]})" if spelt else head


@cache
def _names() -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for id_, language, _, _, name in lexicon.act_rows():
        found.setdefault((id_, language), []).append(name)
    return found


@cache
def _elis() -> dict[str, str]:
    return {cells[0]: cells[1] for cells in lexicon.rows("eli.tsv", 2)}
