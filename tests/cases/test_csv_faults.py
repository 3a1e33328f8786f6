"""What goes wrong in CSV files that people bring: the file, the line, the field, what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oyer import Case, InputError, find_protocol
from oyer.cases import BadRow, Row, load, parse_map
from oyer.cli import main

LOCK = find_protocol("judge-lock")


def read(tmp_path: Path, text: str, name: str = "cases.csv") -> list[Row]:
    (tmp_path / name).write_text(text, "utf-8")
    return list(load(tmp_path / name, LOCK))


@pytest.mark.parametrize(
    "header", ["article,summary ", " article ,summary", "article,\u00a0summary"]
)
def test_blanks_around_the_names_of_a_header_do_not_matter(tmp_path: Path, header: str) -> None:
    [case] = read(tmp_path, f"{header}\nThe pool is closed.,It is closed.\n")
    assert isinstance(case, Case)
    assert case.fields == {"article": "The pool is closed.", "summary": "It is closed."}


def test_two_columns_that_differ_by_a_blank_are_the_same_column_twice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'summary' twice"):
        read(tmp_path, "article,summary,summary \na,b,c\n")


def test_a_blank_in_the_name_of_a_json_field_is_shown(tmp_path: Path) -> None:
    [bad] = read(tmp_path, json.dumps({"article": "a", "summary ": "b"}), "cases.jsonl")
    assert isinstance(bad, BadRow)
    assert str(bad.error).endswith(
        "cases.jsonl:1: field 'summary': missing; the row has 'summary ', with a blank in the "
        "name: rename it"
    )


@pytest.mark.parametrize(
    ("rows", "field", "taken"),
    [
        ('1,"The pool,closed\n2,a,b\n3,a,b\n', "article", "up to line 4"),
        ('1,"The pool,closed\n2,"a",b\n3,a,b\n', "article", "up to line 3"),
        ('1,"The pool","closed\n2,a,b\n', "summary", "up to line 3"),
        ('1,"The "big" pool",closed\n2,a,b\n', "article", ""),
        ('1,The pool,"closed" now\n2,a,b\n', "summary", ""),
    ],
)
def test_marks_that_do_not_match_name_the_field_and_the_lines_that_are_lost(
    tmp_path: Path, rows: str, field: str, taken: str
) -> None:
    first, *rest = read(tmp_path, f"id,article,summary\n{rows}")
    assert isinstance(first, BadRow)
    assert (first.error.line, first.error.field) == (2, field)
    assert "its quotation marks do not match" in first.error.message
    assert 'twice ("")' in first.error.message
    assert taken in first.error.message
    assert ("up to line" in first.error.message) == bool(taken)
    assert all(isinstance(row, Case) for row in rest)


@pytest.mark.parametrize("word", ["NULL", "NaN", "None", "nan", " null ", "<NA>", "N/A", "#N/A"])
def test_an_empty_cell_that_a_program_wrote_is_no_text(tmp_path: Path, word: str) -> None:
    bad, good = read(tmp_path, f"id,article,summary\nx,The pool.,{word}\ny,The pool.,None is.\n")
    assert isinstance(good, Case)
    assert isinstance(bad, BadRow)
    assert (bad.id, bad.error.line, bad.error.field) == ("x", 2, "summary")
    assert f"the cell says '{word.strip()}', as programs write an empty one" in bad.error.message
    assert "delete the row" in bad.error.message


def test_json_says_null_by_itself_so_a_text_is_a_text(tmp_path: Path) -> None:
    [case] = read(tmp_path, json.dumps({"article": "Who came?", "summary": "None"}), "cases.jsonl")
    assert isinstance(case, Case)


@pytest.mark.parametrize("row", [",,", " , ,", '"","",""'])
def test_an_empty_row_is_told_as_one(tmp_path: Path, row: str) -> None:
    good = "1,The pool is closed.,It is closed."
    bad, case = read(tmp_path, f"id,article,summary\n{row}\n{good}\n")
    assert isinstance(bad, BadRow)
    assert str(bad.error).endswith("cases.csv:2: the row is empty; delete it, or fill in its texts")
    assert isinstance(case, Case)


def test_a_file_that_begins_with_an_empty_row_is_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.csv").write_text("Text,TLDR\n,\nThe pool is closed.,It is closed.\n", "utf-8")
    assert main(["check", str(tmp_path / "c.csv")]) == 2
    told = capsys.readouterr().out
    assert "--map article=Text,summary=TLDR" in " ".join(told.split())


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_columns_are_parted_by_the_mark_that_the_header_has(tmp_path: Path, mark: str) -> None:
    header, cells = ("id", "article", "summary"), ("1", '"Closed, again; so."', '"It is, yes."')
    [case] = read(tmp_path, f"{mark.join(header)}\n{mark.join(cells)}\n")
    assert isinstance(case, Case)
    assert case.fields == {"article": "Closed, again; so.", "summary": "It is, yes."}


def test_a_file_without_a_header_is_told_as_one(tmp_path: Path) -> None:
    text = "The town council closes the old swimming pool for eight months."
    with pytest.raises(InputError) as refused:
        read(tmp_path, f"1,{text},The pool is closed.\n2,{text},It is closed.\n")
    assert str(refused.value).endswith(
        "cases.csv:1: the first line reads like a row, and no column is called article or summary: "
        "put a line with the columns' names above it, or name these columns with --map"
    )


def test_a_question_may_be_the_name_of_a_column(tmp_path: Path) -> None:
    """Forms export their questions as headers."""
    question = "What would you tell somebody who has not read this text?"
    (tmp_path / "c.csv").write_text(f"text,{question}\nThe pool closed.,It closed.\n", "utf-8")
    mapper = parse_map([f"article=text,summary={question}"], LOCK)
    [case] = load(tmp_path / "c.csv", LOCK, mapper)
    assert isinstance(case, Case)


def test_an_empty_cell_of_a_mapped_id_is_no_fault(tmp_path: Path) -> None:
    """An id and a candidate may be left out; so they may where they have other names."""
    rows = "key,model,article,summary\n,,The pool closed.,It closed.\n7,m,The pool closed.,Yes.\n"
    (tmp_path / "c.csv").write_text(rows, "utf-8")
    first, second = load(tmp_path / "c.csv", LOCK, parse_map(["id=key,candidate=model"], LOCK))
    assert isinstance(first, Case)
    assert isinstance(second, Case)
    assert (first.id, first.candidate) == ("2", None)
    assert (second.id, second.candidate) == ("7", "m")
