"""Issues of an item's fields against its own citation: name, date, type, wording."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from oyer.cite import TYPES, Citation, dates_in
from oyer.protocols.belgian_law.compare import ProvisionComparison
from oyer.protocols.belgian_law.extraction import Extraction, Item, iso_date, resolve, short
from oyer.protocols.belgian_law.issues import Concern, ProvisionIssue, issue
from oyer.protocols.belgian_law.names import fold, has_date, is_generic, telling, words
from oyer.protocols.belgian_law.rules import Rules
from oyer.protocols.belgian_law.support import nearest, places_of

#: An act that is told by its date; EU acts are told by their number.
_DATED = re.compile(r"/\d{4}-\d{2}-\d{2}$")
_MARKUP = re.compile(r"[$\\{}^]|\s{2,}|\s[.,;]")


def act_names(
    case: Extraction, comparison: ProvisionComparison, rules: Rules
) -> list[ProvisionIssue]:
    """`act-name`: no name, a wrong one, or one without its anchoring date or qualifier."""
    concerns = []
    names = _names(comparison)
    for item in case.items:
        if item.article is None:
            continue
        fault = _name_fault(case, item, comparison, names, rules)
        if fault:
            places = comparison.support[item.index]
            place = places[0].best if places else None
            concerns.append(Concern(item.label, fault, item.index, place))
    return issue(rules, "act-name", concerns)


def _name_fault(
    case: Extraction,
    item: Item,
    comparison: ProvisionComparison,
    names: dict[str, set[str]],
    rules: Rules,
) -> str | None:
    if item.name is None:
        return "no parentActName"
    alone = resolve(item.name, language=case.language).id
    if alone is None and is_generic(item.name, rules):
        names_there = [place.act.name for place in places_of(comparison.support[item.index])]
        # "du Traité": the source itself may say no more
        no_more = names_there and all(is_generic(name, rules) for name in names_there)
        return None if no_more else "does not say which act"
    support = comparison.support[item.index]
    sure = [cited.act for cited in support if cited.sure and cited.act is not None]
    # A code or treaty has many names, and the resolver knew this one; the text's own words are
    # right by definition.
    if not sure or (item.act.id and "/" not in sure[0]) or fold(item.name) in _fold_once(case.text):
        return None
    own_words = telling(item.name, rules)
    there = frozenset().union(*(telling(name, rules) for name in names[sure[0]]))
    if len(own_words) > 1 and there and not own_words & there:
        return f"the source says {short(min(names[sure[0]], key=len))}"
    undated = _DATED.search(sure[0]) and not has_date(item.name)
    if undated and (alone is None or any(has_date(name) for name in names[sure[0]])):
        return "lacks its date"
    return _qualifier_fault(item.name, names[sure[0]], rules)


def _qualifier_fault(name: str, names: set[str], rules: Rules) -> str | None:
    """ "loi du 8 août 1980" where the source always says "loi spéciale du 8 août 1980"."""
    own_words = set(words(name))
    for qualifier in rules.qualifiers:
        if not own_words & qualifier and all(set(words(other)) & qualifier for other in names):
            return f"lacks its qualifier: the source says {short(min(names, key=len))}"
    return None


def dates(case: Extraction, comparison: ProvisionComparison, rules: Rules) -> list[ProvisionIssue]:
    """`date` and `date-null`, where the source itself gives the act's date."""
    source_dates = _dates(comparison)
    wrong, null = [], []
    for item in case.items:
        places = nearest(item, comparison)
        act = item.act.id
        if not places or act is None:
            continue
        if act not in source_dates:
            if _is_invented(item, case.text) and any(cited.sure for cited in places):
                note = f"{short(item.date or '')}, though the source gives no date"
                wrong.append(Concern(item.label, note, item.index, places[0].best))
            continue
        date, place = source_dates[act]
        # A code that is dated only in another law's name may well be left without a date.
        if item.date is None and not _is_dated(act, comparison):
            continue
        if item.date is None:
            null.append(Concern(item.label, f"the source says {date}", item.index, place))
        elif iso_date(item.date) != date:
            note = f"{item.date[:40]}, the source says {date}"
            wrong.append(Concern(item.label, note, item.index, place))
    return issue(rules, "date", wrong) + issue(rules, "date-null", null)


def _is_dated(act: str, comparison: ProvisionComparison) -> bool:
    """Whether a citation of the act has the date in its own words."""
    return any(
        has_date(c.act.name) or has_date(c.quote) for c in comparison.citations if c.act.id == act
    )


def _is_invented(item: Item, text: str) -> bool:
    """A date that neither the name nor any place of the source gives."""
    if item.date is None or has_date(item.name or ""):
        return False
    date = iso_date(item.date)
    return date is None or date not in _days(text)


def types(case: Extraction, comparison: ProvisionComparison, rules: Rules) -> list[ProvisionIssue]:
    """`type`: in the language's set, but not the act's."""
    concerns = []
    for item in case.items:
        if item.type not in TYPES[case.language]:
            continue  # that is `enum`
        places = [place for place in places_of(nearest(item, comparison)) if place.act.type]
        if places and all(place.act.type != item.type for place in places):
            note = f"{item.type}, not {places[0].act.type}"
            concerns.append(Concern(item.label, note, item.index, places[0]))
    return issue(rules, "type", concerns)


def cosmetics(
    case: Extraction, comparison: ProvisionComparison, rules: Rules
) -> list[ProvisionIssue]:
    """`cosmetic`: provisionNumber is worded otherwise, though it means the right thing."""
    concerns = []
    for item in case.items:
        places = places_of(comparison.support[item.index])
        fault = _wording_fault(item, places, case.text, rules) if places else None
        if fault:
            concerns.append(Concern(item.label, fault, item.index, places[0]))
    return issue(rules, "cosmetic", concerns)


def _wording_fault(item: Item, places: list[Citation], text: str, rules: Rules) -> str | None:
    if item.number is None:
        return "no provisionNumber"
    if _MARKUP.search(item.number) and item.number not in text:
        return "stray blanks or markup"
    own_words = set(words(item.number)) | set(item.number)
    # Out of a list or range nobody can quote one provision word for word.
    alone = [place.quote for place in places if place.via not in ("list", "range")]
    quotes = [set(words(quote)) | set(quote) for quote in alone]
    for sign, spelt in rules.wording.items():
        in_quotes = any(sign in quote for quote in quotes)
        spelt_out = any(spelt & quote for quote in quotes)
        if own_words & spelt and sign not in own_words and in_quotes and not spelt_out:
            return f"spells out {sign}"
        if sign in own_words and not own_words & spelt and spelt_out and not in_quotes:
            return f"{sign} for a word of the source"
    return None


def _names(comparison: ProvisionComparison) -> dict[str, set[str]]:
    """Each known act's names in this decision."""
    names: dict[str, set[str]] = defaultdict(set)
    for citation in comparison.citations:
        if citation.act.id is not None:
            names[citation.act.id].add(citation.act.name)
    return names


def _dates(comparison: ProvisionComparison) -> dict[str, tuple[str, Citation]]:
    """Each act's date, when the text gives it anywhere: the engine knows no other dates."""
    dates: dict[str, tuple[str, Citation]] = {}
    for citation in comparison.citations:
        act = citation.act
        if act.id is not None and act.date is not None:
            dates.setdefault(act.id, (act.date, citation))
    return dates


@lru_cache(maxsize=4)
def _days(text: str) -> frozenset[str]:
    """Every date that the text writes."""
    return frozenset(dates_in(text))


@lru_cache(maxsize=4)
def _fold_once(text: str) -> str:
    return fold(text)
