"""The embedded judge as a user meets it: a case in, a verdict out, through the same audit."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import oyer
from oyer.errors import UsageError
from oyer.judges.embedded import VERSION, Embedded, open_embedded, support
from oyer.judges.embedded.assess import Variant
from oyer.protocols.catalogue import find_protocol
from oyer.types import Case, Prompt, Verdict
from tests.embedded.conftest import ARTICLE, GOOD, VARIANTS, verdict

PROTOCOLS = ("judge-lock", "twin-lock")


def step(found: Verdict, rule: str) -> float:
    return float(next(s.value for s in found.trace if s.rule == rule))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_faithful_summary_is_scored_without_a_violation(protocol: str) -> None:
    found = verdict(protocol, GOOD)
    assert found.status == "scored"
    assert found.violations == ()
    assert found.scores is not None
    assert found.scores["hallucination"] >= 8
    assert found.scores["bias_toxicity"] == 10


def test_the_articles_own_lead_scores_high() -> None:
    lead = "\n".join(ARTICLE.split("\n")[:4])
    found = verdict("twin-lock", lead)
    assert found.scores is not None
    assert found.scores["hallucination"] == 10
    assert found.scores["relevance"] == 10
    assert step(found, "TL-HAL-SUPPORT") > 0.6


def test_every_quote_of_a_reply_is_verbatim() -> None:
    found = verdict("judge-lock", GOOD)
    assert not [v for v in found.violations if v.code.startswith("evidence")]
    assert len(found.evidence) >= 12


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "Le conseil va fermer la bibliothèque et les habitants ne sont pas contents.",
            "French and the article English",
        ),
        ("Der Rat hat beschlossen, die Bibliothek zu schließen, und das ist nicht gut.", "de"),
        ("市議会は図書館を閉鎖することを決定した。", "Japanese"),
        ("Городской совет решил закрыть старую библиотеку на улице Моста во вторник", "English"),
        ("…", "no words"),
    ],
)
def test_what_it_was_not_trained_for_is_refused_not_scored(text: str, reason: str) -> None:
    found = verdict("judge-lock", text)
    assert (found.status, found.error, found.scores) == ("unscored", "refused", None)
    assert reason in str([v.detail for v in found.violations])


def test_a_protocol_that_takes_understanding_is_refused() -> None:
    reply = json.loads(Embedded("light").reply("rubric", Case("1", {})))
    assert "rubric" in reply["error"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_bytes_again_and_in_another_process_on_another_core(variant: Variant) -> None:
    case = Case("1", {"article": ARTICLE, "summary": GOOD})
    here = Embedded(variant).reply("judge-lock", case)
    assert here == Embedded(variant).reply("judge-lock", case)
    code = (
        "import json, os, sys\n"
        "os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})\n"
        "from oyer.judges.embedded import Embedded\n"
        "from oyer.types import Case\n"
        "case = Case('1', json.load(sys.stdin))\n"
        "sys.stdout.write(Embedded(sys.argv[1]).reply('judge-lock', case))\n"
    )
    there = subprocess.run(
        [sys.executable, "-c", code, variant], input=json.dumps(case.fields), capture_output=True,
        text=True, check=True, env={**os.environ, "PYTHONHASHSEED": "1"},
    )  # fmt: skip
    assert there.stdout == here


def test_asked_as_a_judge_it_names_its_variant_and_its_measured_reliability() -> None:
    judge = open_embedded("light")
    case = Case("1", {"article": ARTICLE, "summary": GOOD})
    reply = asyncio.run(judge.ask(Prompt("", "", asked_by=find_protocol("twin-lock"), case=case)))
    assert reply.judge == judge.name == f"embedded@{VERSION}-light"
    assert reply.about["reliability"]["summeval"]["n"] == 600


def test_an_unknown_variant_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="embedded:light"):
        open_embedded("huge")


def test_support_is_a_probability_that_falls_with_a_wrong_number() -> None:
    right = support(ARTICLE, "The new branch will hold 60,000 books.", "light")
    wrong = support(ARTICLE, "The new branch will hold 85,000 books.", "light")
    assert 0 < wrong < right < 1


def test_the_light_variant_is_small() -> None:
    folder = Path(oyer.__file__).parent / "judges/embedded"
    files = [folder / name for name in ("vectors.npz", "model.npz", "lexis.toml")]
    assert sum(f.stat().st_size for f in files) <= 2_000_000
