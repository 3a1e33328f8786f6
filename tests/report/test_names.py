"""Named judges and candidates in what people see: no name broken, no panel counted twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.cli.tables import draw
from oyer.report.tables import Sheet
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import ProviderServer

LONG = "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8@https://host/v1"


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Bed]:
    with ProviderServer(reply=marks, key=None) as server:
        made = Bed(tmp_path, server)
        made.cases(4)
        yield made


@pytest.mark.parametrize("names", [1, 2, 3])
@pytest.mark.parametrize("values", [1, 4, 12])
def test_no_name_is_broken_in_80_columns(
    names: int, values: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    header = [f"name {n}" for n in range(names)] + [f"metric {n}" for n in range(values)]
    row = [LONG] + ["x" * 30] * (names - 1) + [f"{n}.25 [6.10, 8.40]" for n in range(values)]
    draw(Sheet((*header, "why"), ((*row, f"because of {LONG}, as was said before"),),
               names=names, words=(len(header),)))  # fmt: skip
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert LONG in text.replace("because of\n", "")
    for value in row:
        assert value in text


def test_a_named_panel_is_not_counted_beside_its_members(
    bed: Bed, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = []
    for name, model in (("a", bed.judge("a")), ("b", bed.judge("b")), ("jury", "a+b")):
        entries += ["[[judges]]", f'name = "{name}"', f'model = "{model}"']
    bed.write("\n".join(entries), judges=None)
    bed.run()
    words = ["leaderboard", "1", "--store", bed.store, "--protocol-path", str(TOY), "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["standings"][0]["cost"] == told["costs"]["judges"][2]["judging"]
    pairs = [pair["judges"] for pair in told["side_by_side"]["correlations"]]
    assert pairs == [["a", "b"]], "the panel is made of them"
    assert list(told["panels"]) == ["jury"]


def test_what_it_cost_to_write_and_to_judge(bed: Bed, capsys: pytest.CaptureFixture[str]) -> None:
    """The candidate's model also judges: its writing is told apart from its judging."""
    price = {"input": 1.0, "output": 1.0}  # dollars for a million tokens: 92 of them a call
    (bed.folder / "prices.json").write_text(
        json.dumps({"prices": {bed.judge("w"): price, bed.judge("j"): price}})
    )
    bed.server.reply = lambda words: "a text" if "Write" in words else marks(words)
    (bed.folder / "write.md").write_text("Write about {{id}}.")
    tables = '[writing]\nfield = "text"\ntemplate = "write.md"\n[options]\nprices = "prices.json"'
    bed.write(tables, candidates=[bed.judge("w")], judges=[bed.judge("w"), bed.judge("j")])
    bed.run()
    words = ["leaderboard", "1", "--store", bed.store, "--protocol-path", str(TOY)]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    call = 92 / 1e6
    (candidate,) = told["costs"]["candidates"]
    assert candidate["writing"] == pytest.approx(4 * call)
    assert candidate["judging"] == pytest.approx(8 * call)
    mean = told["standings"][0]["total"]["mean"]
    assert candidate["points_per_dollar"] == pytest.approx(mean / call)
    assert [judge["judging"] for judge in told["costs"]["judges"]] == pytest.approx([4 * call] * 2)
    assert main(words) == 0
    assert "points per $" in capsys.readouterr().out


RUBRIC = """## Task: advice
## task_type: fact
## Critical Fail Conditions
- CF-1: the answer is dangerous
## Logic & Fact (0-60)
right
## Constraint Adherence (0-30)
short
## Helpfulness & Creativity (0-10)
kind
"""


def rubric_reply(words: str) -> str:
    """A critical fail where the answer is dangerous."""
    failed = "DANGEROUS" in words
    seal = re.search(r"seal\W+([0-9a-f]{12})", words)
    points = [0, 0, 0] if failed else [50, 20, 10]
    axes = ("logic_and_fact", "constraint_adherence", "helpfulness_and_creativity")
    return json.dumps({
        "task_name": "advice", "task_type": "fact", "inferred_task_type": None,
        "weights": dict(zip(axes, (60, 30, 10), strict=True)),
        "score": dict(zip(axes, points, strict=True)),
        "total_score": sum(points), "reasoning": dict.fromkeys(axes, "so"),
        "critical_fail": failed, "critical_fail_reason": "CF-1" if failed else None,
        "critical_fail_id": "CF-1" if failed else None, "confidence": "high",
        "seal": seal[1] if seal else "",
    })  # fmt: skip


def test_a_critical_fail_of_one_answer_is_not_outvoted_by_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three answers, of which one fails before both repeats: two thirds of the points are left.

    A majority over all six verdicts would say that nothing failed.
    """
    wrote: list[str] = []

    def reply(words: str) -> str:
        if "Please advise" in words and "CF-1" not in words:
            wrote.append(words)
            return "DANGEROUS advice" if len(wrote) == 1 else f"good advice {len(wrote)}"
        return rubric_reply(words)

    with ProviderServer(reply=reply, key=None) as server:
        bed = Bed(tmp_path, server)
        bed.rows([{"id": "t1", "prompt": "Please advise.", "rubric": RUBRIC}])
        bed.write(protocol="rubric", candidates=[bed.judge("w")], answers=3, repeats=2,
                  concurrency=1)  # fmt: skip
        bed.run()
    assert main(["leaderboard", "1", "--store", bed.store, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["standings"][0]["total"]["mean"] == pytest.approx(80 * 2 / 3)
    assert [row["answer"] for row in told["figures"]["responses"]] == [1, 2, 3]
