"""Panels finding by finding, in all four protocols: majority, median, ties, matching, evidence."""

from __future__ import annotations

import asyncio
import copy
import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oyer.engine import hear
from oyer.errors import ProviderError
from oyer.judges.panel import open_panel
from oyer.protocols.catalogue import find_protocol
from oyer.types import Case, Prompt, Reply, Verdict
from oyer.verdicts.core import audit
from tests.engine.toy_protocol import Parrot
from tests.injection.attacked_cases import ATTACKED, Objects, as_reply

Change = Callable[[dict[str, dict[str, Any]]], object]


def changed(name: str, *changes: Change) -> str:
    """The honest reply of a court, changed by hand; objects by metric ("" for the only one)."""
    made: Objects = copy.deepcopy(ATTACKED[name].honest)
    by_metric = {one.get("metric", ""): one for one in made}
    for change in changes:
        change(by_metric)
    return as_reply(made)


class SealingParrot(Parrot):
    """Puts the prompt's seal on every object that it was taught."""

    async def ask(self, prompt: Prompt) -> Reply:
        reply = await super().ask(prompt)
        stamp = f'{{"seal": "{prompt.seal}", '
        objects = [stamp + one.removeprefix("{") for one in reply.text.split("\n\n")]
        return replace(reply, text="\n\n".join(objects))


def panel_of(name: str, *lines: str | ProviderError, case: Case | None = None) -> Verdict:
    bench = open_panel([SealingParrot([line], f"j{n}") for n, line in enumerate(lines)])
    return asyncio.run(hear(case or ATTACKED[name].case, find_protocol(name), bench)).verdict


def alone(name: str, line: str) -> Verdict:
    return audit(ATTACKED[name].case, find_protocol(name), Reply(line))


def votes(verdict: Verdict, finding: str) -> list[dict[str, Any]]:
    return [one for one in verdict.extra["panel"]["findings"] if one["finding"] == finding]


def claim(place: int, **said: Any) -> Change:
    return lambda o: o["hallucination"]["claims_checked"][place].update(said)


@pytest.mark.parametrize("name", ATTACKED)
def test_judges_who_say_the_same_come_to_the_same(name: str) -> None:
    """Scores, evidence and output of the combined findings are those of each member."""
    line = changed(name)
    one, three = alone(name, line), panel_of(name, line, line, line)
    assert (three.scores, three.total) == (one.scores, one.total)
    assert three.output == one.output
    assert {(e.span, e.quote) for e in three.evidence} == {(e.span, e.quote) for e in one.evidence}
    rules = [step.rule for step in three.trace]
    assert rules == ["PANEL", *(step.rule for step in one.trace)]
    seat = three.extra["panel"]
    assert seat["combined"] == "findings"
    assert seat["flags"] == []
    assert all(told.get("agree", 1) in (1, None) for told in seat["agreement"].values())


@pytest.mark.parametrize("name", ["judge-lock", "twin-lock"])
def test_a_claims_label_is_the_middle_one_and_a_tie_is_the_stricter(name: str) -> None:
    honest, kind = changed(name), changed(name, claim(1, status="Supported"))
    outvoted = panel_of(name, honest, kind, honest)
    assert outvoted.scores == alone(name, honest).scores
    vote = votes(outvoted, "claim")[1]
    assert vote["said"] == {"j0": "Unsupported", "j1": "Supported", "j2": "Unsupported"}
    assert (vote["value"], vote["agree"], vote["rule"]) == ("Unsupported", 0.67, "PANEL-ORDER")
    won = panel_of(name, kind, honest, kind)
    assert won.scores == alone(name, kind).scores
    tied = panel_of(name, kind, honest)
    assert tied.scores == alone(name, honest).scores, "a tie goes to the stricter"
    assert votes(tied, "claim")[1]["tie"] is True
    assert any(flag.startswith("tie: claim") for flag in tied.extra["panel"]["flags"])


@pytest.mark.parametrize(
    ("name", "partly"), [("judge-lock", "Partial"), ("twin-lock", "Partially")]
)
def test_three_ways_apart_is_the_middle_not_the_strictest(name: str, partly: str) -> None:
    """Unsupported, Partial and Supported: of the outer labels each is two against one."""
    lines = [
        changed(name, claim(1, status=label)) for label in ("Unsupported", "Supported", partly)
    ]
    verdict = panel_of(name, *lines)
    vote = votes(verdict, "claim")[1]
    assert (vote["value"], vote.get("tie")) == (partly, None)
    totals = sorted(alone(name, line).total or 0.0 for line in lines)
    assert totals[0] <= (verdict.total or 0.0) <= totals[2]


def test_claims_are_matched_by_their_place_however_they_are_cut() -> None:
    """One judge makes two claims of a sentence, the others one; each hears what the others say."""
    whole = claim(1, span="The mayor resigned in anger over the lost tram line", status="Supported")

    def halved(objects: dict[str, dict[str, Any]]) -> None:
        objects["hallucination"]["claims_checked"][1:] = [
            {"claim": "the mayor resigned", "status": "Unsupported",
             "span": "The mayor resigned in anger", "evidence": ""},
            {"claim": "there was a tram line", "status": "Supported",
             "span": "over the lost tram line", "evidence": ""},
        ]  # fmt: skip

    one, two = changed("judge-lock", whole), changed("judge-lock", halved)
    verdict = panel_of("judge-lock", one, one, two)
    made = votes(verdict, "claim")
    assert [v["value"] for v in made] == ["Supported", "Supported"]
    assert made[1]["said"] == {"j0": "Supported", "j1": "Supported", "j2": "Unsupported"}
    verdict = panel_of("judge-lock", two, two, one)
    assert [v["value"] for v in votes(verdict, "claim")] == [
        "Supported", "Unsupported", "Supported",
    ]  # fmt: skip


def test_what_most_are_silent_on_is_dropped_and_shown() -> None:
    """A claim that one of three makes of words nobody else speaks of has no quorum."""

    def accuses(objects: dict[str, dict[str, Any]]) -> None:
        objects["hallucination"]["claims_checked"].append(
            {"claim": "four pillars cracked", "status": "Unsupported",
             "span": "engineers found cracks in four pillars", "evidence": ""}
        )  # fmt: skip

    honest, mad = changed("judge-lock"), changed("judge-lock", accuses)
    verdict = panel_of("judge-lock", honest, honest, mad)
    assert verdict.scores == alone("judge-lock", honest).scores
    dropped = [v for v in votes(verdict, "claim") if v["rule"] == "PANEL-SILENCE"]
    assert [v["said"] for v in dropped] == [{"j2": "Unsupported"}]
    assert dropped[0]["where"] == "j2: hallucination.claims_checked[2]"
    both = panel_of("judge-lock", honest, mad)
    assert len(votes(both, "claim")) == 3, "one of two is half of them: it is heard"


def test_silence_is_no_praise() -> None:
    """Three judges who each speak of something else: one list is taken, not an empty one."""

    def only(place: int, status: str) -> Change:
        spans = ("Harwick closes its old", "engineers found cracks in", "The mayor resigned in")

        def change(objects: dict[str, dict[str, Any]]) -> None:
            objects["hallucination"]["claims_checked"] = [
                {"claim": spans[place], "status": status, "span": spans[place], "evidence": ""}
            ]

        return change

    lines = [
        changed("judge-lock", only(n, status))
        for n, status in enumerate(("Supported", "Unsupported", "Partial"))
    ]
    verdict = panel_of("judge-lock", *lines)
    assert votes(verdict, "claims")[0]["value"] == 0.5
    assert verdict.scores is not None
    assert verdict.scores["hallucination"] < 10


def test_own_scores_are_medians_and_lists_are_the_median_judges() -> None:
    def marks(align: float, bias: int, covered: int) -> Change:
        def change(objects: dict[str, dict[str, Any]]) -> None:
            objects["alignment"]["overall_score"] = align
            objects["bias_toxicity"]["bias_score"] = bias
            for n, point in enumerate(objects["coverage"]["key_points"]):
                point["coverage"] = "Fully" if n < covered else "Not"

        return change

    lines = [
        changed("twin-lock", marks(2.5, 4, 1)),
        changed("twin-lock", marks(9, 10, 4)),
        changed("twin-lock", marks(3, 6, 2)),
    ]
    verdict = panel_of("twin-lock", *lines)
    assert verdict.scores is not None
    assert verdict.scores["alignment"] == 3
    assert verdict.scores["bias_toxicity"] == 7.5, "the median of 4, 10 and 6, with 9 for toxicity"
    points = votes(verdict, "key points")[0]
    assert (points["rule"], points["value"]) == ("PANEL-LIST", 0.5)
    assert [p["coverage"] for p in verdict.output[0]["key_points"]].count("Fully") == 2
    even = panel_of("twin-lock", *lines[:2])
    assert even.scores is not None
    assert even.scores["alignment"] == 5.75, "of two, their mean"
    assert votes(even, "key points")[0]["value"] == 0.25, "of two lists, the lower"


def test_issues_and_tone_by_majority() -> None:
    def hostile(objects: dict[str, dict[str, Any]]) -> None:
        objects["bias_toxicity"].update(
            tone="hostile", issues_found=[{"type": "stereotype", "issue": "mayors are angry"}]
        )

    honest, harsh = changed("judge-lock"), changed("judge-lock", hostile)
    lone = panel_of("judge-lock", honest, harsh, honest)
    assert lone.output[4]["tone"] == "neutral"
    assert lone.output[4]["issues_found"] == []
    tied = panel_of("judge-lock", honest, harsh)
    assert tied.output[4]["tone"] == "hostile"
    assert [i["type"] for i in tied.output[4]["issues_found"]] == ["stereotype"]
    assert tied.scores is not None
    assert tied.scores["bias_toxicity"] == 6.5, "JL-BIAS-STEREOTYPE caps 8 at 4; 9 stays"


def test_an_extraneous_text_needs_half_of_the_panel() -> None:
    def extra(text: str) -> Change:
        return lambda o: o["coverage"]["extraneous"].append({"text": text, "issue": "invented"})

    none = changed("twin-lock", claim(1, status="Supported"))
    some = [
        changed("twin-lock", claim(1, status="Supported"), extra(text))
        for text in ("over the lost tram line", "resigned in anger over the lost tram line")
    ]
    lone = panel_of("twin-lock", none, some[0], none)
    assert lone.scores == alone("twin-lock", none).scores
    both = panel_of("twin-lock", none, *some)
    assert votes(both, "extraneous text")[0]["said"] == {"j0": False, "j1": True, "j2": True}
    assert len(both.output[0]["extraneous"]) == 1


def rubric(score: tuple[int, int, int], **said: Any) -> str:
    axes = ("logic_and_fact", "constraint_adherence", "helpfulness_and_creativity")
    marks = {"score": dict(zip(axes, score, strict=True))}
    return changed("rubric", lambda o: o[""].update(marks | said))


def test_rubric_axes_are_medians_and_the_total_their_sum() -> None:
    lines = [rubric((10, 30, 5)), rubric((20, 10, 9)), rubric((60, 20, 1))]
    verdict = panel_of("rubric", *lines)
    assert verdict.total == 20 + 20 + 5
    assert verdict.extra["panel"]["scores"]["total"]["median"] == 45
    assert verdict.trace[-1].rule == "RB-TOTAL"


def test_a_critical_fail_is_the_majoritys_and_an_overruled_one_no_zero() -> None:
    fail = {"critical_fail": True, "critical_fail_reason": "it invents", "critical_fail_id": "CF-1"}
    good, other, bad = rubric((40, 20, 5)), rubric((50, 20, 5)), rubric((0, 0, 0), **fail)
    fields = ATTACKED["rubric"].case.fields
    conditions = fields["rubric"].replace("- none", "- CF-1: it invents a reason")
    case = Case("cf", {**fields, "rubric": conditions})
    overruled = panel_of("rubric", good, bad, other, case=case)
    assert (overruled.total, overruled.extra["critical_fail"]) == (70, False)
    assert "critical fail: 1 of 3 say so" in overruled.extra["panel"]["flags"]
    tied = panel_of("rubric", good, bad, case=case)
    assert (tied.total, tied.extra["critical_fail"]) == (0, True)
    assert tied.output["critical_fail_reason"] == "it invents"
    assert "critical fail: 1 of 2 say so, a tie" in tied.extra["panel"]["flags"]


def test_missing_provisions_are_counted_one_by_one() -> None:
    def keeps(*keys: str) -> Change:
        def change(objects: dict[str, dict[str, Any]]) -> None:
            objects[""]["missing"] = [m for m in objects[""]["missing"] if m["key"] in keys]

        return change

    lines = [changed("belgian-law", keeps(*keys)) for keys in (("18", "31"), ("18",), ("1382",))]
    verdict = panel_of("belgian-law", *lines)
    made = votes(verdict, "missing provision")
    assert [v["value"] for v in made] == [True, False, False]
    assert verdict.output["counts"]["missing"] == 1
    assert [m["key"] for m in verdict.output["missing"]] == ["18"]


def test_an_issue_of_one_judge_of_three_does_not_stand() -> None:
    def adds(objects: dict[str, dict[str, Any]]) -> None:
        objects[""]["majorIssues"].append({"code": "act-name", "items": [], "detail": "odd name"})

    honest, lone = changed("belgian-law"), changed("belgian-law", adds)
    verdict = panel_of("belgian-law", honest, lone, honest)
    assert verdict.scores == alone("belgian-law", honest).scores
    assert len(verdict.output["majorIssues"]) == 1
    tied = panel_of("belgian-law", honest, lone)
    assert len(tied.output["majorIssues"]) == 2


@pytest.mark.parametrize("name", ATTACKED)
def test_a_panel_survives_a_member_that_fails(name: str) -> None:
    line = changed(name)
    verdict = panel_of(name, line, ProviderError("the server is gone"), line)
    assert verdict.scores == alone(name, line).scores
    seats = verdict.extra["panel"]["members"]
    assert [(m["counted"], m["error"]) for m in seats] == [
        (True, None), (False, "provider"), (True, None),
    ]  # fmt: skip
    assert "no score from j1: provider" in verdict.extra["panel"]["flags"]
    assert any("the server is gone" in v.detail for v in verdict.violations)


def test_an_empty_response_is_decided_by_code_for_a_panel_too() -> None:
    case = Case("e", {**ATTACKED["rubric"].case.fields, "response": "  "})
    verdict = panel_of("rubric", "never asked", "never asked", case=case)
    assert (verdict.total, verdict.usage.calls) == (0, 0)
    assert verdict.extra["panel"]["combined"] == "scores"


def test_real_judges_of_one_response_as_a_panel(shared: Path) -> None:
    """Every response of the shared rubric replies before all the judges that judged it."""
    folder = shared / "data/rubric"
    heard: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line in (folder / "replies.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        heard[row["task"], row["response"]].append(row["reply"])
    several = [(k, v) for k, v in heard.items() if len(v) > 1]
    assert several
    for (task, response), replies in several:
        text = (folder / f"rubrics-early/{task}.md").read_text("utf-8")
        case = Case(task, {"prompt": "-", "response": response, "rubric": text})
        verdict = panel_of("rubric", *replies, case=case)
        seats = [m for m in verdict.extra["panel"]["members"] if m["counted"]]
        if not seats:
            assert verdict.scores is None
            continue
        assert verdict.scores is not None
        for key, value in verdict.scores.items():
            said = [m["scores"][key] for m in seats]
            if not verdict.extra["critical_fail"] and key != "total":
                assert min(said) <= value <= max(said)
