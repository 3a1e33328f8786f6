"""Verdicts in your own test suite: the fixtures `oyer` and `assert_verdict`.

    def test_our_summaries(oyer):
        verdict = oyer.judge("judge-lock", {"article": article, "summary": summarise(article)})
        oyer.assert_verdict(verdict, coverage=">=7", hallucination=">=9")

A failure says in words why the score is what it is. Nothing is shared between tests, so xdist just
works. Loaded by pytest itself, hence light: everything is imported when first used.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from oyer.errors import UsageError
from oyer.types import Case, Judge, Protocol, Reply, Verdict

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "==": operator.eq,
}  # fmt: skip
_BAR = re.compile(r"\s*(>=|<=|==|>|<)?\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*")


def assert_verdict(verdict: Verdict, **bars: str | float) -> None:
    """Assert bars on the scores, e.g. `coverage=">=7"`, `total=6` (at least 6).

    An unscored verdict fails: no score is no pass.
    """
    __tracebackhide__ = True
    if verdict.scores is None:
        pytest.fail(f"no score: {verdict.error}\n\n{explanation(verdict)}", pytrace=False)
    scores = {**verdict.scores, "total": verdict.total or 0.0}
    missed = []
    for metric, bar in bars.items():
        if metric not in scores:
            known = ", ".join(scores)
            raise UsageError(f"{verdict.protocol} has no metric '{metric}'; it has {known}.")
        sign, wanted = _parsed(bar)
        if not _COMPARE[sign](scores[metric], wanted):
            missed.append(f"{metric} is {scores[metric]:g}, not {sign} {wanted:g}")
    if missed:
        pytest.fail("\n".join(missed) + "\n\n" + explanation(verdict), pytrace=False)


def _parsed(bar: str | float) -> tuple[str, float]:
    match = _BAR.fullmatch(str(bar))
    if match is None:
        raise UsageError(f"a bar is a number with >=, <=, >, < or ==, not '{bar}'.")
    return match[1] or ">=", float(match[2])


def explanation(verdict: Verdict) -> str:
    """Why the verdict is what it is, as plain text."""
    from oyer.protocols.catalogue import find_protocol
    from oyer.report.speak import as_text
    from oyer.verdicts import record

    try:
        protocol = find_protocol(verdict.protocol.partition("@")[0])
    except UsageError:  # a protocol from a folder: its scale is not known here
        protocol = None
    return as_text(record(verdict), protocol)


class Court:
    """What the `oyer` fixture gives: judge, audit, assert_verdict."""

    assert_verdict = staticmethod(assert_verdict)

    def audit(
        self,
        protocol: str | Protocol[Any],
        case: Case | Mapping[str, Any],
        reply: str | Reply | None = None,
    ) -> Verdict:
        """Check a reply some judge already gave."""
        from oyer.api import audit

        return audit(protocol, case, reply)

    def judge(
        self,
        protocol: str | Protocol[Any],
        case: Case | Mapping[str, Any],
        judge: str | Judge = "embedded",
        **how: Any,
    ) -> Verdict:
        """Judge a case, by default with the embedded judge; takes what `oyer.judge` takes."""
        from oyer.api import judge as judge_one

        return judge_one(protocol, case, judge, **how)


@pytest.fixture(scope="session", name="assert_verdict")
def assert_fixture() -> Callable[..., None]:
    """The assertion alone."""
    return assert_verdict


@pytest.fixture(scope="session", name="oyer")
def oyer_fixture() -> Court:
    """Judges on the record, in a test."""
    return Court()
