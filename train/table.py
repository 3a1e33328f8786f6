"""Claims as rows of numbers: people's and generated ones, with features and doubts."""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path

import data
import numpy as np
import pairs
import tales
from data import fold_of
from kept import key

from oyer.judges.embedded.assess import heard
from oyer.judges.embedded.cross import NONE, Doubts
from oyer.judges.embedded.features import measure, share_pairs, view
from oyer.judges.embedded.source import SourceText, index

SEED, PER_ARTICLE = 7, 3
Floats = np.ndarray


@dataclass
class Table:
    """One claim a row: features, target (probability of being supported), weight, origin."""

    x: Floats
    y: Floats
    w: Floats
    set: Floats
    domain: Floats
    fold: Floats
    row: Floats  # number of the summary that the claim is of; -1 for generated ones
    share: Floats  # of the word pairs of its summary, how many the article has
    text: Floats
    article: Floats
    doubt: Floats  # cross.Doubts (`doubted`); nan where not asked

    def only(self, keep: Floats) -> Table:
        return Table(*(getattr(self, f.name)[keep] for f in fields(Table)))

    def __add__(self, other: Table) -> Table:
        both = (np.concatenate([getattr(t, f.name) for t in (self, other)]) for f in fields(Table))
        return Table(*both)


def _table(columns: list[tuple[object, ...]]) -> Table:
    kinds = (float, float, float, str, str, int, int, float, object, object)
    parts = [np.array(c, k) for c, k in zip(zip(*columns, strict=True), kinds, strict=True)]
    return Table(*parts, np.full((len(columns), len(NONE)), np.nan))


def claims_of(row: data.Row) -> list[tuple[str, str]]:
    """The claims of a summary, as written and as the judge reads them."""
    return [(row.summary[s:e], text) for (s, e), text in heard(row.summary)]


def human(rows: list[data.Row], sources: dict[str, SourceText]) -> Table:
    """The claims of people's rows; a graded summary's claims get its grade as probability."""
    columns: list[tuple[object, ...]] = []
    for n, row in enumerate(rows):
        known = {c.text: c for c in data.labelled(row)}
        source, claims = sources[row.article], claims_of(row)
        views = [view(source, text) for _, text in claims]
        share = share_pairs(views)
        for seen, (written, text) in zip(views, claims, strict=True):
            claim = known.get(written)
            y, w = (claim.supported, claim.weight) if claim else (0.0, 0.0)
            if row.grade is not None:
                y, w = (row.grade - 1) / 4, 1.0
            columns.append((measure(seen), y, w, row.set, row.domain, fold_of(row.article),
                            n, share, text, row.article))  # fmt: skip
    return _table(columns)


def generated(rows: list[data.Row], sources: dict[str, SourceText]) -> Table:
    """Pairs made from article sentences and from summaries that people call consistent."""
    rng = random.Random(SEED)
    articles = sorted({r.article for r in rows})
    pools: dict[str, pairs.Pool] = {}
    columns: list[tuple[object, ...]] = []
    for article, base, domain in [*_sentences(articles, rng), *_consistent(rows)]:
        if article not in pools:
            pools[article] = pairs.pool(article, rng.choice(articles), rng)
        for spoiled in (False, True):
            made = pairs.make(base, pools[article], rng, spoiled)
            if made:
                seen = view(sources[article], made[0])
                columns.append((measure(seen), float(not made[1]), 1.0, "generated", domain,
                                fold_of(article), -1, share_pairs([seen]), made[0],
                                article))  # fmt: skip
    return _table(columns)


def _sentences(articles: list[str], rng: random.Random) -> list[tuple[str, str, str]]:
    bases = []
    for article in articles:
        lines = pairs.whole(article)
        bases += [(article, x, "") for x in rng.sample(lines, min(PER_ARTICLE, len(lines)))]
    return bases


def _consistent(rows: list[data.Row]) -> list[tuple[str, str, str]]:
    good = [r for r in rows if r.consistent or (r.grade or 0) > 4.99]
    return sorted(
        {
            (r.article, text, r.domain if r.set == "summedits" else "")
            for r in good
            for text, _ in claims_of(r)
            if len(text.split()) > 5
        }
    )


def own(path: Path) -> Table:
    """The true and false sentences of our own (own.toml), to weigh the opinions with."""
    columns: list[tuple[object, ...]] = []
    for text in tomllib.loads(path.read_text(encoding="utf-8"))["text"]:
        source = index(text["text"])
        for _, right, wrong in text["pairs"]:
            for sentence, supported in ((right, 1.0), (wrong, 0.0)):
                columns.append(_own_row("own", text["kind"], source, sentence, supported))
    return _table(columns)


def kept_back() -> Table:
    """Sentences of our own texts that the encoder never saw (tales.py): of every sixteenth pair of
    twins, and of every sixteenth text that stands alone; the others are there to look at."""
    columns: list[tuple[object, ...]] = []
    kept = [tale for tale in tales.read() if tale.kept_back]
    twins = [tale for tale in kept if tale.is_twin]
    alone = [tale for tale in kept if not tale.is_twin]
    for tale in [*(tale for n, tale in enumerate(twins) if n % 32 < 2), *alone[::16]]:
        source = index(tale.text)
        for fact in tale.facts:
            for sentence in fact.true:
                columns.append(_own_row("tales", tale.kind, source, sentence, 1.0))
            for sentence in fact.false:
                columns.append(_own_row("tales", tale.kind, source, sentence, 0.0))
    return _table(columns)


def _own_row(
    name: str, kind: str, source: SourceText, sentence: str, supported: float
) -> tuple[object, ...]:
    fold, row = fold_of(source.text), -1
    seen = view(source, sentence)
    share = share_pairs([seen])
    return measure(seen), supported, 1.0, name, kind, fold, row, share, sentence, source.text


def doubted(t: Table, known: dict[int, Doubts]) -> Table:
    """Claims with what the encoders say of them; generated ones stay without."""
    doubt = np.full((len(t.x), len(NONE)), np.nan)
    for n, at in enumerate(zip(t.article, t.text, strict=True)):
        doubt[n] = known.get(key(*at), doubt[n])
    return replace(t, doubt=doubt)
