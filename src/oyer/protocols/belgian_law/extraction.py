"""The extraction under judgement: `extracted.citedProvisions` as typed items, whatever is in it."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

from oyer.cite import Act, Language, day_of_decision
from oyer.cite import article as read_article
from oyer.cite import resolve as read_name
from oyer.errors import InputError
from oyer.types import Case

#: Longer texts in a field are junk; what they begin with decides.
_LONGEST = 600
_TOKEN = re.compile(r"\bart(?:icle|ikel|t?\b)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:[IVXLCDM]+|[A-Z]{1,3})?[. ]{0,2}\d")
_EARLY = 12  # an article token may follow "l'", "in het", "overeenkomstig"; no more
_BLANKS = re.compile(r"\s+")
_FIRST = re.compile(r"1\s*(?:er|re|ère|ste|e)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    """One extracted provision: its fields as given, and what they mean."""

    index: int
    provision_id: str | None
    act_id: str | None
    number: str | None  # provisionNumber
    key: str | None  # provisionNumberKey
    type: str | None
    name: str | None
    date: str | None
    article: str | None  # the anchor that provisionNumber (else the key) names; None: no article
    path: tuple[str, ...]
    act: Act

    @property
    def label(self) -> str:
        """How a sentence names the item."""
        number = self.number or self.key or "no provision number"
        return f"{short(number)} · {short(self.name or 'no act')}"


@dataclass(frozen=True, slots=True)
class Extraction:
    """A case, read: everything `compare` needs, nothing else."""

    decision: str
    language: Language
    text: str
    items: tuple[Item, ...]


def read_case(case: Case) -> Extraction:
    """The case's fields; raises InputError that names the one that cannot be used."""
    decision = _require(case, "decisionId")
    language = _require(case, "proceduralLanguage").strip().lower()
    if language not in get_args(Language):
        raise InputError(
            f"'{short(language)}' is not a procedural language; use FR or NL",
            field="proceduralLanguage",
        )
    text = _require(case, "sourceText")
    rows = provisions_of(case.fields.get("extracted"))
    spoken: Language = "fr" if language == "fr" else "nl"
    when = day_of_decision(decision)
    items = tuple(read_item(i, row, spoken, when) for i, row in enumerate(rows))
    return Extraction(decision.strip(), spoken, text, items)


def provisions_of(extracted: object) -> list[object]:
    """The list under `citedProvisions`, from an object or from JSON text."""
    value = extracted
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as bad:
            raise InputError(f"is not JSON ({short(str(bad))})", field="extracted") from None
    if not isinstance(value, Mapping):
        raise InputError('is not a JSON object; give {"citedProvisions": [...]}', field="extracted")
    rows = value.get("citedProvisions")
    if not isinstance(rows, list | tuple):
        raise InputError(
            "has no list citedProvisions; give [] when nothing was extracted", field="extracted"
        )
    return list(rows)


def read_item(index: int, row: object, language: Language, when: str | None = None) -> Item:
    """One row of citedProvisions; a field that is missing or not text is None.

    `when` is the day of the decision: a name means the act of that day.
    """
    fields = row if isinstance(row, Mapping) else {}
    number = _text(fields.get("provisionNumber"))
    key = _text(fields.get("provisionNumberKey"))
    name = _text(fields.get("parentActName"))
    kind = _text(fields.get("parentActType"))
    date = _text(fields.get("parentActDate"))
    anchor, path = _provision(number, key)
    return Item(
        index=index,
        provision_id=_text(fields.get("internalProvisionId")),
        act_id=_text(fields.get("internalParentActId")),
        number=number,
        key=key,
        type=kind,
        name=name,
        date=date,
        article=anchor,
        path=path,
        act=read_act(name, kind, date, language, when),
    )


@lru_cache(maxsize=4096)
def resolve(
    name: str,
    kind: str | None = None,
    date: str | None = None,
    language: Language | None = None,
    when: str | None = None,
) -> Act:
    """The engine's resolver, kept: the items of an extraction name few acts, many times."""
    return read_name(name[:_LONGEST], type=kind, date=date, language=language, when=when)


@lru_cache(maxsize=4096)
def article(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The engine's reading of a provision number, kept."""
    return read_article(text[:_LONGEST])


def read_act(
    name: str | None,
    kind: str | None,
    date: str | None,
    language: Language,
    when: str | None = None,
) -> Act:
    """The act that an extractor means. Its name decides; type and date only help out.

    So a wrong parentActDate beside a telling name is a wrong date, not another act.
    """
    if not name:
        return Act(None, "", None, None)
    alone = resolve(name, language=language, when=when)
    if alone.id is not None or not (kind or date):
        return alone
    return resolve(name, kind, iso_date(date), language, when)


def iso_date(date: str | None) -> str | None:
    """The date when it is a real one, YYYY-MM-DD (a time after it is ignored)."""
    import datetime

    if not date:
        return None
    try:
        return datetime.date.fromisoformat(date[:10]).isoformat() if len(date) >= 10 else None
    except ValueError:
        return None


def anchor_of(key: str) -> str:
    """A key for comparing: no blanks, one case, "1er" is 1."""
    return _BLANKS.sub("", _FIRST.sub("1", key)).casefold()


def short(text: str, most: int = 90) -> str:
    """One line of untrusted text, bounded, control characters gone."""
    line = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text[:400])
    line = _BLANKS.sub(" ", line).strip()
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def has_token(number: str | None) -> bool:
    """Whether it begins as an article does, and not as an act whose title names one."""
    token = _TOKEN.search(number or "")
    return token is not None and token.start() <= _EARLY


def _provision(number: str | None, key: str | None) -> tuple[str | None, tuple[str, ...]]:
    """Article and path: provisionNumber says both; where it cannot be read, the key the article."""
    found = article(number) if number else None
    late = _TOKEN.search(number or "") is not None and not has_token(number)
    if found is not None and late and key is not None and anchor_of(key) != anchor_of(found[0]):
        return None, ()  # "K.B. van … bedoeld in artikel 1022 Ger.W.": the act, not its article
    if found is not None:
        return found
    silent = number is None or has_token(number) or not any(c.isdigit() for c in number)
    if key and silent and _NUMBERED.match(key):
        return article(f"article {key}") or (None, ())
    return None, ()


def _require(case: Case, name: str) -> str:
    value = case.fields.get(name)
    if value is None:
        raise InputError("is missing", field=name)
    if not isinstance(value, str):
        raise InputError(f"is {type(value).__name__}, not text", field=name)
    if not value.strip():
        raise InputError("is empty", field=name)
    return value


def _text(value: object) -> str | None:
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)[:_LONGEST] if abs(value) < 10**18 else None
    return None
