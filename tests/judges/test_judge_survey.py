"""`oyer judges`: what is usable here and why not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from oyer.errors import InputError, ProviderError
from oyer.judges import open_judge
from oyer.judges.availability import survey
from oyer.judges.registry import Availability
from oyer.types import Case, Prompt
from tests.servers.provider import ProviderServer


def found(environ: dict[str, str]) -> dict[str, Availability]:
    return {row.name: row for row in asyncio.run(survey(environ))}


def test_without_keys_and_servers_it_says_what_to_set() -> None:
    with ProviderServer() as server:
        gone = server.url
    rows = found({"OLLAMA_HOST": gone})
    assert not rows["openai:MODEL"].usable
    assert "OPENAI_API_KEY" in rows["openai:MODEL"].why
    assert "GEMINI_API_KEY or GOOGLE_API_KEY" in rows["gemini:MODEL"].why
    assert not rows["ollama:MODEL"].usable
    assert "OLLAMA_HOST" in rows["ollama:MODEL"].why
    assert rows["replay:FILE"].usable


def test_keys_and_servers_make_judges_usable() -> None:
    with ProviderServer() as server:
        rows = found({**server.environ, "OPENAI_BASE_URL": "http://h:1/v1"})
    assert rows["anthropic:MODEL"].usable
    assert "ANTHROPIC_API_KEY is set" in rows["anthropic:MODEL"].why
    assert rows["ollama:MODEL"].models == ("llama-test:latest",)
    assert "at h:1" in rows["openai:MODEL"].why


def test_a_variable_that_cannot_be_used_is_named_and_not_shown() -> None:
    address = "http://user:hunter2@h:1/v1"
    environ = {"OPENAI_BASE_URL": address, "OLLAMA_HOST": address}
    rows = found({**environ, "GEMINI_API_KEY": "hunt\ner2"})
    for name, variable in (
        ("openai", "OPENAI_BASE_URL"),
        ("ollama", "OLLAMA_HOST"),
        ("gemini", "GEMINI_API_KEY"),
    ):
        assert not rows[f"{name}:MODEL"].usable
        assert variable in rows[f"{name}:MODEL"].why
    assert "hunt" not in str(rows)


def replay(path: Path, case: str, protocol: str = "judge-lock", times: int = 1) -> list[str]:
    async def main() -> list[str]:
        judge = open_judge(f"replay:{path}")
        prompt = Prompt("", "", protocol=protocol, case=Case(case, {}))
        return [(await judge.ask(prompt)).text for _ in range(times)]

    return asyncio.run(main())


def test_replay_gives_each_recorded_reply_once_and_in_order(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text(
        '{"id": "a", "reply": "one"}\n\n{"id": "a", "reply": "two"}\n'
        '{"id": "b", "protocol": "rubric", "reply": "rubric"}\n{"id": "b", "reply": "any"}\n'
        '{"reply": "by line"}\n'
    )
    assert replay(file, "a", times=2) == ["one", "two"]
    with pytest.raises(ProviderError, match="only 2 replies recorded for case 'a'"):
        replay(file, "a", times=3)
    assert replay(file, "b", "rubric") == ["rubric"]
    assert replay(file, "b", "twin-lock") == ["any"]
    assert replay(file, "6") == ["by line"]


def test_replay_has_no_reply_for_a_case_it_does_not_know(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text('{"id": "a", "reply": "one"}\n')
    with pytest.raises(ProviderError, match="no recorded reply for case 'z'"):
        replay(file, "z")


@pytest.mark.parametrize("line", ["{}", "not json", '{"id": 1, "reply": 3}', "[]"])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text('{"id": "a", "reply": "one"}\n' + line)
    with pytest.raises(InputError, match=r"r\.jsonl:2"):
        open_judge(f"replay:{file}")
