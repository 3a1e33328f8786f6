"""Judge names: what they mean, what they refuse, and that they hold no secret."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.errors import InputError, UsageError
from oyer.judges import JudgeName, JudgePool, members, parse_name
from oyer.judges.registry import provider_names

#: name, kind, model, address
GOOD = [
    ("embedded", "embedded", "", None),
    ("openai:gpt-5", "openai", "gpt-5", None),
    ("openai:m@http://host:8000/v1", "openai", "m", "http://host:8000/v1"),
    ("openai:org/m:q4@https://h/v1/", "openai", "org/m:q4", "https://h/v1"),  # slash at the end
    ("openai:a@b@http://h/v1", "openai", "a@b", "http://h/v1"),  # only @http separates
    ("ollama:qwen3:8b", "ollama", "qwen3:8b", None),  # a tag holds a colon
    ("openrouter:meta/llama-4:free", "openrouter", "meta/llama-4:free", None),
    ("llamacpp:/models/a b.gguf", "llamacpp", "/models/a b.gguf", None),
    ("llamacpp:C:/m@http://x.gguf", "llamacpp", "C:/m@http://x.gguf", None),  # a path is a path
    ("replay:r.jsonl", "replay", "r.jsonl", None),
]


@pytest.mark.parametrize(("name", "kind", "model", "url"), GOOD)
def test_a_name_says_who_which_and_where(name: str, kind: str, model: str, url: str | None) -> None:
    assert parse_name(name) == JudgeName(kind, model, url)


#: name, what the error must say
BAD = [
    ("gpt-5", "unknown judge 'gpt-5' (did you mean 'openai:gpt-5'?)"),
    ("opnai:gpt-5", "did you mean 'openai:gpt-5'?"),
    ("claude-opus-5", "did you mean 'anthropic:claude-opus-5'?"),
    ("openai:gpt-5+", "a panel is a+b"),
    ("openai:qwen3@127.0.0.1:8000", "write 'openai:qwen3@http://127.0.0.1:8000/v1'"),
    ("ollama:qwen3@gpu:11434/v1", "write 'ollama:qwen3@http://gpu:11434/v1'"),
    ("", "unknown judge"),
    ("openai", "needs a model"),
    ("openai:", "needs a model"),
    ("replay:", "needs a file"),
    ("openai:@http://h/v1", "needs a model before '@'"),
    ("openai:m@http:///v1", "has no host"),
    ("openai:m@http://user:hunter2@h/v1", "environment variable"),
    ("openai:m@http://h/v1?key=hunter2", "environment variable"),
    ("nope:m@http://user:hunter2@h/v1?x=hunter2", "unknown judge"),
]


@pytest.mark.parametrize(("name", "told"), BAD)
def test_a_bad_name_says_what_to_write_and_repeats_no_password(name: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_name(name)
    assert told in str(caught.value)
    assert "hunter2" not in str(caught.value)


#: panel, its members
PANELS = [
    ("embedded", ["embedded"]),
    ("openai:a+anthropic:b+embedded", ["openai:a", "anthropic:b", "embedded"]),
    ("openai:a+openai:a", ["openai:a", "openai:a"]),
    ("openai:c++coder+ollama:x", ["openai:c++coder", "ollama:x"]),  # a plus inside a name
    ("replay:a+b.jsonl", ["replay:a+b.jsonl"]),
]


@pytest.mark.parametrize(("name", "expected"), PANELS)
def test_a_plus_before_a_judge_separates_the_members_of_a_panel(
    name: str, expected: list[str]
) -> None:
    assert members(name) == expected


@given(
    st.text(max_size=60)
    | st.builds(
        "{}:{}@http{}".format,
        st.sampled_from(provider_names()),
        st.text(max_size=9),
        st.text("s:/@?#.+ab"),
    )
)
def test_any_text_is_a_judge_or_a_usage_error(name: str) -> None:
    try:
        parsed = parse_name(name)
    except UsageError:
        return
    assert parse_name(str(parsed)) == parsed


def test_a_panel_opens_its_members() -> None:
    pool = JudgePool(environ={"OPENAI_API_KEY": "k" * 20, "ANTHROPIC_API_KEY": "k" * 20})
    assert pool.open("openai:a+anthropic:b").name == "openai:a+anthropic:b"


def test_missing_files_are_named(tmp_path: Path) -> None:
    for name in (f"replay:{tmp_path}/no.jsonl", f"llamacpp:{tmp_path}/no.gguf"):
        with pytest.raises((InputError, UsageError), match=r"no\.(jsonl|gguf)"):
            JudgePool().open(name)
