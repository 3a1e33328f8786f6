"""Two prompts side by side: what the replies to each keep to, in compare and in the report."""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.cli import main
from tests.injection.attacked_cases import ATTACKED, as_reply
from tests.servers.provider import ProviderServer

COURT = ATTACKED["judge-lock"]
OWN = "Judge the summary strictly, and add up your marks.\n{article}\n{summary}\n"


def answer(words: str) -> str:
    """To the user's prompt with a sum that is wrong and a quotation that stands nowhere."""
    objects = {one["metric"]: one for one in copy.deepcopy(COURT.honest)}
    objects["alignment"]["overall_score"] = 3  # its cap: a severe hallucination
    if "add up your marks" in words:
        objects["coverage"]["overall_score"] = 9.9
        objects["coverage"]["key_points"][0]["evidence"] = "words that nobody wrote anywhere"
    return as_reply(list(objects.values()), re.findall(r'"seal": "([0-9a-f]{12})"', words)[-1])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "cases.jsonl").write_text(json.dumps({"id": "c1", **COURT.case.fields}) + "\n")
    (tmp_path / "own.md").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    with ProviderServer(reply=answer) as server:
        for name, value in server.environ.items():
            monkeypatch.setitem(os.environ, name, value)
        yield tmp_path


def test_two_runs_with_different_prompts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge = ["judge", "judge-lock", "cases.jsonl", "--judge", "openai:m", "--store", "o.db"]
    assert main(judge) == 0
    assert main([*judge, "--prompt", "own.md"]) == 0
    capsys.readouterr()
    assert main(["compare", "1", "2", "--store", "o.db", "--json"]) == 0
    ours, own = json.loads(capsys.readouterr().out)["prompts"]
    assert ours["prompt"] != own["prompt"]
    assert ours["quotes_found"] == ours["quotes"] > own["quotes_found"]
    assert (ours["violations"], own["violations"]) == (0, 3)
    assert [(p["sums"], p["sums_right"]) for p in (ours, own)] == [(1, 1), (1, 0)]
    assert main(["compare", "1", "2", "--store", "o.db"]) == 0
    assert "prompts side by side" in capsys.readouterr().out
    assert main(["compare", "1", "1", "--store", "o.db"]) == 0
    assert "prompts side by side" not in capsys.readouterr().out


def test_one_run_whose_judges_have_prompts_of_their_own(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = folder / "suite.toml"
    suite.write_text(
        'protocol = "judge-lock"\ncases = "cases.jsonl"\n'
        '[[judges]]\nname = "ours"\nmodel = "openai:m"\n'
        '[[judges]]\nname = "own"\nmodel = "openai:m"\nprompt = "own.md"\n'
    )
    assert main(["run", str(suite), "--store", "o.db"]) == 0
    assert main(["report", "1", "--store", "o.db", "-o", "report.md"]) == 0
    text = (folder / "report.md").read_text()
    assert "### Prompts side by side" in text
    table = text.partition("### Prompts side by side")[2]
    assert re.search(r"\| ours +\| [0-9a-f]{8} \| 1 \| 0 \| 100% of \d+ \|", table), table[:800]
    assert re.search(r"\| own +\| [0-9a-f]{8} \| 1 \| 0 \| \d\d% of \d+ \| 0% of 1 \|", table)
