"""What the report's page opens: each case with all its verdicts, as plain JSON.

The page's script builds it with text nodes only, so nothing here needs escaping but `<` (see
`as_script`). Offsets count code points, as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypedDict

from oyer.abilities import Section
from oyer.records import ANSWER, StepRecord, VerdictRecord, texts_in
from oyer.report.derivation import format_value
from oyer.report.explain import Explanation, explain, place
from oyer.report.highlight import kind_of, label_of
from oyer.report.panel_votes import flags, outcome, split, standing, summary
from oyer.store.records import StoredVerdict
from oyer.types import AnyProtocol, JsonObject
from oyer.verdicts.record import extra_of
from oyer.verdicts.violations import split_violations

LONGEST = 60_000  # characters of one field that a page shows
SHORT = 60  # characters of a field that stands on a line with others


class ReportSection(TypedDict):
    """A section of remarks; each has a text, a note and its place in the record."""

    title: str
    tone: str
    remarks: list[list[str]]


@dataclass
class ReportCase:
    """A case and its verdicts, in the order of candidates."""

    name: str
    fields: JsonObject  # of the first verdict's case
    verdicts: list[dict[str, object]] = field(default_factory=list)  # for the script
    #: What a filter finds it by, besides its name: judges, rules that were broken.
    words: set[str] = field(default_factory=set)
    explanations: list[tuple[str, Explanation]] = field(default_factory=list)  # by candidate

    def as_json(self, judged: str) -> dict[str, object]:
        """What the script gets: the fields that all candidates share, and what each has."""
        shared = {name: value for name, value in self.fields.items() if name != judged}
        short = {name: value for name, value in shared.items() if _is_short(value)}
        boxes: list[list[str]] = []
        for name, value in shared.items():
            boxes += _boxes(name, value, short)
        return {
            "name": self.name,
            "short": [[name, str(value)] for name, value in short.items()],
            "texts": boxes,
            "verdicts": self.verdicts,
        }


def collect(
    kept: Iterable[tuple[StoredVerdict, JsonObject]],
    protocol: AnyProtocol,
    option: str = "",
) -> dict[str, ReportCase]:
    """Verdicts with the fields of their cases -> pages by the case's id.

    `option`: what commands need to find the store.
    """
    pages: dict[str, ReportCase] = {}
    for verdict, fields in kept:
        page = pages.setdefault(verdict.record["case"], ReportCase(verdict.record["case"], fields))
        words = explain(verdict.record, protocol)
        command = f"oyer explain {verdict.record['id']} --full{option}"
        shown = _verdict(verdict.record, fields, words, protocol)
        page.verdicts.append({**shown, "command": command})
        page.words |= _filter_words(verdict.record)
        page.explanations.append((verdict.record["candidate"] or "", words))
    return pages


def _filter_words(record: VerdictRecord) -> set[str]:
    broken, _ = split_violations(record["violations"])
    words = {record["judge"], *(violation["code"] for violation in broken)}
    return words | {"unscored"} if record["total"] is None else words


def as_script(value: object) -> str:
    """JSON that can stand inside a script element: no `<`, so nothing ends it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _section(section: Section) -> ReportSection:
    remarks = [[remark.text, remark.note, remark.where] for remark in section.remarks]
    return {"title": section.title, "tone": section.tone, "remarks": remarks}


def _verdict(
    record: VerdictRecord, fields: JsonObject, words: Explanation, protocol: AnyProtocol
) -> dict[str, object]:
    broken, _ = split_violations(record["violations"])
    wording = protocol.wording
    judged = fields.get(words.judged)
    return {
        "id": record["id"],
        "candidate": record["candidate"] or "",
        "judge": record["judge"],
        "repeat": record["repeat"],
        "answer": extra_of(record).get(ANSWER),
        "total": record["total"],
        "headline": words.headline,
        "sections": [_section(section) for section in words.sections],
        "scores": [
            [line.name, line.value, line.top, line.stated, line.differs, line.caveat]
            for line in words.scores
        ],
        "corrected": words.corrected,
        "trust": words.trust,
        "judged": words.judged,
        "text": _text(judged) if judged is not None else "",
        "marks": list(_marks(record, words)),
        "panel": _panel(record),
        "trace": [_step(step, protocol) for step in record["trace"]],
        "broken": [
            [violation["code"], place(violation["where"], wording), violation["detail"]]
            for violation in broken
        ],
        "extra": [] if wording else [[k, format_value(v)] for k, v in extra_of(record).items()],
    }


def _marks(record: VerdictRecord, words: Explanation) -> Iterator[list[object]]:
    """Stretches of the texts: field, start, end, kind, the place in the record that they share."""
    shown = set[tuple[str, int, int]]()
    for section in words.sections:
        for remark in section.remarks:
            for source, start, end in remark.spans:
                shown.add((source, start, end))
                yield [source, start, end, section.tone, remark.where]
    for found in record["evidence"]:
        span = (found["source"], found["start"], found["end"])
        if span not in shown:
            where = found["where"]
            group = where.removesuffix(".span").removesuffix(".evidence")
            # Where a protocol says what is wrong, only that has a colour; the rest shows on hover.
            kind = "quiet" if words.judged else kind_of(label_of(where, record["output"]))
            yield [*span, kind, group]


def _panel(record: VerdictRecord) -> list[list[str]]:
    """The members, then where they differ and what a person should look at."""
    panel = record.get("panel")
    if not panel:
        return []
    rows = [[member["judge"], " ".join(standing(member))] for member in panel["members"]]
    rows += [["", line] for line in summary(record)]
    rows += [[f"{b.finding}: {format_value(b.votes)}", outcome(b)] for b in split(panel)]
    return rows + [["", flag] for flag in flags(panel)]


def _step(step: StepRecord, protocol: AnyProtocol) -> list[object]:
    capped = protocol.is_cap(step["rule"]) and step["inputs"].get("before") != step["value"]
    inputs = ", ".join(f"{key} {format_value(value)}" for key, value in step["inputs"].items())
    value = format_value(step["value"])
    return [step["rule"], step["formula"], inputs, value, capped]


def _is_short(value: object) -> bool:
    """A field that needs no box of its own: a language, an id."""
    return isinstance(value, str) and len(value) <= SHORT and "\n" not in value


def _boxes(name: str, value: object, short: Container[str]) -> list[list[str]]:
    """A long field in its boxes: one, or one for each text of a list."""
    if name in short:
        return []
    texts = [[source, _text(text)] for source, text in texts_in(name, value)]
    return texts or [[name, _text(value)]]


def _text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}\n[… {len(text) - LONGEST:,} more characters are not shown]"
