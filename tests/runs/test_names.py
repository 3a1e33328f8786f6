"""Judges and candidates by name: shown by it, asked with options of their own, never paid twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from oyer.store import open_store
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import ProviderServer


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Bed]:
    with ProviderServer(reply=marks, key=None) as server:
        made = Bed(tmp_path, server)
        made.cases(3)
        yield made


def records(bed: Bed, run: int) -> list[dict[str, Any]]:
    with open_store(bed.store, write=False) as store:
        return [dict(kept.record) for kept in store.verdicts(run)]


def judge(name: str, model: str, *more: str) -> str:
    lines = [f'name = "{name}"', f'model = "{model}"', *more]
    return "\n".join(["[[judges]]", *lines])


def test_a_name_is_on_every_verdict_and_its_model_beside_it(
    bed: Bed, capsys: pytest.CaptureFixture[str]
) -> None:
    bed.write(judge("strict", bed.judge(), "temperature = 0.5"), judges=None)
    bed.run()
    found = records(bed, 1)
    assert {record["judge"] for record in found} == {"strict"}
    assert {record["judge_model"] for record in found} == {bed.judge()}
    assert {seen.body["temperature"] for seen in bed.server.seen} == {0.5}
    args = ["--store", bed.store, "--protocol-path", str(TOY)]
    assert main(["leaderboard", "1", *args]) == 0
    told = capsys.readouterr().out
    assert "strict" in told
    assert bed.judge() not in told


def test_naming_a_judge_costs_nothing(bed: Bed) -> None:
    """A reply belongs to the model: another name for it finds the stored one."""
    bed.write()
    assert bed.run().paid == 3
    bed.write(judge("short", bed.judge()), judges=None)
    assert bed.run().paid == 0
    assert [r["total"] for r in records(bed, 1)] == [r["total"] for r in records(bed, 2)]
    bed.write(judge("warm", bed.judge(), "temperature = 1.0"), judges=None)
    assert bed.run().paid == 3, "asked otherwise, it is another question"


def test_a_panel_of_names_shares_their_questions_and_is_rescored_the_same(
    bed: Bed, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = [
        judge("first", bed.judge("a")),
        judge("second", bed.judge("b"), "seed = 7"),
        judge("jury", "first+second"),
        judge("others", f"{bed.judge('a')}+{bed.judge('c')}"),
    ]
    bed.write("\n".join(entries), judges=None)
    assert bed.run().paid == 9, "three models, three cases: the panels ask nobody twice"
    found = records(bed, 1)
    assert sorted({record["judge"] for record in found}) == ["first", "jury", "others", "second"]
    jury = next(record for record in found if record["judge"] == "jury")
    assert [member["judge"] for member in jury["panel"]["members"]] == ["first", "second"]
    args = ["--store", bed.store, "--protocol-path", str(TOY)]
    assert main(["rescore", "1", *args]) == 0
    assert "12 verdicts are the same, 0 are not" in capsys.readouterr().out
    assert bed.run().new == 0


def test_a_prompt_of_a_judges_own(tmp_path: Path) -> None:
    """Two names for one model, each with another prompt: a common question about prompts."""
    article = "Mina repaired the old radio on Monday. It played again in the evening."
    with ProviderServer(reply="no verdict", key=None) as server:
        bed = Bed(tmp_path, server)
        bed.rows([{"id": "1", "article": article, "summary": article}])
        (tmp_path / "short.md").write_text("SHORT PROMPT {{article}} {{summary}}")
        own = judge("short", bed.judge(), 'prompt = "short.md"')
        usual = judge("usual", bed.judge())
        asking = "[asking]\nattempts = 1"
        bed.write(f"{own}\n{usual}\n{asking}", judges=None, protocol="judge-lock")
        bed.run()
        prompts = [str(seen.body["messages"]) for seen in server.seen]
    assert sorted("SHORT PROMPT" in prompt for prompt in prompts) == [False, True]


def test_candidates_by_name_know_their_vendor(bed: Bed) -> None:
    """`mini` says nothing of who made it; its model does, so judging one's own family shows."""
    entries = ["[[candidates]]", 'name = "mini"', f'model = "{bed.judge("gpt-5-mini")}"',
               "temperature = 0.7", judge("big", bed.judge("gpt-5")),
               judge("other", bed.judge("claude-x"))]  # fmt: skip
    writing = '[writing]\nfield = "text"\ntemplate = "write.md"'
    (bed.folder / "write.md").write_text("Write about {{id}}.")
    bed.rows([{"id": "c1"}])
    bed.write("\n".join([*entries, writing]), judges=None)
    bed.run()
    found = {record["judge"]: record for record in records(bed, 1)}
    assert {record["candidate"] for record in found.values()} == {"mini"}
    assert found["big"].get("self_judging") is True
    assert "self_judging" not in found["other"]
    warm = [seen.body for seen in bed.server.seen if seen.body["temperature"] == 0.7]
    assert [body["model"] for body in warm] == ["gpt-5-mini"]


def test_several_answers_of_a_candidate_are_each_written_and_judged(bed: Bed) -> None:
    def reply(words: str) -> str:
        return f"text {len(bed.server.seen)}" if "Write" in words else marks(words)

    bed.server.reply = reply
    writing = '[writing]\nfield = "text"\ntemplate = "write.md"'
    (bed.folder / "write.md").write_text("Write about {{id}}.")
    bed.rows([{"id": "c1"}, {"id": "c2"}])
    bed.write(writing, candidates=[bed.judge("w")])
    assert bed.run().paid == 4
    bed.write(writing, candidates=[bed.judge("w")], answers=3)
    session = bed.run()
    assert session.new == 6
    assert session.paid == 8, "the first answer was written and judged before"
    numbers = sorted((record["case"], record["answer_number"]) for record in records(bed, 2))
    assert numbers == [(case, number) for case in ("c1", "c2") for number in (1, 2, 3)]
    assert bed.run().new == 0


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ('[[judges]]\nname = "a"', "'judges.1.model': is missing"),
        ('[[judges]]\nmodel = "embedded"\nnam = "x"', "'judges.1.nam': is not a setting"),
        ('[[judges]]\nname = "a+b"\nmodel = "embedded"', "without +"),
        ('[[judges]]\nname = "a"\nmodel = "embedded"\ntemperature = "hot"', "must be a number"),
        ('[[judges]]\nname = "a"\nmodel = "embedded"\nprompt = "no.md"', "cannot be read"),
        (judge("a", "embedded") + "\n" + judge("a", "replay:x"), "names one model twice"),
        (judge("a", "embedded") + "\n" + judge("b", "embedded"), "are one model"),
        ("answers = 3", "'answers': are written by candidates"),
        ("judges = 3", "'judges': must be a text"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_entry(bed: Bed, entries: str, says: str) -> None:
    from oyer.errors import InputError
    from oyer.runs.suite import read_suite

    bed.suite.write_text(f'protocol = "toy"\ncases = "cases.jsonl"\n{entries}\n')
    with pytest.raises(InputError) as caught:
        read_suite(bed.suite)
    assert says in str(caught.value)
