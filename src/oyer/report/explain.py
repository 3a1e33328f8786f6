"""A verdict in words: pure functions from a stored record and its protocol to sentences.

Everything that shows a verdict to people takes its words from here: the terminal, the report, the
page, pytest, notebooks. What is said of one protocol's findings stands in its `Wording`.

Texts come from models and cases: whoever shows them escapes them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from oyer.abilities import Reasons, Remark, Section
from oyer.records import StepRecord, VerdictRecord, ViolationRecord
from oyer.report.panel_votes import split, standing
from oyer.types import AnyProtocol, Wording
from oyer.verdicts.violations import (
    caution,
    failed_by_protocol,
    incomplete,
    split_violations,
    without_rule,
)

DIFFERENT = 0.05  # from here on a stated number is another one than ours

_UNSCORED = {
    "missing_metric": "the judge left out a part that the protocol needs",
    "refused": "the judge refused",
    "unreadable": "the judge's reply could not be used",
    "input": "the case cannot be judged",
    "provider": "the judge could not be asked",
    "budget": "the budget was used up",
}
#: What judges do wrong, one and many; a code that is not here is told by itself.
_WRONGS = {
    "arithmetic": ("number counted wrong", "numbers counted wrong"),
    "cap.ignored": ("score above its cap", "scores above their caps"),
    "evidence.absent": ("quotation that is not in the text", "quotations that are not in the text"),
    "evidence.missing": ("finding without its quotation", "findings without their quotations"),
    "evidence.length": ("quotation too short or too long", "quotations too short or too long"),
    "evidence.wrong_source": ("quotation of the wrong text", "quotations of the wrong text"),
    "label.disagrees": ("label that was measured otherwise", "labels that were measured otherwise"),
    "claims.uncovered": ("sentence that it did not check", "sentences that it did not check"),
    "finding.unsupported": ("finding that does not hold", "findings that do not hold"),
    "points.count": ("list of too few or too many key points",
                     "lists of too few or too many key points"),
    "points.length": ("key point too short or too long", "key points too short or too long"),
    "claims.count": ("list of too few or too many claims", "lists of too few or too many claims"),
    "qag.count": ("wrong number of questions", "wrong numbers of questions"),
    "evidence.repeated": ("quotation used twice", "quotations used twice"),
    "span.absent": ("claim that is not in the summary's words",
                    "claims that are not in the summary's words"),
    "extraneous.supported": ("text called extraneous that the article has",
                             "texts called extraneous that the article has"),
    "lexicon.overlooked": ("offensive word overlooked", "offensive words overlooked"),
    "aspects.length": ("description too short or too long", "descriptions too short or too long"),
    "theme.length": ("theme too short or too long", "themes too short or too long"),
}  # fmt: skip
_PLACE = re.compile(r"(?:(?P<metric>\w+)\.)?(?P<list>\w+)\[(?P<at>\d+)\]")


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A score beside what the judge said of it."""

    key: str
    name: str
    value: float
    top: float
    stated: float | None = None
    caveat: str = ""  # what the score does not measure

    @property
    def differs(self) -> bool:
        """Whether the judge stated another number."""
        return self.stated is not None and abs(self.stated - self.value) > DIFFERENT

    @property
    def share(self) -> float:
        """The score as a share of its maximum, from 0 to 1."""
        return min(max(self.value / self.top, 0.0), 1.0) if self.top > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Explanation:
    """What people are told of a verdict, in this order."""

    headline: str
    cause: str  # the headline without its total; "": nothing lowered the score, or there is none
    sections: tuple[Section, ...]
    scores: tuple[ScoreLine, ...]
    corrected: str  # what the judge did wrong and code put right; "": nothing
    trust: str
    scale: str  # what a good score is
    judged: str  # the field whose text is judged; "": none in particular


def explain(record: VerdictRecord, protocol: AnyProtocol | None = None) -> Explanation:
    """The verdict in words."""
    wording = protocol.wording if protocol else None
    reasons = _reasons(record, protocol)
    return Explanation(
        headline=_headline(record, protocol, reasons),
        cause=_main_cause(record, reasons) if record.get("scores") is not None else "",
        sections=reasons.sections,
        scores=tuple(_scores(record, protocol)),
        corrected=count_faults(record["violations"]),
        trust=trust(record),
        scale=wording.good if wording and record.get("scores") is not None else "",
        judged=wording.judged if wording else "",
    )


# ── the first line ────────────────────────────────────────────────────────────────────────────


def headline(record: VerdictRecord, protocol: AnyProtocol | None = None) -> str:
    """The total, and one sentence on what decided it; or why there is none."""
    return _headline(record, protocol, _reasons(record, protocol))


def cause(record: VerdictRecord, protocol: AnyProtocol | None = None) -> str:
    """The headline without its total, for tables that have a column for that."""
    if record.get("scores") is None:
        return headline(record, protocol)
    return _main_cause(record, _reasons(record, protocol))


def _main_cause(record: VerdictRecord, reasons: Reasons) -> str:
    """What decided the total, and that it means little where a text is too short or a copy."""
    return "; ".join(part for part in (reasons.cause, caution(record)) if part)


def _headline(record: VerdictRecord, protocol: AnyProtocol | None, reasons: Reasons) -> str:
    missing = incomplete(record)
    note = f" ({missing})" if missing else ""
    if record.get("scores") is None:
        kind = _UNSCORED.get(str(record["error"]), str(record["error"]))
        if failed_by_protocol(record):
            kind = "the protocol's own code failed on the case"
        return f"No score: {kind}{note}"
    top = total_top(protocol)
    total = f"{number(record['total'])} of {top:g}" if top else number(record["total"])
    decided = _main_cause(record, reasons)
    return f"{total}: {decided}{note}" if decided else f"{total}{note}"


def total_top(protocol: AnyProtocol | None) -> float | None:
    """The highest total that the protocol can give."""
    if protocol is None or not protocol.scale:
        return None
    scale = protocol.scale
    return float(scale["total"][1] if "total" in scale else max(high for _, high in scale.values()))


def scale_of(protocol: AnyProtocol | None) -> str:
    """What a good score is, in a sentence; "": the protocol does not say."""
    return protocol.wording.good if protocol is not None and protocol.wording is not None else ""


def _reasons(record: VerdictRecord, protocol: AnyProtocol | None) -> Reasons:
    if record.get("scores") is None:
        return Reasons("", (_why_unscored(record),))
    if protocol is not None and protocol.wording is not None:
        return protocol.wording.explain(record)
    return _plain_reasons(record, protocol)


def _why_unscored(record: VerdictRecord) -> Section:
    broken, unheard = split_violations(record["violations"])
    remarks: dict[tuple[str, str], Remark] = {}  # what all members of a panel say is told once
    for remark in map(_violation_remark, unheard or broken):
        remarks.setdefault((remark.text, remark.note), remark)
    return Section("unscored", why_unheard(record), tuple(remarks.values()), "bad")


def why_unheard(record: VerdictRecord) -> str:
    """What to call the reasons for which something was not judged."""
    if failed_by_protocol(record):
        return "What is wrong with the protocol"
    if record["error"] == "input":
        return "What is wrong with the case"
    return "Why there is no score" if record["scores"] is None else "Who gave no answer"


def _plain_reasons(record: VerdictRecord, protocol: AnyProtocol | None) -> Reasons:
    """For a protocol without words of its own: the last cap that lowered a score, the steps."""
    cause = ""
    for step in record["trace"]:
        if protocol is not None and _is_lowered(step, protocol):
            rule = protocol.rules[step["rule"]]
            cause = rule.text.rstrip(".") or rule.formula
    broken, _ = split_violations(record["violations"])
    steps = tuple(
        Remark(f"{step['formula']} = {number(step['value'])}", step["rule"])
        for step in record["trace"]
    )
    wrong = tuple(_violation_remark(violation) for violation in broken)
    sections = (
        Section("wrong", "What the judge got wrong", wrong, "partial"),
        Section("computed", "How it was computed", steps),
    )
    return Reasons(cause, tuple(section for section in sections if section.remarks))


def _violation_remark(violation: ViolationRecord) -> Remark:
    return Remark(without_rule(violation["detail"]), violation["code"], violation["where"])


def _is_lowered(step: StepRecord, protocol: AnyProtocol) -> bool:
    return protocol.is_cap(step["rule"]) and step["inputs"].get("before") != step["value"]


# ── scores ────────────────────────────────────────────────────────────────────────────────────


def _scores(record: VerdictRecord, protocol: AnyProtocol | None) -> Iterator[ScoreLine]:
    wording = protocol.wording if protocol else None
    tops = score_tops(record, protocol)
    stated = record.get("stated") or {}
    caveats = wording.caveats if wording else {}
    for key, value in (record.get("scores") or {}).items():
        given = stated.get(key)
        if isinstance(given, Mapping):
            given = given.get("overall_score")
        own = (
            float(given) if isinstance(given, int | float) and not isinstance(given, bool) else None
        )
        yield ScoreLine(
            key, score_name(key, wording), value, tops.get(key, 10.0), own, caveats.get(key, "")
        )


def score_tops(record: VerdictRecord, protocol: AnyProtocol | None) -> dict[str, float]:
    """The maximum of each score: of the record's own task where it has one."""
    scale = protocol.scale if protocol else {}
    tops = {key: float(high) for key, (_, high) in scale.items()}
    wording = protocol.wording if protocol else None
    if wording is not None and wording.tops is not None:
        tops.update(wording.tops(record))
    return tops


def score_name(key: str, wording: Wording | None = None) -> str:
    """A score's name for people."""
    own = wording.names.get(key) if wording else None
    return own or key.replace("_", " ")


def number(value: object) -> str:
    """A number for people: at most two decimals, no idle zeros."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:.2f}".rstrip("0").rstrip(".")


# ── what the judge did wrong, and whether to trust it ─────────────────────────────────────────


def count_faults(violations: Sequence[ViolationRecord]) -> str:
    """What the judge did wrong, counted; its mistakes are not in the score."""
    broken, _ = split_violations(violations)
    counts = Counter(violation["code"] for violation in broken)
    counted = []
    for code, times in counts.most_common():
        singular, plural = _WRONGS.get(code, (f"other fault ({code})", f"other faults ({code})"))
        counted.append(f"{times} {singular if times == 1 else plural}")
    return ", ".join(counted)


def trust(record: VerdictRecord) -> str:
    """One sentence: how far this verdict can be relied on, from what is known of it."""
    parts = [part for part in (_panel(record), _describe_accuracy(record)) if part]
    if not parts and record.get("scores") is not None:
        parts.append(_quotes(record))
    sentence = "; ".join(part for part in parts if part)
    return sentence[:1].upper() + sentence[1:]


def _panel(record: VerdictRecord) -> str:
    panel = record.get("panel")
    if not panel:
        return ""
    members = [f"{member['judge']} {standing(member)[0]}" for member in panel["members"]]
    ballots = len(split(panel))
    differ = f"; they differ on {ballots} of {len(panel.get('findings', ()))} findings"
    return f"a panel: {', '.join(members)}{differ if panel.get('findings') else ''}"


def measure(record: VerdictRecord) -> list[float]:
    """How often the judge agreed with people, set by set, by its own figures; []: it has none."""
    known = record.get("reliability")
    if not isinstance(known, Mapping):
        return []
    return [
        metric["balanced_accuracy"]
        for metric in known.values()
        if isinstance(metric, Mapping) and isinstance(metric.get("balanced_accuracy"), float)
    ]


def _describe_accuracy(record: VerdictRecord) -> str:
    if record.get("scores") is None:
        return ""
    rates = measure(record)
    if not rates:
        return _describe_pairs(record)
    low, high = min(rates), max(rates)
    by_people = (
        f"this judge tells faithful from unfaithful summaries in {low:.0%} (worst) to {high:.0%} "
        f"(best) of cases on {len(rates)} sets that people labelled"
    )
    return by_people + (_describe_kind(record) or "; a coin would in 50%")


def _describe_kind(record: VerdictRecord) -> str:
    """How the judge was measured on texts of the article's kind, beside what people labelled: other
    texts and another task, so that the two figures do not gainsay each other."""
    known = record.get("reliability")
    kind = known.get("kind") if isinstance(known, Mapping) else None
    if not isinstance(kind, Mapping) or not isinstance(kind.get("ranks"), float):
        return ""
    return (
        f", most of them of news; this article looks like {kind.get('looks_like')}, and on such "
        f"texts it was measured by pairs of single sentences of our own: it tells the true from "
        f"the false one in {kind['ranks']:.0%} of pairs; a coin would in 50% of either"
    )


def _describe_pairs(record: VerdictRecord) -> str:
    """How often the judge tells true from false sentences in a language that is not its own."""
    known = record.get("reliability")
    if not isinstance(known, Mapping) or "language" not in known:
        return ""
    pairs = known["pairs"]
    return (
        f"in this language ({known['language']}) this judge tells a true sentence from a false "
        f"one in {pairs['ranks']:.0%} of {pairs['pairs']} pairs; a coin would in 50%"
    )


def _quotes(record: VerdictRecord) -> str:
    found = len(record["evidence"])
    codes = ("evidence.absent", "evidence.wrong_source")
    lost = sum(violation["code"] in codes for violation in record["violations"])
    if not found + lost:
        return "nobody has measured this judge here, and it quoted nothing that could be looked up"
    share = f"{found} of its {found + lost} quotations" if lost else f"all its {found} quotations"
    return f"nobody has measured this judge here; {share} stand where it said"


# ── places ────────────────────────────────────────────────────────────────────────────────────


def place(where: str, wording: Wording | None = None) -> str:
    """A place of the record in words: `coverage.qag_results[3]` is "coverage, question 4"."""
    match = _PLACE.match(where)
    if match is None:
        return where.replace(".", ", ").replace("_", " ")
    names = wording.places if wording else {}
    item = names.get(match["list"], match["list"].replace("_", " "))
    numbered = f"{item} {int(match['at']) + 1}"
    return f"{score_name(match['metric'], wording)}, {numbered}" if match["metric"] else numbered
