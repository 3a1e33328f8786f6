"""Panels in runs: kept beside their members, completed when one failed, rescored as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from oyer.store import open_store
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import ProviderServer


@pytest.fixture
def server() -> Any:
    with ProviderServer(reply=marks, key=None) as running:
        yield running


def records(bed: Bed) -> list[dict[str, Any]]:
    with open_store(bed.store, write=False) as store:
        return [dict(kept.record) for kept in store.verdicts(1)]


def panel(bed: Bed, *models: str) -> str:
    return "+".join(bed.judge(model) for model in models)


def test_a_member_that_failed_is_shown_and_asked_again(
    tmp_path: Path, server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    bed = Bed(tmp_path, server)
    bed.cases(1)
    bed.write(judges=[panel(bed, "a", "b", "c")], concurrency=1)
    server.will("", "404")
    first = bed.run()
    assert (first.new, first.unscored) == (1, 0), "the other two carry the verdict"
    seats = records(bed)[0]["panel"]["members"]
    assert sorted(str(m["error"]) for m in seats) == ["None", "None", "provider"]
    args = ["rescore", "1", "--store", bed.store, "--protocol-path", str(TOY)]
    assert main(args) == 0
    assert "1 verdicts are the same, 0 are not" in capsys.readouterr().out, "heard without it"
    second = bed.run()
    assert (second.new, second.paid) == (1, 1), "only the one that failed is asked again"
    seats = records(bed)[0]["panel"]["members"]
    assert [m["counted"] for m in seats] == [True] * 3
    assert bed.run().new == 0, "complete: nothing is left to do"


def test_the_leaderboard_has_the_panel_and_each_member(
    tmp_path: Path, server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    bed = Bed(tmp_path, server)
    bed.cases(3)
    bed.write(judges=[panel(bed, "a", "b")])
    bed.run()
    args = ["leaderboard", "1", "--store", bed.store, "--protocol-path", str(TOY)]
    assert main([*args, "--markdown"]) == 0
    told = capsys.readouterr().out
    assert "| the panel | 3 of 3 |" in told
    for model in ("a", "b"):
        assert f"| openai:{model}&#64;" in told


def test_leaving_self_judges_out_asks_nobody_anew_and_is_rescored_alike(
    tmp_path: Path, server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    bed = Bed(tmp_path, server)
    bed.rows([{"id": "c", "text": "t", "candidate": "gpt-4o"}])
    judges = [panel(bed, "gpt-5", "claude-x")]
    bed.write(judges=judges)
    bed.run()
    asked = bed.asked
    bed.write("[asking]\nwithout_self = true", judges=judges)
    second = bed.run()
    assert bed.asked == asked, "the same questions: their replies are kept"
    assert second.run.id != 1, "other verdicts: another run"
    with open_store(bed.store, write=False) as store:
        seats = next(store.verdicts(second.run.id)).record["panel"]["members"]
    assert [m["counted"] for m in seats] == [False, True]
    args = ["rescore", str(second.run.id), "--store", bed.store, "--protocol-path", str(TOY)]
    assert main(args) == 0
    assert "1 verdicts are the same, 0 are not" in capsys.readouterr().out
