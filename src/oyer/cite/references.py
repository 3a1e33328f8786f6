"""Case law in a decision: ECLI, docket numbers, judgments by court and date. No provisions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from oyer.cite.clean import clean
from oyer.cite.dates import date_at
from oyer.cite.succession import day_of_decision

Kind = Literal["ecli", "docket", "judgment"]
_ECLI: Final = re.compile(r"ECLI:[A-Z]{2}:([A-Z0-9]{1,7}):\d{4}:[A-Za-z0-9._]{1,40}[A-Za-z0-9]")
#: Court of Cassation: C.05.0150.F, P.10.0177.N; with AR, RG or alone.
_DOCKET: Final = re.compile(
    r"(?:\b(?:A\.?R\.?|R\.?G\.?|rolnr\.?|rôle)\s*(?:n[°r]\.?\s*)?)?\b[CDFGHPS]\.\d{2}\.\d{4}\.[NF]\b"
)
_COURTS: Final = (
    (r"Cass\.|Cour\s+de\s+cassation|Hof\s+van\s+[Cc]assatie", "CASS"),
    (r"Cour\s+constitutionnelle|Cour\s+d'arbitrage|Grondwettelijk\s+Hof|Arbitragehof|"
     r"C\.?\s?const\.|GwH", "GHCC"),
    (r"Conseil\s+d'[ÉE]tat|Raad\s+van\s+State|C\.E\.|RvS", "RVSCE"),
    (r"Cour\s+de\s+justice|Hof\s+van\s+[Jj]ustitie|C\.J\.U\.E\.|CJUE|HvJ|C\.J\.C\.E\.", "EUCJ"),
    (r"Cour\s+eur(?:op[ée]enne|\.)\s+(?:des\s+)?[dD](?:roits|r\.)[^,.;\n]{0,14}|EHRM|"
     r"Europees\s+Hof\s+voor\s+de\s+[Rr]echten", "ECHR"),
)  # fmt: skip
_COURT: Final = re.compile("|".join(f"(?P<{code}>{words})" for words, code in _COURTS))
_AFTER: Final = re.compile(
    r"\s*,?\s*(?:\(\w{1,3}\.?\)\s*)?(?:(?:du|van|le|dd\.|d\.d\.)\s+)?(?=\d{1,2}[\s./-])"
)
_NUMBERED: Final = re.compile(
    r"(?:arr[êe]ts?|arresten|arrest)\s+(?:n[°o]s?\.?|nrs?\.?)\s*(?P<number>\d{1,3}(?:/\d{2,4}|\.\d{3}))"
)
_WITHIN: Final = 90


@dataclass(frozen=True, slots=True)
class Reference:
    """A judgment that the text refers to: `text[start:end] == quote`; what is not said is None."""

    quote: str
    start: int
    end: int
    kind: Kind
    court: str | None
    date: str | None
    number: str | None


def references(text: str) -> tuple[Reference, ...]:
    """Every judgment that `text` refers to, in its order."""
    cleaned = clean(text)
    found = [*_eclis(cleaned.text), *_dockets(cleaned.text), *_judgments(cleaned.text)]
    references_read = []
    for start, end, kind, court, date, number in sorted(found):
        first, last = cleaned.span(start, end)
        references_read.append(Reference(text[first:last], first, last, kind, court, date, number))
    return tuple(references_read)


Row = tuple[int, int, Kind, str | None, str | None, str | None]


def _eclis(text: str) -> Iterator[Row]:
    for match in _ECLI.finditer(text):
        day = day_of_decision(match[0])
        dated = day if day and not day.endswith("-12-31") else None
        yield match.start(), match.end(), "ecli", match[1], dated, match[0]


def _dockets(text: str) -> Iterator[Row]:
    for match in _DOCKET.finditer(text):
        number = re.search(r"[CDFGHPS]\.\d{2}\.\d{4}\.[NF]", match[0])
        yield match.start(), match.end(), "docket", "CASS", None, number[0] if number else None


def _judgments(text: str) -> Iterator[Row]:
    """ "Cass., 26 mai 2006", "arrest nr. 109/2015 van het Grondwettelijk Hof"."""
    for match in _COURT.finditer(text):
        link = _AFTER.match(text, match.end())
        date = date_at(text, link.end()) if link else None
        if date:
            yield match.start(), date.end, "judgment", match.lastgroup, date.iso, None
    for match in _NUMBERED.finditer(text):
        near = _COURT.search(text, match.end(), match.end() + _WITHIN)
        court = near.lastgroup if near else None
        yield match.start(), match.end(), "judgment", court, None, match["number"]


def reference_record(reference: Reference) -> dict[str, object]:
    """One line of `oyer cite --references --json`."""
    return {
        "reference": reference.kind,
        "quote": reference.quote,
        "start": reference.start,
        "end": reference.end,
        "court": reference.court,
        "date": reference.date,
        "number": reference.number,
    }
