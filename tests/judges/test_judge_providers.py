"""Every provider, asked over real HTTP: what is sent, what is read, what is counted."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from oyer.errors import ProviderError, UsageError
from oyer.judges import JudgePool, Options, open_judge
from oyer.judges.http_errors import classify
from oyer.judges.providers import anthropic
from oyer.judges.wire import Fault, WireAnswer
from oyer.types import Prompt, Reply, Usage
from tests.servers.provider import KEY, ProviderServer

NAMES = {
    "openai": "openai:gpt-test",
    "openai-responses": "openai-responses:gpt-test",
    "anthropic": "anthropic:claude-test",
    "gemini": "gemini:gemini-test",
    "ollama": "ollama:llama-test",
    "openrouter": "openrouter:maker/model",
}
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
PROMPT = Prompt("Judge.", "Is it true? — «été» 日本", schema=SCHEMA, max_tokens=77)
QUICK = Options(timeout=120, pause=0.001)

every_provider = pytest.mark.parametrize("provider", NAMES)


def ask(
    server: ProviderServer, name: str, prompt: Prompt = PROMPT, options: Options = QUICK
) -> Reply:
    async def main() -> Reply:
        async with JudgePool(options, environ=server.environ) as pool:
            return await pool.open(name).ask(prompt)

    return asyncio.run(main())


def failure(server: ProviderServer, name: str, options: Options = QUICK) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(server, name, options=options)
    return caught.value


@every_provider
def test_an_answer_comes_back_with_its_words_tokens_and_name(provider: str) -> None:
    with ProviderServer(reply='{"answer": "ja, été 日本"}', tokens=(120, 34)) as server:
        reply = ask(server, NAMES[provider])
    assert reply.text == '{"answer": "ja, été 日本"}'
    assert reply.judge == NAMES[provider]
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (120, 34)
    assert reply.usage.calls == 1
    assert reply.usage.seconds > 0
    assert reply.about["stop"] == "stop"


@every_provider
def test_the_request_carries_both_texts_the_bound_and_the_key_in_its_header(provider: str) -> None:
    with ProviderServer() as server:
        ask(server, NAMES[provider])
        [seen] = server.seen
    assert seen.provider == provider
    text = str(seen.body)
    assert "Judge." in text
    assert "«été» 日本" in text
    assert "77" in text
    assert KEY not in seen.path
    header = {"anthropic": "x-api-key", "gemini": "x-goog-api-key"}.get(provider, "Authorization")
    assert KEY in {k.lower(): v for k, v in seen.headers.items()}[header.lower()]


#: provider -> where temperature 0 stands, where the seed stands (None: the API knows no seed)
SAMPLING = {
    "openai": (("temperature",), ("seed",)),
    "openai-responses": (("temperature",), None),
    "anthropic": (("temperature",), None),
    "gemini": (("generationConfig", "temperature"), ("generationConfig", "seed")),
    "ollama": (("options", "temperature"), ("options", "seed")),
    "openrouter": (("temperature",), ("seed",)),
}


@every_provider
def test_sampling_is_pinned_where_the_api_allows(provider: str) -> None:
    with ProviderServer() as server:
        ask(server, NAMES[provider], options=replace(QUICK, seed=5))
        body = server.seen[0].body
    temperature, seed = SAMPLING[provider]
    assert _at(body, temperature) == 0
    assert "seed" not in str(body) if seed is None else _at(body, seed) == 5


def _at(body: dict, path: tuple[str, ...]) -> object:
    for name in path:
        body = body[name]
    return body


#: provider -> the structured-output part of a request, as its reference writes it
STRUCTURED: dict[str, dict[str, Any]] = {
    "openai": {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True},
        }
    },
    "openai-responses": {
        "text": {
            "format": {"type": "json_schema", "name": "reply", "schema": SCHEMA, "strict": True}
        }
    },
    "anthropic": {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
    "ollama": {"format": SCHEMA},
    "openrouter": {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True},
        }
    },
}


@every_provider
def test_a_schema_goes_out_as_the_provider_wants_it_and_not_without_one(provider: str) -> None:
    with ProviderServer() as server:
        ask(server, NAMES[provider])
        ask(server, NAMES[provider], replace(PROMPT, schema=None))
        with_schema, without = (seen.body for seen in server.seen)
    if provider == "gemini":
        config = with_schema["generationConfig"]
        assert config["responseMimeType"] == "application/json"
        assert config["responseJsonSchema"] == SCHEMA
        assert "responseMimeType" not in without["generationConfig"]
    else:
        for key, value in STRUCTURED[provider].items():
            assert with_schema[key] == value
            assert key not in without


def test_an_open_schema_is_not_called_strict() -> None:
    """OpenAI rejects `strict` for a schema with optional properties."""
    loose = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}
    with ProviderServer() as server:
        ask(server, NAMES["openai"], replace(PROMPT, schema=loose))
        sent = server.seen[0].body["response_format"]["json_schema"]
    assert sent["strict"] is False


def test_anthropic_objects_are_closed_as_its_structured_output_demands() -> None:
    loose = {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}}
    with ProviderServer() as server:
        ask(server, NAMES["anthropic"], replace(PROMPT, schema=loose))
        sent = server.seen[0].body["output_config"]["format"]["schema"]
    assert sent["additionalProperties"] is False
    assert sent["properties"]["a"]["additionalProperties"] is False


#: provider, rejected parameter, what the accepted request holds instead
FALLBACKS = [
    ("openai", "json_schema", "json_object"),
    ("openai", "response_format", ""),
    ("openai-responses", "schema", "json_object"),
    ("anthropic", "output_config", "tool_choice"),
    ("gemini", "responseJsonSchema", "responseMimeType"),
    ("ollama", "properties", ""),  # names nothing we know: asked without any structure
    ("openrouter", "response_format", ""),
]


@pytest.mark.parametrize(("provider", "rejected", "instead"), FALLBACKS)
def test_a_server_that_rejects_the_schema_is_asked_without_and_remembered(
    provider: str, rejected: str, instead: str
) -> None:
    async def main(server: ProviderServer) -> list[Reply]:
        async with JudgePool(QUICK, environ=server.environ) as pool:
            judge = pool.open(NAMES[provider])
            return [await judge.ask(PROMPT), await judge.ask(PROMPT)]

    with ProviderServer(rejects=(rejected,)) as server:
        first, second = asyncio.run(main(server))
        bodies = [str(seen.body) for seen in server.seen]
    assert first.text == second.text == '{"answer": "yes"}'
    assert rejected not in bodies[-1]
    assert instead in bodies[-1]
    assert len(bodies) <= 4, "the second question asks at once what the server takes"
    assert rejected not in bodies[-2] or len(bodies) == 2


@pytest.mark.parametrize("word", ["temperature", "seed"])
def test_a_model_without_sampling_parameters_is_asked_without_them(word: str) -> None:
    """OpenAI's reasoning models answer 400 to a temperature."""
    with ProviderServer(rejects=(word,)) as server:
        assert ask(server, NAMES["openai"]).text
        assert [word in seen.body for seen in server.seen] == [True, False]
        assert "response_format" in server.seen[1].body, "only the culprit is left out"


def test_an_old_server_learns_the_new_name_of_the_bound() -> None:
    with ProviderServer(rejects=("max_tokens",)) as server:
        ask(server, f"openai:m@{server.url}/v1")
        assert "max_completion_tokens" in server.seen[-1].body


def test_a_request_that_is_wrong_in_itself_keeps_its_own_error() -> None:
    """400 without a culprit: tried once without structure, then the first error is told."""
    with ProviderServer(faults=["400", "400"]) as server:
        error = failure(server, NAMES["openai"])
        assert len(server.seen) == 2
    assert error.kind == "provider"
    assert "400" in str(error)


@every_provider
def test_a_reply_cut_at_its_bound_is_still_a_reply_and_says_so(provider: str) -> None:
    with ProviderServer(faults=["length"]) as server:
        reply = ask(server, NAMES[provider], options=replace(QUICK, max_tokens=9))
    assert reply.about["stop"] == "length"
    assert reply.usage.calls == 1


#: Hosted services, where a larger bound costs nothing until it is used.
ROOMY = ["openai-responses", "anthropic", "gemini", "openrouter"]


@pytest.mark.parametrize("provider", ROOMY)
def test_a_model_that_thinks_its_bound_away_is_given_more_room(provider: str) -> None:
    """Reasoning is paid from the same bound: a reply that is cut is asked for once more."""
    with ProviderServer(faults=["length"]) as server:

        async def main() -> list[Reply]:
            async with JudgePool(QUICK, environ=server.environ) as pool:
                judge = pool.open(NAMES[provider])
                return [await judge.ask(PROMPT), await judge.ask(PROMPT)]

        first, second = asyncio.run(main())
        bounds = [77, 308, 308]
        for seen, bound in zip(server.seen, bounds, strict=True):
            assert str(bound) in str(seen.body), "what helped once is asked for from then on"
    assert (first.about["stop"], second.about["stop"]) == ("stop", "stop")
    assert (first.usage.calls, second.usage.calls) == (2, 1), "the cut one was paid for"


@pytest.mark.parametrize(("more", "calls"), [("length", 2), ("400", 1), ("500", 1)])
def test_where_more_room_does_not_help_the_cut_reply_stands(more: str, calls: int) -> None:
    with ProviderServer(faults=["length", more]) as server:
        reply = ask(server, NAMES["anthropic"])
        assert len(server.seen) == 2
    assert reply.text == '{"answer": "y'
    assert reply.about["stop"] == "length"
    assert reply.usage.calls == calls


def test_a_server_of_ones_own_is_not_asked_for_more() -> None:
    with ProviderServer(faults=["length"]) as server:
        assert ask(server, f"openai:m@{server.url}/v1").about["stop"] == "length"
        assert len(server.seen) == 1


@pytest.mark.parametrize("fault", ["refusal", "filter"])
@pytest.mark.parametrize("provider", [p for p in NAMES if p != "ollama"])
def test_a_refusal_is_a_refusal_paid_for_and_not_asked_again(provider: str, fault: str) -> None:
    with ProviderServer(faults=[fault]) as server:
        error = failure(server, NAMES[provider])
        assert len(server.seen) == 1
    assert error.kind == "refused"
    assert error.usage.calls == 1
    assert error.usage.input_tokens == 81


def test_a_policy_error_is_a_refusal_too() -> None:
    """Azure and OpenAI answer 400 with a code for a prompt that their filter stops."""
    with ProviderServer(faults=["policy"]) as server:
        assert failure(server, NAMES["openai"]).kind == "refused"
        assert len(server.seen) == 1


#: fault, whether it may have been billed (it then counts as a call)
PASSING = [
    ("500", 0),
    ("503", 0),
    ("529", 0),
    ("429:0", 0),
    ("502", 1),  # a gateway gave up: the model may have answered
    ("reset", 1),
    ("truncated", 1),
    ("not-json", 1),
    ("html", 1),
    ("array", 1),
    ("empty", 1),
    ("error-200", 1),
]


@every_provider
@pytest.mark.parametrize(("fault", "billed"), PASSING)
def test_what_passes_is_asked_again_and_counted(provider: str, fault: str, billed: int) -> None:
    with ProviderServer(faults=[fault]) as server:
        reply = ask(server, NAMES[provider])
        assert len(server.seen) == 2
    assert reply.text == '{"answer": "yes"}'
    assert reply.usage.calls == 1 + billed
    assert len(reply.about["faults"]) == 1


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_server_that_never_finishes_runs_into_the_timeout(fault: str) -> None:
    with ProviderServer(faults=[fault]) as server:
        reply = ask(server, NAMES["openai"], options=replace(QUICK, timeout=0.3, retries=60))
    # More than one, where the machine is too busy to answer within 0.3 s.
    assert all("no answer within 0.3 s" in told for told in reply.about["faults"])
    assert reply.about["lost_calls"] == len(reply.about["faults"]) >= 1


@every_provider
def test_retries_are_bounded(provider: str) -> None:
    with ProviderServer(faults=["500"] * 9) as server:
        error = failure(server, NAMES[provider], options=replace(QUICK, retries=2))
        assert len(server.seen) == 3
    assert error.kind == "provider"
    assert "500" in str(error)
    assert "3 attempts" in str(error)


#: final at once: fault, what the message must tell
FINAL = [
    ("404", "404"),
    ("403", "403"),
    ("413", "413"),
    ("quota", "no credit"),
    ("redirect", "redirects (307) to 'http://example.org/'"),
]


@pytest.mark.parametrize(("fault", "told"), FINAL)
def test_what_cannot_pass_is_told_at_once(fault: str, told: str) -> None:
    with ProviderServer(faults=[fault]) as server:
        error = failure(server, NAMES["openai"])
        assert len(server.seen) == 1
    assert told in str(error)
    assert error.usage.calls == 0


@every_provider
def test_a_wrong_key_names_the_variable_it_came_from(provider: str) -> None:
    if provider == "ollama":
        pytest.skip("Ollama asks for no key")
    with ProviderServer() as server:
        environ = {k: v.replace(KEY, "wrong-key-wrong-key") for k, v in server.environ.items()}

        async def main() -> None:
            async with JudgePool(QUICK, environ=environ) as pool:
                await pool.open(NAMES[provider]).ask(PROMPT)

        with pytest.raises(ProviderError) as caught:
            asyncio.run(main())
    assert "_API_KEY" in str(caught.value)
    assert "wrong-key" not in str(caught.value)


def test_no_server_at_all_is_told_without_waiting() -> None:
    with ProviderServer() as server:
        url = server.url
    with pytest.raises(ProviderError, match="is the server running"):
        asyncio.run(open_judge(f"openai:m@{url}/v1", options=QUICK).ask(PROMPT))


def test_a_judge_without_a_pool_asks_over_a_connection_of_its_own() -> None:
    with ProviderServer(key=None) as server:
        reply = asyncio.run(open_judge(f"openai:m@{server.url}/v1").ask(PROMPT))
    assert reply.text == '{"answer": "yes"}'


@pytest.mark.parametrize("provider", [p for p in NAMES if p != "ollama"])
def test_a_missing_key_is_told_when_the_judge_is_opened(provider: str) -> None:
    with pytest.raises(UsageError, match="_API_KEY"):
        JudgePool(environ={}).open(NAMES[provider])


def test_the_same_name_is_the_same_judge() -> None:
    """So its limits hold for all who ask it."""
    pool = JudgePool(environ={"OPENAI_API_KEY": KEY})
    assert pool.open("openai:m") is pool.open("openai:m")


def test_usage_adds_up_over_attempts() -> None:
    with ProviderServer(faults=["empty"], tokens=(100, 10)) as server:
        usage = ask(server, NAMES["openai"]).usage
    assert replace(usage, seconds=0.0) == Usage(181, 10, None, 2, 0.0)  # 81 + 100 in, 0 + 10 out


def test_ollama_gets_a_context_that_holds_the_prompt() -> None:
    """It would cut a longer prompt without a word."""
    with ProviderServer() as server:
        ask(server, NAMES["ollama"], replace(PROMPT, user="x" * 60_000, max_tokens=4096))
        options = server.seen[0].body["options"]
    assert options["num_ctx"] == 32_768  # 60,000 / 3 + 4,096 + 256 = 24,353


#: status, body, whether asking again or otherwise can help, words of the message
HOPELESS = [
    (
        400,
        {
            "error": {
                "code": 400,
                "message": "API key not valid. Please pass a valid API key.",
                "status": "INVALID_ARGUMENT",
                "details": [{"@type": "ErrorInfo", "reason": "API_KEY_INVALID"}],
            }
        },
        "rejected the key",
        "Gemini says 400 to a bad key",
    ),
    (
        400,
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "Your credit balance is too low to access the Anthropic API.",
            },
        },
        "credit balance",
        "Anthropic says 400 to an empty purse",
    ),
    (402, {"error": {"code": 402, "message": "Insufficient credits"}}, "402", "OpenRouter's 402"),
]


@pytest.mark.parametrize(("status", "body", "words", "reason"), HOPELESS)
def test_what_no_other_request_can_cure_is_said_at_once(
    status: int, body: dict[str, object], words: str, reason: str
) -> None:
    fault = classify(status, {}, body, b"")
    assert isinstance(fault, Fault), reason
    assert (fault.again, fault.blames) == (False, ""), reason
    assert words in fault.message


@pytest.mark.parametrize("provider", ["openai", "openai-responses"])
def test_what_was_thought_and_not_said_is_told(provider: str) -> None:
    with ProviderServer() as server:
        assert ask(server, NAMES[provider]).about["reasoning_tokens"] == 5


def test_a_context_that_is_full_is_a_reply_that_was_cut() -> None:
    message = {
        "content": [{"type": "text", "text": '{"answer": '}],
        "stop_reason": "model_context_window_exceeded",
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    outcome = anthropic.read(message)
    assert isinstance(outcome, WireAnswer)
    assert outcome.stop == "length"
