"""`oyer audit`: every source, every format, the exit codes, order and constant memory."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import ROOT, Oyer

FOLDER = str(ROOT / "examples/minutes/oyer_minutes")
CASES = ROOT / "examples/minutes/cases.jsonl"
MINE = ("minutes", "--protocol-path", FOLDER)


def test_one_case_is_explained(oyer_cli: Oyer) -> None:
    one = CASES.read_text().splitlines()[0]
    ran = oyer_cli("audit", *MINE, "-", stdin=one)
    assert ran.returncode == 0, ran.stderr
    for told in ("MN-RECORDED", "the rules give 40", "transcript[20:58]", "judge said"):
        assert told in ran.stdout


def test_many_cases_are_a_table_with_means(oyer_cli: Oyer) -> None:
    ran = oyer_cli("audit", *MINE, str(CASES))
    assert ran.returncode == 0
    assert "board-3" in ran.stdout
    assert "mean of 2 scored" in ran.stdout


def test_json_is_one_verdict_a_line_and_nothing_else(oyer_cli: Oyer) -> None:
    ran = oyer_cli("audit", *MINE, str(CASES), "--json")
    records = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [r["case"] for r in records] == ["board-3", "board-4"]
    assert ran.stderr == ""


def test_format_protocol(oyer_cli: Oyer) -> None:
    ran = oyer_cli("audit", *MINE, str(CASES), "--format", "protocol")
    assert [json.loads(line)["score"] for line in ran.stdout.splitlines()] == [40.0, 50.0]


def test_a_bad_row_is_told_kept_in_order_and_exits_2(oyer_cli: Oyer, tmp_path: Path) -> None:
    rows = CASES.read_text().splitlines()
    (tmp_path / "c.jsonl").write_text("\n".join([rows[0], '{"id": "bad"}', rows[1]]))
    ran = oyer_cli("audit", *MINE, "c.jsonl", "--json")
    records = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [(r["case"], r["error"]) for r in records] == [
        ("board-3", None), ("bad", "input"), ("board-4", None),
    ]  # fmt: skip
    assert "c.jsonl:2: field 'transcript'" in ran.stderr
    assert ran.returncode == 2


def test_an_unreadable_reply_is_unscored_and_exits_3(oyer_cli: Oyer) -> None:
    row = {**json.loads(CASES.read_text().splitlines()[0]), "reply": "I would say seven."}
    ran = oyer_cli("audit", *MINE, "-", "--json", stdin=json.dumps(row))
    record = json.loads(ran.stdout)
    assert (record["status"], record["scores"]) == ("unscored", None)
    assert ran.returncode == 3


def test_a_reply_from_a_file_for_a_case_from_flags(oyer_cli: Oyer, tmp_path: Path) -> None:
    row = json.loads(CASES.read_text().splitlines()[1])
    for name in ("transcript", "minutes", "reply"):
        (tmp_path / name).write_text(row[name])
    flags = ("--field", "transcript=transcript", "--field", "minutes=minutes", "--reply", "reply")
    ran = oyer_cli("audit", *MINE, *flags, "--json", "--judge", "me")
    assert json.loads(ran.stdout)["judge"] == "me"


def test_replies_joined_by_id(oyer_cli: Oyer, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in CASES.read_text().splitlines()]
    replies = [{"id": row["id"], "reply": row.pop("reply")} for row in reversed(rows)]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, replies)))
    ran = oyer_cli("audit", *MINE, "c.jsonl", "--reply", "r.jsonl", "--json")
    assert [json.loads(line)["total"] for line in ran.stdout.splitlines()] == [40.0, 50.0]


def test_no_reply_at_all_says_where_to_give_it(oyer_cli: Oyer) -> None:
    row = json.loads(CASES.read_text().splitlines()[0])
    del row["reply"]
    ran = oyer_cli("audit", *MINE, "-", stdin=json.dumps(row))
    assert "--reply FILE" in ran.stderr
    assert ran.returncode == 2


def test_fail_under_exits_1(oyer_cli: Oyer) -> None:
    assert oyer_cli("audit", *MINE, str(CASES), "--fail-under", "score=90").returncode == 1
    assert oyer_cli("audit", *MINE, str(CASES), "--fail-under", "score=10").returncode == 0


def test_many_rows_on_all_cores_come_in_order_and_the_same(oyer_cli: Oyer, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in CASES.read_text().splitlines()]
    text = "\n".join(json.dumps({**rows[n % 2], "id": str(n)}) for n in range(1500))
    (tmp_path / "c.jsonl").write_text(text)
    many = oyer_cli("audit", *MINE, "c.jsonl", "--json")
    one = oyer_cli("audit", *MINE, "c.jsonl", "--json", "--workers", "1")
    assert many.stdout == one.stdout
    assert [json.loads(line)["case"] for line in many.stdout.splitlines()] == [
        str(n) for n in range(1500)
    ]


def test_wrong_usage_says_what_there_is(oyer_cli: Oyer) -> None:
    for args, told in (
        (("audit", "judge-lok", "x.jsonl"), "Did you mean 'judge-lock'?"),
        (("audit", *MINE), "Nothing to judge"),
        (("audit", *MINE, "nothing.jsonl"), "no such file"),
        (("audit", "minutes", "x", "--protocol-path", "."), "has no __init__.py"),
    ):
        ran = oyer_cli(*args)
        assert ran.returncode == 2
        assert told in ran.stderr
        assert "Traceback" not in ran.stderr


def test_terminal_escapes_of_a_case_are_never_printed(oyer_cli: Oyer) -> None:
    row = json.loads(CASES.read_text().splitlines()[0])
    row["id"] = "\x1b[31mred"
    row["transcript"] = row["transcript"].replace("spring", "spring\x1b]0;owned\x07")
    both = json.dumps(row) + "\n" + json.dumps({**row, "id": "[bold]x[/bold]"})
    assert "\x1b" not in oyer_cli("audit", *MINE, "-", stdin=json.dumps(row)).stdout
    shown = oyer_cli("audit", *MINE, "-", stdin=both).stdout
    assert "\x1b" not in shown
    assert "[bold]x[/bold]" in shown


def test_explain_reads_what_audit_wrote(oyer_cli: Oyer, tmp_path: Path) -> None:
    (tmp_path / "v.jsonl").write_text(oyer_cli("audit", *MINE, str(CASES), "--json").stdout)
    ran = oyer_cli("explain", "v.jsonl", "--case", "board-4", "--protocol-path", FOLDER)
    assert ran.returncode == 0, ran.stderr
    assert "nobody said 'we sell the old van'" in ran.stdout
    assert "board-3" not in ran.stdout


def test_protocols_lists_and_prints_rules(oyer_cli: Oyer) -> None:
    ran = oyer_cli("protocols", "minutes", "--protocol-path", FOLDER)
    assert "MN-SCORE" in ran.stdout
    listed = oyer_cli("protocols", "--json", "--protocol-path", FOLDER)
    names = [json.loads(line)["id"] for line in listed.stdout.splitlines()]
    assert names == ["judge-lock", "twin-lock", "rubric", "belgian-law", "minutes"]
