"""Extractions that follow from an annotated window: the right one, and twelve broken ones.

What each must get is worked out here from the original's rules alone, without the protocol's code.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from windows import Window  # type: ignore[import-not-found]

from oyer.cite import dates_in
from oyer.cite.lexicon import kinds, type_of
from oyer.protocols.belgian_law import decide
from oyer.types import Case

Item = dict[str, Any]
_NUMBERED = ("REGLEMENT_UE", "DIRECTIVE_UE", "TRAITE", "EU_VERORDENING", "EU_RICHTLIJN", "VERDRAG")


def right_extraction(window: Window) -> list[Item]:
    """One item a provision, each act under its fullest name, with its date where a name has it."""
    names: dict[str, list[str]] = {}
    for place in window.places:
        names.setdefault(_act(place), []).append(place["name"])
    sequence = {act: n for n, act in enumerate(names, 1)}
    items: list[Item] = []
    seen: set[tuple[Any, ...]] = set()
    for place in window.places:
        act = _act(place)
        name = max(names[act], key=len)
        dates = [date for one in names[act] for date in dates_in(one + " ")]
        kind = _type(place["acts"][0], name, window.language)
        for provision in place["provisions"]:
            key, path = provision["key"], tuple(provision["path"])
            folded = (act, *_folded(key, path, kind))
            if provision.get("optional") or folded in seen:
                continue
            seen.add(folded)
            items.append(
                {
                    "internalProvisionId": f"ART-{window.id}-{len(items) + 1:03}",
                    "internalParentActId": f"ACT-{window.id}-{sequence[act]:03}",
                    "provisionNumber": _number(key, path, window),
                    "provisionNumberKey": key,
                    "parentActType": kind,
                    "parentActName": name,
                    "parentActDate": dates[0] if dates else None,
                }
            )
    return _without_bare(items)


def _act(place: dict[str, Any]) -> str:
    return place["acts"][0] or f"?{place['name']}"


def _without_bare(items: list[Item]) -> list[Item]:
    """A bare article whose paths are listed too is not an item of its own."""
    deeper = {
        (i["internalParentActId"], i["provisionNumberKey"])
        for i in items
        if "," in i["provisionNumber"]
    }
    kept = [
        i
        for i in items
        if "," in i["provisionNumber"]
        or (i["internalParentActId"], i["provisionNumberKey"]) not in deeper
    ]
    for n, item in enumerate(kept, 1):
        item["internalProvisionId"] = item["internalProvisionId"][:-3] + f"{n:03}"
    return kept


def _folded(key: str, path: tuple[str, ...], kind: str) -> tuple[str, tuple[str, ...]]:
    if kind not in _NUMBERED:
        return key, path
    article, _, paragraph = key.partition(".")
    if paragraph:
        return article, (paragraph, *path)
    head = path[0].strip("§al°") if path else ""
    return (article, (head, *path[1:])) if head.isdigit() else (article, path)


def _number(key: str, path: tuple[str, ...], window: Window) -> str:
    """As the window writes it: "paragraphe 2" or "§ 2"."""
    language = window.language
    words = {"al": "alinéa ", "phrase": "phrase ", "tiret": "tiret "}
    if language == "NL":
        words = {"al": "lid ", "phrase": "zin ", "tiret": "streepje "}
    words["aldernier"] = "dernier alinéa" if language == "FR" else "laatste lid"
    sign = rf"{re.escape(key)}\s?,?\s*paragraphe"
    words["§"] = "paragraphe " if re.search(sign, window.text) else "§ "
    parts = [_worded(part, words) for part in path]
    return ", ".join([("article " if language == "FR" else "artikel ") + key, *parts])


def _worded(part: str, words: dict[str, str]) -> str:
    if part == "aldernier":
        return words[part]
    for level, word in words.items():
        if part.startswith(level):
            return word + part[len(level) :]
    return part


def _type(id_: str | None, name: str, language: str) -> str:
    spoken = "fr" if language == "FR" else "nl"
    kind = kinds().get(id_ or "", (id_ or "").split("/")[0])
    if name.split(maxsplit=1)[0].lower() in ("loi", "lois", "wet", "wetten"):
        kind = "loi"
    if id_ is None:
        lower = name.lower()
        kind = next((k for k in ("décret", "Traité", "protocol") if k.lower() in lower), "autre")
        kind = {"décret": "decret", "Traité": "traite", "protocol": "traite"}.get(kind, "autre")
    return type_of(kind, spoken) or "AUTRE"  # type: ignore[arg-type]


# ── broken ones, and what the original's rules give for each ──────────────────────────────────


@dataclass(frozen=True)
class Sum:
    """The original's arithmetic: issues by severity, rates, and the two priority fields."""

    critical: int = 0
    major: int = 0
    minor: int = 0
    recall: Fraction = Fraction(1)
    precision: Fraction = Fraction(1)
    key: bool = False
    date: bool = False

    @property
    def parts(self) -> list[tuple[str, int]]:
        made = [("start", 59 if self.critical else 100)]
        made += [("MAJOR", -min(12 * self.major, 36))] if self.major else []
        made += [("MINOR", -min(2 * self.minor, 8))] if self.minor else []
        made += [("recall < .95", -15)] if self.recall < Fraction(95, 100) else []
        made += [("precision < .90", -10)] if self.precision < Fraction(90, 100) else []
        made += [("key", -10)] if self.key else []
        made += [("date", -8)] if self.date else []
        return made

    @property
    def score(self) -> int:
        return max(0, min(100, sum(value for _, value in self.parts)))

    @property
    def verdict(self) -> str:
        if self.critical:
            return "FAIL"
        return "REVIEW_REQUIRED" if self.major or self.minor >= 3 else "PASS"

    @property
    def spelled(self) -> str:
        sums = " ".join(f"{value:+d}".replace("+", "") for _, value in self.parts)
        return f"{sums} = {self.score}".replace("-", "−")


Broken = tuple[list[Item], Sum] | None
Mutation = Callable[[list[Item], Window], Broken]


def _rate(part: int, whole: int) -> Fraction:
    return Fraction(part, max(whole, 1))


def _lone(items: list[Item], window: Window) -> int | None:
    """An item that the window cites on its own: dropping it leaves no list half expanded."""
    keys = [item["provisionNumberKey"] for item in items]
    for n, item in enumerate(items):
        if keys.count(item["provisionNumberKey"]) > 1:
            continue
        places = [p for p in window.places for v in p["provisions"] if _is(item, v, p)]
        if places and all(len(p["provisions"]) == 1 for p in places) and places[0]["acts"][0]:
            return n
    return None


def _is(item: Item, provision: dict[str, Any], place: dict[str, Any]) -> bool:
    return bool(provision["key"] == item["provisionNumberKey"])


def drop_one(items: list[Item], window: Window) -> Broken:
    at = _lone(items, window)
    if at is None or len(items) < 2:
        return None
    recall = _rate(len(items) - 1, len(items))
    major = int(recall < Fraction(90, 100))
    minor = int(recall >= Fraction(95, 100))
    return items[:at] + items[at + 1 :], Sum(major=major, minor=minor, recall=recall)


def clear(items: list[Item], window: Window) -> Broken:
    return [], Sum(critical=1, major=1, recall=Fraction(0), precision=Fraction(0))


def _extra(items: list[Item], **changes: Any) -> list[Item]:
    new = {**items[0], **changes}
    new["internalProvisionId"] = items[0]["internalProvisionId"][:-3] + "901"
    return [*items, new]


def _one_more(items: list[Item]) -> Fraction:
    return _rate(len(items), len(items) + 1)


def repeat(items: list[Item], window: Window) -> Broken:
    return _extra(items), Sum(precision=_one_more(items))


def invent(items: list[Item], window: Window) -> Broken:
    word = items[0]["provisionNumber"].split()[0]
    made = _extra(items, provisionNumber=f"{word} 98765", provisionNumberKey="98765")
    return made, Sum(critical=1, precision=_one_more(items))


def bare_act(items: list[Item], window: Window) -> Broken:
    name = "loi du 3 mars 1927" if window.language == "FR" else "wet van 3 maart 1927"
    made = _extra(items, provisionNumber=name, provisionNumberKey=None, parentActName=name)
    made[-1]["internalParentActId"] = items[0]["internalParentActId"][:-3] + "901"
    made[-1]["parentActDate"] = "1927-03-03"
    made[-1]["parentActType"] = "LOI" if window.language == "FR" else "WET"
    return made, Sum(critical=1, precision=_one_more(items))


def break_id(items: list[Item], window: Window) -> Broken:
    items[0]["internalProvisionId"] = items[0]["internalProvisionId"].replace(":", "_")
    return items, Sum(critical=1)


def reuse_id(items: list[Item], window: Window) -> Broken:
    if len(items) < 2:
        return None
    items[1]["internalProvisionId"] = items[0]["internalProvisionId"]
    return items, Sum(critical=1)


def other_enum(items: list[Item], window: Window) -> Broken:
    items[0]["parentActType"] = "WET" if window.language == "FR" else "LOI"
    return items, Sum(critical=1)


def keep_paragraph(items: list[Item], window: Window) -> Broken:
    items[0]["provisionNumberKey"] += ", § 2"
    return items, Sum(major=1, key=True)


def cut_key(items: list[Item], window: Window) -> Broken:
    """10bis as 10, 1675/13 as 1675, XX.99 as XX: of acts that do not number their paragraphs."""
    for item in items:
        key = item["provisionNumberKey"]
        digits = key[: next((n for n, c in enumerate(key) if not c.isdigit()), len(key))]
        if digits and digits != key and item["parentActType"] not in _NUMBERED:
            item["provisionNumberKey"] = digits
            return items, Sum(major=1, key=True)
    return None


def wrong_date(items: list[Item], window: Window) -> Broken:
    for item in items:
        if item["parentActDate"] and any(c.isdigit() for c in item["parentActName"]):
            item["parentActDate"] = "1899-12-31"
            return items, Sum(major=1, date=True)
    return None


def invent_date(items: list[Item], window: Window) -> Broken:
    for item in items:
        named = any(c.isdigit() for c in item["parentActName"])
        known = not item["parentActName"].lower().startswith(("avant", "voor", "projet", "-"))
        if item["parentActDate"] is None and not named and known and _is_known(item, window):
            item["parentActDate"] = "1899-12-31"
            return items, Sum(major=1, date=True)
    return None


def _is_known(item: Item, window: Window) -> bool:
    places = [p for p in window.places if p["name"] == item["parentActName"]]
    return bool(places) and len(places[0]["acts"]) == 1 and places[0]["acts"][0] is not None


def split_act(items: list[Item], window: Window) -> Broken:
    acts = [item["internalParentActId"] for item in items]
    for item in items[1:]:
        if acts.count(item["internalParentActId"]) > 1 and _is_known(item, window):
            item["internalParentActId"] = item["internalParentActId"][:-3] + "902"
            return items, Sum(major=1)
    return None


def other_act(items: list[Item], window: Window) -> Broken:
    """An article under an act that is not its own: misattributed, and its own is missing."""
    at = _lone(items, window)
    if at is None or not _is_known(items[at], window) or len(items) < 2:
        return None
    name, kind = (
        ("Code forestier", "CODE") if window.language == "FR" else ("Boswetboek", "WETBOEK")
    )
    items[at].update(parentActName=name, parentActType=kind, parentActDate=None)
    items[at]["internalParentActId"] = items[at]["internalParentActId"][:-3] + "903"
    rate = _rate(len(items) - 1, len(items))
    missing = int(rate < Fraction(90, 100))
    minor = int(rate >= Fraction(95, 100))
    return items, Sum(major=1 + missing, minor=minor, recall=rate, precision=rate)


MUTATIONS: dict[str, Mutation] = {
    "one dropped": drop_one,
    "all dropped": clear,
    "one repeated": repeat,
    "an invented article": invent,
    "a bare act": bare_act,
    "a broken id": break_id,
    "an id twice": reuse_id,
    "the other language's type": other_enum,
    "a key with its paragraph": keep_paragraph,
    "a key cut short": cut_key,
    "a wrong date": wrong_date,
    "an invented date": invent_date,
    "one act under two ids": split_act,
    "an article of another act": other_act,
}


def mutate(name: str, items: list[Item], window: Window) -> Broken:
    return MUTATIONS[name](copy.deepcopy(items), window)


# ── the judge on all of them ──────────────────────────────────────────────────────────────────


def judge(window: Window, items: list[Item]) -> tuple[str, int, str]:
    """Verdict, score and confidence that the engine's judge gives."""
    fields = {
        "decisionId": window.id,
        "proceduralLanguage": window.language,
        "sourceText": window.text,
        "extracted": {"citedProvisions": items},
    }
    output = decide(Case(window.id, fields)).output
    return output["verdict"], output["score"], output["confidence"]


def report_judging(windows: list[Window]) -> None:
    """How the right extractions and the broken ones are judged, and how sure the judge was."""
    verdicts: Counter[str] = Counter()
    levels: dict[str, list[bool]] = {"HIGH": [], "MEDIUM": [], "LOW": []}
    for window in windows:
        verdict, _, confidence = judge(window, right_extraction(window))
        verdicts[verdict] += 1
        levels[confidence].append(verdict == "PASS")
    shown = ", ".join(f"{verdicts[name]} {name}" for name in ("PASS", "REVIEW_REQUIRED", "FAIL"))
    print(f"\nRight extractions, one a window: {shown} of {len(windows)}")
    print("\nBroken extractions: verdict and score by hand, and how often the judge gave both")
    print(f"{'':28}{'by hand':>34}{'right':>8}{'of':>5}")
    for name in MUTATIONS:
        right = total = 0
        example = ""
        for window in windows:
            broken = mutate(name, right_extraction(window), window)
            if broken is None:
                continue
            verdict, score, confidence = judge(window, broken[0])
            same = (verdict, score) == (broken[1].verdict, broken[1].score)
            levels[confidence].append(verdict == broken[1].verdict)
            right, total = right + same, total + 1
            example = f"{broken[1].spelled} {broken[1].verdict}"
        print(f"{name:28}{example:>34}{right:>8}{total:>5}")
    print("\nConfidence: how often a verdict of each level was right")
    for level, judged in levels.items():
        share = sum(judged) / max(len(judged), 1)
        print(f"  {level:8}{sum(judged):>5} of {len(judged):<5}{share:.3f}")
