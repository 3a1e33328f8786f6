"""One rule for `--json`: one object on one line; lines only where the answer is a stream."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.cli import COMMANDS, main
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import ProviderServer

ROOT = Path(__file__).resolve().parents[2]
STREAM, OBJECT = "stream", "object"

#: Every way to ask for JSON; {…} are the files of `court`. `--store` is added where it is known.
ASKED = {
    "judge": ("judge toy {cases} --judge {judge} --protocol-path {toy}", STREAM, 3),
    "audit": ("audit toy {replies} --protocol-path {toy}", STREAM, 3),
    "run": ("run {suite}", OBJECT, 1),
    "run, dry": ("run {suite} --dry-run", OBJECT, 1),
    "runs": ("runs", STREAM, 2),
    "runs, one": ("runs 1", OBJECT, 1),
    "cases": ("cases 1 --protocol-path {toy}", STREAM, 3),
    "show": ("show {verdict}", OBJECT, 1),
    "leaderboard": ("leaderboard 1 --protocol-path {toy}", OBJECT, 1),
    "compare": ("compare 1 2 --protocol-path {toy}", OBJECT, 1),
    "gate": ("gate 2 --baseline 1 --allow-undecided --protocol-path {toy}", OBJECT, 1),
    "label": ("label 1 --n 2 --protocol-path {toy}", OBJECT, 1),
    "trust": ("trust 1 --protocol-path {toy}", OBJECT, 1),
    "rescore": ("rescore 1 --protocol-path {toy}", OBJECT, 1),
    "doctor": ("doctor", OBJECT, 1),
    "cite": ("cite {decision}", STREAM, 2),
    "protocols": ("protocols", STREAM, 4),
    "protocols, one": ("protocols judge-lock", OBJECT, 1),
    "judges": ("judges", STREAM, 10),
    "check": ("check {summaries}", OBJECT, 1),
    "init": ("init summaries {fresh}", OBJECT, 1),
}
#: For people, or writers of files.
WITHOUT = {"explain", "report", "export", "import", "view", "completion"}
STORELESS = {"judge", "audit", "cite", "protocols", "judges", "check", "init"}


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Two runs of one suite (the second asks another model), and a file for each command."""
    folder = tmp_path_factory.mktemp("court")
    with ProviderServer(reply=marks, key=None) as server:
        bed = Bed(folder, server)
        bed.cases(3)
        for model in "mn":
            bed.write(judges=[bed.judge(model)])
            run = bed.run().run
        rows = [{"id": f"c{n}", "text": "t", "reply": '{"marks": 4}'} for n in range(3)]
        replies, decision = folder / "replies.jsonl", folder / "decision.txt"
        replies.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        pair = {"article": "The bridge closed.", "summary": "It closed."}
        (folder / "summaries.jsonl").write_text(json.dumps(pair) + "\n", encoding="utf-8")
        decision.write_text("Vu les articles 17 et 18 du Code judiciaire.", encoding="utf-8")
        yield {
            "cases": str(folder / "cases.jsonl"), "judge": bed.judge(), "toy": str(TOY),
            "suite": str(bed.suite), "replies": str(replies), "decision": str(decision),
            "summaries": str(folder / "summaries.jsonl"), "fresh": str(folder / "fresh"),
            "store": bed.store, "verdict": bed.outcomes(run)[0].verdict,
        }  # fmt: skip


@pytest.mark.parametrize("asked", ASKED)
def test_json_of_every_command(
    asked: str, court: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words, form, count = ASKED[asked]
    command = words.split()[0]
    store = [] if command in STORELESS else ["--store", court["store"]]
    assert main([*words.format(**court).split(), "--json", *store]) == 0
    out = capsys.readouterr().out
    assert out.endswith("\n")
    lines = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
    assert len(lines) == count
    assert all(isinstance(line, dict) for line in lines)
    assert form == STREAM or len(lines) == 1


def test_no_command_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Each has `--json` or is named as one that has none; the docs say the same."""
    assert {words.split()[0] for words, _, _ in ASKED.values()} | WITHOUT == set(COMMANDS)
    page = (ROOT / "docs/output.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert ("--json" in capsys.readouterr().out) == (command not in WITHOUT), command
        assert re.search(rf"^\|.*`oyer {command}\b", page, re.MULTILINE), command


@pytest.mark.parametrize("flag", ["-o", "--out"])
@pytest.mark.parametrize(("command", "name"), [("export", "v.csv"), ("report", "r.md")])
def test_a_file_is_named_alike(
    flag: str, command: str, name: str, court: dict[str, str], tmp_path: Path
) -> None:
    own = ["--protocol-path", court["toy"]] if command == "report" else []
    assert main([command, "1", flag, str(tmp_path / name), "--store", court["store"], *own]) == 0
    assert (tmp_path / name).stat().st_size > 0


@pytest.mark.parametrize(
    ("name", "told"),
    [("r.pdf", "a report is a page (.html) or Markdown (.md)"), ("nosuch/r.html", "is missing")],
)
def test_a_report_goes_where_it_can(
    name: str, told: str, court: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = ["--store", court["store"], "--protocol-path", court["toy"]]
    assert main(["report", "1", "-o", str(tmp_path / name), *own]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / name).exists()
