"""The same in Dutch: an invented decision, its perfect extraction, and what breaks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from oyer.protocols.belgian_law import decide
from tests.belgian_law.decision import Act, Item, at, case, perfect

DECISION = "ECLI:BE:HBANT:2022:ARR.20220517.3"
TEXT = """HOF VAN BEROEP ANTWERPEN, arrest van 17 mei 2022

Gelet op de wet van 15 juni 1935 op het gebruik der talen in gerechtszaken.

Eiser steunt op artikel 1382 van het Burgerlijk Wetboek en op de artikelen 14 tot en met 17 van de
wet van 20 december 2010 betreffende de verhuur. Artikel 4, § 1, 2°, van het koninklijk besluit van
3 mei 1999 is niet nageleefd. De termijn van artikel 1051 Ger.W. is geëerbiedigd; de kosten volgen
artikel 1017, eerste lid, van het Gerechtelijk Wetboek. Artikel 1 van het Eerste Aanvullend Protocol
bij het EVRM beschermt de eigendom. Artikel XX.99 van het Wetboek van economisch recht en artikel
1675/13 van het Gerechtelijk Wetboek blijven zonder toepassing. Zie ook artikel 5, tweede en derde
lid, van de wet van 20 december 2010.
"""
LET: Act = ("wet van 20 december 2010 betreffende de verhuur", "WET", "2010-12-20")
DECREE: Act = ("koninklijk besluit van 3 mei 1999", "KONINKLIJK_BESLUIT", "1999-05-03")
JUDICIAL: Act = ("Gerechtelijk Wetboek", "WETBOEK", None)
PROVISIONS: list[tuple[str, str, Act]] = [
    ("artikel 1382", "1382", ("Burgerlijk Wetboek", "WETBOEK", None)),
    *((f"artikel {n}", str(n), LET) for n in range(14, 18)),
    ("artikel 4, § 1, 2°", "4", DECREE),
    ("artikel 1051", "1051", JUDICIAL),
    ("artikel 1017, eerste lid", "1017", JUDICIAL),
    ("artikel 1", "1", ("Eerste Aanvullend Protocol bij het EVRM", "VERDRAG", None)),
    ("artikel XX.99", "XX.99", ("Wetboek van economisch recht", "WETBOEK", None)),
    ("artikel 1675/13", "1675/13", JUDICIAL),
    ("artikel 5, tweede lid", "5", LET),
    ("artikel 5, derde lid", "5", LET),
]


def change(number: str, **fields: Any) -> Callable[[list[Item]], None]:
    return lambda items: at(items, number).update(fields)


def drop(number: str) -> Callable[[list[Item]], None]:
    return lambda items: items.remove(at(items, number))


#: 13 provisions: one missing is a recall of .92, −15 without an issue of its own.
ROWS: list[tuple[str, Callable[[list[Item]], None], list[str], str, int]] = [
    ("perfect", lambda items: None, [], "PASS", 100),
    ("drop one", drop("artikel 1382"), [], "PASS", 85),
    ("range cut short", drop("artikel 17"), ["expansion"], "REVIEW_REQUIRED", 73),
    ("list cut short", drop("artikel 5, derde lid"), ["expansion"], "REVIEW_REQUIRED", 73),
    (
        "range overshot",
        change("artikel 1382", provisionNumber="artikel 18", provisionNumberKey="18",
               parentActName=LET[0], parentActDate=LET[2], parentActType="WET",
               internalParentActId=f"ACT-{DECISION}-002"),
        ["expansion"],
        "REVIEW_REQUIRED",
        73,
    ),
    (
        "° as §",
        change("artikel 4, § 1, 2°", provisionNumber="artikel 4, § 2"),
        ["hallucinated/degree-as-paragraph"],
        "FAIL",
        44,
    ),
    (
        "convention for protocol",
        change("artikel 1", parentActName="EVRM"),
        ["hallucinated/base-convention"],
        "FAIL",
        44,
    ),
    ("French type", change("artikel 1051", parentActType="CODE"), ["enum"], "FAIL", 59),
    ("one act, two names", change("artikel 1051", parentActName="Ger. W."), [], "PASS", 100),
    (
        "one act, two ids",
        change("artikel 1051", parentActName="Ger.W.", internalParentActId=f"ACT-{DECISION}-077"),
        ["dedup"],
        "REVIEW_REQUIRED",
        88,
    ),
    (
        "wrong date",
        change("artikel 4, § 1, 2°", parentActDate="1999-05-13"),
        ["date"],
        "REVIEW_REQUIRED",
        80,
    ),
    (
        "key with lid",
        change("artikel 1017, eerste lid", provisionNumberKey="1017, 1ste lid"),
        ["key"],
        "REVIEW_REQUIRED",
        78,
    ),
    (
        "type of the set",
        change("artikel 1051", parentActType="WET"),
        ["type"],
        "PASS",
        98,
    ),
    (
        "wording",
        change("artikel 4, § 1, 2°", provisionNumber="artikel 4, paragraaf 1, 2°"),
        ["cosmetic"],
        "PASS",
        98,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "broken", "issues", "verdict", "score"), ROWS, ids=[row[0] for row in ROWS]
)
def test_break_is_named_and_priced(
    name: str, broken: Callable[[list[Item]], None], issues: list[str], verdict: str, score: int
) -> None:
    items = perfect(PROVISIONS, DECISION)
    broken(items)
    made = decide(case(items, text=TEXT, language="NL", decision=DECISION))
    assert [issue.name for issue in made.issues] == issues, made.output["summary"]
    assert (made.output["verdict"], made.output["score"]) == (verdict, score)
