"""The human-labelled sets as rows, grouped by article, with wrong words marked where known."""

from __future__ import annotations

import difflib
import gzip
import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oyer.judges.embedded.sentences import claims

HELD_OUT = 0.35  # of the articles: never seen by the cross-encoder
#: summedits domains whose labels the cross-encoder never saw, to measure it on new domains.
UNSEEN = ("news", "qmsumm", "sales_email", "scitldr")
FOLDS = 5


@dataclass(frozen=True)
class Row:
    """One summary with what people said of it."""

    set: str  # summeval, factcc, polytope, xsumfaith, cliff, summedits
    domain: str
    article: str
    summary: str
    consistent: bool | None  # None: only graded (summeval)
    grade: float | None = None  # experts' consistency, 1-5
    relevance: float | None = None
    wrong: tuple[tuple[int, int], ...] | None = None  # stretches of the summary known to be wrong

    @property
    def group(self) -> str:
        return group(self.article)

    @property
    def held_out(self) -> bool:
        return held_out(self.article)

    @property
    def unseen(self) -> bool:
        """Never shown to the cross-encoder: neither this label nor another of its kind."""
        return self.held_out or (self.set == "summedits" and self.domain in UNSEEN)


def group(article: str) -> str:
    """One key for one article, however its copies are cased, tokenised or headed."""
    letters = re.sub(r"[^a-z0-9]+", "", article.lower().replace("(cnn)", "").replace("( cnn )", ""))
    return letters[20:100]


def held_out(article: str) -> bool:
    digest = hashlib.sha256(group(article).encode()).digest()
    return digest[0] < HELD_OUT * 256


def fold_of(article: str) -> int:
    """Which fifth of the articles it belongs to, all its copies alike."""
    digest = hashlib.sha256(f"fold {group(article)}".encode()).digest()
    return digest[0] % FOLDS


def folder() -> Path:
    given = os.environ.get("OYER_SHARED")
    base = Path(given) if given else Path(__file__).resolve().parents[2] / "shared"
    if not base.exists():
        base = Path("/work/shared")
    return base / "data" / "summary"


def _lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(folder() / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def summeval() -> list[Row]:
    return [
        Row("summeval", "news", r["article"], r["summary"], None,
            r["experts"]["consistency"], r["experts"]["relevance"])
        for r in _lines("summeval")
    ]  # fmt: skip


def summac() -> list[Row]:
    return [
        Row(r["source"], "news", r["article"], r["summary"], r["consistent"])
        for r in _lines("summac_validation")
    ]


def cliff() -> list[Row]:
    rows = []
    for r in _lines("cliff"):
        good = r["error_type"] == "correct"
        spans: list[tuple[int, int]] = []
        for words in re.findall(r"'([^']+)'|\"([^\"]+)\"", str(r["annotated_span"])):
            at = r["summ"].find(words[0] or words[1])
            if at >= 0:
                spans.append((at, at + len(words[0] or words[1])))
        known = () if good else tuple(spans) or None
        rows.append(Row("cliff", r["origin"], r["doc"], r["summ"], good, wrong=known))
    return rows


def summedits() -> list[Row]:
    raw = list(_lines("summedits"))
    seeds: dict[tuple[str, str], str] = {}
    for r in raw:
        stem, tail = r["id"].rsplit("_", 1)
        if tail == "og":
            seeds[r["domain"], stem] = r["summary"]
    rows = []
    for r in raw:
        seed = seeds.get((r["domain"], r["id"].rsplit("_", 1)[0]))
        wrong = () if r["consistent"] else (changed(seed, r["summary"]) if seed else None)
        rows.append(Row("summedits", r["domain"], r["article"], r["summary"], r["consistent"],
                        wrong=wrong))  # fmt: skip
    return rows


def changed(before: str, after: str) -> tuple[tuple[int, int], ...]:
    """The stretches of `after` that differ from `before`, word by word."""
    old = before.split()
    new = [(m.group(), m.start(), m.end()) for m in re.finditer(r"\S+", after)]
    spans = []
    match = difflib.SequenceMatcher(None, old, [w for w, _, _ in new], autojunk=False)
    for op, _, _, start, end in match.get_opcodes():
        if op == "equal":
            continue
        first, last = (start, end) if end > start else (max(0, start - 1), min(len(new), end + 1))
        if last > first:
            spans.append((new[first][1], new[last - 1][2]))
    return tuple(spans)


def everything() -> list[Row]:
    return [*summeval(), *summac(), *cliff(), *summedits()]


@dataclass(frozen=True)
class Claim:
    """One claim of a summary with its label, as far as people's labels tell."""

    row: Row
    text: str
    supported: float
    weight: float
    wrong: tuple[tuple[int, int], ...] | None  # in the claim's own text; None: not known where


def labelled(row: Row) -> list[Claim]:
    """The claims of a row, labelled where the summary's label reaches down to them."""
    spans = claims(row.summary)
    if row.consistent is None and (row.grade or 0.0) < 4.99:
        bad = (row.grade or 0.0) <= 3.0
        return [Claim(row, row.summary[s:e], 0.0, 0.5, None) for s, e in spans if bad]
    if row.consistent is not False:
        return [Claim(row, row.summary[s:e], 1.0, 1.0, ()) for s, e in spans]
    if row.wrong is None:
        if row.set == "polytope" and len(spans) > 1:
            return []
        return [Claim(row, row.summary[s:e], 0.0, 1.0 / len(spans), None) for s, e in spans]
    found = []
    for s, e in spans:
        inside = tuple((max(a, s) - s, min(b, e) - s) for a, b in row.wrong if a < e and b > s)
        found.append(Claim(row, row.summary[s:e], float(not inside), 1.0, inside))
    return found
