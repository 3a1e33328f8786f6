"""Pairs of summaries that people labelled, and spoiled ones, to learn from."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable

import cross
import data
import pairs
from cross import Pair, Unit

from oyer.judges.embedded.cross import clue
from oyer.judges.embedded.source import SourceText, index

GENERATED = 0.3  # of people's pairs


def generated(bases: list[tuple[str, str]], count: int, rng: random.Random) -> list[Pair]:
    """Pairs from (article, true text): half of them spoiled."""
    articles = sorted({a for a, _ in bases})
    sources: dict[str, SourceText] = {}
    pools: dict[str, pairs.Pool] = {}
    made: list[Pair] = []
    while len(made) < count:
        article, base = rng.choice(bases)
        spoiled = rng.random() < 0.55
        if article not in pools:
            pools[article] = pairs.pool(article, rng.choice(articles), rng)
            sources[article] = index(article)
        claim = pairs.make(base, pools[article], rng, spoiled)
        if claim is None:
            continue
        text, wrong = claim
        made.append(Pair(text, clue(sources[article], text), float(bool(wrong)), wrong, 1.0))
    return made


def units(rows: Iterable[data.Row], rng: random.Random) -> list[Unit]:
    """Every pair to learn from; the edits of one sentence together, right and wrong mixed."""
    unique = {(c.row.group, c.text): c for r in rows for c in data.labelled(r)}
    sources: dict[str, SourceText] = {}
    apart: list[Unit] = []
    edits: dict[tuple[str, int], list[Pair]] = defaultdict(list)
    for c in unique.values():
        if c.row.article not in sources:
            sources[c.row.article] = index(c.row.article)
        source = sources[c.row.article]
        pair = Pair(c.text, clue(source, c.text), 1 - c.supported, c.wrong, c.weight)
        if c.row.seed is None:
            apart.append([pair])
        else:
            edits[c.row.seed, data.likest(c.text, c.row.seed)].append(pair)
    told = [(c.row.article, c.text) for c in unique.values()
            if c.supported and len(c.text.split()) > 5]  # fmt: skip
    lines = [(a, s) for a in sorted(sources) for s in pairs.whole(a)]
    count = int(GENERATED * len(unique)) // 2
    made = generated(told, count, rng) + generated(lines, count, rng)
    return (
        apart
        + [u for group in edits.values() for u in cross.mixed(group, rng)]
        + [[p] for p in made]
    )
