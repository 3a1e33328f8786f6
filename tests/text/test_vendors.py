"""Whose model a name names: the route to it does not tell, its own name does."""

from __future__ import annotations

import pytest

from oyer.text.vendors import judges_itself, vendor_of


@pytest.mark.parametrize(
    ("model", "made_by"),
    [
        ("openai:gpt-5", "openai"),
        ("openai:qwen2.5-72b@http://localhost:8000/v1", "qwen"),
        ("openai:o3-mini", "openai"),
        ("exam:openai:o4-mini", "openai"),
        ("openrouter/google/gemini-3-pro-preview", "google"),
        ("openrouter:meta-llama/llama-3.1-70b", "meta"),
        ("openrouter/anthropic/claude-sonnet-4.6", "anthropic"),
        ("deepseek-r1-distill-llama-70b", "deepseek"),
        ("nvidia/llama-3.1-nemotron-70b", "meta"),
        ("ollama:mistral-nemo", "mistral"),
        ("ollama:llama3:8b", "meta"),
        ("gemini:gemini-2.5-flash", "google"),
        ("google/flan-t5-xl", "google"),
        ("Qwen__Qwen3-30B-A3B-Instruct-2507", "qwen"),
        ("llamacpp:/models/phi-4.gguf", "microsoft"),
        ("cohere/command-a", "cohere"),
        ("allenai/olmo-3", "allenai"),
        ("EleutherAI/gpt-neox-20b", "eleutherai"),
        ("openai:my-model@http://claude.example/v1", None),
        ("ollama:my-tune", None),
        ("llamacpp:/models/my-tune.gguf", None),
        ("mistral:7b", "mistral"),
        ("gemma:latest", "google"),
        ("a-third-partys:gpt-5", "openai"),
        ("dolphin-2.9", None),
        ("himalaya-7b", None),
        ("embedded", None),
        ("", None),
        (None, None),
    ],
)
def test_houses(model: str | None, made_by: str | None) -> None:
    assert vendor_of(model) == made_by


@pytest.mark.parametrize(
    ("judge", "candidate", "same", "reason"),
    [
        ("openai:gpt-5.2", "openrouter/openai/gpt-4o", True, "one house by two routes"),
        ("openai:o3", "allenai/olmo-3", False, "o3 is not in olmo-3"),
        ("ollama:my-tune", "openai:my-tune@http://127.0.0.1:1/v1", True, "the very same model"),
        ("ollama:my-tune", "my-other-tune", False, "unknown names tell nothing"),
        ("a-third-partys:my-tune", "my-tune", True, "whatever the way to it"),
        ("ollama:my-tune:instruct", "my-tune:instruct", True, "a tag is part of the model's name"),
        ("ollama:my-tune:instruct", "other-tune:instruct", False, "a tag is no model"),
        ("embedded", None, False, "nobody wrote it"),
    ],
)
def test_self_judging(judge: str, candidate: str | None, same: bool, reason: str) -> None:
    assert judges_itself(judge, candidate) is same, reason
