"""Real decisions, annotated by hand: their perfect extraction, broken, must be found broken.

What the engine misreads in a decision shows in the unbroken extraction too; so each break is
compared with that, and must add its own issue.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oyer.protocols.belgian_law import Decision, decide
from oyer.types import Case

Item = dict[str, Any]


def extraction(row: dict[str, Any]) -> list[Item]:
    """A perfect extraction, from the annotation."""
    acts: dict[str, int] = {}
    decision = row["decisionId"]
    items: list[Item] = []
    for gold in row["gold"]:
        if gold.get("subsumed"):
            continue
        act = acts.setdefault(gold["actKey"] or gold["act"], len(acts) + 1)
        word = "article" if row["proceduralLanguage"] == "FR" else "artikel"
        items.append(
            {
                "internalProvisionId": f"ART-{decision}-{len(items) + 1:03}",
                "internalParentActId": f"ACT-{decision}-{act:03}",
                "provisionNumber": f"{word} {', '.join([gold['key'], *gold['path']])}",
                "provisionNumberKey": gold["key"],
                "parentActType": gold["actType"],
                "parentActName": gold["act"],
                "parentActDate": gold["actDate"],
            }
        )
    return items


def judged(row: dict[str, Any], items: list[Item]) -> Decision:
    names = ("decisionId", "proceduralLanguage", "sourceText")
    fields = {**{n: row[n] for n in names}, "extracted": {"citedProvisions": items}}
    return decide(Case(row["decisionId"], fields))


@pytest.fixture(scope="module")
def gold(shared: Path) -> list[dict[str, Any]]:
    with (shared / "data/belgian-law/decisions_gold.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _drop_half(items: list[Item]) -> None:
    del items[::2]


def _clear(items: list[Item]) -> None:
    items.clear()


def _bare_act(items: list[Item]) -> None:
    name = "koninklijk besluit van 3 maart 1927"
    items.append({**items[0], "provisionNumber": name, "provisionNumberKey": "1927"})
    items[-1]["internalProvisionId"] = items[0]["internalProvisionId"][:-3] + "998"


def _invented(items: list[Item]) -> None:
    items.append({**items[0], "provisionNumber": "article 98765", "provisionNumberKey": "98765"})
    items[-1]["internalProvisionId"] = items[0]["internalProvisionId"][:-3] + "997"


def _enum(items: list[Item]) -> None:
    items[0]["parentActType"] += " (NL)"


def _id(items: list[Item]) -> None:
    items[0]["internalProvisionId"] = items[0]["internalProvisionId"].replace(":", "_")


def _reused(items: list[Item]) -> None:
    items.append(dict(items[0]))


def _key(items: list[Item]) -> None:
    items[0]["provisionNumberKey"] += ", § 2"


def _split(items: list[Item]) -> None:
    items.append({**items[0], "internalParentActId": items[0]["internalParentActId"][:-3] + "996"})
    items[-1]["internalProvisionId"] = items[0]["internalProvisionId"][:-3] + "995"


def _decision(items: list[Item]) -> None:
    for item in items:
        for field in ("internalProvisionId", "internalParentActId"):
            item[field] = item[field].replace("ECLI:BE:", "ECLI:BE:X")


BREAKS: list[tuple[Callable[[list[Item]], None], str]] = [
    (_drop_half, "missing"),
    (_clear, "empty"),
    (_bare_act, "hallucinated"),
    (_invented, "hallucinated"),
    (_enum, "enum"),
    (_id, "id"),
    (_reused, "id"),
    (_key, "key"),
    (_split, "dedup"),
    (_decision, "wrong-decision"),
]


def sizes(made: Decision) -> dict[str, int]:
    """How much each code concerns."""
    found: dict[str, int] = {}
    for issue in made.issues:
        found[issue.code] = found.get(issue.code, 0) + len(issue.concerns)
    return found


@pytest.mark.parametrize(("broken", "code"), BREAKS, ids=lambda v: getattr(v, "__name__", v))
def test_break_adds_its_issue(
    gold: list[dict[str, Any]], broken: Callable[[list[Item]], None], code: str
) -> None:
    for row in gold:
        items = extraction(row)
        before = judged(row, items)
        broken(items)
        after = judged(row, items)
        assert sizes(after).get(code, 0) > sizes(before).get(code, 0), row["decisionId"]
        assert after.score <= before.score
        assert after.output["verdict"] != "PASS"
