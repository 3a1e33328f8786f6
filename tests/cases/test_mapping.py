"""Data as it comes: other names, nested values, several files, data sets, texts, typed columns."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from oyer.cases import BadRow, load, parse_map
from oyer.cli import main
from oyer.errors import InputError, UsageError
from oyer.protocols.catalogue import find_protocol
from oyer.types import Case

LOCK = find_protocol("judge-lock")
ROW = {"document": "The bridge closed.", "choices": [{"text": "It closed."}], "model": "m"}


def write(path: Path, *rows: object) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def only(source: object, *maps: str) -> Case:
    (row,) = load(source, LOCK, parse_map(maps, LOCK))  # type: ignore[arg-type]
    assert isinstance(row, Case), row
    return row


def test_columns_and_nested_values_are_mapped(tmp_path: Path) -> None:
    source = write(tmp_path / "c.jsonl", ROW)
    case = only(source, "article=document,summary=choices.0.text", "candidate=model")
    assert case.fields == {"article": "The bridge closed.", "summary": "It closed."}
    assert case.candidate == "m"


def test_an_unmapped_file_gets_the_suggestion(tmp_path: Path) -> None:
    source = write(tmp_path / "c.jsonl", {"document": "a", "highlights": "b"})
    (row,) = load(source, LOCK)
    assert isinstance(row, BadRow)
    assert "try --map article=document,summary=highlights" in str(row.error)


@pytest.mark.parametrize(
    ("columns", "typed"),
    [
        (("Article Text", "AI summary (v2)"), "'article=Article Text,summary=AI summary (v2)'"),
        (("source_text", "generated_summary"), "article=source_text,summary=generated_summary"),
        (("articleBody", "summaryText"), "article=articleBody,summary=summaryText"),
        (("article_id", "article_url", "full_article", "model-summary"),
         "article=full_article,summary=model-summary"),
        (("doc", "summary_length", "tldr"), "article=doc,summary=tldr"),
        (("reference_summary", "document", "summary_of_model"),  # which one is judged?
         "article=document,summary=COLUMN"),
        (("text, raw", "tldr"), "article=COLUMN,summary=tldr"),  # --map parts its pairs by commas
        (("left", "right"), "article=COLUMN,summary=COLUMN"),
        (("article", "right"), "summary=COLUMN"),
        (("article", "id"), ""),  # no column is left that could be the summary
    ],
)  # fmt: skip
def test_what_to_type_is_found_in_longer_names(
    tmp_path: Path, columns: tuple[str, ...], typed: str
) -> None:
    (row,) = load(write(tmp_path / "c.jsonl", dict.fromkeys(columns, "a")), LOCK)
    assert isinstance(row, BadRow)
    unsure = ", with the name of a column for each COLUMN" if "=COLUMN" in typed else ""
    wanted = f"try --map {typed}{unsure} (in a suite: the table [map])" if typed else ""
    assert row.error.hint == wanted


@pytest.mark.parametrize("name", ["c.csv", "c.jsonl"])
@pytest.mark.parametrize(
    ("columns", "typed"),
    [
        (("document", "highlights"), "--map article=document,summary=highlights"),
        (("left", "right"), "--map article=COLUMN,summary=COLUMN, with the name of a column for"),
    ],
)
def test_judge_and_check_say_the_same_of_columns_with_other_names(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    columns: tuple[str, str],
    typed: str,
) -> None:
    source = write(tmp_path / name, dict.fromkeys(columns, "The bridge closed on Monday."))
    if name == "c.csv":
        Path(source).write_text(f"{','.join(columns)}\nThe bridge closed,It closed\n")
    assert main(["judge", "judge-lock", source]) == 2
    assert f"try {typed}" in capsys.readouterr().err
    assert main(["check", source]) == 2
    assert f"try --protocol judge-lock {typed}" in capsys.readouterr().out
    assert main(["check", source, "--protocol", "judge-lock"]) == 2
    assert f"try {typed}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("articel=document", "did you mean 'article'"),
        ("article", "FIELD=COLUMN"),
        ("article=", "FIELD=COLUMN"),
    ],
)
def test_a_map_that_cannot_be_is_refused(given: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_map([given], LOCK)


@pytest.mark.parametrize("path", ["nowhere", "choices.1.text", "choices.x", "document.0"])
def test_a_path_that_a_row_lacks_is_named(tmp_path: Path, path: str) -> None:
    source = write(tmp_path / "c.jsonl", ROW)
    (row,) = load(source, LOCK, parse_map([f"article={path}"], LOCK))
    assert isinstance(row, BadRow)
    assert f"'{path}'" in str(row.error)
    assert row.error.field == "article"


def test_several_files_patterns_and_data_set_folders(tmp_path: Path) -> None:
    pair = {"article": "a", "summary": "b"}
    one = write(tmp_path / "one.jsonl", {**pair, "id": "1"})
    two = write(tmp_path / "two.jsonl", {**pair, "id": "2"})
    for source in ([one, two], str(tmp_path / "*.jsonl"), str(tmp_path)):
        assert [row.id for row in load(source, LOCK)] == ["1", "2"]
    parquet = pytest.importorskip("pyarrow.parquet", reason="LOUD: no pyarrow")
    import pyarrow

    shards = tmp_path / "set" / "data"
    shards.mkdir(parents=True)
    (tmp_path / "set" / "dataset_info.json").write_text("{}")
    for n in range(2):
        table = pyarrow.table({"article": ["a"], "summary": ["b"], "id": [f"s{n}"]})
        parquet.write_table(table, shards / f"train-0000{n}-of-00002.parquet")
    assert [row.id for row in load(tmp_path / "set", LOCK)] == ["s0", "s1"]


def test_an_arrow_folder_as_data_sets_are_saved(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="LOUD: no pyarrow")
    table = pyarrow.table({"article": ["a", "c"], "summary": ["b", "d"]})
    name = str(tmp_path / "data-00000-of-00001.arrow")
    with pyarrow.OSFile(name, "wb") as sink, pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    (tmp_path / "state.json").write_text("{}")
    assert [row.fields["summary"] for row in load(tmp_path, LOCK)] == ["b", "d"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "names",
    [("x.article.txt", "x.summary.txt"), ("articles/x.txt", "summaries/x.txt")],
)
def test_pairs_of_texts(tmp_path: Path, names: tuple[str, str]) -> None:
    for name, text in zip(names, ("The article.", "The summary."), strict=True):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (case,) = load(tmp_path, LOCK)
    assert isinstance(case, Case)
    assert (case.id, dict(case.fields)) == (
        "x", {"article": "The article.", "summary": "The summary."}
    )  # fmt: skip


def test_half_a_pair_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.article.txt").write_text("The article.")
    (row,) = load(tmp_path, LOCK)
    assert isinstance(row, BadRow)
    assert row.error.field == "summary"


def test_typed_columns_are_kept_as_json_has_them(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="LOUD: no pyarrow")
    import pyarrow

    columns = {
        "article": ["a"],
        "summary": ["b"],
        "price": [Decimal("1.50")],
        "when": [datetime(2026, 11, 17, tzinfo=UTC)],
        "tags": [["x", "y"]],
        "nan": [float("nan")],
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "c.parquet")
    (case,) = load(tmp_path / "c.parquet", LOCK)
    assert isinstance(case, Case)
    assert json.loads(json.dumps(case.meta)) == {
        "price": 1.5, "when": "2026-11-17T00:00:00+00:00", "tags": ["x", "y"], "nan": None,
    }  # fmt: skip


def test_the_command_maps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "c.jsonl", {"document": "The bridge closed on Monday at noon.",
                                          "out": "The bridge closed on Monday."})  # fmt: skip
    words = ["judge", "judge-lock", source, "--map", "article=document,summary=out", "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "scored"


def test_a_suite_maps(tmp_path: Path) -> None:
    write(tmp_path / "c.jsonl", {"document": "The bridge closed on Monday.", "out": "It closed."})
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'protocol = "judge-lock"\ncases = "c.jsonl"\nstore = "oyer.db"\n'
        '[map]\narticle = "document"\nsummary = "out"\n'
    )
    assert main(["run", str(suite)]) == 0


@pytest.mark.parametrize(
    ("name", "says"), [("loop.jsonl", "leads nowhere"), ("nul\0.jsonl", "no such file")]
)
def test_a_name_that_leads_nowhere_is_said(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "loop.jsonl").symlink_to(tmp_path / "loop.jsonl")
    with pytest.raises(InputError, match=says):
        list(load(str(tmp_path / name), LOCK))
