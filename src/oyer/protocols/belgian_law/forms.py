"""Issues that need no source: ids, types, keys, and which id stands for which act."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

from oyer.cite import TYPES, Citation
from oyer.protocols.belgian_law.compare import CitedProvision
from oyer.protocols.belgian_law.extraction import Extraction, Item, anchor_of, short
from oyer.protocols.belgian_law.issues import Concern, ProvisionIssue, issue
from oyer.protocols.belgian_law.names import identity
from oyer.protocols.belgian_law.notation import NUMBERED, Place, canonical, write_place
from oyer.protocols.belgian_law.rules import Rules

_ANY_ID = re.compile(r"(?:ART|ACT)-(.+)-[0-9]+", re.DOTALL)


def ids(case: Extraction, rules: Rules) -> list[ProvisionIssue]:
    """`id`: the pattern with the exact decisionId, and no provision id twice."""
    art, act = (re.compile(rf"{p}-{re.escape(case.decision)}-[0-9]{{3}}") for p in ("ART", "ACT"))
    concerns, known = [], set[str]()
    for item in case.items:
        for pattern, value, field in (
            (art, item.provision_id, "internalProvisionId"),
            (act, item.act_id, "internalParentActId"),
        ):
            if value is None:
                concerns.append(Concern(item.label, f"no {field}", item.index))
            elif not pattern.fullmatch(value):
                concerns.append(Concern(item.label, f"{field} {short(value)}", item.index))
        if item.provision_id is not None and item.provision_id in known:
            note = f"internalProvisionId {short(item.provision_id)} used twice"
            concerns.append(Concern(item.label, note, item.index))
        known.add(item.provision_id or "")
    return issue(rules, "id", concerns)


def foreign_id(case: Extraction) -> str | None:
    """The other decision whose id the ids embed throughout, if they do."""
    inside = set()
    for item in case.items:
        for value in (item.provision_id, item.act_id):
            match = _ANY_ID.fullmatch(value or "")
            if match is None:
                return None
            inside.add(match[1])
    other = inside.pop() if len(inside) == 1 else case.decision
    # A slip of the pen in the same id (case, punctuation) is `id`, not another decision.
    return None if _letters(other) == _letters(case.decision) else other


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def enums(case: Extraction, rules: Rules) -> list[ProvisionIssue]:
    """`enum`: exactly a type of the language's set."""
    concerns = (
        Concern(item.label, short(item.type) if item.type else "no parentActType", item.index)
        for item in case.items
        if item.type not in TYPES[case.language]
    )
    return issue(rules, "enum", concerns)


def keys(
    case: Extraction,
    rules: Rules,
    support: Sequence[tuple[CitedProvision, ...]] | None = None,
    cut: Mapping[int, Citation] | None = None,
) -> list[ProvisionIssue]:
    """`key`: the article's anchor, whole, and nothing else; `cut`: items that lost a part of it."""
    concerns = [
        Concern(case.items[i].label, f"the source says {place.key}", i, place)
        for i, place in (cut or {}).items()
    ]
    for item in case.items:
        places = support[item.index] if support is not None else ()
        fault = key_fault(item, places)
        if fault:
            place = places[0].best if places else None
            concerns.append(Concern(item.label, fault, item.index, place))
    return issue(rules, "key", concerns)


def key_fault(item: Item, places: tuple[CitedProvision, ...] = ()) -> str | None:
    """What is wrong with an item's key; an item without an article has none to get wrong."""
    if item.article is None:
        return None
    if item.key is None:
        return "no provisionNumberKey"
    key = anchor_of(item.key)
    anchor = anchor_of(item.article)
    right = {anchor, *(anchor_of(provision.key) for provision in places)}
    if not places or item.act.type in NUMBERED:
        # 6.1 of a treaty is article 6, § 1; else only the source says whether 6 is the article
        right.add(anchor.partition(".")[0])
    if key in right or _verbatim(key, item.number):
        return None
    return f"key {short(item.key)}, not {item.article}"


def _verbatim(key: str, number: str | None) -> bool:
    """Whether the key is what provisionNumber writes as the article: "art. 8b" is 8b, "9 ter" 9ter.

    Whether that letter is a part of the article's number only its act knows.
    """
    whole = re.escape(key) if re.fullmatch(r"[\w./-]+", key) else r"(?!)"
    word = r"art(?:icles?|ikel(?:en|s)?|t?)\.?"
    return bool(re.search(rf"{word}{whole}(?![\w°]|[/.:-]\w)", anchor_of(number or "")))


def notation(
    case: Extraction, rules: Rules, support: Sequence[tuple[CitedProvision, ...]]
) -> list[ProvisionIssue]:
    """`notation`: one provision of a treaty or EU act twice, as 6.1 and as 6, § 1.

    A source that writes both has them both: then the second is only a copy.
    """
    first_items: dict[tuple[str, Place], Item] = {}
    concerns = []
    for item in case.items:
        if item.article is None or item.act.type not in NUMBERED:
            continue
        act = item.act.id or f"?{identity(item.name or '')}"
        place = canonical(item.article, item.path, item.act.type)
        first = first_items.setdefault((act, place), item)
        if first is item or write_place(first.article or "", first.path) == write_place(
            item.article, item.path
        ):
            continue
        places = chain.from_iterable(provision.places for provision in support[item.index])
        cited = {write_place(place.key, place.path) for place in places}
        both = (write_place(first.article or "", first.path), write_place(item.article, item.path))
        if not cited.issuperset(both):
            concerns.append(Concern(item.label, f"the same as {first.label}", item.index))
    return issue(rules, "notation", concerns)


def dedup(case: Extraction, rules: Rules) -> list[ProvisionIssue]:
    """`dedup`: one act under several ids, or one id for several acts."""
    ids_of: dict[str, dict[str, Item]] = defaultdict(dict)
    acts_of: dict[str, dict[str, Item]] = defaultdict(dict)
    for item in case.items:
        if item.act_id is None or item.name is None:
            continue
        # An unknown act is told by its name for "split", but two names may well mean one act.
        ids_of[item.act.id or f"?{identity(item.name)}"].setdefault(item.act_id, item)
        if item.act.id is not None:
            acts_of[item.act_id].setdefault(item.act.id, item)
    concerns: list[Concern] = []
    for under in ids_of.values():
        for act_id, item in list(under.items())[1:]:
            note = f"split: also {short(act_id)}"
            concerns.append(Concern(short(item.name or ""), note, item.index))
    for act_id, acts in acts_of.items():
        for item in list(acts.values())[1:]:
            note = f"{short(act_id)} stands for another act too"
            concerns.append(Concern(short(item.name or ""), note, item.index))
    return issue(rules, "dedup", concerns)
