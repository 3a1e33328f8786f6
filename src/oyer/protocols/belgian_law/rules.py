"""The data of `rules.toml` as typed records; a version is a row of data, not code."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import Any, Literal

from oyer.types import JsonObject, Number, Rule

Severity = Literal["CRITICAL", "MAJOR", "MINOR"]
SEVERITIES: tuple[Severity, ...] = ("CRITICAL", "MAJOR", "MINOR")
VERDICTS = ("PASS", "FAIL", "REVIEW_REQUIRED")
RECOMMENDATIONS = ("PROCEED", "FIX_PROMPT", "REVIEW_SAMPLES")
CONFIDENCES = ("HIGH", "MEDIUM", "LOW")


@dataclass(frozen=True, slots=True)
class Rules:
    """One version of the protocol: its thresholds and penalties, severities and words."""

    version: str
    expansion: Literal["all", "ends"]
    values: Mapping[str, Number]
    severity: Mapping[str, Severity]
    table: Mapping[str, Rule]
    issue: Mapping[str, str]  # what a code means
    kind: Mapping[str, str]  # what a kind of hallucination means
    decided: frozenset[str]  # codes that code decides wholly
    signals: Mapping[str, tuple[str, ...]]  # code -> words of a judge that mean it
    refine: tuple[tuple[str, str, tuple[str, ...]], ...]  # of, code, words that tell them apart
    lengths: tuple[int, ...]
    generic: frozenset[str]
    structure: frozenset[str]
    qualifiers: tuple[frozenset[str], ...]  # words, in both languages, that belong to a name
    wording: Mapping[str, frozenset[str]]  # a sign and the words for it

    def __getitem__(self, name: str) -> Number:
        return self.values[name]


def load(text: str) -> dict[str, Rules]:
    """Every version in a rules file, oldest first."""
    data = tomllib.loads(text, parse_float=Fraction)
    return {version: _rules(version, data) for version in data["version"]}


def shipped_rules() -> str:
    """The text of the rules file in this package."""
    return files(__package__).joinpath("rules.toml").read_text(encoding="utf-8")


def as_markdown(rules: Rules) -> str:
    """The issue codes and the arithmetic as the docs print them."""
    lines = ["| severity | code | meaning |", "|---|---|---|"]
    lines += [
        f"| {rules.severity[code]} | `{code}` | {rules.issue[code]} |" for code in rules.severity
    ]
    lines += ["", "| rule | formula | |", "|---|---|---|"]
    lines += [f"| {rule.id} | {rule.formula} | {rule.text} |" for rule in rules.table.values()]
    return "\n".join(lines)


def _rules(version: str, data: JsonObject) -> Rules:
    row = _inherit(version, data["version"])
    shown = {name: _plain(value) for name, value in row["values"].items()}
    words = {**shown, "expansion": "all members" if row["expansion"] == "all" else "both ends"}
    table: dict[str, Rule] = {}
    for rule in data["rule"]:
        formula, text = rule["formula"], rule["text"]
        values = {name: value for name, value in shown.items() if f"{{{name}}}" in formula + text}
        filled = formula.format(**words), text.format(**words)
        table[rule["id"]] = Rule(rule["id"], *filled, values)
    return Rules(
        version=version,
        expansion=row["expansion"],
        values=row["values"],
        severity=row["severity"],
        table=table,
        issue=data["issue"],
        kind=data["kind"],
        decided=frozenset(data["judge"]["decided"]),
        signals={code: tuple(words) for code, words in data["signal"].items()},
        refine=tuple((r["of"], r["code"], tuple(r["words"])) for r in data["refine"]),
        lengths=tuple(data["slices"]["length"]),
        generic=frozenset(data["names"]["generic"]),
        structure=frozenset(data["names"]["structure"]),
        qualifiers=tuple(frozenset(words) for words in data["names"]["qualifiers"]),
        wording={sign: frozenset(words) for sign, words in data["wording"].items()},
    )


def _inherit(version: str, versions: JsonObject) -> dict[str, Any]:
    row = versions[version]
    if "base" not in row:
        return dict(row)
    merged = _inherit(row["base"], versions)
    for name, value in row.items():
        old = merged.get(name)
        merged[name] = {**old, **value} if isinstance(old, dict) else value
    return merged


def _plain(value: Number) -> int | float:
    return value if isinstance(value, int) else float(value)


RULES = load(shipped_rules())
