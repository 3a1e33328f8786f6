"""`oyer audit`: every source, every format, the exit codes, order and constant memory."""

from __future__ import annotations

import gzip
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
    for told in ("MN-RECORDED", "the rules give 40", "judge said"):
        assert told in ran.stdout
    assert "transcript[20:58]" not in ran.stdout, "offsets are for --full"


def test_explain_full_has_every_step_and_offset(oyer_cli: Oyer, tmp_path: Path) -> None:
    (tmp_path / "v.jsonl").write_text(oyer_cli("audit", *MINE, str(CASES), "--json").stdout)
    asked = ("explain", "v.jsonl", "--case", "board-3", "--protocol-path", FOLDER)
    assert "transcript[20:58]" in oyer_cli(*asked, "--full").stdout
    assert "transcript[20:58]" not in oyer_cli(*asked).stdout


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


def test_standard_input_is_one_thing_only(oyer_cli: Oyer) -> None:
    """Whoever reads it second would get nothing."""
    for flags in (("--article", "-", "--summary", "-"), ("-", "--reply", "-")):
        ran = oyer_cli("audit", "judge-lock", *flags, stdin="Words.")
        assert (ran.returncode, ran.stdout) == (2, "")
        assert "Only one thing can come from standard input" in ran.stderr


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
    assert oyer_cli("audit", *MINE, str(CASES), "--fail-under", "90").returncode == 1, "the total"
    for bar in ("score=nan", "score=", "score=high", "nobody=3"):
        ran = oyer_cli("audit", *MINE, str(CASES), "--fail-under", bar)
        assert (ran.returncode, ran.stdout) == (2, ""), "a bar that could never fail is no bar"


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


HOSTILE = (
    ("a lone surrogate as the judge's name", lambda row: row.update(judge="\ud800"), 0),
    ("a reply already parsed", lambda row: row.update(reply=json.loads(row["reply"])), 0),
    ("an empty field names file and line", lambda row: row.update(minutes=" "), 2),
)


def test_hostile_rows_are_judged_or_told_never_a_crash(oyer_cli: Oyer, tmp_path: Path) -> None:
    for why, change, code in HOSTILE:
        row = json.loads(CASES.read_text().splitlines()[0])
        change(row)
        (tmp_path / "c.jsonl").write_text("\n" + json.dumps(row) + "\n")
        ran = oyer_cli("audit", *MINE, "c.jsonl", "--json")
        assert ran.returncode == code, (why, ran.stderr)
        assert json.loads(ran.stdout)["total"] == (None if code else 40.0), why
        if code:
            assert "c.jsonl:2: field 'minutes'" in ran.stderr


def test_standard_input_may_be_an_array_have_a_bom_and_bad_bytes(oyer_cli: Oyer) -> None:
    rows = [json.loads(line) for line in CASES.read_text().splitlines()]
    pretty, marked = "\n\n" + json.dumps(rows, indent=1), "\ufeff" + CASES.read_text()
    for told in (json.dumps(rows), pretty, marked):
        ran = oyer_cli("audit", *MINE, "-", "--json", stdin=told)
        assert [json.loads(line)["case"] for line in ran.stdout.splitlines()] == [
            "board-3", "board-4",
        ], ran.stderr  # fmt: skip


def test_broken_files_are_named(oyer_cli: Oyer, tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_bytes(CASES.read_bytes())
    (tmp_path / "r.jsonl").write_bytes(b'{"id": "board-3", "reply": "\xff"}\n')
    packed = bytearray(gzip.compress(CASES.read_bytes()))
    packed[60:70] = b"0123456789"
    (tmp_path / "z.jsonl.gz").write_bytes(packed)
    (tmp_path / "p.parquet").write_bytes(b"PAR1 no such thing")
    for args in (
        ("c.jsonl", "--reply", "missing.jsonl"),
        ("z.jsonl.gz",),
        ("p.parquet",),
        ("c.jsonl", "--reply", "missing.txt"),
    ):
        ran = oyer_cli("audit", *MINE, *args)
        assert ran.returncode == 2, (args, ran.stderr)
        assert "Traceback" not in ran.stderr


def test_the_locale_does_not_matter(oyer_cli: Oyer) -> None:
    ran = oyer_cli("audit", *MINE, str(CASES), PYTHONIOENCODING="ascii", LC_ALL="C")
    assert ran.returncode == 0, ran.stderr
    assert "mean of 2 scored" in ran.stdout


def test_offsets_count_the_file_as_it_is(oyer_cli: Oyer, tmp_path: Path) -> None:
    """Windows line ends are characters, too."""
    (tmp_path / "t").write_bytes(b"Ana: no.\r\nBen: We hire one more driver.\r\n")
    (tmp_path / "m").write_bytes(b"x")
    (tmp_path / "r").write_text(
        '{"decisions": [{"quote": "We hire one more driver", "recorded": "no"}]}'
    )
    flags = ("--field", "transcript=t", "--field", "minutes=m", "--reply", "r", "--json")
    [found] = json.loads(oyer_cli("audit", *MINE, *flags).stdout)["evidence"]
    text = (tmp_path / "t").read_bytes().decode()
    assert text[found["start"] : found["end"]] == "We hire one more driver"


def test_meta_and_weights_are_part_of_the_sha() -> None:
    """Two verdicts that can differ never share a sha."""
    import oyer
    from oyer.protocols.judge_lock import PROTOCOL

    case = {"article": "a b c d e f", "summary": "a b c d e f"}
    one = oyer.audit("judge-lock", case, "{}")
    other = oyer.audit("judge-lock", {**case, "language": "fr"}, "{}")
    heavy = oyer.audit(PROTOCOL.with_weights({"coverage": 1}), case, "{}")
    assert len({one.sha, other.sha, heavy.sha}) == 3


def test_a_broken_rubric_is_told_with_its_own_line_and_that_of_its_row(
    oyer_cli: Oyer, tmp_path: Path
) -> None:
    row = {"prompt": "Why?", "response": "So.", "reply": "{}"}
    (tmp_path / "broken.md").write_text("## Task: x\n\n## task_type: poem\n")
    (tmp_path / "cases.jsonl").write_text("\n" + json.dumps({**row, "rubric": "broken.md"}))
    ran = oyer_cli("audit", "rubric", "cases.jsonl")
    assert ran.returncode == 2
    assert "cases.jsonl:2: field 'rubric': line 3 of the rubric: unknown task_type" in ran.stderr
