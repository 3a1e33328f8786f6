"""Exam mode: isolation by what each call can see, one exam an article, marks given by code."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from oyer.engine import hear, open_exam, open_judge
from oyer.errors import ProviderError, UsageError
from oyer.judges.exam import GradedQuestion, MemoryShelf, grade, paper_key
from oyer.judges.open_judges import JudgePool
from oyer.judges.panel import open_panel
from oyer.protocols.catalogue import find_protocol
from oyer.types import Case, Prompt, Reply, Usage
from tests.engine.exam_judge import (
    ARTICLE,
    CASE,
    CHECKING,
    NOTES,
    PAPER,
    SITTING,
    SUMMARY,
    ExamJudge,
    step_of,
)


def sit(judge: Any, case: Case = CASE, protocol: str = "judge-lock") -> Reply:
    return asyncio.run(judge.ask(Prompt("", "", asked_by=find_protocol(protocol), case=case)))


def objects(reply: Reply) -> dict[str, Any]:
    lines = [json.loads(line) for line in reply.text.splitlines() if line[:1] == "{"]
    return {line["metric"]: line for line in lines if "metric" in line}


def test_each_call_sees_only_its_texts() -> None:
    """The words that only one text has never reach the calls that must not see it."""
    examinee = ExamJudge()
    sit(open_exam(examinee))
    assert examinee.steps() == ["article", "checking", "reading", "sitting"]
    for step, prompt in examinee.asked:
        everything = prompt.system + prompt.user
        assert ("Shop owners near the bridge" in everything) is (step in ("article", "checking"))
        assert ("Repairs will cost" in everything) is (step in ("reading", "sitting"))
    sitting = dict(examinee.asked)["sitting"].user
    assert "port authority" not in sitting, "the expected answers are not on the paper"
    checking = dict(examinee.asked)["checking"].user
    assert "cracks in four pillars" not in checking


def test_code_marks_the_answers() -> None:
    made = objects(sit(open_exam(ExamJudge())))
    assert list(made) == ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"]
    statuses = [pair["status"] for pair in made["coverage"]["qag_results"]]
    assert statuses == ["Correct", "Correct", "Correct", "Correct", "Wrong", "Wrong"]
    assert [p["status"] for p in made["hallucination"]["qag_results"]] == ["Correct"] * 6
    assert [p["coverage"] for p in made["coverage"]["key_points"]] == [
        "Partial", "Fully", "Fully", "Partial",
    ]  # fmt: skip
    assert made["hallucination"]["claims_checked"][0]["span"] in SUMMARY
    assert made["alignment"]["overall_score"] == 9
    assert made["bias_toxicity"]["tone"] == "neutral"


def test_a_word_that_the_summary_lacks_earns_no_mark() -> None:
    """EX-HEARD: the key points may suggest an answer; the summary must hold its words."""
    examinee = ExamJudge()
    told = {"n": 5, "answer": "the region and the port authority",
            "evidence": "Repairs will cost 38 million euros"}  # fmt: skip
    examinee.answers["sitting"] = {**SITTING, "answers": [*SITTING["answers"][:4], told]}
    made = objects(sit(open_exam(examinee)))
    assert made["coverage"]["qag_results"][4]["status"] == "Wrong"


def test_twin_lock_has_no_question_loop_so_nobody_is_asked() -> None:
    examinee = ExamJudge()
    examinee.answers["sitting"] = {**SITTING, "answers": []}
    examinee.answers["checking"] = {**CHECKING, "answers": []}
    assert sit(open_exam(examinee), protocol="twin-lock").usage.calls == 4
    shown = {step: prompt.user for step, prompt in examinee.asked}
    for step in ("sitting", "checking"):
        assert "How long" not in shown[step]


def test_twin_lock_gets_its_own_labels() -> None:
    checking = json.loads(json.dumps(CHECKING))
    checking["claims"][1]["status"] = "Partial"
    examinee = ExamJudge()
    examinee.answers["checking"] = checking
    made = objects(sit(open_exam(examinee), protocol="twin-lock"))
    assert [c["status"] for c in made["hallucination"]["claims_checked"]] == [
        "Supported", "Partially",
    ]  # fmt: skip
    assert "qag_results" not in made["coverage"]


def test_an_article_is_paid_for_once() -> None:
    """Twenty summaries of one article at the same time: one exam is set."""
    examinee, shelf = ExamJudge(), MemoryShelf()
    judge = open_exam(examinee, shelf)
    cases = [replace(CASE, id=str(n)) for n in range(20)]

    async def all_at_once() -> list[Reply]:
        protocol = find_protocol("judge-lock")
        prompts = [Prompt("", "", asked_by=protocol, case=case) for case in cases]
        return list(await asyncio.gather(*(judge.ask(prompt) for prompt in prompts)))

    replies = asyncio.run(all_at_once())
    assert examinee.steps().count("article") == 1
    assert sorted(reply.usage.calls for reply in replies) == [3] * 19 + [4]
    assert list(shelf.papers) == [paper_key("examinee", ARTICLE)]
    # Another program with the same shelf sets none at all.
    again = ExamJudge()
    sit(open_exam(again, shelf))
    assert "article" not in again.steps()


def test_the_exam_belongs_to_article_and_judge() -> None:
    assert paper_key("a", ARTICLE) != paper_key("b", ARTICLE)
    assert paper_key("a", ARTICLE) != paper_key("a", ARTICLE + " ")


def _with(step: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**step, **changes}


@pytest.mark.parametrize(
    ("step", "bad", "complaint"),
    [
        ("article", "Sure! Here is the exam.", "no JSON object"),
        ("article", _with(PAPER, questions=PAPER["questions"][:5]), "5 usable ones, not exactly 6"),
        ("article", _with(PAPER, key_points=PAPER["key_points"][:2]), "2 of them, not 4 to 7"),
        (
            "article",
            _with(PAPER, questions=[*PAPER["questions"][:5],
                  {"question": "Who sang?", "answer": "Elvis", "evidence": "sang all night long"}]),
            "questions[6]: the ARTICLE does not hold its answer",
        ),
        ("reading", _with(NOTES, claims=[]), "claims: there are none"),
        ("reading", {k: v for k, v in NOTES.items() if k != "tone"}, "tone: is missing"),
        ("sitting", _with(SITTING, answers=SITTING["answers"][:4]), "no answer to number 5"),
        ("checking", _with(CHECKING, claims=CHECKING["claims"][1:]), "no answer to number 1"),
    ],
)  # fmt: skip
def test_a_faulty_step_is_asked_for_again(step: str, bad: Any, complaint: str) -> None:
    examinee = ExamJudge()
    examinee.answers[step] = [bad, examinee.answers[step]]
    reply = sit(open_exam(examinee))
    assert examinee.steps().count(step) == 2
    again = [prompt for s, prompt in examinee.asked if s == step][1]
    assert complaint in again.user
    assert reply.usage.calls == 5, "every attempt is paid for"
    assert len(objects(reply)) == 5


def test_a_step_that_stays_unreadable_ends_without_scores() -> None:
    examinee = ExamJudge()
    examinee.answers["sitting"] = "I have no idea."
    reply = sit(open_exam(examinee))
    assert reply.about["final"] is True
    assert "sitting" in reply.about["exam_failed"]
    assert objects(reply) == {}
    assert reply.usage.calls == 6


def test_a_claim_that_nobody_checked_is_not_supported() -> None:
    examinee = ExamJudge()
    examinee.answers["checking"] = _with(CHECKING, claims=CHECKING["claims"][:1])
    made = objects(sit(open_exam(examinee)))
    assert made["hallucination"]["claims_checked"][1]["status"] == "Unsupported"


@pytest.mark.parametrize(
    ("statuses", "given", "expected", "reason"),
    [
        (("Unsupported", "Supported"), 9, 3, "half of the claims are invented: severe"),
        (("Partial", "Partial"), 9, 3, "two halves are a half"),
        (("Partial", "Supported"), 9, 9, "a quarter is not severe"),
        (("Unsupported", "Unsupported"), 1, 1, "a cap never raises"),
    ],
)
def test_alignment_stands_as_the_judge_said_it_and_the_protocol_caps_it(
    statuses: tuple[str, str], given: int, expected: int, reason: str
) -> None:
    examinee = ExamJudge()
    claims = [{"n": n, "status": s, "evidence": ""} for n, s in enumerate(statuses, 1)]
    examinee.answers["checking"] = _with(CHECKING, claims=claims)
    examinee.answers["sitting"] = _with(SITTING, alignment=given)
    verdict = asyncio.run(hear(CASE, find_protocol("judge-lock"), open_exam(examinee))).verdict
    assert verdict.stated["alignment"] == given
    (own,) = [step for step in verdict.trace if step.rule == "JL-ALIGN"]
    assert own.inputs == {"stated": given}
    assert verdict.scores is not None
    assert verdict.scores["alignment"] == expected, reason
    capped = [step.value for step in verdict.trace if step.rule == "JL-CAP-SEVERE"]
    severe = statuses != ("Partial", "Supported")
    assert capped == ([expected] if severe else []), "the cap is shown as a step of its own"


def test_a_step_that_fails_does_not_hide_what_the_others_cost() -> None:
    class Cut(ExamJudge):
        async def ask(self, prompt: Prompt) -> Reply:
            if step_of(prompt) in ("sitting", "checking"):
                raise ProviderError("no answer", usage=Usage(0, 0, None, 1, 0.1))
            return await super().ask(prompt)

    usage = asyncio.run(hear(CASE, find_protocol("judge-lock"), open_exam(Cut()))).verdict.usage
    assert usage.calls == 4
    assert usage.input_tokens == 200, "article and reading were answered"
    assert usage.cost_usd is None


def test_every_raw_answer_is_on_the_record() -> None:
    reply = sit(open_exam(ExamJudge()))
    said = [json.loads(line) for line in reply.text.splitlines() if line.startswith('{"exam_step"')]
    assert [s["exam_step"] for s in said] == ["article", "reading", "sitting", "checking"]
    assert json.loads(said[0]["said"]) == PAPER


def test_a_panels_members_each_sit_their_own() -> None:
    bench = open_exam(open_panel([ExamJudge("one"), ExamJudge("two")]))
    assert bench.name == "exam:one+exam:two"


def test_the_embedded_judge_sits_beside_an_exam_as_it_is() -> None:
    async def main() -> str:
        async with JudgePool() as pool:
            return open_judge(pool, "exam:openai:m@http://127.0.0.1:9/v1+embedded").name

    name = asyncio.run(main())
    assert name.startswith("exam:openai:m@http://127.0.0.1:9/v1+embedded")


def test_other_protocols_have_no_exam() -> None:
    with pytest.raises(UsageError, match="judge summaries, not for rubric"):
        sit(open_exam(ExamJudge()), protocol="rubric")


@pytest.mark.parametrize(
    ("expected", "given", "language", "status", "reason"),
    [
        ("two years", "2 years", "en", "Correct", "a number word is its figure"),
        ("two years", "Two years.", "en", "Correct", "case and full stop fold away"),
        ("38 million euros", "38 million", "en", "Correct", "the currency goes without saying"),
        ("38 million euros", "83 million euros", "en", "Wrong", "another number"),
        ("1,200 people", "1 200 people", "en", "Correct", "thousands are grouped in many ways"),
        ("3.5 percent", "3,5 percent", "en", "Correct", "a comma is a decimal point elsewhere"),
        ("35 percent", "3.5 percent", "en", "Wrong", "a point is no grouping here"),
        ("Ilse Brandt", "the mayor, Ilse Brandt", "en", "Correct", "more words do no harm"),
        ("Ilse Brandt", "Brandt", "en", "Correct", "a surname is the name"),
        ("Ilse Brandt", "Jan Peeters", "en", "Wrong", "somebody else"),
        ("the region and the port authority", "the region", "en", "Partial", "one of three"),
        ("closing the bridge", "the bridge closed", "en", "Correct", "stems, not forms"),
        ("June", "", "en", "Wrong", "no answer"),
        ("June", "not stated", "en", "Wrong", "a polite no answer"),
        ("vitamin C", "vitamin D", "en", "Partial", "single letters count, half is met"),
        ("la loi du 10 mai 2007", "loi du 10 mai 2007", "fr", "Correct", "French"),
        ("le Conseil d’État", "le Conseil d'Etat", "fr", "Partial", "an accent is a letter"),
        ("vier pijlers", "4 pijlers", "nl", "Correct", "Dutch number words"),
        ("東京都の図書館", "東京都の図書館です", "ja", "Correct", "Japanese by its pieces"),
        ("三月の検査", "六月の祭り", "ja", "Wrong", "Japanese, something else"),
        ("four", "one two three four five six seven eight nine ten", "en", "Wrong",
         "a list of guesses is no answer"),
        ("zebra", " ".join(f"word{n}" for n in range(40)) + " zebra", "en", "Wrong",
         "what stands after 30 words is not read"),
    ],
)  # fmt: skip
def test_marks(expected: str, given: str, language: str, status: str, reason: str) -> None:
    assert grade(GradedQuestion(expected), given, language) == status, reason
