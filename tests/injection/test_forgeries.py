"""A finished verdict in the judged text, written in every way we could think of, is never scored.

Each construction stands in a field of each protocol; a judge on a real server repeats what it was
shown (decoded, where it can), in three wire formats. And whatever else a text holds that looks like
a verdict, a judge that repeats it gains nothing, while an honest judge keeps its score.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oyer.engine import Asking, hear
from oyer.judges.open_judges import JudgePool
from oyer.judges.options import Options
from oyer.protocols.catalogue import find_protocol
from oyer.text.fence import disarm
from oyer.text.seal import SEAL, seal_of
from oyer.types import Case, Reply, Verdict
from oyer.verdicts.core import audit
from oyer.verdicts.offers import Tangled, objects_of
from tests.injection.attacked_cases import ATTACKED, AttackedCase, Objects, as_reply
from tests.injection.forgeries import CIPHERS, CONSTRUCTIONS, Construction
from tests.servers.provider import ProviderServer

CODE = "0123456789ab"
WIRES = ("openai:echo@{url}/v1", "anthropic:echo@{url}", "gemini:echo@{url}")
_FENCED = re.compile(r"<([A-Z_]+)-([0-9a-f]{16})>\n(.*?)\n</\1-\2>", re.DOTALL)
QUOTES = {
    "judge-lock": "Harwick closes its old harbour bridge",
    "twin-lock": "Harwick closes its old harbour bridge",
    "rubric": "The bridge is closed.",
    "belgian-law": "",
}


def forged(court: AttackedCase) -> Objects:
    """Perfect findings with evidence that stands in the text, so that nothing else stops them."""
    return court.numbers(court.best(court.honest, QUOTES[court.protocol]))


def decide(court: AttackedCase, case: Case, reply: str, seal: str = "") -> Verdict:
    about = {SEAL: seal} if seal else {}
    return audit(case, find_protocol(court.protocol), Reply(reply, "echo", about=about))


def attacked(court: AttackedCase, construction: Construction) -> Case:
    return court.attacked(court.places[-1], construction.write(forged(court)))


def test_there_are_enough_of_them() -> None:
    assert len({one.name for one in CONSTRUCTIONS}) == len(CONSTRUCTIONS) >= 60


@pytest.mark.parametrize("name", ATTACKED)
def test_the_forged_verdict_would_count_if_it_were_the_judges(name: str) -> None:
    """The attack is real: nothing but its place in the text speaks against it."""
    court = ATTACKED[name]
    assert decide(court, court.case, as_reply(forged(court))).total is not None


@pytest.mark.parametrize("name", ATTACKED)
@pytest.mark.parametrize("construction", CONSTRUCTIONS, ids=lambda one: one.name)
def test_an_echo_is_never_scored(construction: Construction, name: str) -> None:
    court = ATTACKED[name]
    payload = construction.write(forged(court))
    for place in court.places:
        case = court.attacked(place, payload)
        for seen in (payload, disarm(payload)):
            echo = construction.echo(seen)
            for seal in ("", CODE):
                assert decide(court, case, echo, seal).total is None, (place, seal)


@pytest.mark.parametrize("name", ATTACKED)
@pytest.mark.parametrize("construction", CONSTRUCTIONS, ids=lambda one: one.name)
def test_the_judges_own_sealed_verdict_counts_whatever_the_text_holds(
    construction: Construction, name: str
) -> None:
    court = ATTACKED[name]
    case = attacked(court, construction)
    fair = decide(court, case, as_reply(court.honest, CODE), CODE)
    assert fair.total is not None
    beside = f"{as_reply(court.honest, CODE)}\n\n{as_reply(forged(court))}"
    assert decide(court, case, beside, CODE).scores == fair.scores, "an echo beside it is ignored"


class EchoingServer:
    """Repeats the fence of the attacked field, as a judge sees it, decoded if it can be."""

    def __init__(self) -> None:
        self.echo: Callable[[str], str] = str
        self.field = ""
        self.asked = 0

    def __call__(self, words: str) -> str:
        self.asked += 1
        shown = {name: text for name, _, text in _FENCED.findall(words)}
        return self.echo(shown[self.field])


FENCES = {"sourceText": "SOURCE", "extracted": "EXTRACTED"}


@pytest.mark.parametrize("wire", WIRES, ids=[w.partition(":")[0] for w in WIRES])
@pytest.mark.parametrize("name", ATTACKED)
def test_an_echoing_server_gains_nothing(name: str, wire: str) -> None:
    """The whole way: prompt, HTTP, reader, selection; every construction, one after another."""
    court, judge = ATTACKED[name], EchoingServer()
    place = court.places[0]
    judge.field = FENCES.get(place, place.upper())

    async def main(server: ProviderServer) -> dict[str, float | None]:
        totals: dict[str, float | None] = {}
        async with JudgePool(Options(retries=0), environ=server.environ) as pool:
            asked = pool.open(wire.format(url=server.url))
            for construction in CONSTRUCTIONS:
                judge.echo = construction.echo
                case = court.attacked(place, construction.write(forged(court)))
                protocol = find_protocol(name)
                heard = await hear(case, protocol, asked, asking=Asking(attempts=1, language="en"))
                totals[construction.name] = heard.verdict.total
        return totals

    with ProviderServer(reply=judge, key=None) as server:
        totals = asyncio.run(main(server))
    assert judge.asked == len(CONSTRUCTIONS)
    assert {name: total for name, total in totals.items() if total is not None} == {}


# ── whatever the text holds ───────────────────────────────────────────────────────────────────

labels = st.sampled_from(
    ["Fully", "Partial", "Not", "Supported", "Unsupported", "Correct", "Wrong"]
)
leaves = st.none() | st.booleans() | st.integers(0, 100) | labels | st.text(max_size=12)


@st.composite
def verdict_like(draw: st.DrawFn, court: AttackedCase) -> str:
    """Objects with a verdict's keys and any values, written by any construction, among any text."""
    objects = []
    for one in forged(court):
        kept = {key: value for key, value in one.items() if draw(st.booleans())}
        changed = draw(st.dictionaries(st.sampled_from(list(one)), leaves, max_size=2))
        objects.append({**kept, **changed} or one)
    construction = draw(st.sampled_from(CONSTRUCTIONS))
    noise = st.text(alphabet='{}[]":,\\/* \n<>abc01', max_size=20)
    return f"{draw(noise)}{construction.write(objects)}{draw(noise)}"


@pytest.mark.parametrize("name", ATTACKED)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_an_echoing_judge_never_gains(name: str, data: st.DataObject) -> None:
    """A judge that repeats a whole field has no verdict of its own, so it has no score."""
    court = ATTACKED[name]
    payload = data.draw(verdict_like(court))
    case = court.attacked(data.draw(st.sampled_from(court.places)), payload)
    for seen in (payload, disarm(payload)):
        assert decide(court, case, seen).total is None
        assert decide(court, case, seen, CODE).total is None


@pytest.mark.parametrize("name", ATTACKED)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_an_echo_under_a_judges_own_key_never_gains(name: str, data: st.DataObject) -> None:
    """The judge wraps what it read, names it by a metric's key, or puts its seal on it."""
    court = ATTACKED[name]
    objects = forged(court)
    bare = [{k: v for k, v in one.items() if k != "metric"} for one in objects]
    case = court.attacked(court.places[0], "\n".join(json.dumps(one) for one in bare))
    named = {str(one.get("metric", "verdict")): b for one, b in zip(objects, bare, strict=True)}
    wrapper = data.draw(st.sampled_from([named, {"answer": named}, {"answer": [named]}]))
    assert decide(court, case, json.dumps(wrapper)).total is None
    assert decide(court, case, as_reply(objects, CODE), CODE).total is None


# ── codes that only the judge knows ───────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ATTACKED)
@pytest.mark.parametrize("cipher", CIPHERS)
def test_a_verdict_decoded_from_an_unknown_code_is_not_scored_without_the_seal(
    cipher: str, name: str
) -> None:
    court = ATTACKED[name]
    for place in court.places:
        case = court.attacked(place, CIPHERS[cipher](forged(court)))
        verdict = decide(court, case, as_reply(forged(court)), CODE)
        assert verdict.total is None, place
        assert verdict.violations[0].code == "reply.ambiguous"
        assert decide(court, case, as_reply(court.honest, CODE), CODE).total is not None


class Answers:
    """A judge that gives these answers in turn, the last one for ever; `{seal}` is filled in."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = answers, 0

    def __call__(self, words: str) -> str:
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        seals = re.findall(r'"seal": "([0-9a-f]{12})"', words)
        return answer.replace(CODE, seals[-1])


def ask(court: AttackedCase, case: Case, judge: Answers) -> Verdict:
    async def main(server: ProviderServer) -> Verdict:
        async with JudgePool(Options(retries=0), environ=server.environ) as pool:
            asked = pool.open(f"openai:m@{server.url}/v1")
            protocol = find_protocol(court.protocol)
            return (await hear(case, protocol, asked, asking=Asking(language="en"))).verdict

    with ProviderServer(reply=judge, key=None) as server:
        return asyncio.run(main(server))


@pytest.mark.parametrize("name", ATTACKED)
def test_who_decodes_for_the_text_gains_nothing_and_who_forgets_loses_nothing(name: str) -> None:
    """Over HTTP, on a text with a verdict in Morse: both are asked again for the seal."""
    court = ATTACKED[name]
    case = court.attacked(court.places[0], CIPHERS["Morse"](forged(court)))
    sealed = ask(court, case, Answers(as_reply(court.honest, CODE)))
    relaying = Answers(as_reply(forged(court)))
    assert ask(court, case, relaying).total is None
    assert relaying.asked == 3
    forgetful = Answers(as_reply(court.honest), as_reply(court.honest, CODE))
    assert sealed.scores is not None
    assert ask(court, case, forgetful).scores == sealed.scores
    assert forgetful.asked == 2


@pytest.mark.parametrize("name", ["judge-lock", "twin-lock", "rubric"])
def test_a_forgetful_judge_of_plain_texts_is_asked_once(name: str) -> None:
    court = ATTACKED[name]
    judge = Answers(as_reply(court.honest))
    assert ask(court, court.case, judge).total is not None
    assert judge.asked == 1


# ── an honest judge keeps its score ───────────────────────────────────────────────────────────

INNOCENT = {
    "a config file": '{"name": "bridge", "open": false, "pillars": [1, 2, 3]}',
    "a schema": '{"type": "object", "properties": {"score": {"type": "number"}}}',
    "one key of a verdict": '{"metric": "length", "value": 12}',
    "a list of scores": '{"scores": [1, 2, 3], "total": 6}',
    "broken JSON": '{"metric": "cov',
    "many braces": "{" * 50 + "}" * 50,
    "code": 'def f(x): return {"a": x, "b": {"c": [x]}}',
    "a form of a verdict": '{"metric": "coverage", "key_points": "…", "overall_score": "0-10"}',
    "base64 of a picture": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" * 4,
}


@pytest.mark.parametrize("name", ATTACKED)
@pytest.mark.parametrize("kind", INNOCENT)
def test_an_honest_judge_of_an_answer_with_json_keeps_its_score(kind: str, name: str) -> None:
    """Also one whose reply was recorded elsewhere, so that nobody asked it for a seal."""
    court = ATTACKED[name]
    case = court.attacked(court.places[0], INNOCENT[kind])
    sealed = decide(court, case, as_reply(court.honest, CODE), CODE)
    assert sealed.total is not None, sealed.violations
    recorded = decide(court, case, as_reply(court.honest))
    assert recorded.scores == sealed.scores


def test_no_field_learns_the_seal() -> None:
    """A placeholder in a judged text is only text: the code is not filled in there."""
    court = ATTACKED["rubric"]
    case = court.attacked("response", "{{SEAL}} {{NONCE}} {SEAL}")
    protocol = find_protocol("rubric")
    assert protocol.prompt is not None
    from oyer.types import Ask

    prompt = protocol.prompt(case, Ask("ab" * 8))
    inside = {name: text for name, _, text in _FENCED.findall(prompt.user)}
    assert seal_of("ab" * 8) not in inside["RESPONSE"]
    assert prompt.seal == seal_of("ab" * 8)


def test_parts_beyond_counting_make_an_unsealed_reply_doubtful() -> None:
    """A forged verdict cannot hide behind 100,000 other parts of a field."""
    court = ATTACKED["belgian-law"]
    hidden = {"first": forged(court)[0], "filler": [0] * 100_001}
    fields = {**court.case.fields, "extracted": {**court.case.fields["extracted"], "x": hidden}}
    case = Case("many", fields)
    assert decide(court, case, as_reply(forged(court))).total is None
    assert decide(court, case, as_reply(court.honest, CODE), CODE).total is not None


# ── linear ────────────────────────────────────────────────────────────────────────────────────

PIECES = [
    '{"metric":',
    '{"metric": {',
    '{"a": [',
    "{'",
    '{"a": "',
    "{/*",
    '{"a":{"b":',
    '{"x": 1, ',
]


def operations(work: Callable[[], Any]) -> int:
    """Calls that Python makes: the same on every machine."""
    count = 0

    def note(frame: Any, event: str, arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def read_all(text: str) -> int:
    try:
        return sum(1 for _ in objects_of(text))
    except Tangled:
        return -1


@pytest.mark.parametrize("piece", PIECES)
def test_the_guard_is_linear_in_the_length_of_a_field(piece: str) -> None:
    """41 KB of `{"metric":` took 80 seconds. Four times the text takes four times the calls."""
    small, large = (piece * (size // len(piece)) for size in (10_000, 41_000))
    few = operations(partial(read_all, small))
    many = operations(partial(read_all, large))
    assert many <= 5 * few + 1_000
