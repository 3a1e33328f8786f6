"""Fit the line by which French and Dutch claims get their support: `python train/languages.py`.

On the development halves of tests/embedded/french.toml and dutch.toml, and on the English pairs
that weights may be fitted with (development.toml, own.toml): its features mean the same in any
language.
Sentences of the texts themselves are true beside them, those of other texts are false. It prints
ranks and labels over eight folds of texts, and writes languages/line.toml.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from oyer.judges.embedded.assess import heard
from oyer.judges.embedded.features import NAMES, features
from oyer.judges.embedded.line import FILE, USED, LogisticLine
from oyer.judges.embedded.source import SourceText, index

Floats = NDArray[np.float64]
HERE = Path(__file__).resolve().parents[1]
FILES = ("tests/embedded/french.toml", "tests/embedded/dutch.toml",
         "tests/embedded/development.toml", "train/own.toml")  # fmt: skip
STRENGTH = 0.03  # of the regression: less holds the weights smaller
WHOLE = 0.3  # what a sentence of a text counts for, beside one of a pair
FOLDS = 8


@dataclass(frozen=True)
class Row:
    """A sentence beside a text: what was measured, whether it is true, and where it comes from."""

    measured: list[float]
    true: bool
    text: str
    pair: int  # -1: a sentence of a text
    language: str


def read_rows() -> list[Row]:
    rows: list[Row] = []
    for name in FILES:
        file = tomllib.loads((HERE / name).read_text())
        language = file.get("language", "en")
        texts = [t for t in file["text"] if t.get("part", "development") == "development"]
        sources = [index(t["text"], language) for t in texts]
        for n, (text, source) in enumerate(zip(texts, sources, strict=True)):
            label = f"{name} {n}"
            for _, *sentences in text["pairs"]:
                rows += _pair(source, sentences, label, len(rows))
            rows += _whole(source, source, True, label)
            rows += _whole(source, sources[n - 1], False, label)
    return rows


def _pair(source: SourceText, sentences: list[str], label: str, number: int) -> list[Row]:
    found = []
    for true, sentence in zip((True, False), sentences, strict=True):
        claims = [text for _, text in heard(sentence, source.language)]
        measured = [features(source, claim) for claim in claims]
        worst = min(measured, key=lambda m: m[NAMES.index("window2")])
        found.append(Row(worst, true, label, number, source.language))
    return found


def _whole(source: SourceText, other: SourceText, true: bool, label: str) -> list[Row]:
    spans = [s for n, s in enumerate(other.spans) if n not in other.silent]
    texts = [other.text[a:b] for a, b in spans if len(other.text[a:b].split()) >= 6]
    return [Row(features(source, t), true, label, -1, source.language) for t in texts]


def fit(rows: list[Row]) -> LogisticLine:
    x = np.array([r.measured for r in rows])
    kept = [NAMES.index(name) for name in USED]
    mean, deviation = x[:, kept].mean(0), x[:, kept].std(0) + 1e-6
    line = LogisticLine(mean, deviation, np.zeros(len(kept)), 0.0)
    whole = line.kept(x)  # those without a fault: a fault is weighed by itself
    y = np.array([r.true for r in rows])
    weights = np.array([WHOLE if r.pair < 0 else 1.0 for r in rows])
    found = LogisticRegression(C=STRENGTH, max_iter=5000)
    found.fit(line.scaled(x)[whole], y[whole], sample_weight=weights[whole])
    return LogisticLine(mean, deviation, found.coef_[0], float(found.intercept_[0]))


def check(rows: list[Row]) -> None:
    support = np.zeros(len(rows))
    groups = [r.text for r in rows]
    for known, new in GroupKFold(FOLDS).split(rows, groups=groups):
        line = fit([rows[i] for i in known])
        support[new] = line.support(np.array([rows[i].measured for i in new]))
    x = np.array([r.measured for r in rows])
    called = (support >= 0.5) & LogisticLine.kept(x)
    for language in ("fr", "nl", "en"):
        pairs: dict[int, list[int]] = {}
        for i, r in enumerate(rows):
            if r.language == language and r.pair >= 0:
                pairs.setdefault(r.pair, []).append(i)
        ranks = [support[a] > support[b] for a, b in pairs.values()]
        labels = [called[i] == rows[i].true for two in pairs.values() for i in two]
        whole = [called[i] == r.true for i, r in enumerate(rows)
                 if r.language == language and r.pair < 0]  # fmt: skip
        print(language, len(ranks), f"ranks {np.mean(ranks):.3f} labels {np.mean(labels):.3f}",
              f"sentences of texts {np.mean(whole):.3f}")  # fmt: skip


def write(line: LogisticLine) -> None:
    lines = ["# The line by which French and Dutch claims get their support, as train/languages.py",
             "# wrote it: for each feature its mean, its deviation and its weight.",
             f"intercept = {line.intercept:.4f}", "", "[features]"]  # fmt: skip
    for name, *numbers in zip(USED, line.mean, line.deviation, line.weights, strict=True):
        lines.append(f"{name} = [{', '.join(f'{n:.4f}' for n in numbers)}]")
    (HERE / "src/oyer/judges/embedded" / FILE).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    found = read_rows()
    check(found)
    write(fit(found))
