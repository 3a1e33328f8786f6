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

#: The summedits domains of the first half; the encoder of a half never saw a label of it.
FIRST = ("news", "qmsumm", "sales_email", "scitldr")
FOLDS = 5
Spans = tuple[tuple[int, int], ...]


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
    wrong: Spans | None = None  # stretches of the summary known to be wrong
    seed: str | None = None  # the summary that this one is an edit of

    @property
    def group(self) -> str:
        return group(self.article)

    @property
    def half(self) -> int:
        """Which half of the data it belongs to: by domain in summedits, else by article."""
        if self.set == "summedits":
            return int(self.domain not in FIRST)
        return half_of(self.article)


def group(article: str) -> str:
    """One key for one article, however its copies are cased, tokenised or headed."""
    letters = re.sub(r"[^a-z0-9]+", "", article.lower().replace("(cnn)", "").replace("( cnn )", ""))
    return letters[20:100]


def half_of(article: str) -> int:
    return hashlib.sha256(group(article).encode()).digest()[0] % 2


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
    seeds = {_seed(r): r["summary"] for r in raw if r["id"].endswith("_og")}
    accepted: dict[tuple[str, str], set[str]] = {}
    for r in raw:
        if r["consistent"]:
            fine = accepted.setdefault(_seed(r), set())
            for s, e in changed(seeds.get(_seed(r), r["summary"]), r["summary"]):
                fine.update(_bare(r["summary"][s:e]))
    rows = []
    for r in raw:
        seed = seeds.get(_seed(r))
        wrong: Spans | None = ()
        if not r["consistent"]:
            wrong = changed(seed, r["summary"]) if seed else None
            # a word that people let pass in another edit of the same summary is not the wrong one
            fine = accepted.get(_seed(r), set())
            wrong = (
                tuple((s, e) for s, e in wrong or () if not fine >= set(_bare(r["summary"][s:e])))
                or wrong
            )
        rows.append(
            Row("summedits", r["domain"], r["article"], r["summary"], r["consistent"],
                wrong=wrong, seed=seed or r["summary"])
        )  # fmt: skip
    return rows


def _seed(raw: dict[str, Any]) -> tuple[str, str]:
    """Which summary an edit was made from."""
    return raw["domain"], raw["id"].rsplit("_", 1)[0]


def _bare(text: str) -> list[str]:
    return [w.strip(".,;:!?\"'()").lower() for w in text.split()]


def likest(text: str, summary: str) -> int:
    """Which claim of a summary has most of a text's words."""
    mine = set(_bare(text))
    theirs = [set(_bare(summary[s:e])) for s, e in claims(summary)] or [set()]
    return max(range(len(theirs)), key=lambda n: len(mine & theirs[n]) / len(mine | theirs[n]))


def changed(before: str, after: str) -> Spans:
    """The stretches of `after` that differ from `before`, word by word."""
    new = [(m.group(), m.start(), m.end()) for m in re.finditer(r"\S+", after)]
    spans = []
    match = difflib.SequenceMatcher(None, _bare(before), _bare(after), autojunk=False)
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
    wrong: Spans | None  # in the claim's own text; None: not known where


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
