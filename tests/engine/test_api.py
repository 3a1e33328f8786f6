"""The public functions: everywhere, also inside a running loop; slips are named."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import oyer
from oyer.cli import main
from tests.runs.suites import TOY

CASE = {"id": "c1", "text": "some words"}
HERE: dict[str, Any] = {"protocol_path": [str(TOY)]}


class Fixed(oyer.Judge):
    """A judge that gives the marks it was made with."""

    def __init__(self, *marks: int) -> None:
        self.marks = list(marks)
        self.prompts: list[oyer.Prompt] = []

    @property
    def name(self) -> str:
        return f"fixed{tuple(self.marks)}"

    async def ask(self, prompt: oyer.Prompt) -> oyer.Reply:
        self.prompts.append(prompt)
        marks = self.marks[len(self.prompts) % len(self.marks) - 1]
        return oyer.Reply(json.dumps({"marks": marks}), judge=self.name)


def toy() -> oyer.Protocol[Any]:
    from tests.runs.toy import PROTOCOL

    return PROTOCOL


def test_a_judge_of_your_own() -> None:
    assert oyer.judge(toy(), CASE, Fixed(7)).total == 7


def test_it_works_inside_a_running_loop() -> None:
    """As in a notebook."""

    async def cell() -> float | None:
        return oyer.judge(toy(), CASE, Fixed(6)).total

    assert asyncio.run(cell()) == 6


def test_the_twin_is_awaited() -> None:
    assert asyncio.run(oyer.judge_async(toy(), CASE, Fixed(5))).total == 5


def test_many_cases_judges_and_repeats_in_order() -> None:
    cases = [{"id": f"c{i}", "text": "x"} for i in range(3)]
    verdicts = oyer.judge_many(toy(), cases, [Fixed(1), Fixed(2)], repeats=2)
    assert [(v.case, v.total, v.repeat) for v in verdicts] == [
        (f"c{i}", marks, repeat) for i in range(3) for marks in (1, 2) for repeat in (0, 1)
    ]


def test_judges_by_name_panels_and_repeats(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    rows = [{"id": "c1", "reply": json.dumps({"marks": marks})} for marks in (2, 4, 9)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    name = f"replay:{file}"
    verdict = oyer.judge("toy", CASE, name, repeats=3, **HERE)
    assert verdict.total == 4, "three repeats combined like a panel: the median"
    assert len(verdict.extra["panel"]["members"]) == 3
    assert oyer.judge("toy", CASE, name, **HERE).total == 2


def test_options_of_the_command_are_options_here() -> None:
    judge = Fixed(7)
    oyer.judge(toy(), CASE, judge, attempts=1, options={"temperature": 0.5})
    with pytest.raises(oyer.UsageError, match="no option 'tempreature'"):
        oyer.judge(toy(), CASE, judge, tempreature=1)  # type: ignore[call-arg]
    with pytest.raises(oyer.UsageError, match="at least 1"):
        oyer.judge(toy(), CASE, judge, attempts=0)


@pytest.mark.parametrize(
    "case",
    [
        {"id": "c1", "txet": "some words"},
        {"id": "c1"},
        {"id": "c1", "text": 3},
        oyer.Case("c1", {"txet": "some words"}),
    ],
)
def test_a_misspelt_or_missing_field_is_an_error(case: Any) -> None:
    for call in (lambda: oyer.judge(toy(), case, Fixed(1)), lambda: oyer.audit(toy(), case, "{}")):
        with pytest.raises(oyer.InputError, match="text") as raised:
            call()
        assert raised.value.field == "text"


def test_an_audited_row_has_its_judge_and_repeat() -> None:
    row = {**CASE, "judge": "openai:gpt-5", "repeat": 2, "reply": '{"marks": 3}'}
    verdict = oyer.audit(toy(), row)
    assert (verdict.judge, verdict.repeat, verdict.total) == ("openai:gpt-5", 2, 3)


@pytest.fixture
def store(tmp_path: Path) -> str:
    rows = [
        {"id": f"c{i}", "text": "x", "candidate": who, "judge": "j",
         "reply": json.dumps({"marks": marks})}
        for i in range(4) for who, marks in (("<b>a</b>", 3 + i), ("b", i))
    ]  # fmt: skip
    cases, where = tmp_path / "r.jsonl", str(tmp_path / "oyer.db")
    cases.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["audit", "toy", str(cases), "--protocol-path", str(TOY), "--store", where]) == 0
    return where


def test_a_stored_run_is_opened(store: str) -> None:
    run = oyer.open_run(store, "latest", protocol_path=[str(TOY)])
    assert (run.id, run.state, run.protocol) == (1, "done", "toy@1")
    assert [verdict.case for verdict in run.verdicts(candidate="b")] == ["c0", "c1", "c2", "c3"]
    assert [line.candidate for line in run.standings()] == ["<b>a</b>", "b"]
    rows = run.rows()
    assert len(rows) == 8
    assert rows[0]["marks"] == rows[0]["total"] == 3
    html = run._repr_html_()
    assert "&lt;b&gt;a" in html
    assert "<b>a" not in html


def test_a_verdict_shows_itself_in_a_notebook(store: str) -> None:
    verdict = next(oyer.open_run(store, 1).verdicts())
    assert "<b>a</b>" not in verdict._repr_html_()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_where_the_library_is_installed(store: str, library: str) -> None:
    run = oyer.open_run(store, 1)
    try:
        __import__(library)
    except ImportError:
        with pytest.raises(oyer.UsageError, match=f"pip install {library}"):
            getattr(run, f"to_{library}")()
        return
    frame = getattr(run, f"to_{library}")()
    assert list(frame["total"]) == [3, 0, 4, 1, 5, 2, 6, 3]


def test_a_run_that_is_not_there(store: str) -> None:
    with pytest.raises(oyer.OyerError, match="no run 'other'"):
        oyer.open_run(store, "other")
