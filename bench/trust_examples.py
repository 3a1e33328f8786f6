"""Makes docs/trust-examples.md: judge cards of real judges, from the shared data.

    python bench/trust_examples.py [--store FILE] [--cases N] [-o docs/trust-examples.md]

The store is kept, so that a second call asks only what is new: when the embedded judge changes its
name (`embedded@4`), its cards are made anew. The data is not part of the project; the page has
numbers only.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "bench")]

import belgian_replies  # noqa: E402

from oyer.cli import main as oyer  # noqa: E402
from oyer.protocols.catalogue import find_protocol  # noqa: E402
from oyer.report import tables  # noqa: E402
from oyer.store import open_store  # noqa: E402
from oyer.trust.card import Card, make_cards  # noqa: E402
from oyer.trust.card_facts import facts_sheet  # noqa: E402
from oyer.trust.card_sheets import sheets_of  # noqa: E402
from oyer.trust.label_files import read_labels  # noqa: E402
from oyer.trust.people import cases_of  # noqa: E402
from oyer.trust.probe_run import ProbePlan, run_probes  # noqa: E402

JUDGES = ("embedded:light", "embedded:full")
#: What experts were asked -> the score it is held against.
EXPERTS = (
    ("consistency", "hallucination"),
    ("relevance", "coverage"),
    ("relevance", "relevance"),
)
Row = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", default=str(Path(tempfile.gettempdir()) / "trust-examples.db"))
    parser.add_argument("--cases", type=int, default=600, help="summaries of SummEval")
    parser.add_argument("--probes", type=int, default=20, help="summaries to plant faults in")
    parser.add_argument("-o", "--output", default=str(ROOT / "docs/trust-examples.md"))
    args = parser.parse_args()
    data = Path(os.environ.get("OYER_SHARED", "/work/shared")) / "data"
    if not data.is_dir():
        print(f"{data}: not here; set OYER_SHARED", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        parts = [
            "# Judge cards of real judges",
            "Made by `python bench/trust_examples.py` from the shared data (not part of the "
            "project); numbers only. How to read a card: [trust.md](trust.md).",
            *summeval(data / "summary/summeval.jsonl.gz", folder, args),
            *rubric(data / "rubric", folder, args.store),
            *belgian_law(data / "belgian-law/judge_replies.jsonl"),
        ]
    Path(args.output).write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return 0


# ── the embedded judge beside experts ─────────────────────────────────────────────────────────


def summeval(path: Path, folder: Path, args: argparse.Namespace) -> Iterable[str]:
    """Cards of both variants with experts' labels, and the light one's probes."""
    rows = read_rows(path)[: args.cases]
    names = ("id", "candidate", "article", "summary")
    write_rows(folder / "cases.jsonl", ({name: row[name] for name in names} for row in rows))
    suite = folder / "summeval.toml"
    suite.write_text(
        f'name = "summeval"\nprotocol = "judge-lock"\ncases = "cases.jsonl"\n'
        f"judges = {json.dumps(JUDGES)}\n",
        encoding="utf-8",
    )
    oyer(["run", str(suite), "--store", args.store])
    labels = folder / "experts.csv"
    write_labels(labels, rows)
    protocol = find_protocol("judge-lock")
    with open_store(args.store) as store:
        run = store.find_run("summeval")
        found = read_labels(str(labels), partial(cases_of, store, run), protocol.name)
        cards = make_cards(store, run, protocol, found)
        plan = ProbePlan(judges=JUDGES[:1], cases=args.probes)
        probed, results = run_probes(store, run, protocol, plan)
    cards = [card.with_probes(probed.id, results.get(card.judge, ())) for card in cards]
    articles = len({row["id"] for row in rows})
    yield "## The embedded judge beside experts (SummEval)"
    yield (
        f"{len(rows)} summaries of {articles} articles, means of three experts (1 to 5, put on 0 "
        "to 10): consistency beside `hallucination`, relevance beside `relevance` and `coverage`. "
        "Experts were asked for relevance, not for coverage: the two are not one thing."
    )
    yield from show(cards, ("Beside people: scores", "Biases", "Probes"))


def write_labels(path: Path, rows: Sequence[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("case", "candidate", "metric", "value", "reviewer"))
        for row in rows:
            for asked, metric in EXPERTS:
                value = (row["experts"][asked] - 1) / 4 * 10
                writer.writerow((row["id"], row["candidate"], metric, value, "experts"))


# ── language models by rubric ─────────────────────────────────────────────────────────────────


def rubric(folder_of_data: Path, folder: Path, store_file: str) -> Iterable[str]:
    """What real judges did with ten Japanese rubrics: no labels, but rules and repeats."""
    rows = read_rows(folder_of_data / "replies.jsonl")
    write_rows(folder / "rubric.jsonl", as_repeats(rows, folder_of_data / "rubrics-early"))
    file = str(folder / "rubric.jsonl")
    oyer(["audit", "rubric", file, "--store", store_file])
    with open_store(store_file) as store:
        run = store.find_run("latest")
        cards = make_cards(store, run, find_protocol("rubric"), ())
    yield "## Three language models by rubric"
    yield (
        f"{len(rows)} real replies to ten Japanese tasks; no people's labels, so every card begins "
        "*not measured against people*. A text is judged again when task and response are the "
        "same. Seven and eight texts are few: these are hints, not rates."
    )
    yield from show(cards, ("Keeping to the protocol", "Saying it again", "Biases"))


def as_repeats(rows: Sequence[Row], rubrics: Path) -> Iterable[Row]:
    """The task is the case; the same judge on the same text again is a repeat."""
    seen: Counter[tuple[str, str]] = Counter()
    for row in rows:
        sha = hashlib.sha256(row["response"].encode()).hexdigest()[:6]
        author = f"{row['subject'].rpartition('/')[2]} {sha}"  # one may have answered twice
        text, judge = f"{row['task']}/{author}", row["judge"].rpartition("/")[2]
        yield {
            "id": row["task"],
            "candidate": author,
            "prompt": row["prompt"],
            "response": row["response"],
            "rubric": (rubrics / f"{row['task']}.md").read_text(encoding="utf-8"),
            "reply": row["reply"],
            "judge": judge,
            "repeat": seen[text, judge],
        }
        seen[text, judge] += 1


# ── a judge of extractions ────────────────────────────────────────────────────────────────────


def belgian_law(path: Path) -> Iterable[str]:
    """What code can decide of verdicts whose source text is not there."""
    rows = read_rows(path)
    yield "## A GPT judge of Belgian extractions"
    yield (
        f"{len(rows)} real verdicts without the decisions' texts, so only what needs no text is "
        "decided (`python bench/belgian_replies.py`)."
    )
    yield belgian_replies.table(rows).strip()


# ── files ─────────────────────────────────────────────────────────────────────────────────────


def show(cards: Sequence[Card], titles: Sequence[str]) -> Iterable[str]:
    """The sentences, the screenful, and the tables of these titles."""
    yield "\n".join(f"> - {tables.cell(card.plain_words)}" for card in cards)
    yield tables.markdown(facts_sheet(cards)).strip()
    for titled in sheets_of(cards):
        if titled.title in titles:
            yield f"### {titled.title}"
            yield tables.markdown(titled.sheet).strip()


def read_rows(path: Path) -> list[Row]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
