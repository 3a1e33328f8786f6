"""One verdict as the case's page shows it: its words, its findings, the marks of its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from oyer.abilities import Section
from oyer.records import VerdictRecord, ViolationRecord, output_objects
from oyer.report.explain import Explanation, explain
from oyer.report.highlight import kind_of, place_of
from oyer.types import AnyProtocol, JsonObject
from oyer.verdicts.violations import split_violations
from oyer.web.marks import TextMark

_LABELS = ("status", "coverage", "relevance", "severity", "label")
_QUIET = ("evidence", "quote", "start", "end", "span")  # shown as marks in the text instead
_OF_SOURCE = ("missed", "in part")  # sections on the source: they colour nothing that is judged
_LEAST = 20  # characters of a remark that is looked for in the texts


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """One entry of a judge's lists, as it was after checking."""

    where: str
    text: str
    label: str
    kind: str
    notes: tuple[tuple[str, str], ...]
    names: str  # of its marks


@dataclass(frozen=True, slots=True)
class Group:
    """The findings of one list."""

    metric: str
    title: str
    findings: tuple[ShownFinding, ...]


@dataclass(frozen=True, slots=True)
class RemarkView:
    """A remark with the names of its marks."""

    text: str
    note: str
    names: str
    where: str


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section of remarks: invented, missed …"""

    key: str
    title: str
    tone: str
    remarks: tuple[RemarkView, ...]


@dataclass(frozen=True, slots=True)
class VerdictView:
    """Everything that is shown of one verdict."""

    column: int
    record: VerdictRecord
    words: Explanation
    decided: str  # what decided the score
    also: str  # what else lowered it
    caps: Mapping[str, str]  # score -> the rule that holds it down
    sections: tuple[SectionView, ...]
    groups: tuple[Group, ...]
    marks: tuple[TextMark, ...]
    broken: Sequence[ViolationRecord]
    unheard: Sequence[ViolationRecord]


def view_verdict(
    record: VerdictRecord, protocol: AnyProtocol, texts: Mapping[str, str], column: int
) -> VerdictView:
    """Read a record for the page. `texts`: the case's text fields."""
    words = explain(record, protocol)
    marks = [*_evidence_marks(record, words, column), *_remark_marks(words, texts, column)]
    named = _names_by_place(record, marks)
    broken, unheard = split_violations(record["violations"])
    decided, _, also = words.cause.partition("; also, ")
    return VerdictView(
        column=column,
        record=record,
        words=words,
        decided=decided,
        also=also,
        caps=_caps(record, protocol),
        sections=tuple(_section(section, at, column, named, marks)
                       for at, section in enumerate(words.sections)),
        groups=tuple(_groups(record, words, named, _measured(record, protocol))),
        marks=tuple(marks),
        broken=broken,
        unheard=unheard,
    )  # fmt: skip


def _caps(record: VerdictRecord, protocol: AnyProtocol) -> dict[str, str]:
    """Score -> the rule that lowered it last: a cap's formula begins with its score's key."""
    caps = {}
    for step in record["trace"]:
        key = str(step["formula"]).partition(" ")[0]
        lowered = step["inputs"].get("before") not in (None, step["value"])
        if lowered and protocol.is_cap(step["rule"]) and key in (record["scores"] or {}):
            rule = protocol.rules.get(step["rule"])
            text = rule.text if rule else ""
            caps[key] = f"{step['rule']}: {step['formula']}. {text}".strip()
    return caps


# ── marks ─────────────────────────────────────────────────────────────────────────────────────


def _evidence_marks(record: VerdictRecord, words: Explanation, column: int) -> Iterator[TextMark]:
    everywhere = _tones(words.sections)
    in_judged = _tones([section for section in words.sections if section.key not in _OF_SOURCE])
    labels = _labels(record)
    for at, quote in enumerate(record["evidence"]):
        place = place_of(quote["where"])
        is_judged = quote["source"] == words.judged
        tone = (in_judged if is_judged else everywhere).get(place)
        is_quote = is_judged and quote["where"].endswith(".evidence")
        kind = tone or _untold_kind(labels.get(place, ""), words, is_quote)
        yield TextMark(quote["source"], quote["start"], quote["end"], kind, f"c{column}e{at}")


def _untold_kind(label: str, words: Explanation, is_quote: bool) -> str:
    """Of what no section names. Where a protocol says what is wrong, only that has a warning's
    colour: a fine sentence that was quoted for a key point told in part is no doubtful one."""
    kind = kind_of(label)
    return "point" if words.judged and (is_quote or kind in ("partial", "bad")) else kind


def _remark_marks(words: Explanation, texts: Mapping[str, str], column: int) -> Iterator[TextMark]:
    """Remarks without evidence whose words stand in a text: what was missed, in its place."""
    for at, section in enumerate(words.sections):
        if section.tone == "plain":
            continue
        own = section.key in _OF_SOURCE
        places = {name: text for name, text in texts.items() if not own or name != words.judged}
        for number, remark in enumerate(section.remarks):
            name = f"c{column}r{at}x{number}"
            if remark.spans:
                for source, start, end in remark.spans:
                    yield TextMark(source, start, end, section.tone, name)
            elif len(remark.text) >= _LEAST:
                yield from _find_words(remark.text, places, section, name)


def _find_words(
    words: str, texts: Mapping[str, str], section: Section, name: str
) -> Iterator[TextMark]:
    for source, text in texts.items():
        start = text.find(words)
        if start >= 0:
            kind = "missed" if section.key == "missed" else section.tone
            yield TextMark(source, start, start + len(words), kind, name)
            return


def _tones(sections: Sequence[Section]) -> dict[str, str]:
    """Place -> bad or partial, where the words say so."""
    tones: dict[str, str] = {}
    for section in reversed(sections):
        if section.tone != "plain":
            tones.update({remark.where: section.tone for remark in section.remarks if remark.where})
    return tones


def _names_by_place(record: VerdictRecord, marks: Sequence[TextMark]) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    evidence = record["evidence"]
    for mark in marks:
        if "e" in mark.name:
            where = evidence[int(mark.name.rpartition("e")[2])]["where"]
            named.setdefault(place_of(where), []).append(mark.name)
    return named


def findings_by_place(record: VerdictRecord) -> dict[str, ShownFinding]:
    """Every entry of a judge's lists by its place, for sheets that ask about one at a time."""
    by_place = {}
    for prefix, name, entries in _entries(record):
        for at, entry in enumerate(entries):
            where, label = f"{prefix}{name}[{at}]", _label(entry)
            text, notes = _text_and_notes(entry)
            by_place[where] = ShownFinding(where, text, label, kind_of(label), notes, "")
    return by_place


# ── words ─────────────────────────────────────────────────────────────────────────────────────


def _section(
    section: Section,
    at: int,
    column: int,
    named: Mapping[str, list[str]],
    marks: Sequence[TextMark],
) -> SectionView:
    own = {mark.name for mark in marks}
    findings = []
    for number, remark in enumerate(section.remarks):
        name = f"c{column}r{at}x{number}"
        names = [*named.get(remark.where, ()), *([name] if name in own else [])]
        findings.append(RemarkView(remark.text, remark.note, " ".join(names), remark.where))
    return SectionView(section.key, section.title, section.tone, tuple(findings))


def _entries(record: VerdictRecord) -> Iterator[tuple[str, str, list[JsonObject]]]:
    """(prefix, list's name, its entries)."""
    for prefix, holder in output_objects(record.get("output")):
        for name, value in holder.items():
            if isinstance(value, list):
                entries = [entry for entry in value if isinstance(entry, Mapping)]
                if entries:
                    yield prefix, name, entries


def _labels(record: VerdictRecord) -> dict[str, str]:
    labels = {}
    for prefix, name, entries in _entries(record):
        for at, entry in enumerate(entries):
            labels[f"{prefix}{name}[{at}]"] = _label(entry)
    return labels


def _label(entry: JsonObject) -> str:
    return next((str(entry[key]) for key in _LABELS if key in entry), "")


def _measured(record: VerdictRecord, protocol: AnyProtocol) -> Mapping[str, str]:
    wording = protocol.wording
    return wording.measured(record) if wording and wording.measured else {}


def _groups(
    record: VerdictRecord,
    words: Explanation,
    named: Mapping[str, list[str]],
    measured: Mapping[str, str],
) -> Iterator[Group]:
    tones = _tones(words.sections)
    for prefix, name, entries in _entries(record):
        findings = []
        for at, entry in enumerate(entries):
            where = f"{prefix}{name}[{at}]"
            text, notes = _text_and_notes(entry)
            if where in measured:
                notes = (*notes, ("measured", measured[where]))
            label = _label(entry)
            kind = tones.get(where) or kind_of(label)
            findings.append(
                ShownFinding(where, text, label, kind, notes, " ".join(named.get(where, ())))
            )
        yield Group(prefix.rstrip("."), name, tuple(findings))


def _text_and_notes(entry: JsonObject) -> tuple[str, tuple[tuple[str, str], ...]]:
    """What an entry is about, and what else it says in words."""
    words = [
        (key, str(value))
        for key, value in entry.items()
        if key not in (*_LABELS, *_QUIET) and value not in (None, "", [], "hidden")
    ]
    if not words:
        return str(entry.get("evidence") or "") or "(not printed by this judge)", ()
    return words[0][1], tuple(words[1:])
