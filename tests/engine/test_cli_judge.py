"""`oyer judge` as a user runs it: a process, files, a server that speaks the OpenAI format."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.exam_judge import CHECKING, NOTES, PAPER, SITTING
from tests.injection.attacked_cases import LOCK_HONEST, SUMMARY_CASE, as_reply
from tests.servers.provider import ProviderServer

HONEST = as_reply(LOCK_HONEST)
FIELDS = dict(SUMMARY_CASE.fields)
SRC = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    with ProviderServer(reply=HONEST) as running:
        yield running


def oyer(
    *args: str, server: ProviderServer | None = None, cwd: Path, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(SRC), "PYTHONIOENCODING": "utf-8"}
    if server is not None:
        environ |= server.environ
    return subprocess.run(
        [sys.executable, "-m", "oyer", *args],
        capture_output=True, text=True, env=environ, cwd=cwd, input=stdin, timeout=300, check=False,
    )  # fmt: skip


def lines(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    file = tmp_path / "cases.jsonl"
    rows = [{"id": f"c{n}", "candidate": "gpt-4o", **FIELDS} for n in range(5)]
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return file


@pytest.fixture
def flags(tmp_path: Path) -> tuple[str, ...]:
    for name, text in FIELDS.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    return ("--article", "article.txt", "--summary", "summary.txt")


def test_one_case_from_flags_is_explained(
    server: ProviderServer, flags: tuple[str, ...], tmp_path: Path
) -> None:
    done = oyer("judge", "judge-lock", *flags, "--judge", "openai:m", server=server, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for word in ("coverage", "is not in the article", "hallucination"):
        assert word in done.stdout
    asked = json.dumps(server.seen[0].body, ensure_ascii=False)
    assert "<SUMMARY-" in asked
    assert "json_schema" in asked


def test_json_lines_come_in_the_order_of_the_input(
    server: ProviderServer, cases: Path, tmp_path: Path
) -> None:
    done = oyer("judge", "judge-lock", str(cases), "--judge", "openai:m", "--json",
                server=server, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = lines(done)
    assert [v["case"] for v in made] == [f"c{n}" for n in range(5)]
    assert all(v["scores"]["hallucination"] < 3 for v in made)
    assert all(len(v["prompt"]) == 64 for v in made)
    assert made[0]["usage"]["calls"] == 1


def test_standard_input_and_the_protocols_own_format(
    server: ProviderServer, tmp_path: Path
) -> None:
    done = oyer("judge", "judge-lock", "-", "--judge", "openai:m", "--format", "protocol",
                server=server, cwd=tmp_path, stdin=json.dumps(FIELDS))  # fmt: skip
    assert done.returncode == 0, done.stderr
    objects = [json.loads(part) for part in done.stdout.strip().split("\n\n")]
    metrics = [o["metric"] for o in objects]
    assert metrics == ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"]


def test_a_bad_row_is_told_and_the_others_are_judged(
    server: ProviderServer, cases: Path, tmp_path: Path
) -> None:
    cases.write_text(cases.read_text() + '\n{"id": "bad", "article": "only this"}\n')
    done = oyer("judge", "judge-lock", str(cases), "--judge", "openai:m", "--json",
                server=server, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 2
    assert "cases.jsonl:6" in done.stderr
    assert [v["status"] for v in lines(done)] == ["scored"] * 5 + ["unscored"]


def test_an_unreadable_reply_is_asked_for_again_then_exit_3(cases: Path, tmp_path: Path) -> None:
    with ProviderServer(reply="I like it.") as server:
        done = oyer("judge", "judge-lock", str(cases), "--judge", "openai:m", "--json",
                    server=server, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 3
    made = lines(done)
    assert {v["error"] for v in made} == {"unreadable"}
    assert made[0]["usage"]["calls"] == made[0]["attempts"] == 3
    assert len(server.seen) == 15


@pytest.mark.parametrize(("bar", "code"), [("total=9.9", 1), ("total=0", 0)])
def test_fail_under(
    server: ProviderServer, cases: Path, tmp_path: Path, bar: str, code: int
) -> None:
    done = oyer("judge", "judge-lock", str(cases), "--judge", "openai:m", "--fail-under", bar,
                server=server, cwd=tmp_path)  # fmt: skip
    assert done.returncode == code, done.stderr


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--judge", "gpt"), "unknown judge"),
        (("--judge", "openai:m", "--repeat", "0"), "--repeat must be at least 1"),
        (("--mode", "exam"), "needs a language model"),
        (("--mode", "exam", "--judge", "openai:m", "--prompt", "p.md"), "one-shot"),
        (("--prompt", "p.md"), "none of these judges reads a prompt"),
        (("--judge", "embedded:light", "--template", "p.md"), "--template is for language models"),
        (("--judge", "exam:openai:m+embedded", "--prompt", "p.md"), "none of these judges reads"),
        (("--judge", "openai:m", "--prompt", "none.md"), "none.md"),
        (("--judge", "openai:m+embedded", "--prompt", "p.md"), "two parts"),
        (("--judge", "openai:m", "--prompt", "p.md"), "two parts"),
    ],
)
def test_wrong_usage_is_exit_2_and_says_why(
    server: ProviderServer, cases: Path, tmp_path: Path, args: tuple[str, ...], says: str
) -> None:
    (tmp_path / "p.md").write_text("Judge it.")
    done = oyer("judge", "judge-lock", str(cases), *args, server=server, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert server.seen == []


def test_repeats_and_several_judges(server: ProviderServer, tmp_path: Path) -> None:
    done = oyer("judge", "judge-lock", "-", "--judge", "openai:a", "--judge", "openai:b",
                "--repeat", "2", "--json", server=server, cwd=tmp_path,
                stdin=json.dumps(FIELDS))  # fmt: skip
    made = lines(done)
    assert [(v["judge"], v["repeat"]) for v in made] == [
        ("openai:a", 0), ("openai:a", 1), ("openai:b", 0), ("openai:b", 1),
    ]  # fmt: skip
    assert len({v["id"] for v in made}) == 4


@pytest.mark.parametrize("store", [(), ("--store", "my.db")])
def test_people_see_whose_row_it_is_and_how_far_they_agree(
    server: ProviderServer, tmp_path: Path, store: tuple[str, ...]
) -> None:
    done = oyer("judge", "judge-lock", "-", "--judge", "embedded", "--judge", "openai:b", *store,
                server=server, cwd=tmp_path, stdin=json.dumps(FIELDS))  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "[openai:b #1]" in done.stdout
    assert done.stdout.index("[embedded@") < done.stdout.index("[openai:b #1]")
    assert "agreement, 2 verdicts a case, mean range:  coverage" in done.stdout


def test_a_panel_shows_its_members_and_who_judges_itself(
    server: ProviderServer, cases: Path, tmp_path: Path
) -> None:
    done = oyer("judge", "judge-lock", str(cases), "--judge", "openai:gpt-5+anthropic:claude",
                "--json", server=server, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    first = lines(done)[0]
    assert first["judge"] == "openai:gpt-5+anthropic:claude"
    members = first["panel"]["members"]
    assert [m["self_judging"] for m in members] == [True, False]
    assert first["usage"]["calls"] == 2


@pytest.mark.parametrize("store", [(), ("--store", "my.db")])
def test_self_judging_members_are_left_out_with_and_without_a_store(
    server: ProviderServer, cases: Path, tmp_path: Path, store: tuple[str, ...]
) -> None:
    done = oyer("judge", "judge-lock", str(cases), "--judge", "openai:gpt-5+anthropic:claude",
                "--without-self", "--json", *store, server=server, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    members = lines(done)[0]["panel"]["members"]
    assert [(m["judge"], m["counted"]) for m in members] == [
        ("openai:gpt-5", False), ("anthropic:claude", True),
    ]  # fmt: skip


def test_a_server_that_is_not_there_is_told_once(cases: Path, tmp_path: Path) -> None:
    """Five rows without a score, one reason, on standard error: also with --json."""
    for how in ((), ("--json",)):
        done = oyer("judge", "judge-lock", str(cases), *how,
                    "--judge", "openai:m@http://127.0.0.1:9/v1", cwd=tmp_path)  # fmt: skip
        assert done.returncode == 3
        assert done.stderr.count("is the server running?") == 1
        assert done.stdout.count("is the server running?") == (5 if how else 0)


def test_repeats_are_combined_on_request(
    server: ProviderServer, cases: Path, tmp_path: Path
) -> None:
    done = oyer("judge", "judge-lock", str(cases), "--judge", "openai:m", "--repeat", "3",
                "--combine", "--json", server=server, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = lines(done)
    assert [v["case"] for v in made] == [f"c{n}" for n in range(5)], "one verdict a case"
    assert made[0]["panel"]["combined"] == "findings"
    assert len(made[0]["panel"]["members"]) == made[0]["usage"]["calls"] == 3
    alone = oyer("judge", "judge-lock", str(cases), "--combine", cwd=tmp_path)
    assert (alone.returncode, "--repeat 3 --combine" in alone.stderr) == (2, True)


def test_people_see_how_far_a_panel_agrees(
    server: ProviderServer, cases: Path, tmp_path: Path
) -> None:
    done = oyer("judge", "judge-lock", str(cases), "--judge", "openai:gpt-5+embedded",
                server=server, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "finding by finding" in done.stdout
    assert "Krippendorff" in done.stdout


def test_a_prompt_of_ones_own_is_sent_and_hashed(
    server: ProviderServer, cases: Path, tmp_path: Path
) -> None:
    text = "# System\nBe strict, says Ada.\n# User\n{{ARTICLE}}\n{{SUMMARY}}\n"
    (tmp_path / "mine.md").write_text(text)
    done = oyer("judge", "judge-lock", str(cases), "--judge", "openai:m", "--prompt", "mine.md",
                "--json", server=server, cwd=tmp_path)  # fmt: skip
    assert lines(done)[0]["prompt"] == hashlib.sha256(text.encode()).hexdigest()
    assert "says Ada" in json.dumps(server.seen[0].body)


@pytest.mark.parametrize("with_file", [True, False])
def test_a_store_keeps_them_and_nothing_is_paid_twice(
    server: ProviderServer, cases: Path, flags: tuple[str, ...], tmp_path: Path, with_file: bool
) -> None:
    what = (str(cases),) if with_file else flags
    args = ("judge", "judge-lock", *what, "--judge", "openai:m", "--store", "my.db", "--json")
    first = oyer(*args, server=server, cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    paid = len(server.seen)
    again = oyer(*args, server=server, cwd=tmp_path)
    assert len(server.seen) == paid == (5 if with_file else 1)
    assert lines(again) == lines(first)


def _examinee(words: str) -> str:
    """The exam by the book, told from the prompt's words which step it is."""
    steps = {"You set an exam": PAPER, "You take down": NOTES, "You sit": SITTING}
    chosen = next((a for start, a in steps.items() if start in words), CHECKING)
    return json.dumps(chosen)


@pytest.mark.parametrize("store", [(), ("--store", "my.db")])
def test_exam_mode_reads_an_article_once(tmp_path: Path, store: tuple[str, ...]) -> None:
    from tests.engine.exam_judge import ARTICLE, SUMMARY

    rows = [{"id": str(n), "article": ARTICLE, "summary": SUMMARY + f" ({n})"} for n in range(3)]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with ProviderServer(reply=_examinee) as server:
        done = oyer("judge", "judge-lock", "c.jsonl", "--judge", "openai:m", "--mode", "exam",
                    "--json", *store, server=server, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = lines(done)
    assert [v["judge"] for v in made] == ["exam:openai:m"] * 3
    assert sorted(v["usage"]["calls"] for v in made) == [3, 3, 4]
    assert len(server.seen) == 10
    assert {v["exam"] for v in made} == {made[0]["exam"]}
    assert made[0]["scores"]["coverage"] == 7.0
