"""Claims as rows of numbers: people's and generated ones, with features and marks."""

from __future__ import annotations

import random
from dataclasses import dataclass, fields

import data
import numpy as np
import pairs
from data import fold_of

from oyer.judges.embedded import cross
from oyer.judges.embedded.features import features
from oyer.judges.embedded.source import Source

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
    text: Floats
    article: Floats

    def only(self, keep: Floats) -> Table:
        return Table(*(getattr(self, f.name)[keep] for f in fields(Table)))

    def __add__(self, other: Table) -> Table:
        both = (np.concatenate([getattr(t, f.name) for t in (self, other)]) for f in fields(Table))
        return Table(*both)


def _table(columns: list[tuple[object, ...]]) -> Table:
    kinds = (float, float, float, str, str, int, int, object, object)
    return Table(*(np.array(c, k) for c, k in zip(zip(*columns, strict=True), kinds, strict=True)))


def claims_of(row: data.Row) -> list[str]:
    return [row.summary[s:e] for s, e in data.claims(row.summary)[:10]]


def human(rows: list[data.Row], sources: dict[str, Source]) -> Table:
    """The claims of people's rows; a graded summary's claims get its grade as probability."""
    columns: list[tuple[object, ...]] = []
    for n, row in enumerate(rows):
        known = {c.text: c for c in data.labelled(row)}
        for text in claims_of(row):
            claim = known.get(text)
            y, w = (claim.supported, claim.weight) if claim else (0.0, 0.0)
            if row.grade is not None:
                y, w = (row.grade - 1) / 4, 1.0
            columns.append((features(sources[row.article], text), y, w, row.set, row.domain,
                            fold_of(row.article), n, text, row.article))  # fmt: skip
    return _table(columns)


def generated(rows: list[data.Row], sources: dict[str, Source]) -> Table:
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
                columns.append((features(sources[article], made[0]), float(not made[1]), 1.0,
                                "generated", domain, fold_of(article), -1, made[0],
                                article))  # fmt: skip
    return _table(columns)


def _sentences(articles: list[str], rng: random.Random) -> list[tuple[str, str, str]]:
    bases = []
    for article in articles:
        lines = [article[s:e] for s, e in pairs.sentences(article)]
        lines = [x for x in lines if 6 <= len(x.split()) <= 35]
        bases += [(article, x, "") for x in rng.sample(lines, min(PER_ARTICLE, len(lines)))]
    return bases


def _consistent(rows: list[data.Row]) -> list[tuple[str, str, str]]:
    good = [r for r in rows if r.consistent or (r.grade or 0) > 4.99]
    return sorted(
        {
            (r.article, text, r.domain if r.set == "summedits" else "")
            for r in good
            for text in claims_of(r)
            if len(text.split()) > 5
        }
    )


def marked(table: Table, sources: dict[str, Source]) -> Table:
    """The claims that the cross-encoder never saw, with its marks; of generated ones a third."""
    encoder = cross.shipped()
    known: dict[tuple[str, str], cross.Mark] = {}
    marks, keep = [], np.zeros(len(table.x), bool)
    for n, (text, article) in enumerate(zip(table.text, table.article, strict=True)):
        made = table.set[n] == "generated"
        edits = table.set[n] == "summedits" and table.domain[n] in data.UNSEEN
        if not edits and not (data.held_out(article) and (n % 3 == 0 or not made)):
            continue
        if (article, text) not in known:
            known[article, text] = encoder.marks(sources[article], [text])[0]
        marks.append(known[article, text])
        keep[n] = True
    found = table.only(keep)
    found.x = np.hstack([found.x, np.array(marks)])
    return found
