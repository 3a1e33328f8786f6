"""Does this run pass? It fails only on a significant drop beyond a margin, or under a bar."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from oyer.report.compare import Comparison, Delta
from oyer.report.standings import Gathered
from oyer.report.stats import Floats, interval
from oyer.text.printable import plain

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Test:
    """One thing the gate looked at."""

    name: str
    passed: bool
    told: str


def drops(comparison: Comparison, margin: float) -> list[Test]:
    """One test a metric, of all candidates together and of each. A metric fails when its drop is
    significant (Holm over all tests) and the whole interval of it lies beyond the margin."""
    deltas = [*comparison.deltas, *comparison.candidates]
    order = sorted(deltas, key=lambda delta: delta.p)
    significant = set()
    for place, delta in enumerate(order):
        if delta.p > ALPHA / (len(order) - place):
            break
        significant.add((delta.metric, delta.candidate))
    return [_drop(d, margin, (d.metric, d.candidate) in significant) for d in deltas]


def _drop(delta: Delta, margin: float, significant: bool) -> Test:
    high = delta.difference.high
    failed = significant and high is not None and high < -margin
    told = (
        f"{delta.before:.2f} → {delta.after:.2f}, difference {delta.difference.told}, "
        f"p = {delta.p:.3g}, margin {margin:g}, {delta.difference.n} cases"
    )
    whose = "" if delta.candidate is None else f".{delta.candidate}"
    return Test(f"drop.{delta.metric}{whose}", not failed, told)


def bars(made: Gathered, wanted: Mapping[str, float]) -> list[Test]:
    """Absolute bars: the mean over all cases, each candidate on its own."""
    return [
        _bar(who, key, bar, made.values(who, key))
        for who in made.tallies
        for key, bar in wanted.items()
    ]


def _bar(who: str, key: str, bar: float, values: Floats) -> Test:
    known = values[~np.isnan(values)]
    if not len(known):
        return Test(f"bar.{key}.{who}", False, f"{who} has no scored case")
    spread = interval(known)
    told = f"{who}: {spread.told}, bar {bar:g}"
    return Test(f"bar.{key}.{who}", round(spread.mean, 9) >= bar, told)


def heard(made: Gathered) -> list[Test]:
    """A run without a verdict passes nothing: fails where there is none, else says nothing."""
    told = "the run has no verdict yet: `oyer run` the suite (again)"
    return [] if made.verdicts else [Test("verdicts", False, told)]


def unscored(made: Gathered, most: float) -> Test:
    """The share of verdicts without a score."""
    bad = sum(sum(tally.unscored) for tally in made.tallies.values())
    share = bad / max(made.verdicts, 1)
    told = f"{bad} of {made.verdicts} verdicts ({share:.1%}), at most {most:.1%}"
    return Test("unscored", share <= most, told)


def junit(tests: Iterable[Test]) -> str:
    """JUnit XML, as CI servers read it."""
    rows = list(tests)
    failures = str(sum(not test.passed for test in rows))
    suite = ET.Element("testsuite", name="oyer gate", tests=str(len(rows)), failures=failures)
    for test in rows:
        case = ET.SubElement(suite, "testcase", classname="oyer.gate", name=_xml(test.name))
        if not test.passed:
            ET.SubElement(case, "failure", message=_xml(test.told)).text = _xml(test.told)
        else:
            ET.SubElement(case, "system-out").text = _xml(test.told)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)


def _xml(text: str) -> str:
    """XML has no control characters; names come from models."""
    return plain(text)


def github(tests: Iterable[Test]) -> list[str]:
    """GitHub workflow commands; `%`, line ends and colons of untrusted names are escaped."""
    return [
        f"::error title={_command(f'oyer gate {test.name}', ':,')}::{_command(test.told)}"
        for test in tests
        if not test.passed
    ]


def _command(text: str, also: str = "") -> str:
    for ch in "%\r\n" + also:
        text = text.replace(ch, f"%{ord(ch):02X}")
    return text
