"""Probes of a judge of summaries: a fault is planted, and the judge's own findings say how much
it must cost."""

from __future__ import annotations

import copy
import re
from random import Random

from oyer.protocols.probing import common_probes, with_text
from oyer.text import words
from oyer.text.segments import Segment, sentences
from oyer.types import Case, JsonObject, Probe

FOREIGN = (
    "A museum of clocks in Tallinn received a golden astrolabe from an unknown donor.",
    "Seven lighthouse keepers were decorated by the Portuguese navy in a quiet ceremony.",
    "Researchers in Oslo bred a blue tulip that closes its petals at the sound of thunder.",
)
NAMES = ("Hendrik", "Ottilie", "Marchetti", "Quillfeather", "Zandvoort")
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})*(?![\w]|[.,]\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_VERB = re.compile(r"\b(is|are|was|were|will|has|have|had|can|could)\b(?! not|n't)")


def probes() -> tuple[Probe, ...]:
    """Faults of summaries, then what any text is put to."""
    faults = (
        ("foreign sentence", _foreign, _add_claim),
        ("number changed", _number, _unsupport_claims),
        ("name changed", _name, _unsupport_claims),
        ("date changed", _date, _unsupport_claims),
        ("negation", _negation, _unsupport_claims),
    )
    planted = [
        Probe(name, "hallucination", "falls", with_text("summary", edit), insert)
        for name, edit, insert in faults
    ]
    drop, shuffle = with_text("summary", _drop), with_text("summary", _shuffle)
    return (
        *planted,
        Probe("key point dropped", "coverage", "does not rise", drop, _untold),
        Probe("sentences shuffled", "total", "stays", shuffle, slack=0.05),
        *common_probes("summary", meaning="hallucination"),
    )


# ── the changes ───────────────────────────────────────────────────────────────────────────────


def _foreign(text: str, chance: Random) -> str:
    return f"{text.rstrip()} {chance.choice(FOREIGN)}"


def _number(text: str, chance: Random) -> str | None:
    def other(number: str) -> str:
        value = int(number.replace(",", ""))
        return f"{value * 3 + 7:,}" if "," in number else str(value * 3 + 7)

    return _replace(_NUMBER, text, chance, other)


def _name(text: str, chance: Random) -> str | None:
    known = (*_DAYS, *_MONTHS)
    found = [match for match in _NAME.finditer(text) if match[0] not in known]
    if not found:
        return None
    match = chance.choice(found)
    return text[: match.start()] + chance.choice(NAMES) + text[match.end() :]


def _date(text: str, chance: Random) -> str | None:
    for names in (_DAYS, _MONTHS):
        pattern = re.compile(rf"\b(?:{'|'.join(names)})\b")
        changed = _replace(pattern, text, chance, lambda old, names=names: _next(names, old))
        if changed is not None:
            return changed
    return None


def _next(names: tuple[str, ...], old: str) -> str:
    return names[(names.index(old) + 3) % len(names)]


def _negation(text: str, chance: Random) -> str | None:
    return _replace(_VERB, text, chance, lambda verb: f"{verb} not")


def _drop(text: str, chance: Random) -> str | None:
    pieces = sentences(text)
    if len(pieces) < 2:
        return None
    gone = chance.choice(pieces)
    return (text[: gone.start] + text[gone.end :]).strip()


def _shuffle(text: str, chance: Random) -> str | None:
    pieces = [piece.text for piece in sentences(text)]
    if len(pieces) < 2:
        return None
    mixed = pieces[:]
    while mixed == pieces:
        chance.shuffle(mixed)
    return " ".join(mixed)


def _replace(pattern: re.Pattern[str], text: str, chance: Random, other: object) -> str | None:
    found = list(pattern.finditer(text))
    if not found or not callable(other):
        return None
    match = chance.choice(found)
    return text[: match.start()] + str(other(match[0])) + text[match.end() :]


# ── the known finding, put into the judge's own ───────────────────────────────────────────────


def _add_claim(before: Case, after: Case, objects: list[JsonObject]) -> list[JsonObject] | None:
    """One claim more, unsupported: the sentence that was added."""
    sentence = after.text("summary")[len(before.text("summary").rstrip()) :].strip()
    changed = copy.deepcopy(objects)
    claims = _entries(changed, "hallucination", "claims_checked")
    if claims is None:
        return None
    claims.append({"claim": sentence, "status": "Unsupported"})
    return changed


def _unsupport_claims(
    before: Case, after: Case, objects: list[JsonObject]
) -> list[JsonObject] | None:
    """The claims of the changed sentence are unsupported now."""
    old, new = before.text("summary"), after.text("summary")
    at = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    hit = next((piece for piece in sentences(old) if piece.start <= at < piece.end), None)
    changed = copy.deepcopy(objects)
    claims = _entries(changed, "hallucination", "claims_checked")
    if hit is None or not claims:
        return None
    nearest = max(claims, key=lambda claim: _likeness(str(claim.get("claim", "")), hit))
    nearest["status"] = "Unsupported"
    nearest.pop("span", None)  # it quoted the summary as it was
    return changed


def _untold(before: Case, after: Case, objects: list[JsonObject]) -> list[JsonObject] | None:
    """Points that only the dropped sentence told are not told any more."""
    kept = after.text("summary")
    gone = next(
        (piece for piece in sentences(before.text("summary")) if piece.text not in kept), None
    )
    changed = copy.deepcopy(objects)
    points = _entries(changed, "coverage", "key_points")
    if gone is None or points is None:
        return None
    for point in points:
        if _likeness(str(point.get("point", "")), gone) >= 0.5:
            point["coverage"] = "Not"
    return changed


def _entries(objects: list[JsonObject], metric: str, name: str) -> list[dict[str, object]] | None:
    for found in objects:
        if found.get("metric") == metric and isinstance(found.get(name), list):
            entries: list[dict[str, object]] = found[name]
            return entries
    return None


def _likeness(text: str, sentence: Segment) -> float:
    ours, theirs = words.keywords(text), words.keywords(sentence.text)
    return len(ours & theirs) / max(1, min(len(ours), len(theirs)))
