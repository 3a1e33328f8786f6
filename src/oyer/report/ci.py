"""The gate's answer for CI servers: JUnit XML and GitHub annotations."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence

from oyer.report.case_results import CaseResult
from oyer.report.gate import GateCheck
from oyer.text.printable import plain


def junit(
    checks: Sequence[GateCheck],
    results: Sequence[CaseResult],
    case_bars: Mapping[str, float],
    words: Iterable[str],
) -> str:
    """Two suites: what the gate checked, and one test case a case and candidate."""
    root = ET.Element("testsuites")
    _add_checks(root, checks)
    _add_cases(root, results, case_bars, list(words))
    for count in ("tests", "failures", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    return ET.tostring(root, encoding="unicode", xml_declaration=True)


def _add_checks(root: ET.Element, checks: Sequence[GateCheck]) -> None:
    suite = _suite(root, "oyer gate", len(checks))
    for check in checks:
        case = ET.SubElement(suite, "testcase", classname="oyer.gate", name=plain(check.name))
        message = plain(check.message)
        if check.state == "fail":
            _mark(suite, case, "failure", message)
        elif check.state == "undecided":
            _mark(suite, case, "failure", f"undecided: {message}")
        else:
            ET.SubElement(case, "system-out").text = message


def _add_cases(
    root: ET.Element,
    results: Sequence[CaseResult],
    case_bars: Mapping[str, float],
    words: Sequence[str],
) -> None:
    suite = _suite(root, "oyer cases", len(results))
    for result in results:
        case = ET.SubElement(
            suite, "testcase", classname=plain(result.candidate), name=plain(result.case),
            time=f"{result.seconds:.3f}",
        )  # fmt: skip
        scores = result.scores
        failures = [
            f"{key} {scores[key]:.2f} is under {bar:g}"
            for key, bar in case_bars.items()
            if key in scores and round(scores[key], 9) < bar
        ]
        failures += [f"{word}" for word in words if result.says(word)]
        if failures:
            _mark(suite, case, "failure", plain(f"{'; '.join(failures)} ({_scores(result)})"))
        elif not scores:
            _mark(suite, case, "skipped", plain(_scores(result)))
        else:
            ET.SubElement(case, "system-out").text = plain(_scores(result))


def _scores(result: CaseResult) -> str:
    if not result.scored:
        return f"no score: {', '.join(result.errors)}"
    return ", ".join(f"{key} {score:.2f}" for key, score in result.scores.items())


def _suite(root: ET.Element, name: str, tests: int) -> ET.Element:
    return ET.SubElement(root, "testsuite", name=name, tests=str(tests), failures="0", skipped="0")


def _mark(suite: ET.Element, case: ET.Element, kind: str, message: str) -> None:
    """XML has no control characters and names come from models: callers pass plain text."""
    ET.SubElement(case, kind, message=message).text = message
    count = "failures" if kind == "failure" else "skipped"
    suite.set(count, str(int(suite.get(count, "0")) + 1))


def github(checks: Iterable[GateCheck]) -> list[str]:
    """GitHub workflow commands; `%`, line ends and colons of untrusted names are escaped."""
    return [
        f"::error title={_command(f'oyer gate {check.name}', ':,')}::{_command(check.message)}"
        for check in checks
        if check.state != "pass"
    ]


def _command(text: str, also: str = "") -> str:
    text = plain(text, keep="\r\n")
    for ch in "%\r\n" + also:
        text = text.replace(ch, f"%{ord(ch):02X}")
    return text
