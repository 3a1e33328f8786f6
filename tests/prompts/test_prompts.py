"""Our prompts: they carry every label and key of their protocol, and ask for no sums unasked."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest

from oyer.engine import Asking, prompt_of
from oyer.judges.exam.judge import STEPS, step_prompt
from oyer.protocols.catalogue import find_protocol
from oyer.text.seal import seal_of
from oyer.types import Ask, Judge, Prompt, Reply
from tests.engine import exam_judge
from tests.injection.attacked_cases import ATTACKED

METRICS = ("coverage", "alignment", "hallucination", "relevance", "bias_toxicity")
SUMMARY_KEYS = (
    "key_points", "point", "claims_checked", "claim", "status", "span", "evidence", "aspects",
    "deviations", "article_theme", "tone", "issues_found", "bias_score", "tox_score", "rationale",
    "Fully", "Partial", "Not", "Supported", "Unsupported", "neutral", "subjective", "hostile",
    "unclear", '{"error":',
)  # fmt: skip
CARRIES = {
    "judge-lock": (
        *METRICS, *SUMMARY_KEYS, "qag_results", "hidden", "Correct", "Wrong", "exactly 6",
        "4 to 12", "4 to 7", "10 at most", "35 words", "20 words", "slur", "profanity",
        "stereotype",
    ),
    "twin-lock": (
        *METRICS, *SUMMARY_KEYS, "extraneous", "justification", "Partially", "25 to 75", "3 to 7",
        "10 at most", "40 words", "25 words", "Bias", "Toxicity", "Stereotype", "Subjectivity",
    ),
    "rubric": (
        "logic_and_fact", "constraint_adherence", "helpfulness_and_creativity", "fact", "creative",
        "speculative", "60", "inferred_task_type", "critical_fail_id", "critical_fail_reason",
        "critical_fail_quote", "200", "high", "medium", "low", "evidence", "reasoning",
    ),
    "belgian-law": (
        "criticalIssues", "majorIssues", "minorIssues", "empty", "hallucinated", "wrong-decision",
        "enum", "missing", "expansion", "wrong-act", "dedup", "act-name", "date", "key",
        "cosmetic", "date-null", "type", "item", "KONINKLIJK_BESLUIT", "ARRETE_GOUVERNEMENT",
        "1675/13", "XX.99", "tot en met", "Protocol", "ART-<decisionId>",
    ),
}  # fmt: skip
#: Numbers that code computes: asked for only with --with-arithmetic.
SUMS = {
    "judge-lock": ("precision", "recall", "f1", "qag_accuracy", "unsupported_fraction",
                   "severity", "qag_precision", "section_overlap", "summary_sections"),
    "twin-lock": ("precision", "recall", "unsupported_fraction", "summary_sections"),
    "rubric": ("weights", "total_score"),
    "belgian-law": ("verdict", "score", "recommendation", "duplicates"),
}  # fmt: skip


class Nobody(Judge):
    name = "nobody"

    async def ask(self, prompt: Prompt) -> Reply:
        return Reply("")


def made(name: str, **options: Any) -> Prompt:
    court = ATTACKED[name]
    return prompt_of(court.case, find_protocol(name), Nobody(), Asking(**options))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", CARRIES)
def test_a_prompt_carries_its_protocols_labels_and_keys(name: str, language: str) -> None:
    system = made(name, language=language).system
    assert [word for word in CARRIES[name] if word not in system] == []
    assert name != "rubric" or ("試験官" in system) is (language == "ja")


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", SUMS)
def test_sums_are_asked_for_only_on_request(name: str, language: str) -> None:
    plain = made(name, language=language).system
    counting = made(name, language=language, with_arithmetic=True).system
    assert [word for word in SUMS[name] if re.search(rf"(?m)^[^(]*\b{word},", plain)] == []
    assert [word for word in SUMS[name] if word not in counting] == []


@pytest.mark.parametrize("name", ATTACKED)
def test_every_key_of_the_schema_is_named_and_no_form_can_be_copied(name: str) -> None:
    """Small models fill nothing in: they copy a form. So keys are listed, not shown as JSON."""
    prompt = made(name)
    words = f"{prompt.system}\n{prompt.user}"
    assert [key for key in sorted(_keys(prompt.schema)) if key not in words] == []
    assert not re.search(r'(?m)^\{"(metric|task_name|confidence)', prompt.system)


def _keys(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        own = set(schema.get("properties", ()))
        return own.union(*(_keys(value) for value in schema.values()))
    return set()


@pytest.mark.parametrize("name", ATTACKED)
def test_the_schema_is_strict_and_an_honest_reply_fits_it(name: str) -> None:
    court, schema = ATTACKED[name], made(name).schema
    assert schema is not None
    jsonschema.Draft202012Validator.check_schema(schema)
    _strict(schema)
    sealed = [{"seal": "0123456789ab", **one} for one in court.honest]
    reply: Any = sealed[0]
    if name.endswith("lock"):
        reply = json.loads(json.dumps({o["metric"]: o for o in sealed}))
        for item in [*reply["coverage"]["key_points"], *reply["hallucination"]["claims_checked"]]:
            item.update({"justification": "x"} if name == "twin-lock" else {})
    jsonschema.validate(reply, schema)


@pytest.mark.parametrize("name", ATTACKED)
def test_every_prompt_asks_for_a_seal_that_is_not_the_code_of_its_fences(name: str) -> None:
    prompt = made(name)
    assert prompt.seal
    assert f'"seal": "{prompt.seal}"' in prompt.user
    assert prompt.seal not in prompt.nonce
    assert prompt.nonce not in prompt.seal


def test_a_template_may_ask_for_the_seal_in_its_own_words() -> None:
    own = "# System\nJudge.\n# User\n{{ARTICLE}}\n{{SUMMARY}}\nSign with {{SEAL}}."
    prompt = made("judge-lock", template=own)
    assert prompt.user.endswith(f"Sign with {prompt.seal}.")


def test_the_exams_schemas_fit_the_exam() -> None:
    answers = {"article": exam_judge.PAPER, "reading": exam_judge.NOTES,
               "sitting": exam_judge.SITTING, "checking": exam_judge.CHECKING}  # fmt: skip
    for step, slots in STEPS.items():
        prompt = step_prompt(step, dict.fromkeys(slots, "x"), Ask("ab" * 8))
        assert prompt.schema is not None
        _strict(prompt.schema)
        seal = seal_of("ab" * 8)
        assert f'"seal": "{seal}"' in prompt.user
        jsonschema.validate({"seal": seal, **answers[step]}, prompt.schema)


def _strict(schema: Any) -> None:
    """OpenAI's strict mode: every property required, none besides."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert list(schema["properties"]) == schema["required"]
        for value in schema.values():
            _strict(value)
    elif isinstance(schema, list):
        for value in schema:
            _strict(value)
