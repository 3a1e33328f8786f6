"""On real decisions and abstracts, where they are present: it must not get worse."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from oyer.cite import cite, resolve


def read(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as rows:
        return [json.loads(row) for row in rows]


def f1(gold: set[Any], found: set[Any]) -> float:
    return 2 * len(gold & found) / max(len(gold) + len(found), 1)


def test_annotated_decisions(shared: Path) -> None:
    gold: dict[str, set[Any]] = {"article": set(), "act": set(), "path": set()}
    found: dict[str, set[Any]] = {"article": set(), "act": set(), "path": set()}
    data = (shared / "data/belgian-law/decisions_gold.jsonl").read_text(encoding="utf-8")
    for row in map(json.loads, data.splitlines()):
        name, text = row["decisionId"], row["sourceText"]
        for item in row["gold"]:
            key, act, path = item["key"], item["actKey"], tuple(item["path"])
            gold["article"].add((name, key))
            gold["act"].add((name, act, key))
            gold["path"].add((name, act, key, path))
        for c in cite(text, row["proceduralLanguage"].lower()):
            assert text[c.start : c.end] == c.quote
            found["article"].add((name, c.key))
            found["act"].add((name, c.act.id, c.key))
            found["path"].add((name, c.act.id, c.key, c.path))
    assert f1(gold["article"], found["article"]) >= 0.97
    assert f1(gold["act"], found["act"]) >= 0.92
    assert f1(gold["path"], found["path"]) >= 0.92


def test_the_courts_own_index(shared: Path) -> None:
    rows = read(shared / "data/belgian-law/cass_abstracts.jsonl.gz")[1::16]
    for language in ("fr", "nl"):
        recalls = []
        for row in rows:
            keys = {key for _, key in row["indexed_provisions"] if key not in ("general", "")}
            text = "\n".join(row[f"abstracts_{language}"])
            found = {c.key for c in cite(text, "fr" if language == "fr" else "nl")}
            if keys and found:
                recalls.append(len(keys & found) / len(keys))
        assert sum(recalls) / len(recalls) >= 0.78


def test_names_that_extractors_wrote(shared: Path) -> None:
    """Nearly every act that a real extraction names has an id."""
    data = (shared / "data/belgian-law/judge_replies.jsonl").read_text(encoding="utf-8")
    known = total = 0
    for row in map(json.loads, data.splitlines()):
        language = row["proceduralLanguage"].lower()
        for item in row["citedProvisions"]:
            act = resolve(
                item.get("parentActName") or "",
                type=item.get("parentActType"),
                date=item.get("parentActDate"),
                language=language,
            )
            known += act.id is not None
            total += 1
    assert known / total >= 0.95
