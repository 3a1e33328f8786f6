"""Fine-tune the cross-encoder: `python train/cross.py OUT stage1`, then `… OUT stage2`.

stage1  generated pairs, made from sentences of the articles that are not held out
stage2  people's labels on those articles, and pairs made from their consistent summaries; nothing
        of the four summedits domains in data.UNSEEN
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import bert
import data
import pairs
import torch
from tokenizers import Tokenizer
from torch import Tensor

from oyer.judges.embedded.cross import LENGTH, clue
from oyer.judges.embedded.source import Source, index

SEED, BATCH, RATE = 20251115, 32, 1e-4
STAGE1, PASSES = 6_000, 2
THREADS = 1  # with more, sums are split otherwise, and the weights differ
Spans = tuple[tuple[int, int], ...]
Pair = tuple[str, str, float, Spans | None, float]  # claim, evidence, wrong, wrong words, weight


def generated(bases: list[tuple[str, str]], count: int, rng: random.Random) -> list[Pair]:
    """Pairs from (article, true text): half of them spoiled."""
    articles = sorted({a for a, _ in bases})
    sources: dict[str, Source] = {}
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
        made.append((text, clue(sources[article], text), float(bool(wrong)), wrong, 1.0))
    return made


def stage1(rng: random.Random) -> list[Pair]:
    rows = [r for r in data.everything() if not r.held_out]
    bases = []
    for article in sorted({r.article for r in rows}):
        for s, e in pairs.sentences(article):
            if 6 <= len(article[s:e].split()) <= 35:
                bases.append((article, article[s:e]))
    return generated(bases, STAGE1, rng)


def stage2(rng: random.Random) -> list[Pair]:
    rows = [r for r in data.everything() if not r.unseen]
    unique = {(c.row.group, c.text): c for r in rows for c in data.labelled(r)}
    sources: dict[str, Source] = {}
    found: list[Pair] = []
    for claim in unique.values():
        source = sources.setdefault(claim.row.article, index(claim.row.article))
        found.append((claim.text, clue(source, claim.text), 1 - claim.supported, claim.wrong,
                      claim.weight))  # fmt: skip
    bases = [(c.row.article, c.text) for c in unique.values()
             if c.supported and len(c.text.split()) > 5]  # fmt: skip
    return found + generated(bases, len(found) // 4, rng)


def encode(tokenizer: Tokenizer, batch: list[Pair]) -> tuple[Tensor, ...]:
    rows = [tokenizer.encode(claim, clue) for claim, clue, _, _, _ in batch]
    width = max(len(r.ids) for r in rows)
    ids, mask, kinds, marks, known = (torch.zeros(len(rows), width) for _ in range(5))
    for i, (row, (_, _, wrong, spans, weight)) in enumerate(zip(rows, batch, strict=True)):
        n = len(row.ids)
        ids[i, :n], kinds[i, :n] = torch.tensor(row.ids), torch.tensor(row.type_ids)
        mask[i, :n] = 1
        if spans is None or (wrong and not spans):
            continue
        for j in range(1, n):
            if row.type_ids[j] or row.special_tokens_mask[j]:
                continue
            start, end = row.offsets[j]
            known[i, j] = weight
            marks[i, j] = float(any(start < b and end > a for a, b in spans))
    return ids.long(), mask, kinds.long(), marks, known


def losses(model: bert.Marker, tokenizer: Tokenizer, batch: list[Pair]) -> Tensor:
    ids, mask, kinds, marks, known = encode(tokenizer, batch)
    whole, pieces = model(ids, mask, kinds)
    wrong = torch.tensor([p[2] for p in batch])
    weight = torch.tensor([p[4] for p in batch])
    bce = torch.nn.functional.binary_cross_entropy_with_logits
    claim = (bce(whole, wrong, reduction="none") * weight).mean()
    piece = bce(pieces, marks, reduction="none", pos_weight=torch.tensor(2.0)) * known
    return claim + 2.0 * piece.sum() / known.sum().clamp(min=1)


def train(model: bert.Marker, rows: list[Pair], passes: int, rng: random.Random) -> None:
    tokenizer = tokens()
    for frozen in (model.encoder.word, model.encoder.layers[0]):  # faster; rare words stay sane
        frozen.requires_grad_(False)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(parameters, RATE, weight_decay=0.01)
    order = [batch for _ in range(passes) for batch in batches(rows, rng)]
    steps = len(order)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda s: min(1.0, (s + 1) / (0.06 * steps)) * max(0.02, 1 - s / steps)
    )
    model.train()
    began, seen, total = time.time(), 0, 0.0
    for batch in order:
        loss = losses(model, tokenizer, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
        seen, total = seen + 1, total + loss.item()
        if seen % 50 == 0:
            rate = seen * BATCH / (time.time() - began)
            print(f"{seen}/{steps} loss {total / 50:.3f} {rate:.1f} pairs/s", flush=True)
            total = 0.0


def batches(rows: list[Pair], rng: random.Random) -> list[list[Pair]]:
    """Shuffled, yet of like length within a batch: less padding, more speed."""
    order = rows[:]
    rng.shuffle(order)
    found = []
    for start in range(0, len(order), BATCH * 16):
        bucket = sorted(order[start : start + BATCH * 16], key=lambda p: len(p[0]) + len(p[1]))
        found += [bucket[i : i + BATCH] for i in range(0, len(bucket) - BATCH + 1, BATCH)]
    rng.shuffle(found)
    return found


def tokens() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(bert.published() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LENGTH, strategy="longest_first")
    return tokenizer


def main(out: Path, kind: str) -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(THREADS)
    rng = random.Random(f"{SEED} {kind}")
    model = bert.Marker()
    if kind == "stage1":
        model.encoder = bert.load(bert.published())
        rows = stage1(rng)
    else:
        model.load_state_dict(torch.load(out / "stage1.pt"))
        rows = stage2(rng)
    print(kind, len(rows), "pairs", sum(p[2] for p in rows) / len(rows), "wrong", flush=True)
    train(model, rows, 1 if kind == "stage1" else PASSES, rng)
    torch.save(model.state_dict(), out / f"{kind}.pt")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
