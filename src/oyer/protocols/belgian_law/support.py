"""Issues of what is cited: hallucinated, wrong act, expansion, missing, another decision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count
from typing import TypeAlias

from oyer.cite import Citation
from oyer.protocols.belgian_law.compare import (
    CitedProvision,
    ProvisionComparison,
    begins,
    degree_as_paragraph,
    same_act,
    step,
)
from oyer.protocols.belgian_law.extraction import Extraction, Item, anchor_of, short
from oyer.protocols.belgian_law.forms import foreign_id
from oyer.protocols.belgian_law.issues import Concern, ProvisionIssue, issue
from oyer.protocols.belgian_law.names import structures
from oyer.protocols.belgian_law.notation import item_forms
from oyer.protocols.belgian_law.rules import Rules


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an item is not supported: a kind of `hallucinated`, or the milder code it falls under."""

    code: str
    kind: str | None = None
    place: Citation | None = None


def reasons(case: Extraction, comparison: ProvisionComparison) -> dict[int, Reason]:
    """One reason for each unsupported item.

    What the original lists as MAJOR, a range overshot or an article given to the wrong act, is
    that and not also a hallucination, else these MAJOR issues could never stand alone.
    """
    over = _find_overshot(case, comparison)
    return {
        index: over.get(index) or _reason(case.items[index], comparison)
        for index in comparison.unsupported
    }


def _reason(item: Item, comparison: ProvisionComparison) -> Reason:
    if item.article is None:
        return Reason("hallucinated", "bare-act")
    wrong: Reason | None = None
    for path, cited_path, provision in _same_article(item, comparison):
        if _is_protocol_of(provision.act, item.act.id):
            return Reason("hallucinated", "base-convention", provision.best)
        if same_act(item, provision) and degree_as_paragraph(item.path, cited_path):
            return Reason("hallucinated", "degree-as-paragraph", provision.best)
        apart = provision.sure and item.act.id is not None and provision.act != item.act.id
        related = begins(path, cited_path) or begins(cited_path, path)
        if wrong is None and apart and related:
            wrong = Reason("wrong-act", None, provision.best)
    return wrong or _find_truncated(item, comparison) or Reason("hallucinated", "other")


def _same_article(
    item: Item, comparison: ProvisionComparison
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], CitedProvision]]:
    """The item's path, and the cited provisions of its article with theirs."""
    for key, path in item_forms(item):
        for cited_path, provision in comparison.index.get(key, ()):
            yield path, cited_path, provision


def _find_truncated(item: Item, comparison: ProvisionComparison) -> Reason | None:
    """ "article 1675" where the source says 1675/13: a lost anchor, not an invention."""
    anchor = anchor_of(item.article or "")
    for provision in comparison.cited:
        longer = anchor_of(provision.key)
        cut = longer.startswith(anchor) and longer[len(anchor) : len(anchor) + 1]
        if cut and cut in "/.:-" and same_act(item, provision):
            return Reason("key", "truncated", provision.best)
    return None


def _is_protocol_of(act: str | None, base: str | None) -> bool:
    """Protocols have ids such as protocole-1-cedh: the number, then the convention."""
    if act is None or base is None or not act.startswith("protocole-"):
        return False
    return act.endswith(f"-{base}")


def _find_overshot(case: Extraction, comparison: ProvisionComparison) -> dict[int, Reason]:
    """Items that continue a range beyond its upper bound."""
    if not comparison.runs:
        return {}
    loose: dict[Slot, list[Item]] = defaultdict(list)
    for index in comparison.unsupported:
        item = case.items[index]
        if item.article is not None and (slot := _slot(item.article, item.path)) is not None:
            loose[slot].append(item)
    supported = set[tuple[str | None, str, tuple[str, ...]]]()
    for provision in chain.from_iterable(comparison.support):
        supported.add((provision.act, provision.key, provision.path))
    overshot: dict[int, Reason] = {}
    for run in comparison.runs:
        if any((member.act.id, member.key, member.path) in supported for member in run):
            for item in _beyond(run, loose):
                overshot[item.index] = Reason("expansion", "overshot", run[-1])
    return overshot


Slot: TypeAlias = tuple[str, str, int]  # article and path without their last number; that number


def _slot(key: str, path: tuple[str, ...]) -> Slot | None:
    counted = step(path[-1] if path else key)
    if counted is None:
        return None
    before, number, after = counted
    if path:
        return "/".join((key, *path[:-1], before, after)), "path", number
    return before.casefold(), "article", number


def _beyond(run: tuple[Citation, ...], loose: Mapping[Slot, list[Item]]) -> list[Item]:
    """From the bound itself (12bis after 12) upwards, as long as the items go on."""
    last = run[-1]
    slot = _slot(last.key, last.path if last.key == run[0].key else ())
    if slot is None:
        return []
    items: list[Item] = []
    for number in count(slot[2]):
        here = [
            item
            for item in loose.get((slot[0], slot[1], number), ())
            if item.act.id == last.act.id or item.act.id is None or last.act.id is None
        ]
        if number > slot[2] and not here:
            break
        items += here
    return items


def find_hallucinated(
    case: Extraction, why: dict[int, Reason], rules: Rules
) -> list[ProvisionIssue]:
    """`hallucinated`, one issue a kind."""
    issues: list[ProvisionIssue] = []
    for kind in rules.kind:
        concerns = [
            Concern(case.items[index].label, "", index, reason.place)
            for index, reason in why.items()
            if reason.code == "hallucinated" and reason.kind == kind
        ]
        issues += issue(rules, "hallucinated", concerns, kind)
    return issues


def wrong_decision(
    case: Extraction, comparison: ProvisionComparison, rules: Rules
) -> list[ProvisionIssue]:
    """`wrong-decision`: hardly anything is supported, or the ids are another decision's."""
    other = foreign_id(case)
    if other is not None:
        about = [Concern(short(other), f"{len(case.items)} items carry this decision's id")]
        return issue(rules, "wrong-decision", about)
    supported = comparison.extracted - len(comparison.unsupported)
    few = supported < rules["foreign_below"] * comparison.extracted
    if comparison.extracted < rules["foreign_items"] or not few:
        return []
    note = f"the source supports {supported} of {comparison.extracted} items"
    return issue(rules, "wrong-decision", [Concern(short(case.decision), note)])


def wrong_act(
    case: Extraction, comparison: ProvisionComparison, why: dict[int, Reason], rules: Rules
) -> list[ProvisionIssue]:
    """`wrong-act`: of another act, or without the named part of its act (BL-HIERARCHY)."""
    concerns = [
        Concern(case.items[i].label, f"cited of {short(reason.place.act.name)}", i, reason.place)
        for i, reason in why.items()
        if reason.code == "wrong-act" and reason.place is not None
    ]
    for item in case.items:
        places = places_of(nearest(item, comparison))
        structure_names = [structures(place.act.name, rules) for place in places]
        if item.name is None or not structure_names or not all(structure_names):
            continue
        if not structures(item.name, rules) & frozenset().union(*structure_names):
            note = f"the source says {short(places[0].act.name)}"
            concerns.append(Concern(item.label, note, item.index, places[0]))
    return issue(rules, "wrong-act", concerns)


def nearest(item: Item, comparison: ProvisionComparison) -> tuple[CitedProvision, ...]:
    """The citations of this very item: same act, and its own path if the source has it."""
    if item.article is None or item.act.id is None:
        return ()
    same = [
        provision for provision in comparison.support[item.index] if provision.act == item.act.id
    ]
    exact = [provision for provision in same if provision.path == item.path]
    return tuple(exact or same)


def places_of(provisions: Iterable[CitedProvision]) -> list[Citation]:
    """Every place of the source that cites one of these."""
    return [*chain.from_iterable(provision.places for provision in provisions)]


def expansion(
    case: Extraction, comparison: ProvisionComparison, why: dict[int, Reason], rules: Rules
) -> list[ProvisionIssue]:
    """`expansion`: a list or range partly extracted, or overshot."""
    absent = set[int]()
    for provision in comparison.missing:
        if any(place.group >= 0 for place in provision.places):
            absent.add(id(provision))
    groups: dict[int, list[CitedProvision]] = defaultdict(list)
    for provision in comparison.cited:
        for place in provision.places:
            if place.via in ("list", "range"):
                groups[place.group].append(provision)
    started = {id(provision) for provision in chain.from_iterable(comparison.support)}
    concerns, listed = [], set[int]()
    for members in groups.values():
        if not any(id(provision) in started for provision in members):
            continue  # nothing of it was extracted: it is missing, not half expanded
        for provision in members:
            if id(provision) in absent and id(provision) not in listed:
                listed.add(id(provision))
                concerns.append(
                    Concern(short(provision.label, 120), "not extracted", None, provision.best)
                )
    concerns += [
        Concern(case.items[i].label, "beyond the upper bound", i, reason.place)
        for i, reason in why.items()
        if reason.kind == "overshot"
    ]
    return issue(rules, "expansion", concerns)


def missing(comparison: ProvisionComparison, rules: Rules) -> list[ProvisionIssue]:
    """`empty`, `missing`, `one-missing`."""
    gone = [
        Concern(short(provision.label, 120), "", None, provision.best)
        for provision in comparison.missing
    ]
    issues: list[ProvisionIssue] = []
    if not comparison.extracted and any(c.certain for c in comparison.citations):
        issues += issue(rules, "empty", gone)
    if comparison.recall < rules["missing_below"]:
        issues += issue(rules, "missing", gone)
    elif len(gone) == 1 and comparison.recall >= rules["one_missing_from"]:
        issues += issue(rules, "one-missing", gone)
    return issues
