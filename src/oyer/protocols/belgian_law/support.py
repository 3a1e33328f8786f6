"""Issues of what is cited: hallucinated, wrong act, expansion, missing, another decision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
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


def reasons(case: Extraction, found: ProvisionComparison) -> dict[int, Reason]:
    """One reason for each unsupported item.

    What the original lists as MAJOR, a range overshot or an article given to the wrong act, is
    that and not also a hallucination, else these MAJOR issues could never stand alone.
    """
    over = _overshot(case, found)
    return {
        index: over.get(index) or _reason(case.items[index], found) for index in found.unsupported
    }


def _reason(item: Item, found: ProvisionComparison) -> Reason:
    if item.article is None:
        return Reason("hallucinated", "bare-act")
    near = (
        (path, cited_path, one)
        for key, path in item_forms(item)
        for cited_path, one in found.index.get(key, ())
    )
    wrong: Reason | None = None
    for path, cited_path, one in near:
        if _is_protocol_of(one.act, item.act.id):
            return Reason("hallucinated", "base-convention", one.best)
        if same_act(item, one) and degree_as_paragraph(item.path, cited_path):
            return Reason("hallucinated", "degree-as-paragraph", one.best)
        apart = one.sure and item.act.id is not None and one.act != item.act.id
        related = begins(path, cited_path) or begins(cited_path, path)
        if wrong is None and apart and related:
            wrong = Reason("wrong-act", None, one.best)
    return wrong or _truncated(item, found) or Reason("hallucinated", "other")


def _truncated(item: Item, found: ProvisionComparison) -> Reason | None:
    """ "article 1675" where the source says 1675/13: a lost anchor, not an invention."""
    anchor = anchor_of(item.article or "")
    for one in found.cited:
        longer = anchor_of(one.key)
        cut = longer.startswith(anchor) and longer[len(anchor) : len(anchor) + 1]
        if cut and cut in "/.:-" and same_act(item, one):
            return Reason("key", "truncated", one.best)
    return None


def _is_protocol_of(act: str | None, base: str | None) -> bool:
    """Protocols have ids such as protocole-1-cedh: the number, then the convention."""
    if act is None or base is None or not act.startswith("protocole-"):
        return False
    return act.endswith(f"-{base}")


def _overshot(case: Extraction, found: ProvisionComparison) -> dict[int, Reason]:
    """Items that continue a range beyond its upper bound."""
    if not found.runs:
        return {}
    loose: dict[Slot, list[Item]] = defaultdict(list)
    for index in found.unsupported:
        item = case.items[index]
        if item.article is not None and (slot := _slot(item.article, item.path)) is not None:
            loose[slot].append(item)
    taken = {(one.act, one.key, one.path) for places in found.support for one in places}
    return {
        item.index: Reason("expansion", "overshot", run[-1])
        for run in found.runs
        if any((member.act.id, member.key, member.path) in taken for member in run)
        for item in _beyond(run, loose)
    }


Slot: TypeAlias = tuple[str, str, int]  # article and path without their last number; that number


def _slot(key: str, path: tuple[str, ...]) -> Slot | None:
    counted = step(path[-1] if path else key)
    if counted is None:
        return None
    before, number, after = counted
    return (
        ("/".join((key, *path[:-1], before, after)), "path", number)
        if path
        else (
            before.casefold(),
            "article",
            number,
        )
    )


def _beyond(run: tuple[Citation, ...], loose: Mapping[Slot, list[Item]]) -> list[Item]:
    """From the bound itself (12bis after 12) upwards, as long as the items go on."""
    last = run[-1]
    slot = _slot(last.key, last.path if last.key == run[0].key else ())
    if slot is None:
        return []
    made: list[Item] = []
    for number in count(slot[2]):
        here = [
            item
            for item in loose.get((slot[0], slot[1], number), ())
            if item.act.id == last.act.id or item.act.id is None or last.act.id is None
        ]
        if number > slot[2] and not here:
            break
        made += here
    return made


def find_hallucinated(
    case: Extraction, why: dict[int, Reason], rules: Rules
) -> list[ProvisionIssue]:
    """`hallucinated`, one issue a kind."""
    return [
        made
        for kind in rules.kind
        for made in issue(
            rules,
            "hallucinated",
            (
                Concern(case.items[i].label, "", i, reason.place)
                for i, reason in why.items()
                if reason.code == "hallucinated" and reason.kind == kind
            ),
            kind,
        )
    ]


def wrong_decision(
    case: Extraction, found: ProvisionComparison, rules: Rules
) -> list[ProvisionIssue]:
    """`wrong-decision`: hardly anything is supported, or the ids are another decision's."""
    other = foreign_id(case)
    if other is not None:
        about = [Concern(short(other), f"{len(case.items)} items carry this decision's id")]
        return issue(rules, "wrong-decision", about)
    supported = found.extracted - len(found.unsupported)
    few = supported < rules["foreign_below"] * found.extracted
    if found.extracted < rules["foreign_items"] or not few:
        return []
    note = f"the source supports {supported} of {found.extracted} items"
    return issue(rules, "wrong-decision", [Concern(short(case.decision), note)])


def wrong_act(
    case: Extraction, found: ProvisionComparison, why: dict[int, Reason], rules: Rules
) -> list[ProvisionIssue]:
    """`wrong-act`: of another act, or without the named part of its act (BL-HIERARCHY)."""
    concerns = [
        Concern(case.items[i].label, f"cited of {short(reason.place.act.name)}", i, reason.place)
        for i, reason in why.items()
        if reason.code == "wrong-act" and reason.place is not None
    ]
    for item in case.items:
        places = [p for one in nearest(item, found) for p in one.places]
        named = [structures(place.act.name, rules) for place in places]
        if item.name is None or not named or not all(named):
            continue
        if not structures(item.name, rules) & frozenset().union(*named):
            note = f"the source says {short(places[0].act.name)}"
            concerns.append(Concern(item.label, note, item.index, places[0]))
    return issue(rules, "wrong-act", concerns)


def nearest(item: Item, found: ProvisionComparison) -> tuple[CitedProvision, ...]:
    """The citations of this very item: same act, and its own path if the source has it."""
    if item.article is None or item.act.id is None:
        return ()
    same = [one for one in found.support[item.index] if one.act == item.act.id]
    exact = [one for one in same if one.path == item.path]
    return tuple(exact or same)


def expansion(
    case: Extraction, found: ProvisionComparison, why: dict[int, Reason], rules: Rules
) -> list[ProvisionIssue]:
    """`expansion`: a list or range partly extracted, or overshot."""
    absent = {id(one): one for one in found.missing if any(p.group >= 0 for p in one.places)}
    groups: dict[int, list[CitedProvision]] = defaultdict(list)
    for one in found.cited:
        for place in one.places:
            if place.via in ("list", "range"):
                groups[place.group].append(one)
    started = {id(one) for places in found.support for one in places}
    concerns, told = [], set[int]()
    for members in groups.values():
        if not any(id(one) in started for one in members):
            continue  # nothing of it was extracted: it is missing, not half expanded
        for one in members:
            if id(one) in absent and id(one) not in told:
                told.add(id(one))
                concerns.append(Concern(short(one.label, 120), "not extracted", None, one.best))
    concerns += [
        Concern(case.items[i].label, "beyond the upper bound", i, reason.place)
        for i, reason in why.items()
        if reason.kind == "overshot"
    ]
    return issue(rules, "expansion", concerns)


def missing(found: ProvisionComparison, rules: Rules) -> list[ProvisionIssue]:
    """`empty`, `missing`, `one-missing`."""
    gone = [Concern(short(one.label, 120), "", None, one.best) for one in found.missing]
    made: list[ProvisionIssue] = []
    if not found.extracted and any(c.certain for c in found.citations):
        made += issue(rules, "empty", gone)
    if found.recall < rules["missing_below"]:
        made += issue(rules, "missing", gone)
    elif len(gone) == 1 and found.recall >= rules["one_missing_from"]:
        made += issue(rules, "one-missing", gone)
    return made
