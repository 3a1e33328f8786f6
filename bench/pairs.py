"""True and false sentences of the same text: `python bench/pairs.py [FILE] [--show] [--note]`.
A file in another language names it (`language`); `--part NAME` takes that part of its texts only.

Of each pair in tests/embedded/held_out.toml the judge should support the true sentence more, call
it Supported, and not call the false one so. Bigrams (the share of a sentence's word pairs that the
text has) are beside it. `--note` writes the shares by kind of text into reliability.json, from
which verdicts on kinds that are judged badly say so.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

from oyer.judges.embedded import kinds
from oyer.judges.embedded.assess import Assessed, Scorer, Variant, assess, scorer
from oyer.judges.embedded.source import SourceText, index
from oyer.judges.embedded.words import grams, masked, read

HELD_OUT = Path(__file__).resolve().parents[1] / "tests/embedded/held_out.toml"


def judged(source: SourceText, sentence: str, score: Scorer) -> Assessed:
    """The sentence as one summary; of several claims the least supported."""
    return min(assess(source, sentence, score), key=lambda claim: claim.support)


def bigrams(article: str, sentence: str) -> float:
    """Of the words as they are written, numbers as they are read in English."""
    have = set(grams(masked(read(article).norms), 2))
    mine = grams(read(sentence).norms, 2)
    return sum(pair in have for pair in mine) / max(1, len(mine))


def measure(
    path: Path, variant: Variant, show: bool, part: str = ""
) -> dict[str, list[tuple[float, float]]]:
    """For each kind of text and of fault: whether the true one ranks above, and labels right."""
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    score = scorer(variant)
    file = tomllib.loads(path.read_text())
    for text in file["text"]:
        if part and text.get("part") != part:
            continue
        source = index(text["text"], file.get("language", "en"))
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
    return found


def main(path: Path, show: bool, part: str) -> None:
    variants: tuple[Variant, ...] = ("light", "full")
    tables = {variant: measure(path, variant, show, part) for variant in variants}
    print(f"{'':26}{'n':>5}" + "".join(f"{v + ' ranks, labels':>22}" for v in variants))
    for kind in sorted(tables["light"], key=lambda k: (k != "all", k)):
        line = f"{kind:26}{len(tables['light'][kind]):5}"
        for variant in variants:
            rows = tables[variant][kind]
            ranks, labels = (sum(column) / len(rows) for column in zip(*rows, strict=True))
            line += f"{ranks:16.3f}{labels:6.3f}"
        print(line)
    if "--note" in sys.argv:
        note(tables)


def note(tables: dict[Variant, dict[str, list[tuple[float, float]]]]) -> None:
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
    options = sys.argv[1:]
    at = options.index("--part") if "--part" in options else len(options)
    wanted = options[at + 1] if at < len(options) else ""
    named = [w for n, w in enumerate(options) if not w.startswith("--") and n != at + 1]
    main(Path(named[0]) if named else HELD_OUT, "--show" in options, wanted)
