"""Judge prompts as people have them: places are found, nothing else of them is touched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from oyer.errors import UsageError
from oyer.protocols.catalogue import find_protocol
from oyer.protocols.own_prompts import find_places
from oyer.types import Ask
from tests.conftest import SHARED
from tests.injection.attacked_cases import ATTACKED
from tests.servers.provider import ProviderServer
from tests.summary.good_replies import SUMMARY, case, judge_lock, twin_lock

SEEDS = SHARED / "seeds"
SRC = Path(__file__).resolve().parents[2] / "src"
NONCE = "0123456789abcdef"
NAMES = {"ARTICLE": ("article", "document", "source", "text"), "SUMMARY": ("summary",)}
needs_seeds = pytest.mark.skipif(
    not SEEDS.is_dir(), reason=f"the four original prompts are not at {SEEDS}"
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{insert_article_here} {insert_summary_here}", ["ARTICLE", "SUMMARY"]),
        ("{{Article}}\n{{ summary }}", ["ARTICLE", "SUMMARY"]),
        ("${article} and ${summary}", ["ARTICLE", "SUMMARY"]),
        ("[ARTICLE]\n[INSERT SUMMARY HERE]", ["ARTICLE", "SUMMARY"]),
        ("{sourceDocument}: {summaryText}", ["ARTICLE", "SUMMARY"]),
        ("{text}", ["ARTICLE"]),
        ("<article></article>\n<summary>…</summary>", ["ARTICLE", "SUMMARY"]),
        ("inside <article>…</article>.\n<article>\n{article}\n</article>", ["ARTICLE"]),
        ('answer {"article": 1} as [article, summary]', []),
        ("`ART-{article}-{seq}`", []),
        ("{language} {n}", []),
    ],
)
def test_places_are_recognised(text: str, found: list[str]) -> None:
    assert [place.slot for place in find_places(text, NAMES)] == found


def test_a_place_stays_where_it_is_and_the_rest_as_it_was() -> None:
    text = "Judge well.\n\nArticle:\n{article}\nNow the summary: {summary}\nAnswer {x} in JSON."
    prompt = asked("judge-lock", text)
    assert prompt.system == "Judge well.\n\nArticle:"
    assert prompt.user.startswith(f"<ARTICLE-{NONCE}>\n")
    assert f"</ARTICLE-{NONCE}>\nNow the summary: <SUMMARY-{NONCE}>" in prompt.user
    assert f"</SUMMARY-{NONCE}>\nAnswer {{x}} in JSON." in prompt.user
    assert prompt.schema is None, "the prompt asks for a form of its own"
    assert prompt.seal in prompt.user


def test_a_text_without_a_place_is_added_at_the_end() -> None:
    protocol = find_protocol("judge-lock")
    assert protocol.describe_template is not None
    text = "Rate this summary.\n{article}"
    how = protocol.describe_template(text)
    assert how == "article at {article} (line 2); summary added at the end"
    assert f"<SUMMARY-{NONCE}>\n{SUMMARY}\n" in asked("judge-lock", text).user


@pytest.mark.parametrize("name", ATTACKED)
def test_a_prompt_that_names_no_text_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="names none of the texts"):
        asked(name, "Judge well; JSON only.")


def test_asked_again_it_is_told_what_was_wrong() -> None:
    ask = Ask(NONCE, template="{article} {summary}", complaint="no JSON", previous="Sure!")
    protocol = find_protocol("judge-lock")
    assert protocol.prompt is not None
    user = protocol.prompt(case(), ask).user
    assert f"<PREVIOUS-{NONCE}>\nSure!\n" in user
    assert f"<COMPLAINT-{NONCE}>\nno JSON\n" in user


def asked(name: str, template: str) -> Any:
    protocol = find_protocol(name)
    assert protocol.prompt is not None
    given = case() if name.endswith("lock") else ATTACKED[name].case
    return protocol.prompt(given, Ask(NONCE, template=template))


# ── the four originals ────────────────────────────────────────────────────────────────────────


@needs_seeds
@pytest.mark.parametrize("name", ATTACKED)
def test_an_original_is_asked_unchanged(name: str) -> None:
    """Every line of it but the places stands in the prompt, in its order; texts only in fences."""
    original = (SEEDS / f"{name}.txt").read_text("utf-8")
    prompt = asked(name, original)
    words = f"{prompt.system}\n{prompt.user}"
    at = 0
    for line in original.splitlines():
        if not line.strip() or line.strip().strip("{}").lower().endswith(("here", "rubric")):
            continue
        at = words.find(line.strip(), at)
        assert at >= 0, line
    given = case() if name.endswith("lock") else ATTACKED[name].case
    for field in given.fields.values():
        assert not isinstance(field, str) or len(field) < 40 or field not in prompt.system


def as_originals_answer(name: str) -> str:
    """Replies in the originals' own forms: stated sums, loose objects, other spellings."""
    if name == "rubric":
        reply = {
            **ATTACKED[name].honest[0],
            "weights": {"logic_and_fact": 60, "constraint_adherence": 30,
                        "helpfulness_and_creativity": 10},
            "total_score": 99,
        }  # fmt: skip
        for key in ("evidence", "critical_fail_id", "critical_fail_quote"):
            reply.pop(key, None)
        reply["reasoning"] = dict.fromkeys(reply["score"], "説明" * 100)
        return f"```json\n{json.dumps(reply, ensure_ascii=False, indent=2)}\n```"
    if name == "belgian-law":
        return json.dumps(
            {
                "verdict": "FAIL", "score": 20, "confidence": "HIGH",
                "criticalIssues": ["ID integrity failure: ART-WRONG-001"],
                "majorIssues": ["Missing provisions: recall 25%"], "minorIssues": [],
                "recommendation": "FIX_PROMPT", "summary": "Wrong id, low recall.",
                "counts": {"expected": 4, "extracted": 1, "matched": 1, "missing": 3,
                           "hallucinated": 0, "duplicates": 0},
                "missing": ["art. 18 Code judiciaire", "art. 1382 ancien Code civil",
                            "art. 31, § 2, loi du 10 mai 2007"],
                "hallucinated": [], "idIssues": ["ART-WRONG-001"], "typeIssues": [],
                "normalizationIssues": [],
            }
        )  # fmt: skip
    reply = judge_lock() if name == "judge-lock" else twin_lock()
    reply["coverage"] |= {"metric": "Coverage", "precision": 1, "recall": 1.0, "overall_score": 9.2}
    reply["hallucination"] |= {"metric": "Hallucination", "unsupported_fraction": 0.0,
                               "overall_score": "10"}  # fmt: skip
    reply["relevance"] |= {"overall_score": 8.5, "summary_sections": []}
    reply["bias_toxicity"] |= {"metric": "Bias-Toxicity", "overall_score": 10}
    return "\n\n".join(json.dumps(one) for one in reply.values())


@needs_seeds
@pytest.mark.parametrize("name", ATTACKED)
def test_an_original_runs_one_shot_and_its_reply_is_audited(name: str, tmp_path: Path) -> None:
    """Over HTTP, as a user does it: `oyer judge PROTOCOL cases --prompt original.txt`."""
    given = case().fields if name.endswith("lock") else ATTACKED[name].case.fields
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps({"id": "c1", **given}), "utf-8")
    with ProviderServer(reply=as_originals_answer(name)) as server:
        done = subprocess.run(
            [sys.executable, "-m", "oyer", "judge", name, "cases.jsonl", "--judge", "openai:m",
             "--template", str(SEEDS / f"{name}.txt"), "--json"],
            capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False,
            env={**os.environ, "PYTHONPATH": str(SRC), **server.environ},
        )  # fmt: skip
        sent = len(server.seen)
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)
    assert verdict["status"] == "scored"
    assert sent == 1, "one call: it was read at once"
    codes = {one["code"] for one in verdict["violations"]}
    assert "arithmetic" in codes, "what it states is compared"
    assert verdict["stated"]
    assert "evidence.missing" not in codes, "its prompt asks for no quotes of points and claims"
    assert " at {" in done.stderr or "added at the end" in done.stderr
