"""Repeats differ by their seed; a provider that repeats itself is told; nothing is paid in vain."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path

import pytest

from oyer.engine import Asking, prompt_of
from oyer.protocols.catalogue import find_protocol
from oyer.protocols.judge_lock.prompt import SHEET
from oyer.types import Case, Judge, Prompt, Reply
from oyer.verdicts.core import audit
from tests.engine.test_cli_judge import FIELDS, oyer
from tests.injection.attacked_cases import ATTACKED, as_reply
from tests.servers.provider import ProviderServer

HONEST = ATTACKED["judge-lock"]


def sealed(words: str) -> str:
    """The same findings each time; only the seal is the prompt's own."""
    return as_reply(HONEST.honest, re.findall(r'"seal": "([0-9a-f]{12})"', words)[-1])


@pytest.mark.parametrize("how", [(), ("--store", "my.db"), ("--combine",)])
def test_each_repeat_has_a_seed_of_its_own_and_the_same_text_is_told(
    tmp_path: Path, how: tuple[str, ...]
) -> None:
    case = json.dumps({"id": "c1", **HONEST.case.fields})
    with ProviderServer(reply=sealed) as server:
        done = oyer("judge", "judge-lock", "-", "--judge", "openai:m", "--repeat", "3", *how,
                    server=server, cwd=tmp_path, stdin=case)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert sorted(seen.body["seed"] for seen in server.seen) == [0, 1, 2]
    assert (
        "openai:m: the same text in every repeat of 1 of 1 cases, at temperature 0" in done.stderr
    )


def test_the_temperature_is_what_the_user_says(tmp_path: Path) -> None:
    numbers = count()

    def differing(words: str) -> str:
        return f"{sealed(words)}\nThought {next(numbers)}."

    case = json.dumps({"id": "c1", **HONEST.case.fields})
    with ProviderServer(reply=differing) as server:
        done = oyer("judge", "judge-lock", "-", "--judge", "openai:m", "--repeat", "2",
                    "--temperature", "0.7", server=server, cwd=tmp_path, stdin=case)  # fmt: skip
    assert {seen.body["temperature"] for seen in server.seen} == {0.7}
    assert "the same text" not in done.stderr


class Anybody(Judge):
    """Needs only a name: nobody asks it."""

    name = "anybody"

    async def ask(self, prompt: Prompt) -> Reply:
        raise NotImplementedError


def test_asking_for_sums_is_another_prompt() -> None:
    protocol, case = find_protocol("judge-lock"), Case("c1", FIELDS)
    plain = prompt_of(case, protocol, Anybody(), Asking())
    counting = prompt_of(case, protocol, Anybody(), Asking(with_arithmetic=True))
    assert plain.sha != counting.sha
    assert SHEET.is_ours(plain.sha)
    assert SHEET.is_ours(counting.sha), "its replies are held to the same rules"
    assert not SHEET.is_ours("")


RUBRIC = """## Task: Lines
## task_type: creative
## Critical Fail Conditions
- CF-1: fewer than three lines
## checks
```toml
[[check]]
id = "lines"
min_lines = 3
critical = "CF-1"
```
"""


@pytest.mark.parametrize("how", [(), ("--store", "my.db")])
def test_a_critical_fail_that_code_decides_is_not_paid_for(
    tmp_path: Path, how: tuple[str, ...]
) -> None:
    case = {"id": "c1", "prompt": "Write three lines.", "response": "One.", "rubric": RUBRIC}
    with ProviderServer(reply="never") as server:
        done = oyer("judge", "rubric", "-", "--judge", "openai:m", "--json", *how,
                    server=server, cwd=tmp_path, stdin=json.dumps(case))  # fmt: skip
    assert server.seen == []
    verdict = json.loads(done.stdout)
    assert (verdict["total"], verdict["critical_fail"]) == (0, True)
    assert verdict["output"]["critical_fail_reason"] == "lines: 1 lines"
    assert verdict["usage"]["calls"] == 0
    assert [step["rule"] for step in verdict["trace"]] == ["RB-CRITICAL", "RB-TOTAL"]


def test_a_reply_that_is_there_is_still_read() -> None:
    """A recorded judge that overlooks the fail is told so, as before."""
    fields = {"prompt": "Write three lines.", "response": "One.", "rubric": RUBRIC}
    case = Case("c1", fields)
    reply = json.dumps({
        "task_type": "creative", "critical_fail": False, "confidence": "high",
        "score": {"logic_and_fact": 20, "constraint_adherence": 20,
                  "helpfulness_and_creativity": 20}, "total_score": 60,
    })  # fmt: skip
    verdict = audit(case, find_protocol("rubric"), Reply(reply, "m"))
    assert verdict.total == 0
    assert verdict.stated["total"] == 60
