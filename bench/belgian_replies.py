"""How far real judges of the belgian-law protocol agree with what code can decide.

    python bench/belgian_replies.py [FILE]

FILE (default: shared/data/belgian-law/judge_replies.jsonl) has real extractions with a real
judge's verdict, but no source text; so only what needs no source is decided: ids, types, keys, and
whether score, verdict and recommendation follow from the judge's own issues. Rates are open where
the reply states no counts: a score is called wrong only when no recall and precision give it.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from oyer.protocols.belgian_law import decide, forms
from oyer.protocols.belgian_law.checks import itself, tallies
from oyer.protocols.belgian_law.extraction import Extraction, read_item
from oyer.protocols.belgian_law.reply import BelgianFindings, read
from oyer.protocols.belgian_law.rules import RULES
from oyer.protocols.belgian_law.score import mark
from oyer.types import Case, Found, Reading

CODES = ("id", "enum", "key")
AGREE = {(True, True): "both", (True, False): "code", (False, True): "judge"}


def main(arguments: list[str]) -> int:
    """Print the figures; exit 2 when the data is not here."""
    root = Path(os.environ.get("OYER_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    if not (root / "data").is_dir():
        root = Path(__file__).resolve().parents[3] / "shared"
    path = Path(arguments[0]) if arguments else root / "data/belgian-law/judge_replies.jsonl"
    if not path.is_file():
        print(f"{path}: not here; set OYER_SHARED or name the file", file=sys.stderr)
        return 2
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    print(f"{path.name}: {len(rows)} replies; rules 3.1; Python {platform.python_version()}\n")
    print(table(rows))
    gold = path.parent / "decisions_gold.jsonl"
    if gold.is_file():
        print(whole_decisions(gold))
    return 0


def whole_decisions(path: Path) -> str:
    """Real extractions with their source: the judge's verdict beside the engine's."""
    lines = [
        "",
        "| decision | judge (v3.2) | code | why |",
        "|---|---|---|---|",
    ]
    with path.open(encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            names = ("decisionId", "proceduralLanguage", "sourceText", "extracted")
            made = decide(Case(row["decisionId"], {name: row[name] for name in names}))
            ours, theirs = made.output, row["judgeOfV3.2"]
            said = [
                f"{one['verdict']} {one['score']} {one['confidence']}" for one in (theirs, ours)
            ]
            why = ", ".join(f"`{issue.name}`" for issue in made.issues) or "no issue"
            lines.append(f"| {row['decisionId']} | {said[0]} | {said[1]} | {why} |")
    return "\n".join(lines)


def table(rows: list[dict[str, Any]]) -> str:
    """The figures as Markdown; the docs page carries this output."""
    told, own, filed = measure(rows)
    many = len(rows)
    lines = [
        "| decided by code | code finds it | judge says so too | overlooked | judge alone |",
        "|---|---:|---:|---:|---:|",
    ]
    for code in CODES:
        both, ours, theirs = (told[code, w] for w in ("both", "code", "judge"))
        lines.append(f"| `{code}` | {both + ours} | {both} | {ours} | {theirs} |")
    lines += [
        "",
        f"- replies on a type outside the language's set: {filed['enum']}; the judge PASSed "
        f"{filed['enum PASS']} of them, and filed it below CRITICAL in {filed['enum low']}",
        f"- verdict other than FAIL although an id or type is CRITICAL: {filed['not FAIL']}",
        f"- PASS although code finds a wrong key: {filed['key PASS']} of {filed['key']}",
        "",
        "| not what the judge's own issues give | replies | share |",
        "|---|---:|---:|",
    ]
    for code in ("arithmetic", "verdict.wrong", "recommendation.wrong", "any of these"):
        lines.append(f"| `{code}` | {own[code]} of {many} | {own[code] / many:.1%} |")
    lines.append(
        f"\n{filed['with issues']} replies list an issue: of their scores {own['arithmetic']} are "
        f"wrong ({filed['capped']} of these would follow if 59 were a cap and not the start)."
    )
    return "\n".join(lines)


def measure(
    rows: list[dict[str, Any]],
) -> tuple[Counter[tuple[str, str]], Counter[str], Counter[str]]:
    """Who says what of each code; what does not follow; how decidable faults were filed."""
    told: Counter[tuple[str, str]] = Counter()
    own: Counter[str] = Counter()
    filed: Counter[str] = Counter()
    for row in rows:
        said = findings(row)
        ours, theirs = decided(row), {f.code for f in said.findings}
        for code in CODES:
            told[code, AGREE.get((code in ours, code in theirs), "neither")] += 1
        low = any(f.code == "enum" and f.severity != "CRITICAL" for f in said.findings)
        passed = said.verdict == "PASS"
        filed["enum"] += "enum" in ours
        filed["enum PASS"] += "enum" in ours and passed
        filed["enum low"] += "enum" in ours and low
        filed["not FAIL"] += bool(ours & {"id", "enum"}) and said.verdict != "FAIL"
        filed["key"] += "key" in ours
        filed["key PASS"] += "key" in ours and passed
        filed["with issues"] += bool(said.findings)
        wrong = {violation.code for violation in itself(said, RULES["3.1"])}
        filed["capped"] += "arithmetic" in wrong and capped(said)
        own.update(wrong)
        own["any of these"] += bool(wrong)
    return told, own, filed


def capped(said: BelgianFindings) -> bool:
    """Whether the stated score follows when a CRITICAL only caps what is left of 100."""
    rules = replace(RULES["3.1"], values={**RULES["3.1"].values, "critical": 100})
    critical = any(f.severity == "CRITICAL" for f in said.findings)
    scores = {min(59, mark(of, rules).score) for of in tallies(said)}
    return critical and said.score in scores


def findings(row: dict[str, Any]) -> BelgianFindings:
    """The judge's reply, as the protocol's own reader reads it."""
    reply = Found(row["judge"], 0, 0)
    return read(Case(row["decisionId"], {}), Reading((reply,)), RULES["3.1"])


def decided(row: dict[str, Any]) -> set[str]:
    """The codes that code finds without the source."""
    language = "fr" if row["proceduralLanguage"] == "FR" else "nl"
    items = tuple(read_item(i, item, language) for i, item in enumerate(row["citedProvisions"]))
    case, rules = Extraction(row["decisionId"], language, "", items), RULES["3.1"]
    found = [*forms.ids(case, rules), *forms.enums(case, rules), *forms.keys(case, rules)]
    return {one.code for one in found}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
