"""Whole summaries of the same text: `python bench/summaries.py [FILE] [--part NAME] [--show]`.

tests/embedded/summaries.toml has four summaries of each text: two faithful ones, near to its words
and in words of their own, and two with two plain falsehoods, written alike. The faithful one should
get more than the false one, whichever words either has. The false sentences should be the ones that
are not called Supported.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import defaultdict
from pathlib import Path

import oyer
from oyer.judges.embedded.assess import Variant, assess, scorer
from oyer.judges.embedded.source import index

FILE = Path(__file__).resolve().parents[1] / "tests/embedded/summaries.toml"
WAYS = ("near", "free", "lies", "free_lies")
#: The faithful summary, and the one with falsehoods that it is held against.
RIVALS = (("near", "lies"), ("free", "free_lies"), ("free", "lies"))
FALSE = {"lies": "false", "free_lies": "free_false"}
PROTOCOLS = ("judge-lock", "twin-lock")
Text = dict[str, object]


def total(protocol: str, variant: Variant, text: Text, way: str) -> float:
    case = {"article": text["text"], "summary": text[way]}
    found = oyer.judge(protocol, case, judge=f"embedded:{variant}").total
    if found is None:
        raise ValueError(f"no score for the summary {way!r} of: {text[way]}")
    return float(found)


def rank(texts: list[Text], variant: Variant) -> None:
    for protocol in PROTOCOLS:
        totals = [{way: total(protocol, variant, text, way) for way in WAYS} for text in texts]
        means = {way: sum(t[way] for t in totals) / len(totals) for way in WAYS}
        print(f"{variant:6}{protocol:11}", *(f"{w} {m:.1f}" for w, m in means.items()), end="  ")
        for good, bad in RIVALS:
            wins = sum((t[good] > t[bad]) + (t[good] == t[bad]) / 2 for t in totals)
            print(f"{good} > {bad} {wins / len(totals):.2f}", end="  ")
        print()


def label(texts: list[Text], variant: Variant, show: bool) -> None:
    """How many true and how many false claims of each summary are called what."""
    score = scorer(variant)
    found: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for text in texts:
        source = index(str(text["text"]))
        for way in WAYS:
            false = text[FALSE[way]] if way in FALSE else []
            for claim in assess(source, str(text[way]), score):
                lies = any(claim.text in sentence for sentence in false)  # type: ignore[attr-defined]
                found[way, lies].append(claim.label)
                if show and lies == (claim.label == "Supported"):
                    faults = " ".join(sorted(claim.faults))
                    print(f"{way:10}{'false' if lies else 'true ':6}{claim.support:.2f} "
                          f"{claim.label[:6]} {claim.text} [{faults}]")  # fmt: skip
    for (way, lies), labels in sorted(found.items()):
        shares = (f"{x} {labels.count(x) / len(labels):.2f}" for x in ("Supported", "Partial"))
        print(f"{variant:6}{way:10}{'false' if lies else 'true':6}{len(labels):4} claims:", *shares)


def main(file: Path, part: str, show: bool) -> None:
    texts = tomllib.loads(file.read_text(encoding="utf-8"))["text"]
    texts = [text for text in texts if part in ("", text["part"])]
    variants: tuple[Variant, ...] = ("light", "full")
    for variant in variants:
        rank(texts, variant)
        label(texts, variant, show)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--part", default="")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    main(given.file, given.part, given.show)
