"""twin-lock 1: the light judge of a summary against its article."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from oyer.protocols.summary.findings import METRICS, metric_of, validate
from oyer.protocols.summary.ledger import checked_weights
from oyer.protocols.summary.length import observe
from oyer.protocols.summary.printing import render
from oyer.protocols.summary.units import unit_labels, units
from oyer.protocols.twin_lock.checks import check
from oyer.protocols.twin_lock.pool import pool
from oyer.protocols.twin_lock.prompt import prompt
from oyer.protocols.twin_lock.reply import Findings, read
from oyer.protocols.twin_lock.score import score
from oyer.protocols.twin_lock.table import TABLE
from oyer.types import Field, Protocol

PROTOCOL: Protocol[Findings] = Protocol(
    id="twin-lock",
    version=TABLE.version,
    title="The light judge of a summary: coverage, alignment, hallucination, relevance, bias",
    fields=(
        Field("article", help="the text that was summarised"),
        Field("summary", help="the summary to judge"),
    ),
    rules=TABLE.rules,
    scale=dict.fromkeys(METRICS, (0, 10)),
    is_verdict=metric_of,
    read=read,
    check=check,
    score=score,
    render=render,
    prompt=prompt,
    validate=validate,
    observe=observe,
    weights=TABLE.weights,
    pool=pool,
    languages=("en",),
    units=units,
    unit_labels=unit_labels,
)


def weighted(weights: Mapping[str, Fraction | float | str]) -> Protocol[Findings]:
    """The protocol with the user's own weights of the total; a metric left out weighs nothing."""
    own = checked_weights(weights)
    return replace(PROTOCOL, weights=own, score=partial(score, weights=own))
