"""The protocol from outside: its name, its versions, its example, the bench on real replies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import oyer
from oyer.errors import UsageError
from oyer.protocols.belgian_law import PROTOCOL, judge
from oyer.protocols.belgian_law.rules import RULES, as_markdown
from oyer.protocols.belgian_law.slices import gather, row, slices
from oyer.protocols.catalogue import find_protocol
from oyer.types import Case

ROOT = Path(__file__).resolve().parents[2]


def test_found_by_name_and_version() -> None:
    assert find_protocol("belgian-law") is find_protocol("belgian-law@3.1") is PROTOCOL
    with pytest.raises(UsageError, match=r"3\.1, not 9\.9"):
        find_protocol("belgian-law@9.9")


def test_docs_print_the_rules_of_the_data() -> None:
    page = (ROOT / "docs/protocols/belgian-law.md").read_text(encoding="utf-8")
    assert as_markdown(RULES["3.1"]) in page


def test_examples_are_judged_as_the_docs_say() -> None:
    page = (ROOT / "docs/protocols/belgian-law.md").read_text(encoding="utf-8")
    rows = (ROOT / "examples/belgian-law.jsonl").read_text(encoding="utf-8").splitlines()
    names = [field.name for field in PROTOCOL.fields]
    for one in map(json.loads, rows):
        output = json.loads(judge(Case(one["id"], {name: one[name] for name in names})))
        assert f"| {one['id']} | {output['verdict']} | {output['score']} |" in page


def test_oyer_judge_needs_no_key_and_reports_on_the_set() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "oyer", "judge", "belgian-law", ROOT / "examples/belgian-law.jsonl"],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "src")},
    )
    assert done.returncode == 0, done.stderr
    assert "| language NL | 1 | 0 (0 %) | 1 (100 %) | 0 (0 %) | 0 | 68 |" in done.stdout
    assert "| dedup | 1 | 50 % | systemic |" in done.stdout


def test_stored_verdicts_can_be_sliced() -> None:
    """A verdict carries its place in the set: no case is needed."""
    rows = (ROOT / "examples/belgian-law.jsonl").read_text(encoding="utf-8").splitlines()
    names = [field.name for field in PROTOCOL.fields]
    cases = [Case(r["id"], {n: r[n] for n in names}) for r in map(json.loads, rows)]
    verdicts = [oyer.audit(PROTOCOL, case, judge(case)) for case in cases]
    pairs = zip(cases, verdicts, strict=True)
    assert gather([row(verdict) for verdict in verdicts]) == slices(pairs)


def test_bench_runs_on_the_real_replies(shared: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "bench/belgian_replies.py"],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "src"), "OYER_SHARED": str(shared)},
    )
    assert done.returncode == 0, done.stderr
    assert "120 replies" in done.stdout
    assert "| `enum` | 27 |" in done.stdout, "types outside the language's set need no judgement"


def test_bench_says_what_it_misses(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "bench/belgian_replies.py", tmp_path / "none.jsonl"],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "src")},
    )
    assert (done.returncode, "none.jsonl" in done.stderr) == (2, True)
