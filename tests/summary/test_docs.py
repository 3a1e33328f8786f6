"""The docs pages print the rules and examples that the code computes from and with.

`python -m tests.summary.test_docs` rewrites the printed parts.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from oyer.arith import show
from oyer.protocols.catalogue import find_protocol
from oyer.types import Case, Protocol, Reply, Verdict
from oyer.verdicts.core import audit

DOCS = Path(__file__).resolve().parents[2] / "docs" / "protocols"
NAMES = ("judge-lock", "twin-lock")


def rules_table(protocol: Protocol[Any]) -> str:
    rows = [f"| {rule.id} | {_cell(rule.formula)} | {_cell(rule.text)} |"
            for rule in protocol.rules.values()]  # fmt: skip
    weights = ", ".join(f"{metric} {show(w):g}" for metric, w in protocol.weights.items())
    return "\n".join(["| rule | formula | meaning |", "|---|---|---|", *rows, "",
                      f"Weights of the total: {weights}."])  # fmt: skip


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def heard(page: str, protocol: Protocol[Any]) -> Verdict:
    case = json.loads(part(page, "case").removeprefix("```json").removesuffix("```"))
    reply = "\n\n".join(json.dumps(one) for one in case["reply"])
    fields = {name: case[name] for name in ("article", "summary")}
    return audit(Case(case["id"], fields), protocol, Reply(reply))


def derivation(verdict: Verdict) -> str:
    assert verdict.scores is not None
    lines = [f"{step.rule:<18} {step.formula}  =  {_value(step.value)}" for step in verdict.trace]
    lines += ["", *(f"{metric:<14} {score:g}" for metric, score in verdict.scores.items())]
    lines += [f"{'total':<14} {verdict.total:g}", ""]
    lines += [f"{v.code}  {v.where}  {v.detail}" for v in verdict.violations]
    return "\n".join(["```", *lines, "```"])


def _value(value: Any) -> str:
    plain = show(value)
    return f"{plain:g}" if isinstance(plain, float) else str(plain)


def part(page: str, name: str) -> str:
    found = re.search(rf"<!-- {name} -->\n(.*?)\n?<!-- /{name} -->", page, re.DOTALL)
    assert found, f"the page has no part {name}"
    return found[1]


def printed(name: str) -> dict[str, str]:
    protocol = find_protocol(name)
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    return {"rules": rules_table(protocol), "derivation": derivation(heard(page, protocol))}


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_in_step_with_the_code(name: str) -> None:
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    for key, text in printed(name).items():
        assert part(page, key) == text, "run: python -m tests.summary.test_docs"


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_is_used_or_defined(name: str) -> None:
    """A rule id in the table is one that code cites; a rule id in code is one of the table."""
    protocol = find_protocol(name)
    folder = Path(__file__).resolve().parents[2] / "src" / "oyer" / "protocols"
    prefix = next(iter(protocol.rules)).split("-")[0]
    code = "".join(
        file.read_text(encoding="utf-8") for file in folder.glob(f"{name.replace('-', '_')}/*.py")
    )
    cited = set(re.findall(rf"\b{prefix}-[A-Z0-9-]+[A-Z0-9]\b", code))
    assert cited <= set(protocol.rules)
    in_text = ("TOKEN", "FOLD", "STEM", "ROUND", "QUOTE-TRIM", "QUOTE-BLANK")  # and in arith
    shared = {f"{prefix}-{x}" for x in in_text}
    assert set(protocol.rules) - cited <= shared


def rewrite() -> None:
    for name in NAMES:
        path = DOCS / f"{name}.md"
        page = path.read_text(encoding="utf-8")
        for key, text in printed(name).items():
            start, end = f"<!-- {key} -->", f"<!-- /{key} -->"
            before, after = page.split(start)[0], page.split(end)[1]
            page = f"{before}{start}\n{text}\n{end}{after}"
        path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    rewrite()
