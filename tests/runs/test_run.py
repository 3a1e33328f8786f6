"""`oyer run`: what is asked, what is paid, what is left; never twice, never silently."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.errors import UsageError
from oyer.store import open_store
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import ProviderServer


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Bed]:
    with ProviderServer(reply=marks, key=None) as server:
        yield Bed(tmp_path, server)


def test_every_case_judge_and_repeat_has_one_verdict(bed: Bed) -> None:
    bed.cases(10)
    bed.write(judges=[bed.judge("a"), bed.judge("b")], repeats=3)
    sitting = bed.run()
    assert (sitting.state, sitting.new, sitting.left) == ("done", 60, 0)
    seen = Counter((o.case, o.judge, o.repeat) for o in bed.outcomes(sitting.run))
    assert len(seen) == 60
    assert set(seen.values()) == {1}
    assert bed.asked == 60


def test_a_missing_key_leaves_no_run_behind(
    bed: Bed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else `latest` and the suite's name would mean a run that never began."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    bed.cases(2)
    bed.write(judges=["openai:gpt-5"])
    assert main(["run", str(bed.suite), "--store", bed.store]) == 2
    assert "OPENAI_API_KEY" in capsys.readouterr().err
    with open_store(bed.store) as store:
        assert list(store.runs()) == []


def test_a_run_says_why_verdicts_have_no_score(
    bed: Bed, capsys: pytest.CaptureFixture[str]
) -> None:
    bed.cases(2)
    gone = "openai:m@http://127.0.0.1:1/v1"
    bed.write("[options]\nretries = 0\n", judges=[gone])
    assert main(["run", str(bed.suite), "--store", bed.store]) == 3
    assert f"2 without a score by {gone}: provider" in capsys.readouterr().err


def test_a_finished_run_asks_nothing(bed: Bed) -> None:
    bed.cases(5)
    bed.write()
    first = bed.run()
    again = bed.run()
    assert again.run.id == first.run.id
    assert (again.new, again.paid, again.spent.calls) == (0, 0, 5)
    assert bed.asked == 5


def test_cases_that_were_added_are_all_that_is_paid_for(bed: Bed) -> None:
    bed.cases(5)
    bed.write()
    first = bed.run()
    bed.cases(8)
    more = bed.run()
    assert more.run.id != first.run.id, "other cases are another run"
    assert more.new == 8
    assert bed.asked == 8, "replies to the same question are found again"


def test_other_parameters_are_another_question(bed: Bed) -> None:
    bed.cases(3)
    bed.write("[options]\ntemperature = 0.0")
    bed.run()
    bed.write("[options]\ntemperature = 1.0")
    bed.run()
    assert bed.asked == 6


def test_patience_and_concurrency_are_not_part_of_what_a_run_is(bed: Bed) -> None:
    bed.cases(3)
    bed.write("[options]\nretries = 1")
    first = bed.run()
    bed.write("[options]\nretries = 3\ntimeout = 9.0", concurrency=9)
    assert bed.run().run.id == first.run.id
    assert bed.asked == 3


def test_equal_rows_are_asked_once_and_judged_each(bed: Bed) -> None:
    bed.rows([{"id": "same", "text": "x"}] * 5)
    bed.write()
    sitting = bed.run()
    assert sitting.new == 5
    assert bed.asked == 1


def test_an_unreadable_reply_is_asked_again_and_every_attempt_is_kept(tmp_path: Path) -> None:
    def stubborn(prompt: str) -> str:
        return '{"marks": 4}' if "Wrong:" in prompt else "I would rather not count."

    with ProviderServer(reply=stubborn, key=None) as server:
        bed = Bed(tmp_path, server)
        bed.cases(2)
        bed.write()
        sitting = bed.run()
        assert [o.total for o in bed.outcomes(sitting.run)] == [4.0, 4.0]
        with open_store(bed.store, write=False) as store:
            kept = next(store.verdicts(sitting.run.id))
            assert kept.attempts == 2
            texts = [k.reply.text for k in store.replies([kept.task.ask])[kept.task.ask]]
        assert texts == ["I would rather not count.", '{"marks": 4}']


# ── budgets ───────────────────────────────────────────────────────────────────────────────────


def test_a_budget_of_calls_stops_cleanly_and_raising_it_goes_on(bed: Bed) -> None:
    bed.cases(20)
    bed.write("[budget]\ncalls = 7")
    stopped = bed.run()
    assert (stopped.state, stopped.left) == ("budget", 13)
    assert "7 calls" in (stopped.why or "")
    assert bed.asked == 7
    again = bed.run()
    assert (again.paid, bed.asked) == (0, 7), "the cap holds over all sittings"
    bed.write("[budget]\ncalls = 100")
    assert bed.run().state == "done"
    assert bed.asked == 20, "nothing was asked twice"


@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_a_budget_of_tokens_is_passed_by_one_call_a_worker_at_most(
    bed: Bed, concurrency: int
) -> None:
    bed.cases(60)
    bed.write("[budget]\ntokens = 1000", concurrency=concurrency)  # a call: 81 + 11 tokens
    sitting = bed.run()
    assert sitting.state == "budget"
    spent = sitting.spent.input_tokens + sitting.spent.output_tokens
    assert 500 < spent <= 1000 + concurrency * 92


def test_a_budget_of_dollars_needs_a_price_and_keeps_it(bed: Bed) -> None:
    bed.cases(30)
    bed.write("[budget]\ndollars = 0.01")
    with pytest.raises(UsageError, match="prices"):
        bed.run()
    assert bed.asked == 0, "said before anything is spent"
    table = {"prices": {bed.judge(): {"input": 10.0, "output": 10.0}}}
    (bed.folder / "prices.json").write_text(json.dumps(table))
    bed.write('[budget]\ndollars = 0.01\n[options]\nprices = "prices.json"')
    sitting = bed.run()
    assert sitting.state == "budget"
    assert sitting.spent.cost_usd is not None
    assert 0.005 < sitting.spent.cost_usd <= 0.01 + 4 * 92 * 10 / 1e6


@pytest.mark.parametrize("fault", ["empty", "not-json"])
def test_failing_calls_are_paid_from_the_budget_too(tmp_path: Path, fault: str) -> None:
    """A server that bills and never answers: retries stop where the budget ends."""
    with ProviderServer(reply=marks, key=None, faults=[fault] * 500) as server:
        bed = Bed(tmp_path, server)
        bed.cases(12)
        bed.write("[budget]\ncalls = 6\n[options]\nretries = 3\ntimeout = 120.0", concurrency=3)
        sitting = bed.run()
        billed = sitting.spent.calls
        assert sitting.state == "budget"
        assert bed.asked <= billed <= 6 + 3
        with open_store(bed.store, write=False) as store:
            assert store.spent(sitting.run.id).calls == billed, "known to the next sitting as well"


# ── candidates, panels ────────────────────────────────────────────────────────────────────────


def _writer_or_judge(prompt: str) -> str:
    return f"text about {prompt[6:]}" if prompt.startswith("WRITE ") else marks(prompt)


def test_candidates_write_once_and_every_judge_reads_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ProviderServer(reply=_writer_or_judge, key=None) as server:
        bed = Bed(tmp_path, server)
        (tmp_path / "write.md").write_text("WRITE {{topic}} {{ not_there }}")
        bed.rows([{"id": f"t{i}", "topic": f"topic {i}"} for i in range(3)])
        bed.write(
            '[writing]\nfield = "text"\ntemplate = "write.md"',
            judges=[bed.judge("a"), bed.judge("b")],
            candidates=[bed.judge("x"), bed.judge("y")],
        )
        sitting = bed.run()
        assert (sitting.state, sitting.new) == ("done", 12)
        assert bed.asked == 6 + 12, "six texts, each read by two judges"
        outcomes = bed.outcomes(sitting.run)
        assert Counter(o.candidate for o in outcomes) == {bed.judge("x"): 6, bed.judge("y"): 6}
        with open_store(bed.store, write=False) as store:
            case = store.cases([outcomes[0].case_sha])[outcomes[0].case_sha].case
        assert case.fields["text"] == f"text about {case.meta['topic']} {{{{ not_there }}}}"
        capsys.readouterr()
        assert bed.run().paid == 0
        assert "spent: 0 calls now; in all 18, " in capsys.readouterr().err


def test_a_candidate_that_fails_is_unscored_and_tried_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ProviderServer(reply=_writer_or_judge, key=None, faults=["404"] * 2) as server:
        bed = Bed(tmp_path, server)
        (tmp_path / "write.md").write_text("WRITE {{topic}}")
        bed.rows([{"id": f"t{i}", "topic": f"topic {i}"} for i in range(2)])
        bed.write('[writing]\nfield = "text"\ntemplate = "write.md"', candidates=[bed.judge("x")])
        assert main(["run", str(bed.suite), "--store", bed.store]) == 3
        said = capsys.readouterr().err
        blamed = f"2 without a score because candidate {bed.judge('x')} wrote nothing: provider"
        assert blamed in said, "the judge is not to blame"
        assert f"without a score by {bed.judge()}" not in said
        own = ["--store", bed.store, "--protocol-path", str(TOY)]
        assert main(["leaderboard", "--json", *own]) == 0
        board = json.loads(capsys.readouterr().out)
        assert board["reasons"][0].startswith(f"candidate {bed.judge('x')}, provider: ")
        assert [row["violations"] for row in board["standings"]] == [0], "nobody broke a rule"
        with open_store(bed.store, write=False) as store:
            assert [o.error for o in store.outcomes(1)] == ["provider", "provider"]
        second = bed.run()
        assert [o.error for o in bed.outcomes(second.run)] == [None, None]


def test_rubric_tasks_are_pairs_of_files(tmp_path: Path) -> None:
    from oyer.protocols.rubric import PROTOCOL
    from oyer.runs.sources import read_sources, suite_rows
    from oyer.runs.suite import Suite

    for kind, names in (("prompts", ["01", "02"]), ("rubrics", ["01", "03"])):
        (tmp_path / kind).mkdir()
        for name in names:
            (tmp_path / kind / f"{name}.md").write_text(f"## Task: {kind} {name}")
    suite = Suite(tmp_path / "s.toml", "s", "rubric", ("j",), tasks=tmp_path)
    first, second, third = read_sources(suite_rows(suite), PROTOCOL, PROTOCOL.writing)
    assert first.case.fields == {"prompt": "## Task: prompts 01", "rubric": "## Task: rubrics 01"}
    assert second.problem is not None
    assert "rubrics/02.md" in str(second.problem)
    assert "prompts/03.md" in str(third.problem), "half a pair is told, never skipped"


def test_a_panel_and_its_members_share_replies(bed: Bed) -> None:
    bed.cases(4)
    panel = f"{bed.judge('a')}+{bed.judge('b')}"
    bed.write(judges=[bed.judge("a"), panel])
    sitting = bed.run()
    assert sitting.new == 8
    assert bed.asked == 8, "a's replies serve both"
    assert panel in {o.judge for o in bed.outcomes(sitting.run)}


def test_a_member_that_sits_twice_is_asked_twice(bed: Bed) -> None:
    bed.cases(3)
    bed.write(judges=[f"{bed.judge('a')}+{bed.judge('a')}"])
    bed.run()
    assert bed.asked == 6


# ── what goes wrong ───────────────────────────────────────────────────────────────────────────


def test_bad_rows_are_named_kept_as_unscored_and_the_others_judged(
    bed: Bed, capsys: pytest.CaptureFixture[str]
) -> None:
    (bed.folder / "cases.jsonl").write_text('{"id": "a", "text": "x"}\n{"id": "b"}\nnot json\n')
    bed.write()
    code = main(["run", str(bed.suite), "--store", bed.store])
    told = capsys.readouterr().err
    assert code == 2
    assert "cases.jsonl:2: field 'text': missing" in told
    assert "cases.jsonl:3" in told
    with open_store(bed.store, write=False) as store:
        assert [(o.case, o.error) for o in sorted(store.outcomes(1), key=lambda o: o.seq)] == [
            ("a", None),
            ("b", "input"),
            ("3", "input"),
        ]


def test_a_provider_that_was_down_is_asked_again_next_time(tmp_path: Path) -> None:
    with ProviderServer(reply=marks, key=None, faults=["404"] * 3) as server:
        bed = Bed(tmp_path, server)
        bed.cases(3)
        bed.write(concurrency=1)
        down = bed.run()
        assert down.unscored == 3
        assert [o.error for o in bed.outcomes(down.run)] == ["provider"] * 3
        up = bed.run()
        assert (up.unscored, up.left) == (0, 0)
        assert len(bed.outcomes(up.run)) == 3, "replaced, not doubled"


def test_a_judge_without_its_key_is_said_before_anything_is_asked(
    bed: Bed, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    bed.cases(2)
    bed.write(judges=[bed.judge(), "anthropic:some-model"])
    assert main(["run", str(bed.suite), "--store", bed.store]) == 2
    assert "ANTHROPIC_API_KEY" in capsys.readouterr().err
    assert bed.asked == 0


def test_a_dry_run_spends_nothing_and_leaves_no_file(
    bed: Bed, capsys: pytest.CaptureFixture[str]
) -> None:
    bed.cases(10)
    bed.write("[budget]\ncalls = 5", repeats=2)
    assert main(["run", str(bed.suite), "--store", bed.store, "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert "calls 20, cost unknown" in told
    assert "calls 5" in told
    assert not Path(bed.store).exists()
    assert bed.asked == 0
    bed.run()
    assert main(["run", str(bed.suite), "--store", bed.store, "--dry-run"]) == 0
    assert "calls 15," in capsys.readouterr().out, "five are paid for"


def test_a_dry_run_knows_that_japanese_has_more_tokens_than_letters(
    bed: Bed, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for letter in ("a", "語"):
        bed.rows([{"id": "1", "text": letter * 4000}])
        bed.write()
        assert main(["run", str(bed.suite), "--store", bed.store, "--dry-run"]) == 0
        row = next(line for line in capsys.readouterr().out.splitlines() if "openai" in line)
        told.append(int(row.split()[3].replace(",", "")))
    assert 1000 <= told[0] < 1100
    assert 4000 <= told[1] < 4100


def _start(bed: Bed) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "oyer", "run", str(bed.suite), "--store", bed.store],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
    )


def _until_asked(bed: Bed, count: int, process: subprocess.Popen[str]) -> None:
    while bed.asked < count:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def _interrupt(process: subprocess.Popen[str]) -> None:
    """Ctrl-C, and it was heard: lines of progress may come before."""
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert any("Ctrl-C again" in line for line in process.stderr)


def test_ctrl_c_keeps_what_is_in_flight(tmp_path: Path) -> None:
    with ProviderServer(reply=marks, key=None, answers=5) as server:
        bed = Bed(tmp_path, server)
        bed.cases(40)
        bed.write("[budget]\ncalls = 1000", concurrency=4)
        process = _start(bed)
        _until_asked(bed, 5 + 4, process)
        _interrupt(process)
        server.release()
        out, err = process.communicate()
        assert process.returncode == 130, err
        assert "stopped" in out
        assert bed.asked == 9, "nothing new is asked"
        with open_store(bed.store, write=False) as store:
            assert store.spent(1).calls == 9, "every answer that was billed is kept"
            assert store.find_run("1").state == "stopped"


def test_a_second_ctrl_c_ends_at_once(tmp_path: Path) -> None:
    with ProviderServer(reply=marks, key=None, faults=["hang"] * 99) as server:
        bed = Bed(tmp_path, server)
        bed.cases(8)
        bed.write("[options]\ntimeout = 6000.0")
        process = _start(bed)
        _until_asked(bed, 4, process)
        _interrupt(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=300)  # without the second one it would wait for hours
        assert process.returncode == 130
        with open_store(bed.store, write=False) as store:
            assert store.find_run("1").state == "stopped"
