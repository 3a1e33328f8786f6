"""Probes: the right answer is known, its size too, and the protocol's own rules are no fault."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from oyer.cli import main
from oyer.errors import UsageError
from oyer.protocols.catalogue import find_protocol
from oyer.records import VerdictRecord
from oyer.trust.probes import JudgedProbe, choose_probes, judge_probes, probe_cases
from oyer.types import Case, Probe
from tests.trust.runs_for_labels import ARTICLE, judged_run

LOCK = find_protocol("judge-lock")
RUBRIC = (
    "## Task: Moon\n## task_type: fact\n\n### Logic & Fact (0-60)\n- right\n\n"
    "### Constraint Adherence (0-30)\n- short\n\n### Helpfulness & Creativity (0-10)\n- kind\n"
)
SUMMARY = (
    "The council was asked to close the pool on Tuesday. Repairs cost 24 million, said Walter. "
    "A new pool is planned for 2028."
)


def a_case(**changes: Any) -> Case:
    fields = {"article": ARTICLE.format(n=1000), "summary": SUMMARY}
    return replace(Case("one", fields, candidate="gpt-small"), **changes)


@pytest.mark.parametrize("probe", LOCK.probes, ids=lambda probe: probe.name)
def test_each_probe_of_a_summary_changes_one_thing(probe: Probe) -> None:
    case = a_case(meta={"paraphrase": "Other words.", "translation": "Autres mots."})
    changed = probe.change(case, Random(1))
    assert changed is not None
    assert changed != case
    assert changed.fields["article"] == case.fields["article"]
    if probe.name == "author's name swapped":
        assert changed.fields == case.fields
    else:
        assert changed.candidate == case.candidate


def test_a_probe_that_does_not_apply_asks_nothing() -> None:
    short = a_case(fields={"article": "Nothing happened.", "summary": "nothing"}, candidate=None)
    made = probe_cases(choose_probes(LOCK, "number changed,negation,sentences shuffled"), [short])
    assert made == [short]


def test_an_unknown_probe_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="there is no probe 'gravity'"):
        choose_probes(LOCK, "gravity")


def record(score: float | None, *rules: str) -> dict[str, Any]:
    scores = None if score is None else {"hallucination": score, "coverage": score}
    trace = [{"rule": rule} for rule in rules]
    return {"scores": scores, "total": score, "trace": trace, "output": []}


def probed_case(case: Case, record: dict[str, Any]) -> JudgedProbe:
    """A verdict of which only what probes read is there."""
    return JudgedProbe(case, cast(VerdictRecord, record))


def probed(relation: str, before: dict[str, Any], after: dict[str, Any]) -> Any:
    """The result of one probe on one pair of verdicts."""
    probe = Probe("p", "coverage", relation, lambda case, _: case)  # type: ignore[arg-type]
    plain, changed = probe_cases([probe], [a_case()])
    verdicts = [probed_case(plain, before), probed_case(changed, after)]
    [result] = judge_probes(LOCK, [probe], verdicts)
    return result


def test_a_score_that_falls_as_promised() -> None:
    result = probed("falls", record(8.0), record(5.0))
    assert (result.pairs, result.held, result.judge_moved) == (1, 1, -3.0)


def test_a_cap_that_lifted_excuses_the_judge() -> None:
    cap = next(rule for rule in LOCK.rules if LOCK.is_cap(rule))
    lifted = probed("does not rise", record(5.0, cap), record(7.0))
    assert (lifted.pairs, lifted.excused) == (0, 1)
    rose = probed("does not rise", record(5.0), record(7.0))
    assert (rose.pairs, rose.held) == (1, 0)


def test_a_score_at_its_floor_cannot_fall() -> None:
    assert probed("falls", record(0.0), record(0.0)).excused == 1


def test_without_a_score_nothing_is_said() -> None:
    result = probed("falls", record(8.0), record(None))
    assert (result.pairs, result.unscored) == (0, 1)


def test_a_planted_critical_fail_is_priced_by_the_protocol() -> None:
    """The oracle: the judge's own findings with the fail in them score 0."""
    protocol = find_protocol("rubric")
    case = Case("r", {"prompt": "Why?", "response": "Because of tides.", "rubric": RUBRIC})
    [probe] = choose_probes(protocol, "critical fail planted")
    plain, changed = probe_cases([probe], [case])
    found = {
        "task_name": "Moon", "task_type": "fact", "weights": None,
        "score": {"logic_and_fact": 50, "constraint_adherence": 20,
                  "helpfulness_and_creativity": 5},
        "reasoning": {}, "critical_fail": False, "confidence": "high",
    }  # fmt: skip
    scores = {"total": 75.0}
    before = {"scores": scores, "total": 75.0, "trace": [], "output": found}
    after = {"scores": {"total": 70.0}, "total": 70.0, "trace": [], "output": found}
    [result] = judge_probes(
        protocol, [probe], [probed_case(plain, before), probed_case(changed, after)]
    )
    assert (result.held, result.judge_moved, result.right_moved) == (1, -5.0, -75.0)


LAW = find_protocol("belgian-law")


@pytest.mark.parametrize("probe", LAW.probes, ids=lambda probe: probe.name)
def test_probes_of_extractions_are_priced_by_the_engine(probe: Probe) -> None:
    """A judge that says 100 whatever it is shown: each fault costs what the engine says."""
    from tests.belgian_law.decision import case, perfect

    plain, changed = probe_cases([probe], [case(perfect())])
    record = {"scores": {"score": 100}, "total": 100, "trace": []}
    verdicts = [probed_case(plain, record), probed_case(changed, record)]
    [result] = judge_probes(LAW, [probe], verdicts)
    if probe.relation == "falls":
        assert result.right_moved < 0
        assert (result.pairs, result.held) == (1, 0)
    else:
        assert (result.pairs, result.held) == (1, 1)


def test_an_empty_text_has_no_score_and_that_is_right() -> None:
    [probe] = choose_probes(LOCK, "emptied")
    plain, changed = probe_cases([probe], [a_case()])
    after = {**record(None), "error": "input"}
    [result] = judge_probes(
        LOCK, [probe], [probed_case(plain, record(8.0)), probed_case(changed, after)]
    )
    assert (result.pairs, result.held, result.unscored) == (1, 1, 0)


def test_your_own_paraphrases_come_from_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of hallucination: no code measures it on the words, so it has to stay."""
    store = judged_run(tmp_path, cases=2)
    capsys.readouterr()
    variants = tmp_path / "mine.csv"
    variants.write_text("case,candidate,paraphrase\ncase-0,good,The council met.\n", "utf-8")
    command = ["trust", "1", "--store", store, "--probe", "paraphrase (yours),emptied"]
    options = ["--variants", str(variants), "--judge", "embedded:light", "--n", "9", "--json"]
    assert main([*command, *options]) == 0
    [card] = json.loads(capsys.readouterr().out)["cards"]
    probes = {probe["name"]: probe for probe in card["probes"]}
    assert probes["paraphrase (yours)"]["pairs"] == 1
    assert probes["emptied"]["held"] == probes["emptied"]["pairs"] == 4
    variants.write_text("case,paraphrase\nelsewhere,The council met.\n", "utf-8")
    assert main([*command, *options]) == 2
    assert "--variants" in capsys.readouterr().err


def test_the_command_runs_probes_and_shows_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = judged_run(tmp_path, cases=2)
    capsys.readouterr()
    command = ["trust", "1", "--store", store, "--probe", "foreign sentence,praise and orders"]
    assert main([*command, "--judge", "embedded:light", "--n", "2", "--json"]) == 0
    [card] = json.loads(capsys.readouterr().out)["cards"]
    assert [probe["name"] for probe in card["probes"]] == ["foreign sentence", "praise and orders"]
    assert sum(probe["pairs"] + probe["excused"] for probe in card["probes"]) == 4


def test_whom_to_probe_must_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = judged_run(tmp_path, cases=1)
    assert main(["trust", "1", "--store", store, "--probe", "all"]) == 2
    assert "--judge NAME" in capsys.readouterr().err
