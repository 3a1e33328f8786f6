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
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from oyer.errors import UsageError
from oyer.types import AnyProtocol, Case, JsonObject, Judge, Reply, Verdict

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "==": operator.eq,
}  # fmt: skip
_BAR = re.compile(r"\s*(>=|<=|==|>|<)?\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*")


def assert_verdict(
    verdict: Verdict,
    *,
    says: str | Sequence[str] = (),
    critical_fail: bool | None = None,
    violations: str | float | None = None,
    without: str | Sequence[str] = (),
    **bars: str | float,
) -> None:
    """Assert bars on the scores, e.g. `coverage=">=7"`, `total=6` (at least 6), and on the rest:

    `says="PASS"` (or several words: one of them), `critical_fail=False`, `violations=2` (rules that
    the judge broke: at most 2), `without="evidence"` (no violation of this code or group of codes).
    An unscored verdict fails: no score is no pass.
    """
    __tracebackhide__ = True
    if verdict.scores is None:
        pytest.fail(f"no score: {verdict.error}\n\n{explanation(verdict)}", pytrace=False)
    missed = [
        *_find_missed_bars(verdict, bars),
        *_find_missed_words(verdict, _several(says)),
        *_find_missed_critical(verdict, critical_fail),
        *_find_missed_rules(verdict, violations, _several(without)),
    ]
    if missed:
        pytest.fail("\n".join(missed) + "\n\n" + explanation(verdict), pytrace=False)


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _find_missed_bars(verdict: Verdict, bars: Mapping[str, str | float]) -> Iterator[str]:
    scores = {**(verdict.scores or {}), "total": verdict.total or 0.0}
    for metric, bar in bars.items():
        if metric not in scores:
            known = ", ".join(scores)
            raise UsageError(f"{verdict.protocol} has no metric '{metric}'; it has {known}.")
        yield from _miss(metric, scores[metric], bar)


def _miss(name: str, value: float, bar: str | float, sign: str = ">=") -> Iterator[str]:
    """The sentence on a bar that is not reached; `sign` is meant where the bar has none."""
    match = _BAR.fullmatch(str(bar))
    if match is None:
        raise UsageError(f"a bar is a number with >=, <=, >, < or ==, not '{bar}'.")
    sign, wanted = match[1] or sign, float(match[2])
    if not _COMPARE[sign](value, wanted):
        yield f"{name} is {value:g}, not {sign} {wanted:g}"


def _find_missed_words(verdict: Verdict, wanted: Sequence[str]) -> Iterator[str]:
    """The words of a verdict are what gates fail on: PASS, FAIL, critical_fail."""
    if not wanted:
        return
    from oyer.report.standings import words_of
    from oyer.store.records import outcome_of
    from oyer.verdicts import record

    protocol = _protocol_of(verdict)
    known = protocol.labels if protocol is not None else wanted
    for word in wanted:
        if word not in known:
            has = ", ".join(known) or "none"
            raise UsageError(f"{verdict.protocol} has no word '{word}'; it has {has}.")
    facts = outcome_of(record(verdict), 0).facts
    own_words = [word for word in words_of(facts) if word in known]
    if not {*own_words} & {*wanted}:
        yield f"the verdict says {', '.join(own_words) or 'nothing'}, not {' or '.join(wanted)}"


def _find_missed_critical(verdict: Verdict, wanted: bool | None) -> Iterator[str]:
    if wanted is None:
        return
    found = verdict.extra.get("critical_fail")
    if found is None:
        raise UsageError(f"{verdict.protocol} has no critical fails.")
    if bool(found) is not wanted:
        yield f"critical_fail is {bool(found)}, not {wanted}"


def _find_missed_rules(
    verdict: Verdict, bar: str | float | None, without: Sequence[str]
) -> Iterator[str]:
    from oyer.verdicts.violations import is_breach

    broken = [v for v in verdict.violations if is_breach(v.code)]
    if bar is not None:
        yield from _miss("violations", len(broken), bar, "<=")
    for violation in broken:
        for code in without:
            if violation.code == code or violation.code.startswith(f"{code}."):
                yield f"{violation.code} at {violation.where}: {violation.detail}"


def _protocol_of(verdict: Verdict) -> AnyProtocol | None:
    from oyer.protocols.catalogue import find_protocol

    try:
        return find_protocol(verdict.protocol.partition("@")[0])
    except UsageError:  # a protocol from a folder is not known here
        return None


def explanation(verdict: Verdict) -> str:
    """Why the verdict is what it is, as plain text."""
    from oyer.report.speak import as_text
    from oyer.verdicts import record

    return as_text(record(verdict), _protocol_of(verdict))


class Verdicts:
    """What the `oyer` fixture gives: judge, audit, assert_verdict."""

    assert_verdict = staticmethod(assert_verdict)

    def audit(
        self,
        protocol: str | AnyProtocol,
        case: Case | JsonObject,
        reply: str | Reply | None = None,
    ) -> Verdict:
        """Check a reply some judge already gave."""
        from oyer.api import audit

        return audit(protocol, case, reply)

    def judge(
        self,
        protocol: str | AnyProtocol,
        case: Case | JsonObject,
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
def oyer_fixture() -> Verdicts:
    """Judges on the record, in a test."""
    return Verdicts()
