"""The door at work in what every command prints; files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.files import whole_file, write_whole
from oyer.runs.export import safe
from tests.cli.conftest import ROOT, Oyer

EVIL = "\x1b[2J\x1b]0;owned\x07\n::error::owned\n::add-mask::owned\x9b31m"
OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|(?m:^[ \t]*::)")
ROW = json.loads((ROOT / "examples/first/replies.jsonl").read_text().splitlines()[0])


def calm(*texts: str) -> None:
    for text in texts:
        assert not OBEYED.search(text), OBEYED.search(text)


def printed(*args: str) -> str:
    """What a command prints, in this process: there are many of them here."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert main(args) in (0, 1, 2, 3)
    return f"{out.getvalue()}\n{err.getvalue()}"


COMMANDS = [
    ["runs"],
    ["cases", "1"],
    ["leaderboard", "1"],
    ["explain", "1"],
    ["gate", "1", "--fail-under", "total=9"],
]


def test_evil_ids_keys_and_values_in_every_command(tmp_path: Path) -> None:
    rows = [
        {**ROW, "id": f"{EVIL}{n}", "candidate": f"m{EVIL}", f"key{EVIL}": EVIL} for n in range(3)
    ]
    rows.append({EVIL: 1})
    cases, store = str(tmp_path / "cases.jsonl"), str(tmp_path / "s.db")
    Path(cases).write_text("\n".join(map(json.dumps, rows)))
    for flags in ([], ["--json"], ["--store", store]):
        calm(printed("audit", "judge-lock", cases, *flags))
    calm(printed("judge", "judge-lock", cases, "--judge", EVIL))
    for command in COMMANDS:
        calm(printed(*command, "--store", store))


def test_colours_and_annotations_are_ours_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{**ROW, "id": f"{EVIL}{n}", "candidate": f"m{EVIL}"} for n in range(3)]
    cases, store = str(tmp_path / "cases.jsonl"), str(tmp_path / "s.db")
    Path(cases).write_text("\n".join(map(json.dumps, rows)))
    printed("audit", "judge-lock", cases, "--store", store)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    for command in COMMANDS:
        shown = re.sub("\x1b\\[[0-9;]*m", "", printed(*command, "--store", store))
        calm(re.sub(r"(?m)^::error title=oyer gate", "", shown))


def test_evil_csv_headers_and_missing_files(tmp_path: Path) -> None:
    file = tmp_path / "cases.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([[f"art{EVIL}", "summary"], ["a", "b"]])
    calm(printed("judge", "judge-lock", str(file)))
    calm(printed("judge", "judge-lock", f"no{EVIL}.jsonl"))


def test_the_citation_page_runs_nothing(oyer_cli: Oyer, tmp_path: Path) -> None:
    text = tmp_path / "decision.txt"
    text.write_text("Vu l'article 17 du Code judiciaire <script>alert(1)</script>")
    ran = oyer_cli("cite", str(text), "--html")
    assert "Content-Security-Policy" in ran.stdout, ran.stderr
    assert "default-src 'none'" in ran.stdout
    assert "<script>alert" not in ran.stdout


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("fine;=1+1", "fine;'=1+1"),
        ("a; @SUM(A1)", "a;' @SUM(A1)"),
        ('a;"=cmd|x"', 'a;\'"=cmd|x"'),
        ("-2+3", "'-2+3"),
        ("plain; text", "plain; text"),
        (-2.5, -2.5),
    ],
)
def test_no_cell_is_a_formula_also_after_a_semicolon(cell: object, shown: object) -> None:
    assert safe(cell) == shown


def test_no_link_at_a_temporary_name_is_followed(oyer_cli: Oyer, tmp_path: Path) -> None:
    store, out = str(tmp_path / "s.db"), tmp_path / "out.csv"
    assert oyer_cli(
        "audit", "judge-lock", str(ROOT / "examples/first/replies.jsonl"), "--store", store
    )
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "out.csv.part").symlink_to(victim)
    ran = oyer_cli("export", "1", "-o", str(out), "--store", store)
    assert ran.returncode == 0, ran.stderr
    assert victim.read_text() == "precious"
    assert out.read_text().startswith("verdict,")


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text("old")

    def fill_the_disk() -> None:
        with whole_file(target) as part:
            part.write_text("half")
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match=r"No space left on device.*report\.html"):
        fill_the_disk()
    assert target.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["report.html"]


def test_a_whole_file_has_the_users_rights(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write_whole(target, b"x")
    mask = os.umask(0)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_blamed_on_the_file_that_was_named(oyer_cli: Oyer, tmp_path: Path) -> None:
    store = str(tmp_path / "s.db")
    oyer_cli("audit", "judge-lock", str(ROOT / "examples/first/replies.jsonl"), "--store", store)
    ran = oyer_cli("gate", "1", "--store", store, "--fail-under", "total=1", "--junit", "/dev/full")
    assert ran.returncode == 2
    assert "/dev/full" in ran.stderr
    assert "standard output" not in ran.stderr
