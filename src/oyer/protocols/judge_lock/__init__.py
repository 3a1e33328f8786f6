"""judge-lock 4.3-S: a strict judge of a summary against its article."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from oyer.protocols.fields import ARTICLE, SUMMARY
from oyer.protocols.judge_lock.checks import check
from oyer.protocols.judge_lock.compose import compose
from oyer.protocols.judge_lock.pool import pool
from oyer.protocols.judge_lock.prompt import SHEET, prompt
from oyer.protocols.judge_lock.reply import LABEL_SITES, JudgeLockFindings, read
from oyer.protocols.judge_lock.score import score
from oyer.protocols.judge_lock.table import TABLE
from oyer.protocols.summary.findings import METRICS, metric_of, validate
from oyer.protocols.summary.length import observe
from oyer.protocols.summary.printing import render
from oyer.protocols.summary.probes import probes
from oyer.protocols.summary.units import unit_labels, units
from oyer.protocols.summary.wording import wording
from oyer.protocols.summary.writing import WRITING
from oyer.types import Case, Checked, Protocol, Ruling, SummaryForm

#: By the protocol's own weights and caps; a test computes the bound.
GOOD = (
    "Out of 10, also for hallucination: 10 is nothing invented. Coverage above 7 takes right "
    "answers to all questions and 90 % of the key points; one invented claim holds the total "
    "under 5."
)


def weigh(weights: Mapping[str, Fraction]) -> Callable[[Case, Checked[JudgeLockFindings]], Ruling]:
    """The score function under other weights of the total."""
    return partial(score, weights=weights)


PROTOCOL: Protocol[JudgeLockFindings] = Protocol(
    id="judge-lock",
    version=TABLE.version,
    title="A strict judge of a summary: coverage, alignment, hallucination, relevance, bias",
    fields=(ARTICLE, SUMMARY),
    rules=TABLE.rules,
    scale=dict.fromkeys(METRICS, (0, 10)),
    is_verdict=metric_of,
    read=read,
    check=check,
    score=score,
    render=render,
    prompt=prompt,
    describe_template=SHEET.describe,
    validate=validate,
    observe=observe,
    weights=TABLE.weights,
    pool=pool,
    languages=("en",),
    writing=WRITING,
    summary=SummaryForm(questions=True, compose=compose),
    weigh=weigh,
    units=units,
    unit_labels=unit_labels,
    probes=probes(),
    parts=METRICS,
    wording=wording(GOOD),
    label_sites=LABEL_SITES,
)
