"""What a judge says of single questions and claims inside its rationale: the words that each
question masks, how those are missed that have no right answer, and why a claim is not Supported.

The protocol hides the questions, so the embedded judge says there what they ask for; and judge-lock
has no place beside a claim for why. Of a panel nothing is read: its rationale may be of another
member than its questions, and its claims have other numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from oyer.protocols.summary.output import objects_of
from oyer.records import VerdictRecord
from oyer.types import JsonObject

#: silent: nothing answers; wrongly: another answer stands there; unheld: the answer stands in a
#: claim that does not hold; unasked: the text is too short for so many questions; unknown: the
#: judge does not say which.
How = Literal["silent", "wrongly", "unheld", "unasked", "unknown"]
#: What the embedded judge says of its questions, up to that there are too few.
QUESTIONS = (
    r"The questions mask these words of the (?:article|summary): (?P<masked>[\s\S]*?)\."
    r"(?: Answered wrongly: (?P<wrongly>[\d, ]+)\.)?"
    r"(?: Answered only in a claim that does not hold: (?P<unheld>[\d, ]+)\.)?"
    r"(?: (?=The (?:article|summary) is too (?:short|thin))|$)"
)
#: What it says of claims that are not Supported whatever their support.
FAULTS = r"Claims with a fault are never Supported: (?P<faults>claim \d+ \([\s\S]*?\))\.(?: |$)"
_QUESTIONS = re.compile(QUESTIONS)
_FAULTS = re.compile(FAULTS)
_FAULT = re.compile(r"claim (\d+) \(([\s\S]*?)\)(?=; claim \d|$)")


class Question(NamedTuple):
    """A question of a record: its answer's status, the words it masks, and how it is missed."""

    status: str
    words: str  # "": not known
    how: How


def read_questions(record: VerdictRecord, metric: str) -> tuple[Question, ...]:
    """The questions of a metric; of a panel only their statuses."""
    given = objects_of(record).get(metric, {})
    pairs = given.get("qag_results")
    statuses = [
        str(pair.get("status")) for pair in (pairs if isinstance(pairs, list) else ())
        if isinstance(pair, Mapping)
    ]  # fmt: skip
    said = None if record.get("panel") else _QUESTIONS.search(_rationale(given))
    masked = [" ".join(words.split()) for words in said["masked"].split("; ")] if said else []
    masked = [words for words in masked if words]  # of a text without words there are none
    thin = said is not None and said.end() < len(_rationale(given))
    if said is None or (len(masked) > len(statuses) if thin else len(masked) != len(statuses)):
        return tuple(Question(status, "", "unknown") for status in statuses)
    missed: dict[int, How] = dict.fromkeys(_numbers(said["wrongly"]), "wrongly")
    missed |= dict.fromkeys(_numbers(said["unheld"]), "unheld")
    missed |= {n + 1: "unasked" for n in range(len(masked), len(statuses))}
    words = [*masked, *[""] * (len(statuses) - len(masked))]
    return tuple(
        Question(status, asked, missed.get(n, "silent"))
        for n, (status, asked) in enumerate(zip(statuses, words, strict=True), 1)
    )


def read_faults(record: VerdictRecord) -> dict[int, str]:
    """Number of a claim, from 0 -> why it is not Supported, where the rationale tells it."""
    said = _FAULTS.search(_rationale(objects_of(record).get("hallucination", {})))
    if said is None or record.get("panel"):
        return {}
    return {int(number) - 1: words for number, words in _FAULT.findall(said["faults"])}


def _rationale(given: JsonObject) -> str:
    return str(given.get("rationale") or "")


def _numbers(listed: str | None) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", listed or "")]
