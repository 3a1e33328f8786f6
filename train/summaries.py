"""Teach an encoder to judge summaries: `python train/summaries.py OUT PART BASE`.

PART is 0 or 1: that half of the data (data.Row.half) is left out, and later judged by this encoder;
or `all`: the encoder that is shipped. BASE is an encoder that has learnt entailment (entail.onnx).
Each reads people's labels, pairs made from sentences of the same articles and from their consistent
summaries, and, so that nothing is forgotten, texts of our own.
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import bert
import cross
import data
import lessons
import pairs
import tales
import torch
from cross import Pair, Unit

from oyer.judges.embedded.cross import WIDE_LENGTH, wide_clue
from oyer.judges.embedded.source import SourceText, index

SEED, RATE = 20261118, 6e-5
GENERATED, OWN = 0.3, 0.6  # of people's pairs


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
        made.append(Pair(text, wide_clue(sources[article], text), float(bool(wrong)), wrong, 1.0))
    return made


def units(rows: Iterable[data.Row], rng: random.Random) -> list[Unit]:
    """Every pair to learn from; the edits of one sentence together, right and wrong mixed."""
    unique = {(c.row.group, c.text): c for r in rows for c in data.labelled(r)}
    sources: dict[str, SourceText] = {}
    apart: list[Unit] = []
    edits: dict[tuple[str, int], list[Pair]] = defaultdict(list)
    for c in unique.values():
        source = sources.setdefault(c.row.article, index(c.row.article))
        pair = Pair(c.text, wide_clue(source, c.text), 1 - c.supported, c.wrong, c.weight)
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


def own_pairs(count: int, rng: random.Random) -> list[Unit]:
    """Facts of twins, drawn at random."""
    found = lessons.teach([t for t in tales.read() if t.is_twin and not t.kept_back], rng)
    return cross.fill(found, count)


def main(out: Path, part: str, base: str) -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(cross.THREADS)
    rng = random.Random(f"{SEED} {part}")
    rows = units([r for r in data.everything() if str(r.half) != part], rng)
    people = cross.count(rows)
    rows += own_pairs(int(OWN * people), rng)
    order = cross.batches(rows, rng)
    print(part, people, "pairs of summaries,", cross.count(rows), "in all", flush=True)
    learner = cross.Learner(bert.open_marker(base), RATE, cross.declining(len(order)), WIDE_LENGTH)
    began, total = time.time(), 0.0
    for seen, batch in enumerate(order, 1):
        total += learner.step(batch)
        if seen % 50 == 0:
            took = time.time() - began
            print(f"{seen}/{len(order)} loss {total / 50:.3f} {took:.0f} s", flush=True)
            total = 0.0
    torch.save(learner.weights(), out / f"{part}.pt")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
