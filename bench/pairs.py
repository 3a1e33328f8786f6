"""True and false sentences of the same text: `python bench/pairs.py [FILE …] [--show] [--note]`.
A file in another language names it (`language`); `--part NAME` takes that part of its texts only.
Several files are counted as one.

Of each pair in tests/embedded/held_out.toml the judge should support the true sentence more, call
it Supported, and not call the false one so. Bigrams (the share of a sentence's word pairs that the
text has) are beside it. `--note` writes the shares by kind of text into reliability.json, from
which verdicts on kinds that are judged badly say so.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

from oyer.judges.embedded import kinds
from oyer.judges.embedded.assess import Assessed, Scorer, Variant, assess, scorer
from oyer.judges.embedded.source import SourceText, index
from oyer.judges.embedded.words import grams, masked, read

#: For each kind: whether each pair is ranked rightly, and the share of its labels that is right.
Table = dict[str, list[tuple[float, float]]]
Text = dict[str, Any]
HELD_OUT = Path(__file__).resolve().parents[1] / "tests/embedded/held_out.toml"


def judged(source: SourceText, sentence: str, score: Scorer) -> Assessed:
    """The sentence as one summary; of several claims the least supported."""
    return min(assess(source, sentence, score), key=lambda claim: claim.support)


def bigrams(article: str, sentence: str) -> float:
    """Of the words as they are written, numbers as they are read in English."""
    have = set(grams(masked(read(article).norms), 2))
    mine = grams(read(sentence).norms, 2)
    return sum(pair in have for pair in mine) / max(1, len(mine))


def measure(paths: list[Path], variant: Variant, show: bool, part: str) -> Table:
    """For each kind of text and of fault: whether the true one ranks above, and labels right."""
    found: Table = defaultdict(list)
    score = scorer(variant)
    for path in paths:
        file = tomllib.loads(path.read_text())
        for text in file["text"]:
            if part in ("", text.get("part")):
                compare(text, file.get("language", "en"), score, show, found)
    return found


def compare(text: Text, language: str, score: Scorer, show: bool, found: Table) -> None:
    """Add what is made of one text's pairs."""
    source = index(text["text"], language)
    for fault, right, wrong in text["pairs"]:
        good, bad = (judged(source, sentence, score) for sentence in (right, wrong))
        ranks = float(good.support > bad.support)
        labels = ((good.label == "Supported") + (bad.label != "Supported")) / 2
        plain = bigrams(text["text"], right) - bigrams(text["text"], wrong)
        for kind in ("all", f"text: {text.get('kind', '')}", f"fault: {fault}"):
            found[kind].append((ranks, labels))
        found["bigrams"].append(((plain > 0) + (plain == 0) / 2, 0.0))
        if show and (not ranks or labels < 1):
            print(f"{fault:17} {good.support:.2f} {good.label[:5]} {right}")
            print(f"{'':17} {bad.support:.2f} {bad.label[:5]} {wrong}")


def main(paths: list[Path], show: bool, part: str, noted: bool) -> None:
    variants: tuple[Variant, ...] = ("light", "full")
    tables = {variant: measure(paths, variant, show, part) for variant in variants}
    print(f"{'':26}{'n':>5}" + "".join(f"{v + ' ranks, labels':>22}" for v in variants))
    for kind in sorted(tables["light"], key=lambda k: (k != "all", k)):
        line = f"{kind:26}{len(tables['light'][kind]):5}"
        for variant in variants:
            rows = tables[variant][kind]
            ranks, labels = (sum(column) / len(rows) for column in zip(*rows, strict=True))
            line += f"{ranks:16.3f}{labels:6.3f}"
        print(line)
    if noted:
        note(tables)


def note(tables: dict[Variant, Table]) -> None:
    path = Path(kinds.__file__).parent / "reliability.json"
    known = json.loads(path.read_text())
    for variant, table in tables.items():
        known[variant]["pairs"] = {
            kind.removeprefix("text: "): round(sum(ranks for ranks, _ in rows) / len(rows), 3)
            for kind, rows in sorted(table.items())
            if kind.startswith("text: ")
        }
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[HELD_OUT])
    parser.add_argument("--part", default="")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--note", action="store_true")
    given = parser.parse_args()
    main(given.files, given.show, given.part, given.note)
