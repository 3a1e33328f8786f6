"""A verdict on an extraction in words: whether it is ready, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from oyer.abilities import Reasons, Remark, Section
from oyer.records import VerdictRecord
from oyer.types import JsonObject, Wording

_VERDICTS = {
    "PASS": "PASS, ready for production",
    "REVIEW_REQUIRED": "REVIEW REQUIRED, a person must look at it",
    "FAIL": "FAIL, not ready for production",
}
_ADVICE = {
    "PROCEED": "go on",
    "REVIEW_SAMPLES": "review samples",
    "FIX_PROMPT": "fix the prompt",
}
_SEVERITIES = {"CRITICAL": "Critical", "MAJOR": "Major", "MINOR": "Minor"}


def explain(record: VerdictRecord) -> Reasons:
    """The verdict and its recommendation; the issues, the gravest first."""
    output = record.get("output")
    fields: JsonObject = output if isinstance(output, Mapping) else {}
    issues = [issue for issue in record.get("issues") or () if isinstance(issue, Mapping)]
    sections = tuple(_sections(issues))
    verdict = str(fields.get("verdict", ""))
    advice = str(fields.get("recommendation", ""))
    cause = _VERDICTS.get(verdict, verdict)
    if advice:
        cause += f" ({_ADVICE.get(advice, advice)})"
    worst = [str(issue.get("code", "")) for issue in issues[:3]]
    if worst:
        cause += f": {', '.join(dict.fromkeys(worst))}"
    return Reasons(cause, sections)


def _sections(issues: Sequence[JsonObject]) -> Iterator[Section]:
    """One section an issue: what it is, then each thing that it concerns."""
    for at, issue in enumerate(issues):
        items = [item for item in issue.get("items") or () if isinstance(item, Mapping)]
        meaning = str(issue.get("text", ""))
        if items:
            meaning = meaning.partition(f": {items[0].get('label')}")[0]
        severity = str(issue.get("severity", ""))
        remarks = tuple(_remark(item, f"issues[{at}].items[{n}]") for n, item in enumerate(items))
        title = f"{_SEVERITIES.get(severity, severity)}: {meaning} ({_code(issue)})"
        yield Section(
            _code(issue),
            title,
            remarks or (Remark(meaning),),
            "bad" if severity == "CRITICAL" else "partial",
        )


def _remark(item: JsonObject, where: str) -> Remark:
    return Remark(str(item.get("label", "")), str(item.get("note") or ""), where, _spans(item))


def _code(issue: JsonObject) -> str:
    kind = issue.get("kind")
    return f"{issue.get('code')}/{kind}" if kind else str(issue.get("code"))


def _spans(item: JsonObject) -> tuple[tuple[str, int, int], ...]:
    start: object = item.get("start")
    end: object = item.get("end")
    if isinstance(start, int) and isinstance(end, int):
        return (("sourceText", start, end),)
    return ()


def columns(record: JsonObject) -> Mapping[str, str]:
    """What a table of many decisions shows of each."""
    output = record.get("output")
    fields: JsonObject = output if isinstance(output, Mapping) else {}
    issues = [issue for issue in record.get("issues") or () if isinstance(issue, Mapping)]
    counts = Counter(_code(issue) for issue in issues)
    codes = (f"{code}×{n}" if n > 1 else code for code, n in counts.items())
    return {
        "verdict": str(fields.get("verdict", "")),
        "recommendation": str(fields.get("recommendation", "")),
        "issues": ", ".join(codes),
    }


WORDING = Wording(
    explain=explain,
    columns=columns,
    good="Out of 100, and what counts is the verdict: PASS, REVIEW_REQUIRED or FAIL.",
)
