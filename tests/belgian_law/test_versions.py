"""A later version of the protocol is rows of data."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oyer
from oyer.errors import UsageError
from oyer.judges.embedded import open_embedded
from oyer.protocols.belgian_law import PROTOCOL, VERSIONS, decide, judge, protocol
from oyer.protocols.belgian_law.rules import RULES, load, shipped_rules
from tests.belgian_law.decision import case, perfect
from tests.belgian_law.test_mutations import drop

V38 = """
[version."3.8"]
base = "3.1"
expansion = "ends"
[version."3.8".values]
recall_below = 0.90
precision_below = 0.85
"""


def test_only_what_a_version_names_changes() -> None:
    rules = load(shipped_rules() + V38)
    assert rules["3.8"]["recall_below"] == Fraction(9, 10)
    assert rules["3.8"]["major"] == RULES["3.1"]["major"]
    assert "recall < 0.9" in rules["3.8"].table["BL-SCORE-RECALL"].formula
    assert rules["3.1"]["recall_below"] == Fraction(95, 100)


def test_thresholds_of_a_version() -> None:
    rules = load(shipped_rules() + V38.replace('"ends"', '"all"'))
    items = perfect()
    drop("article 1134", "article 17")(items)
    assert decide(case(items)).score == 85
    assert decide(case(items), rules["3.8"]).score == 100, "recall .91 is enough there"


def test_ranges_by_their_ends() -> None:
    rules = load(shipped_rules() + V38)
    items = perfect()
    drop(*(f"article {n}" for n in range(701, 705)))(items)
    assert "expansion" in {i.code for i in decide(case(items)).issues}
    made = decide(case(items), rules["3.8"])
    assert (made.issues, made.output["counts"]["expected"]) == ((), 19)
    assert decide(case(perfect()), rules["3.8"]).score == 100, "the inner ones are supported"
    drop("article 705")(items)
    assert "expansion" in {i.code for i in decide(case(items), rules["3.8"]).issues}


def test_version_is_a_protocol_of_its_own() -> None:
    rules = load(shipped_rules() + V38)["3.8"]
    later = protocol(rules)
    one = case(perfect())
    assert later.name == "belgian-law@3.8"
    assert oyer.audit(later, one, judge(one, rules)).scores == {"score": 100}


def test_the_embedded_judge_goes_by_the_version_asked() -> None:
    """Its reply follows the rules of that version, and it has none of a version nobody shipped."""
    one, judged = case(perfect()), open_embedded("light")
    for version, rules in RULES.items():
        assert judged.reply(f"belgian-law@{version}", one) == judge(one, rules)
    assert judged.reply("belgian-law", one) == judge(one)
    with pytest.raises(UsageError, match=r"not 0\.0"):
        judged.reply("belgian-law@0.0", one)


def test_an_audit_decides_once() -> None:
    """A judgement is made once for a case and its rules; another case has its own."""
    one, other = case(perfect()), case(perfect())
    rules = load(shipped_rules() + V38)["3.8"]
    assert decide(one) is decide(one)
    assert decide(one) is not decide(other)
    assert decide(one, rules) is not decide(one)


def test_shipped_versions() -> None:
    assert PROTOCOL.name == "belgian-law@3.1"
    assert VERSIONS["3.1"] is PROTOCOL


def test_every_issue_has_severity_and_meaning() -> None:
    for rules in RULES.values():
        assert set(rules.severity) == set(rules.issue)
        assert rules.decided <= set(rules.severity)
        assert set(rules.signals) | {code for _, code, _ in rules.refine} == set(rules.severity)
