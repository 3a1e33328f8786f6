"""A verdict on a summary in words: what decided it, what is invented, what is missed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from oyer.abilities import Reasons, Remark, Section
from oyer.protocols.summary.asides import (
    FAULTS,
    QUESTIONS,
    How,
    Question,
    read_faults,
    read_questions,
)
from oyer.protocols.summary.causes import count_invented, find_causes
from oyer.protocols.summary.findings import METRICS
from oyer.protocols.summary.output import finds_by_words, objects_of
from oyer.records import VerdictRecord
from oyer.types import JsonObject, Wording

CLAIMS = "hallucination.claims_checked"
NAMES = {"bias_toxicity": "bias and toxicity"}
PLACES = {
    "key_points": "key point",
    "qag_results": "question",
    "claims_checked": "claim",
    "summary_sections": "sentence",
    "extraneous": "extraneous text",
    "deviations": "deviation",
    "issues_found": "issue",
}
#: How a summary departs from its article in what it does say -> the title of such findings.
DEPARTURES = {
    "meaning": "Meaning changed",
    "other": "Other departures from the article",
    "tone": "Tone and choice of words",
}
#: Titles of key points that the summary does not tell, and tells in part; and where the judge looks
#: for shared words, which says less: the summary may tell them in words of its own.
POINTS = ("Missing from the summary", "Told only in part")
POINTS_BY_WORDS = ("Not found in these words", "Found only in part")
#: How a question about the article that has no right answer is missed, the gravest first.
ANSWERED: dict[How, str] = {
    "wrongly": "answered wrongly",
    "unheld": "answered only in a claim that does not hold",
    "silent": "not answered",
    "unasked": "not asked, since it is too short",
    "unknown": "not answered, or wrongly",
}
CAVEATS = {
    "relevance": "counts words that the article has too; it does not read meaning",
    "alignment": "is the judge's own number; code only caps it",
}


def wording(good: str) -> Wording:
    """The words of a protocol that judges summaries."""
    return Wording(
        explain=explain,
        good=good,
        judged="summary",
        names=NAMES,
        caveats=CAVEATS,
        places=PLACES,
        measured=measured,
    )


def explain(record: VerdictRecord) -> Reasons:
    """What decided the total, and what was found, the gravest first."""
    objects = objects_of(record)
    departures = _departures(objects)
    missed, in_part = POINTS_BY_WORDS if finds_by_words(record) else POINTS
    sections = (
        Section("invented", "Not in the article", tuple(_inventions(record, objects)), "bad"),
        Section("partly", "Only partly in the article", _partly(record, objects), "partial"),
        *(
            Section(key, DEPARTURES[key], departures[key], "partial")
            for key in ("meaning", "other")
        ),
        Section("missed", missed, tuple(_omissions(record, objects)), "bad"),
        Section("in part", in_part, _points(objects, "Partial"), "partial"),
        Section("tone", DEPARTURES["tone"], departures["tone"], "partial"),
        Section("said", "What the judge said", tuple(_rationales(objects))),
    )
    cause = _cause(record, sections)
    return Reasons(cause, tuple(section for section in sections if section.remarks))


def measured(record: VerdictRecord) -> dict[str, str]:
    """Each claim's support, where the judge measured it, and why it is not Supported for all that,
    where the rationale tells it: "support .61; the article seems to say the opposite"."""
    given: object = _inputs(record).get("HAL-SUPPORT", {}).get("support")
    told = {
        at: f"support {f'{share:.2f}'.removeprefix('0')}"
        for at, share in enumerate(given if isinstance(given, list) else ())
        if isinstance(share, int | float)
    }
    faults = read_faults(record)
    return {
        f"{CLAIMS}[{at}]": f"{share}; {faults[at]}" if at in faults else share
        for at, share in told.items()
    }


def _inputs(record: VerdictRecord) -> dict[str, JsonObject]:
    """What went into each step, by its rule without the protocol's prefix."""
    return {step["rule"].partition("-")[2]: step["inputs"] for step in record["trace"]}


def _cause(record: VerdictRecord, sections: Sequence[Section]) -> str:
    """What cost most; what is invented always and first, whatever it cost."""
    found = {section.key: len(section.remarks) for section in sections}
    causes = find_causes(record, found["invented"])
    clauses = [cause.clause for cause in causes]
    if found["invented"] and not any(cause.why.kind == "invented" for cause in causes):
        clauses.insert(0, count_invented(found["invented"]).words)
    if clauses:
        return "; also, ".join(clauses)
    if found["missed"]:
        return ""
    return "nothing is invented and no key point is missing"


# ── what was found ────────────────────────────────────────────────────────────────────────────


def _inventions(record: VerdictRecord, objects: Mapping[str, JsonObject]) -> Iterator[Remark]:
    claims = _claims(record, objects, ("Unsupported",))
    yield from claims
    listed = _list(objects.get("coverage", {}).get("extraneous"))
    for at, item in enumerate(listed):
        text = str(item.get("text", ""))
        same = any(text in claim.text or claim.text in text for claim in claims)
        if text and not same:
            where = f"coverage.extraneous[{at}]"
            yield Remark(text, str(item.get("issue") or ""), where, _spans(record, where))


def _partly(record: VerdictRecord, objects: Mapping[str, JsonObject]) -> tuple[Remark, ...]:
    return _claims(record, objects, ("Partial", "Partially"))


def _claims(
    record: VerdictRecord, objects: Mapping[str, JsonObject], labels: Sequence[str]
) -> tuple[Remark, ...]:
    remarks = []
    doubt, shares = _doubt(record), measured(record)
    for at, claim in enumerate(_list(objects.get("hallucination", {}).get("claims_checked"))):
        if claim.get("status") in labels:
            where = f"{CLAIMS}[{at}]"
            said = (shares.get(where), claim.get("justification"))
            note = "; ".join(str(part) for part in said if part)
            text, spans = str(claim.get("claim", "")), _spans(record, where)
            remarks.append(Remark(text, note, where, spans, doubt))
    return tuple(remarks)


def _doubt(record: VerdictRecord) -> float:
    """How little of the summary is in the article: what the judge says of support, else of how
    many claims."""
    steps = {step["rule"].partition("-")[2]: step["value"] for step in record["trace"]}
    support = steps.get("HAL-SUPPORT")
    return 1 - float(support) if support is not None else float(steps.get("HAL-FRACTION", 0))


def _spans(record: VerdictRecord, where: str) -> tuple[tuple[str, int, int], ...]:
    """Where the judged words stand in the summary."""
    return tuple(
        (found["source"], found["start"], found["end"])
        for found in record["evidence"]
        if found["source"] == "summary" and found["where"] in (where, f"{where}.span")
    )


def _omissions(record: VerdictRecord, objects: Mapping[str, JsonObject]) -> Iterator[Remark]:
    yield from _points(objects, "Not")
    pairs = _list(objects.get("coverage", {}).get("qag_results"))
    wrong = []
    for pair, question in zip(pairs, read_questions(record, "coverage"), strict=True):
        if question.status != "Wrong":
            continue
        if pair.get("q") in (None, "", "hidden"):
            wrong.append(question)
        else:
            yield Remark(f"not answered rightly: {pair['q']}")
    for how, answered in ANSWERED.items():
        missed = [question for question in wrong if question.how == how]
        if missed:
            are = "is" if len(missed) == 1 else "are"
            share = f"{len(missed)} of {len(pairs)} questions about the article {are}"
            yield Remark(f"{share} {answered}{_asked_for(missed)}")


def _asked_for(questions: Sequence[Question]) -> str:
    """What hidden questions ask for, where the judge says what they mask."""
    named = [question.words for question in questions if question.words]
    if named:
        return f": on {'; '.join(named)}"
    unasked = questions[0].how == "unasked"
    return "" if unasked else " (judges do not show these questions)"


def _points(objects: Mapping[str, JsonObject], label: str) -> tuple[Remark, ...]:
    remarks = []
    for at, point in enumerate(_list(objects.get("coverage", {}).get("key_points"))):
        if point.get("coverage") == label:
            note = str(point.get("justification") or "")
            where = f"coverage.key_points[{at}]"
            remarks.append(Remark(str(point.get("point", "")), note, where))
    return tuple(remarks)


# ── what the judge said ───────────────────────────────────────────────────────────────────────


def _departures(objects: Mapping[str, JsonObject]) -> dict[str, tuple[Remark, ...]]:
    """What judges list as deviations and as biased or toxic words, by its kind; the same words of
    one kind once."""
    lists = (("alignment", "deviations"), ("bias_toxicity", "issues_found"))
    found: dict[str, dict[str, Remark]] = {key: {} for key in DEPARTURES}
    for metric, name in lists:
        given = objects.get(metric, {}).get(name)
        items = given if isinstance(given, list) else [given] if given else []
        for at, item in enumerate(items):
            kind = "tone" if metric == "bias_toxicity" else _aspect(item)
            text, note = _words_and_reason(item, kind)
            if text:
                found[kind].setdefault(text, Remark(text, note, f"{metric}.{name}[{at}]"))
    return {kind: tuple(remarks.values()) for kind, remarks in found.items()}


def _aspect(deviation: object) -> str:
    """Which kind of departure a deviation says that it is."""
    named = deviation.get("aspect") if isinstance(deviation, Mapping) else None
    aspect = str(named).strip().casefold()
    return aspect if aspect in DEPARTURES else "other"


def _words_and_reason(item: object, kind: str) -> tuple[str, str]:
    """The summary's own words where the item has them, and what is wrong with them, without the
    name of its kind, which the title has."""
    if not isinstance(item, Mapping):
        return _flat(item), ""
    words = next((_flat(item[key]) for key in ("summary_text", "text") if item.get(key)), "")
    if not words:
        return _flat(item), ""
    parts = dict.fromkeys(_flat(part) for part in item.values())
    said = [part for part in parts if part and part != words and part.casefold() != kind]
    return words, ": ".join(said)


def _flat(value: object) -> str:
    if isinstance(value, Mapping):
        return ": ".join(_flat(part) for part in value.values() if _flat(part))
    if isinstance(value, list):
        return "; ".join(_flat(part) for part in value if _flat(part))
    return "" if value is None else str(value)


#: What the embedded judge says of every text: nothing that is particular to this one.
_ROUTINE = re.compile(
    r"Salient sentences of the article, by the words of them that one "
    r"(?:claim tells|or two sentences tell)\.\s*"
    r"|From support, likeness of vocabulary, tone and polarity\.\s*"
    r"|Support is a probability, from embedded:[^.]+\.\s*"
    r"|Sections are measured by the protocol's code\.\s*"
    r"|Word lists over the summary; the article's own words do not count\.\s*"
    rf"|{FAULTS}|{QUESTIONS}"
)


def _rationales(objects: Mapping[str, JsonObject]) -> Iterator[Remark]:
    for metric in METRICS:
        rationale = _ROUTINE.sub("", str(objects.get(metric, {}).get("rationale") or "")).strip()
        if rationale:
            yield Remark(rationale, NAMES.get(metric, metric), metric)


def _list(value: object) -> list[JsonObject]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, Mapping)]
