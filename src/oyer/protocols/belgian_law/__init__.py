"""belgian-law: is the extraction of cited provisions from a Belgian decision ready for production?

    extraction -> compare -> forms, support, fields -> score -> decide      the engine's verdict
    reply -> claims, checks -> ruling                                       a judge's, audited

`rules.toml` holds every number; a version of the protocol is a row there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from oyer.protocols.belgian_law.checks import check
from oyer.protocols.belgian_law.decide import Decision, decide
from oyer.protocols.belgian_law.extraction import read_case
from oyer.protocols.belgian_law.pool import pool
from oyer.protocols.belgian_law.probes import probes
from oyer.protocols.belgian_law.prompt import SHEET, prompt
from oyer.protocols.belgian_law.reply import BelgianFindings, is_verdict, read
from oyer.protocols.belgian_law.rules import RULES, Rules
from oyer.protocols.belgian_law.ruling import render, rule
from oyer.protocols.belgian_law.slices import digest, place, row
from oyer.protocols.belgian_law.wording import WORDING
from oyer.protocols.fields import DECISION_ID, EXTRACTED, LANGUAGE, SOURCE_TEXT
from oyer.types import Case, JsonObject, Protocol

__all__ = [
    "PROTOCOL",
    "VERSIONS",
    "Decision",
    "Findings",
    "decide",
    "judge",
    "protocol",
]


def protocol(rules: Rules) -> Protocol[BelgianFindings]:
    """The protocol in one version."""
    return Protocol(
        id="belgian-law",
        version=rules.version,
        title="Cited provisions of a Belgian decision: is their extraction ready for production?",
        fields=(DECISION_ID, LANGUAGE, SOURCE_TEXT, EXTRACTED),
        rules=rules.table,
        scale={"score": (0, 100)},
        is_verdict=is_verdict,
        read=partial(read, rules=rules),
        check=partial(check, rules=rules),
        score=partial(rule, rules=rules),
        render=render,
        prompt=prompt,
        describe_template=SHEET.describe,
        validate=_validate,
        observe=partial(_observe, rules=rules),
        tally=row,
        digest=digest,
        pool=partial(pool, rules=rules),
        languages=("en",),
        answer=partial(judge, rules=rules),
        labels=("PASS", "REVIEW_REQUIRED", "FAIL"),
        wording=WORDING,
        probes=probes(),
    )


def judge(case: Case, rules: Rules = RULES["3.1"]) -> str:
    """The embedded judge of this protocol: the engine's verdict as a reply."""
    return render(decide(case, rules).output)


def _validate(case: Case) -> None:
    read_case(case)


def _observe(case: Case, rules: Rules) -> JsonObject:
    """The engine's verdict, beside every judge's, and where the case stands in a set."""
    return {"engine": decide(case, rules).brief(), "slice": place(case, rules)}


VERSIONS: Mapping[str, Protocol[BelgianFindings]] = {
    v: protocol(rules) for v, rules in RULES.items()
}
PROTOCOL = VERSIONS["3.1"]
