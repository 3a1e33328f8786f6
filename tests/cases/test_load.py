"""Cases from every kind of source; a bad row is named and the others are judged."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from oyer import Case, InputError
from oyer.cases import BadRow, load
from oyer.protocols.catalogue import load_folder

ROOT = Path(__file__).resolve().parents[2]
MINUTES = load_folder(ROOT / "examples/minutes/oyer_minutes")
ROW = {"id": "a", "transcript": "said", "minutes": "written", "court": "x"}


def loaded(path: Path) -> list[Case | BadRow]:
    return list(load(path, MINUTES))


def test_one_json_object(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(ROW))
    [case] = loaded(tmp_path / "one.json")
    assert case == Case("a", {"transcript": "said", "minutes": "written"}, meta={"court": "x"})


def test_a_json_array_is_many_cases(tmp_path: Path) -> None:
    (tmp_path / "many.json").write_text(json.dumps([ROW, {**ROW, "id": "b"}]))
    assert [case.id for case in loaded(tmp_path / "many.json")] == ["a", "b"]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_json_lines_plain_and_zipped(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"cases{suffix}"
    text = json.dumps(ROW) + "\n\n" + json.dumps({**ROW, "id": None}) + "\n"
    path.write_bytes(gzip.compress(text.encode()) if suffix.endswith("gz") else text.encode())
    assert [case.id for case in loaded(path)] == ["a", "3"]  # no id: its line number


def test_csv_with_quotes_and_line_ends_in_cells(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text('id,transcript,minutes\nx,"said ""this""\nand that",written\n')
    [case] = loaded(path)
    assert isinstance(case, Case)
    assert case.fields["transcript"] == 'said "this"\nand that'


def test_semicolons_as_european_spreadsheets_write_them(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("id;transcript;minutes\nx;a, b;c\n")
    [case] = loaded(path)
    assert isinstance(case, Case)
    assert case.fields["transcript"] == "a, b"


def test_a_broken_row_of_csv_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text('id,transcript,minutes\nx,"a\nb",c\ny,"broken"quote,c\nz,a,c\n')
    first, broken, last = loaded(path)
    assert isinstance(broken, BadRow)
    assert (broken.error.line, first.id, last.id) == (4, "x", "z")
    assert isinstance(last, Case)
    assert last.place == (str(path), 5)


def test_a_doubled_column_is_refused(tmp_path: Path) -> None:
    """Which of the two is meant? Neither the first nor the last wins."""
    path = tmp_path / "cases.csv"
    path.write_text("id,transcript,minutes,minutes\nx,a,b,c\n")
    with pytest.raises(InputError, match="'minutes' twice"):
        loaded(path)


def test_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist([ROW]), tmp_path / "cases.parquet")
    [case] = loaded(tmp_path / "cases.parquet")
    assert case.id == "a"


def test_a_folder_of_json(tmp_path: Path) -> None:
    for name in ("b", "a"):
        row = {key: value for key, value in ROW.items() if key != "id"}
        (tmp_path / f"{name}.json").write_text(json.dumps(row))
    assert [case.id for case in loaded(tmp_path)] == ["a", "b"]  # by file name


@pytest.mark.parametrize(
    ("line", "field", "told"),
    [
        ('{"transcript": "x"', None, "not JSON"),
        ("[1, 2]", None, "a case is a JSON object, not a list"),
        ('{"transcript": "x"}', "minutes", "missing; a minutes case has transcript, minutes"),
        ('{"transcript": 7, "minutes": "y"}', "transcript", "must be text, not a number"),
        ('{"transcript": "\\ud800", "minutes": "y"}', "transcript", "not valid UTF-8"),
        ("[" * 100_000, None, "not JSON"),
    ],
)
def test_a_bad_row_is_named_and_the_others_go_on(
    tmp_path: Path, line: str, field: str | None, told: str
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + line + "\n" + json.dumps({**ROW, "id": "c"}) + "\n")
    first, bad, last = loaded(path)
    assert isinstance(first, Case)
    assert isinstance(last, Case)
    assert isinstance(bad, BadRow)
    assert (bad.error.file, bad.error.line, bad.error.field) == (str(path), 2, field)
    assert told in str(bad.error)


def test_bytes_that_are_not_utf8_name_their_row(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b'{"transcript": "caf\xe9", "minutes": "y"}\n')
    [bad] = loaded(path)
    assert isinstance(bad, BadRow)
    assert "save the file as UTF-8" in str(bad.error)


@pytest.mark.parametrize("name", ["none.jsonl", "none.json", "none"])
def test_no_such_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no such file"):
        loaded(tmp_path / name)


def test_an_unknown_kind_of_file_says_what_there_is(tmp_path: Path) -> None:
    (tmp_path / "cases.xlsx").write_text("x")
    with pytest.raises(InputError, match=r"\.jsonl"):
        loaded(tmp_path / "cases.xlsx")


def test_a_broken_gzip_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl.gz").write_bytes(gzip.compress(b'{"id": 1}\n' * 1000)[:40])
    with pytest.raises(InputError, match="cannot be read"):
        loaded(tmp_path / "cases.jsonl.gz")


def test_a_rubric_may_be_a_file_beside_the_cases_but_not_outside(tmp_path: Path) -> None:
    from oyer import find_protocol

    home = tmp_path / "home"
    home.mkdir()
    (home / "r.md").write_text("## Task: t\n")
    (tmp_path / "secret.md").write_text("secret")
    rows = [
        {"id": str(n), "prompt": "p", "response": "r", "rubric": rubric}
        for n, rubric in enumerate(["r.md", "../secret.md", "missing.md", "## Task: in the row"])
    ]
    (home / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)))
    inside, outside, missing, text = load(home / "cases.jsonl", find_protocol("rubric"))
    assert isinstance(inside, Case)
    assert inside.fields["rubric"] == "## Task: t\n"
    assert isinstance(outside, BadRow)
    assert "outside the folder" in str(outside.error)
    assert isinstance(missing, BadRow)
    assert isinstance(text, Case)
