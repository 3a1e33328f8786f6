"""Fifty thousand replies gone wrong: nothing escapes, no score leaves its range, nothing is NaN."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest

from oyer import find_protocol
from oyer.errors import UnscoredKind
from oyer.types import Case, Protocol, Reply, Verdict
from oyer.verdicts.core import audit
from oyer.verdicts.record import as_json
from tests.fuzz.mutants import mutant, noise
from tests.injection.attacked_cases import ATTACKED

#: How many mutants each protocol gets, in parts that can run side by side. belgian-law reads the
#: decision anew for each, which takes ten times as long.
SHARES = {"judge-lock": 16_000, "twin-lock": 14_000, "rubric": 14_000, "belgian-law": 2_500}
PARTS = 4


def test_there_are_fifty_thousand(shared: Path) -> None:
    made = sum(SHARES.values()) + len(_strings(shared)) * len(SHARES)
    assert made >= 50_000


def sound(case: Case, protocol: Protocol[Any], reply: str) -> Verdict:
    """The verdict on any reply whatever, with what must be true of it."""
    verdict = audit(case, protocol, Reply(reply))
    line = json.loads(as_json(verdict))  # no NaN, no infinity, and UTF-8
    as_json(verdict).encode("utf-8")
    if verdict.status == "unscored":
        assert verdict.scores is None
        assert verdict.total is None
        assert verdict.error in get_args(UnscoredKind)
        assert verdict.violations, "an unscored verdict says why"
        return verdict
    assert verdict.scores is not None
    assert verdict.error is None
    assert set(verdict.scores) == set(protocol.scale)
    for key, (low, high) in protocol.scale.items():
        assert low <= verdict.scores[key] <= high, key
    for item in line["evidence"]:
        text = case.fields[item["source"]]
        assert text[item["start"] : item["end"]] == item["quote"]
    protocol.render(verdict.output)
    return verdict


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", SHARES)
def test_mutants_of_good_replies(name: str, part: int) -> None:
    court, protocol = ATTACKED[name], find_protocol(name)
    rng, seen = random.Random(f"{name}/{part}"), Counter[str]()
    many = SHARES[name] // PARTS
    for number in range(many):
        reply = noise(rng) if number % (many // 200) == 0 else mutant(rng, court.honest)
        verdict = sound(court.case, protocol, reply)
        seen[verdict.error or "scored"] += 1
    assert seen["scored"] > many / 20, "some still say enough"
    assert seen["unreadable"] > many / 20, "and many do not"


def _strings(shared: Path) -> list[str]:
    found: list[str] = []
    for file, key in (("malformed_json", "text"), ("natural_bad_replies", "reply")):
        lines = (shared / f"data/replies/{file}.jsonl").read_text("utf-8").strip().split("\n")
        found += [json.loads(line)[key] for line in lines]
    return found


@pytest.mark.parametrize("name", SHARES)
def test_every_real_malformed_string_as_a_reply(name: str, shared: Path) -> None:
    court, protocol = ATTACKED[name], find_protocol(name)
    for reply in _strings(shared):
        assert sound(court.case, protocol, reply).status == "unscored", reply[:200]
