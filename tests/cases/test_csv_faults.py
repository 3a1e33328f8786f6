"""What goes wrong in CSV files that people bring: the file, the line, the field, what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oyer import Case, InputError, find_protocol
from oyer.cases import BadRow, Row, load

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


@pytest.mark.parametrize("word", ["NULL", "NaN", "None", "nan", " null ", "<NA>"])
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
