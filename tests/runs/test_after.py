"""After a run: rescore, export, show, runs, doctor; on what is stored, with no judge in sight."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.runs.export import safe
from oyer.store import open_store
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import ProviderServer


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    with ProviderServer(reply=marks, key=None) as server:
        bed = Bed(tmp_path, server)
        bed.rows(
            [{"id": f"c{i}", "text": f"text {i}", "candidate": f"=m{i % 2}"} for i in range(9)]
        )
        bed.write(judges=[bed.judge("a"), f"{bed.judge('a')}+{bed.judge('b')}"])
        bed.run()
    return bed


def changed_rules(folder: Path) -> Path:
    """The toy protocol with another rule: marks count double, seven and more are unscored."""
    new = folder / "toy_two"
    new.mkdir()
    text = (TOY / "__init__.py").read_text()
    changed = text.replace(
        '    marks = checked.findings["marks"]\n',
        '    marks = checked.findings["marks"] * 2\n'
        "    if marks >= 14:\n"
        '        raise Unscored("unreadable", "toy.high", "too high")\n',
    ).replace('"the marks as given"', '"the marks, doubled"')
    changed = changed.replace('"marks": (0, 10)', '"marks": (0, 20)')
    assert changed != text
    (new / "__init__.py").write_text(changed)
    return new


def test_the_same_rules_change_nothing(bed: Bed, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rescore", "1", "--store", bed.store, "--protocol-path", str(TOY)]) == 0
    assert "18 verdicts are the same, 0 are not" in capsys.readouterr().out


def test_other_rules_are_told_and_kept_if_wanted(
    bed: Bed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = changed_rules(tmp_path)
    args = ["rescore", "1", "--store", bed.store, "--protocol-path", str(new)]
    asked = bed.asked
    assert main([*args, "--save"]) == 0
    told = capsys.readouterr().out
    assert bed.asked == asked, "no model is called"
    with open_store(bed.store, write=False) as store:
        before = {(o.case, o.judge): o for o in store.outcomes(1)}
        after = {(o.case, o.judge): o for o in store.outcomes(2)}
        manifest = store.find_run("2").manifest
    assert (manifest.kind, manifest.parent) == ("rescore", 1)
    assert before.keys() == after.keys()
    for key, old in before.items():
        assert old.total is not None
        new_total = after[key].total
        assert new_total == (None if old.total >= 7 else old.total * 2)
    lost = sum(o.total is None for o in after.values())
    same = sum(o.total == 0 for o in before.values())  # a panel of zeros, or a zero
    assert f"{lost:,}  lost its score" in told
    assert "the largest changes" in told
    assert same < 18


def test_rescoring_on_two_processes_is_the_same(bed: Bed, tmp_path: Path) -> None:
    from oyer.runs import rescore as module

    new = changed_rules(tmp_path)
    job = module.Job(bed.store, 1, "toy", (str(new),), {})
    with open_store(bed.store, write=False) as store:
        run = store.find_run("1")
    alone = module.Difference()
    for part in module.rescore(job, run, workers=1):
        alone.merge(part)
    shared = module.Difference()
    for part in module.rescore(job, run, workers=2, share=5):
        shared.merge(part)
    assert (alone.same, alone.counts) == (shared.same, shared.counts)
    assert alone.changed > 5


def test_jsonl_is_the_records(bed: Bed) -> None:
    target = bed.folder / "out.jsonl"
    assert main(["export", "bed", "--to", str(target), "--store", bed.store]) == 0
    lines = [json.loads(line) for line in target.read_text().splitlines()]
    with open_store(bed.store, write=False) as store:
        assert lines == [dict(kept.record) for kept in store.verdicts(1)]


def test_csv_cells_cannot_become_formulas(bed: Bed) -> None:
    target = bed.folder / "out.csv"
    assert main(["export", "1", "--to", str(target), "--store", bed.store]) == 0
    with target.open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 18
    assert {row["candidate"] for row in rows} == {"'=m0", "'=m1"}
    assert all(float(row["marks"]) == float(row["total"]) for row in rows)
    for row in rows:
        for cell in row.values():
            assert not cell.startswith(("=", "+", "-", "@", "\t"))


@pytest.mark.parametrize(
    "cell",
    ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "＝1+1", "|cmd"],
)
def test_what_looks_like_a_formula_is_text(cell: str) -> None:
    assert safe(cell) == "'" + cell


@pytest.mark.parametrize("cell", ["plain", "a=b", "", 3, -2.5, None, "über", "1=1"])
def test_what_does_not_is_left_alone(cell: object) -> None:
    assert safe(cell) == cell


def test_parquet_holds_scores_and_records(bed: Bed) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    target = bed.folder / "out.parquet"
    assert main(["export", "1", "--to", str(target), "--store", bed.store]) == 0
    rows = parquet.read_table(target).to_pylist()
    assert len(rows) == 18
    for row in rows:
        told = json.loads(row["record"])
        assert (row["marks"], row["verdict"]) == (told["scores"]["marks"], told["id"])


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_half_a_character_is_exported_too(tmp_path: Path, kind: str) -> None:
    """JSON can say half of a surrogate pair; no file in UTF-8 can hold it."""
    with ProviderServer(reply=marks, key=None) as server:
        bed = Bed(tmp_path, server)
        bed.rows([{"id": "a\ud800", "text": "x\ud800", "candidate": "\udfffm"}])
        bed.write()
        bed.run()
    target = tmp_path / f"out.{kind}"
    assert main(["export", "1", "--to", str(target), "--store", bed.store]) == 0
    assert b"ud800" in target.read_bytes()


def test_a_score_named_total_is_one_column(tmp_path: Path) -> None:
    """rubric's scores hold their total."""
    rubric = "## Task: t\n## task_type: fact\n"
    case = {"id": "1", "prompt": "p", "response": "", "rubric": rubric}  # needs no judge
    (tmp_path / "cases.jsonl").write_text(json.dumps(case))
    (tmp_path / "s.toml").write_text('protocol = "rubric"\ncases = "cases.jsonl"\n')
    store, target = str(tmp_path / "oyer.db"), tmp_path / "out.csv"
    assert main(["run", str(tmp_path / "s.toml"), "--store", store]) == 0
    assert main(["export", "1", "--to", str(target), "--store", store]) == 0
    header, row = csv.reader(target.open(newline=""))
    assert header.count("total") == 1
    assert row[header.index("total")] == "0.0"


@pytest.mark.parametrize("target", ["out.xls", "no/such/folder/out.csv"])
def test_a_target_that_cannot_be_is_said(bed: Bed, target: str) -> None:
    path = bed.folder / target
    assert main(["export", "1", "--to", str(path), "--store", bed.store]) == 2
    assert not path.exists()


def test_runs_and_show_tell_what_is_stored(bed: Bed, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "--json", "--store", bed.store]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verdicts"], told["calls"], told["manifest"]["tasks"]) == (18, 18, 18)
    assert main(["runs", "--store", bed.store]) == 0
    assert "18/18" in capsys.readouterr().out
    with open_store(bed.store, write=False) as store:
        kept = next(store.verdicts(1))
    args = ["show", kept.record["id"], "--store", bed.store]
    assert main([*args, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == kept.record
    assert main([*args, "--case", "--replies"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["case_content"]["fields"]["text"].startswith("text")
    assert shown["replies"][0]["text"].startswith('{"marks"')
    assert main(["show", "ffffffff", "--store", bed.store]) == 2
    assert "`oyer export RUN -o FILE.csv` lists the ids" in capsys.readouterr().err


def test_doctor_finds_a_run_well(bed: Bed, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--store", bed.store]) == 0
    assert "the store is well" in capsys.readouterr().out


def test_a_store_that_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["runs"], ["show", "x"], ["rescore", "1"], ["doctor"]):
        assert main([*command, "--store", str(tmp_path / "no.db")]) == 2
        assert "no store at" in capsys.readouterr().err
    assert not (tmp_path / "no.db").exists()


def test_a_real_protocol_with_weights_of_the_users_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The demo's suite, first article: with one weight, the total is that metric."""
    demo = Path(__file__).parents[2] / "examples" / "suite" / "cases.jsonl"
    (tmp_path / "cases.jsonl").write_text("".join(demo.open(encoding="utf-8").readlines()[:3]))
    suite = tmp_path / "suite.toml"
    plain = 'name = "w"\nprotocol = "judge-lock"\ncases = "cases.jsonl"\n'
    store = ["--store", str(tmp_path / "oyer.db")]
    suite.write_text(plain)
    assert main(["run", str(suite), *store]) == 0
    suite.write_text(plain + "[weights]\ncoverage = 1\n")
    assert main(["run", str(suite), *store]) == 0
    with open_store(str(tmp_path / "oyer.db"), write=False) as opened:
        usual, own = (list(opened.outcomes(run)) for run in (1, 2))
    assert {o.candidate for o in own} == {"careful", "brief", "careless"}
    for one, other in zip(usual, own, strict=True):
        assert one.scores == other.scores
        assert other.scores is not None
        assert other.total == other.scores["coverage"] != one.total
    assert main(["rescore", "2", "--workers", "1", *store]) == 0
    assert "3 verdicts are the same, 0 are not" in capsys.readouterr().out
