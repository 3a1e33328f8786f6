"""Reply objects -> typed findings that both protocols have: points, claims, tone, numbers.

Never a guess: a metric whose labels or own scores cannot be read is missing (JL-MISSING).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias, cast

from oyer.errors import InputError, Unscored
from oyer.protocols.summary.issues import Issue, read_issues
from oyer.text import values
from oyer.text.fold import is_blank
from oyer.types import Case, JsonObject, Number, Reading, Violation

METRICS = ("coverage", "alignment", "hallucination", "relevance", "bias_toxicity")
#: A number as the judge states it: only ever compared, so a plain float may stay one.
Stated: TypeAlias = Number | float
TONES = ("neutral", "subjective", "hostile", "unclear")
#: Stated numbers beyond this are no scores or fractions; nothing is computed with them.
HUGE = 10**6

_METRIC = {"".join(name.split("_")): name for name in METRICS}


@dataclass(frozen=True, slots=True)
class FindingLabels:
    """The labels of a field, and other names that unmistakably mean one of them."""

    allowed: tuple[str, ...]
    aliases: Mapping[str, str]

    def read(self, value: object) -> str | None:
        if value in self.allowed:
            known: str = value
            return known
        return values.label(value, self.allowed, self.aliases).value


POINT_LABELS = FindingLabels(
    ("Fully", "Partial", "Not"),
    {"Partially": "Partial", "Partial (≈½)": "Partial", "Partially covered": "Partial",
     "Full": "Fully", "Fully covered": "Fully", "Not covered": "Not", "None": "Not"},
)  # fmt: skip
SECTION_LABELS = FindingLabels(("High", "Some", "None"), {})


class KeyPoint(NamedTuple):
    point: str
    label: str
    evidence: str


class Claim(NamedTuple):
    claim: str
    label: str
    span: str
    evidence: str
    support: Fraction | None  # 0…1, from judges that measure it


class ReplySection(NamedTuple):
    section: str
    label: str | None


class Common(NamedTuple):
    """What the replies of both protocols say."""

    objects: Mapping[str, JsonObject]
    points: tuple[KeyPoint, ...]
    claims: tuple[Claim, ...]
    sections: tuple[ReplySection, ...]
    issues: tuple[Issue, ...]
    own: Mapping[str, Number]  # the judge's own scores: alignment, bias_score, tox_score
    stated: Mapping[str, Stated]  # every number it states: "coverage", "coverage.recall" …
    flaws: tuple[Violation, ...]
    quoted: bool  # whether quotes of points and claims were asked for


@dataclass(frozen=True, slots=True)
class Shape:
    """How the replies of one protocol differ from the other's."""

    claims: FindingLabels
    issues: Mapping[str, str]  # kinds of issues -> the protocol's names of them
    numbers: Mapping[str, Sequence[str]]  # numbers from 0 to 1 that a metric states


def validate(case: Case) -> None:
    """Both texts must be there; an empty one is an input error that names its field."""
    for name in ("article", "summary"):
        value = case.fields.get(name)
        if value is None:
            raise InputError(f"there is no {name}; give its text", field=name)
        if not isinstance(value, str):
            raise InputError(f"must be text, not {type(value).__name__}", field=name)
        if is_blank(value):
            raise InputError(f"the {name} is empty; give its text", field=name)


def metric_of(value: JsonObject) -> str | None:
    """The metric that an object is about: "Bias-Toxicity" and "bias & toxicity" are one."""
    name = value.get("metric")
    if not isinstance(name, str):
        return None
    return name if name in METRICS else _METRIC.get(values.metric_name(name).replace("_", ""))


def metric_objects(reading: Reading, rule: str) -> dict[str, JsonObject]:
    """The object of each metric; raises when one is missing, cut off, or all were refused."""
    found: dict[str, JsonObject] = {}
    for found_object in reading.objects:
        metric = metric_of(found_object.value) if found_object.complete else None
        if metric is not None:
            found.setdefault(metric, found_object.value)
    if not found:
        for found_object in reading.objects:
            if "error" in found_object.value:
                reason = text_of(found_object.value["error"])[:200] or "nothing more"
                raise Unscored("refused", "reply.refused", f"{rule}: the judge says: {reason}")
    missing = [metric for metric in METRICS if metric not in found]
    if missing:
        raise Unscored("missing_metric", "metric.missing", f"{rule}: no {', '.join(missing)}")
    return found


class Desk:
    """Reads one reply's five objects, noting flaws on the way."""

    def __init__(self, objects: Mapping[str, JsonObject], rule: str) -> None:
        self.objects, self.rule = objects, rule
        self.flaws: list[Violation] = []

    def unreadable(self, where: str, what: str) -> Unscored:
        return Unscored("missing_metric", "metric.unreadable", f"{self.rule}: {what}", where)

    def items(self, metric: str, key: str) -> list[dict[str, object]]:
        """A list of objects that the metric cannot do without."""
        given = self.objects[metric].get(key)
        if not isinstance(given, list):
            raise self.unreadable(f"{metric}.{key}", f"'{key}' is not a list")
        for item in given:
            if not isinstance(item, dict):
                raise self.unreadable(f"{metric}.{key}[{given.index(item)}]", "not an object")
        return given

    def labels(self, where: str, given: Sequence[object], labels: FindingLabels) -> list[str]:
        """The labels of a list's items, none of which the metric can do without."""
        read = [labels.read(value) for value in given]
        if None in read:
            wanted = f"not one of {', '.join(labels.allowed)}"
            raise self.unreadable(f"{where}[{read.index(None)}]", wanted)
        return cast("list[str]", read)

    def own_score(self, metric: str, key: str) -> Number:
        """A score that is the judge's to give: a number in 0…10, else the metric is missing."""
        given = self.objects[metric].get(key)
        value: Number | None = given if type(given) is int else values.number(given).value
        if value is None or not 0 <= value <= 10:
            raise self.unreadable(f"{metric}.{key}", f"'{key}' is not a number from 0 to 10")
        return value

    def read_stated(self, metric: str, key: str, out_of: int) -> Stated | None:
        """A number that is only compared; one that cannot be read is a violation."""
        given = self.objects[metric].get(key)
        if given is None:
            return None
        if type(given) in (int, float) and -HUGE <= given <= HUGE:
            plain: Stated = given  # as it stands; NaN is never between
            return plain
        value = values.number(given, out_of).value
        if value is None or abs(value) > HUGE:
            self.flaw("number.unreadable", f"{metric}.{key}", "not a number")
            return None
        return value

    def flaw(self, code: str, where: str, detail: str) -> None:
        self.flaws.append(Violation(code, where, detail))


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def read_common(desk: Desk, shape: Shape, *, ours: bool = False) -> Common:
    """What both protocols read from the five objects; `ours`: our own prompt was asked."""
    points, claims = _points(desk), _claims(desk, shape.claims)
    own = {
        "alignment": desk.own_score("alignment", "overall_score"),
        "bias_score": desk.own_score("bias_toxicity", "bias_score"),
        "tox_score": desk.own_score("bias_toxicity", "tox_score"),
    }
    tone = desk.objects["bias_toxicity"].get("tone")
    if tone not in TONES and values.label(tone, TONES).value is None:
        desk.flaw("label.unknown", "bias_toxicity.tone", f"not one of {', '.join(TONES)}")
    return Common(
        desk.objects, points, claims, _sections(desk), _issues(desk, shape.issues), own,
        _read_stated(desk, shape, own), tuple(desk.flaws), ours or _quotes(desk),
    )  # fmt: skip


def _quotes(desk: Desk) -> bool:
    """Whether the reply quotes for points or claims: then its prompt asked for it."""
    points = desk.objects["coverage"]["key_points"]
    claims = desk.objects["hallucination"]["claims_checked"]
    return any("evidence" in item for item in (*points, *claims))


def _points(desk: Desk) -> tuple[KeyPoint, ...]:
    items = desk.items("coverage", "key_points")
    labels = desk.labels("coverage.key_points", [i.get("coverage") for i in items], POINT_LABELS)
    return tuple(
        [
            KeyPoint(text_of(item.get("point")), label, text_of(item.get("evidence")))
            for item, label in zip(items, labels, strict=True)
        ]
    )


def _claims(desk: Desk, allowed: FindingLabels) -> tuple[Claim, ...]:
    items = desk.items("hallucination", "claims_checked")
    if not items:  # CLAIMS-COVER: nothing was checked
        raise desk.unreadable("hallucination.claims_checked", "no claim of the summary is listed")
    given = [item.get("status") for item in items]
    labels = desk.labels("hallucination.claims_checked", given, allowed)
    return tuple(
        [
            Claim(
                text_of(item.get("claim")),
                label,
                text_of(item.get("span")),
                text_of(item.get("evidence")),
                _support(item.get("support")),
            )
            for item, label in zip(items, labels, strict=True)
        ]
    )


def _support(value: object) -> Fraction | None:
    if value is None:
        return None
    read = values.number(value, 1).value
    return read if read is not None and 0 <= read <= 1 else None


def _read_stated(desk: Desk, shape: Shape, own: Mapping[str, Number]) -> dict[str, Stated]:
    stated: dict[str, Stated] = {}
    for metric in METRICS:
        score = desk.read_stated(metric, "overall_score", 10)
        if score is not None:
            stated[metric] = score
        for key in shape.numbers.get(metric, ()):
            number = desk.read_stated(metric, key, 1)
            if number is not None:
                stated[f"{metric}.{key}"] = number
    for key in ("bias_score", "tox_score"):
        stated[f"bias_toxicity.{key}"] = own[key]
    return stated


def _sections(desk: Desk) -> tuple[ReplySection, ...]:
    """The judge's own sections: only compared, so an unreadable one is a flaw and no more."""
    given = desk.objects["relevance"].get("summary_sections")
    if given is None:
        return ()
    where = "relevance.summary_sections"
    if not isinstance(given, list):
        desk.flaw("label.unknown", where, "not a list")
        return ()
    sections: list[ReplySection] = []
    for i, item in enumerate(given):
        entry = item if isinstance(item, dict) else {}
        label = SECTION_LABELS.read(entry.get("relevance"))
        if label is None:
            wanted = ", ".join(SECTION_LABELS.allowed)
            desk.flaw("label.unknown", f"{where}[{i}]", f"relevance is not one of {wanted}")
        sections.append(ReplySection(text_of(entry.get("section")), label))
    return tuple(sections)


def _issues(desk: Desk, types: Mapping[str, str]) -> tuple[Issue, ...]:
    given = desk.objects["bias_toxicity"].get("issues_found")
    issues: list[Issue] = []
    for issue in read_issues(given, types):
        if isinstance(issue, Issue):
            issues.append(issue)
        else:
            desk.flaw("label.unknown", issue.where, issue.detail)
    return tuple(issues)
