"""Verdicts, keys and hashes are byte for byte what they were."""

from __future__ import annotations

import pytest

from oyer.protocols.catalogue import OURS
from tests.goldens.files import HERE, VERDICTS, keys, rules, verdicts_of


def same(made: str, kept: str) -> None:
    """Compare line by line: a changed byte shows as the line that it is in."""
    assert made.splitlines() == kept.splitlines(), "see tests/goldens/README.md"


@pytest.mark.parametrize("protocol", OURS)
def test_recorded_replies_get_the_same_verdicts(protocol: str) -> None:
    """Good, broken, cut and hostile replies: every byte of their verdicts."""
    same(verdicts_of(protocol), (VERDICTS / f"{protocol}.json").read_text("utf-8"))


def test_replies_are_found_under_the_same_keys() -> None:
    """A reply that was paid for is found again: under the same key."""
    same(keys(), (HERE / "keys.json").read_text("utf-8"))


def test_prompts_and_rules_are_the_same() -> None:
    """A changed prompt asks anew, a changed rule is a new run: neither happens by accident."""
    same(rules(), (HERE / "rules.json").read_text("utf-8"))
