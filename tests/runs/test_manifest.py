"""A run is its manifest: what was planned is what is judged, whatever happens to the files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.errors import InputError
from oyer.runs.plan import Plan, make_plan
from oyer.runs.session import run_session
from oyer.runs.suite import read_suite
from oyer.store import open_store
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import ProviderServer


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Bed]:
    with ProviderServer(reply=marks, key=None) as server:
        yield Bed(tmp_path, server)


def planned(bed: Bed, count: int) -> Plan:
    bed.cases(count)
    bed.write()
    return make_plan(read_suite(bed.suite))


def row(number: int, text: str) -> str:
    return json.dumps({"id": f"c{number}", "text": text}) + "\n"


def test_rows_that_were_appended_meanwhile_are_left_for_another_run(bed: Bed) -> None:
    plan = planned(bed, 3)
    with (bed.folder / "cases.jsonl").open("a") as cases:
        cases.write(row(3, "late") + row(4, "later"))
    with open_store(bed.store) as store:
        session = run_session(plan, store)
        assert (session.state, session.new, session.left) == ("done", 3, 0)
        assert [outcome.case for outcome in store.outcomes(1)] == ["c0", "c1", "c2"]
        assert [run.state for run in store.runs()] == ["done"]
    assert bed.asked == 3


def test_a_row_that_was_changed_meanwhile_ends_the_session_and_loses_nothing(bed: Bed) -> None:
    plan = planned(bed, 3)
    (bed.folder / "cases.jsonl").write_text(row(0, "text 0") + row(1, "other") + row(2, "text 2"))
    with open_store(bed.store) as store:
        with pytest.raises(InputError, match="'c1' is not as it was; run it again"):
            run_session(plan, store)
        assert [run.state for run in store.runs()] == ["failed"]
    again = bed.run()
    assert (again.state, again.left) == ("done", 0)


def test_a_file_that_was_cut_meanwhile_is_told(bed: Bed) -> None:
    plan = planned(bed, 3)
    (bed.folder / "cases.jsonl").write_text(row(0, "text 0"))
    message = "1 of 3 cases are left"
    with open_store(bed.store) as store, pytest.raises(InputError, match=message):
        run_session(plan, store)


def test_a_reply_is_on_the_disk_before_anyone_reads_it(bed: Bed, tmp_path: Path) -> None:
    """The reply that crashes a reader is kept: nobody pays for it twice."""
    broken = tmp_path / "broken"
    broken.mkdir()
    text = (TOY / "__init__.py").read_text()
    line = '    marks = checked.findings["marks"]\n'
    assert line in text
    (broken / "__init__.py").write_text(text.replace(line, f"{line}    raise RuntimeError\n"))
    bed.cases(1)
    bed.write(protocol_path=str(broken))
    assert bed.run().unscored == 1
    bed.write()
    assert bed.run().state == "done"
    assert bed.asked == 1
