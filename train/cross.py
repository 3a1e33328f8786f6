"""Fine-tune the cross-encoder: `python train/cross.py OUT PART`.

PART is 0 or 1: that half of the data (data.Row.half) is left out, and later judged by this encoder;
or `all`: the encoder that is shipped. Each reads people's labels, and pairs made from sentences of
the same articles and from their consistent summaries.
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import bert
import data
import pairs
import torch
from tokenizers import Tokenizer
from torch import Tensor

from oyer.judges.embedded.cross import LENGTH, clue
from oyer.judges.embedded.source import SourceText, index

SEED, BATCH, RATE, PASSES = 20251115, 32, 1e-4, 2
GENERATED = 0.5  # of people's pairs
TOGETHER = 4  # edits of one summary's sentence that are read side by side
WARMING, COOLING = 60, 450  # steps
BLOCK, WIDTH = 12, 16  # pairs that are read at once, and of what their word pieces are a multiple
THREADS = 2  # with more or fewer, sums are split otherwise, and the weights differ


class Pair(NamedTuple):
    claim: str
    evidence: str
    wrong: float
    spans: data.Spans | None  # the wrong words, where they are known
    weight: float


bce = torch.nn.functional.binary_cross_entropy_with_logits
Unit = list[Pair]  # pairs that stay in one batch, to be ranked against each other


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
        source = sources.setdefault(c.row.article, index(c.row.article))
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
    return apart + [u for group in edits.values() for u in mixed(group, rng)] + [[p] for p in made]


def mixed(group: list[Pair], rng: random.Random) -> list[Unit]:
    """A group dealt out into units, so that most have both right and wrong pairs."""
    found: list[Unit] = [[] for _ in range(-(-len(group) // TOGETHER))]
    rng.shuffle(group)
    for n, pair in enumerate(sorted(group, key=lambda p: p.wrong)):
        found[n % len(found)].append(pair)
    return found


def encode(tokenizer: Tokenizer, batch: list[Pair]) -> tuple[Tensor, ...]:
    rows = [tokenizer.encode(pair.claim, pair.evidence) for pair in batch]
    width = max(len(r.ids) for r in rows)
    ids, mask, kinds, marks, known = (torch.zeros(len(rows), width) for _ in range(5))
    for i, (row, pair) in enumerate(zip(rows, batch, strict=True)):
        n = len(row.ids)
        ids[i, :n], kinds[i, :n] = torch.tensor(row.ids), torch.tensor(row.type_ids)
        mask[i, :n] = 1
        if pair.spans is None or (pair.wrong and not pair.spans):
            continue
        for j in range(1, n):
            if row.sequence_ids[j] != 0:  # no word of the claim
                continue
            start, end = row.offsets[j]
            known[i, j] = pair.weight
            marks[i, j] = float(any(start < b and end > a for a, b in pair.spans))
    return ids.long(), mask, kinds.long(), marks, known


def losses(model: bert.Marker, tokenizer: Tokenizer, batch: list[Unit]) -> Tensor:
    """Whole claims right or wrong, words right or wrong, and the wrong edit above the right one."""
    flat = [pair for unit in batch for pair in unit]
    whole, piece, known = read(model, tokenizer, flat)
    wrong = torch.tensor([p.wrong for p in flat])
    weight = torch.tensor([p.weight for p in flat])
    claim = (bce(whole, wrong, reduction="none") * weight).mean()
    return claim + 2.0 * piece / known.clamp(min=1) + ranked(whole, batch)


def read(model: bert.Marker, tokenizer: Tokenizer, flat: Unit) -> tuple[Tensor, Tensor, Tensor]:
    """The logit of each pair, the loss of all their words, and the weight of these.

    Pairs of like length are read together, in blocks of few shapes: a batch as one block is a third
    padding, and a shape that was met before is computed faster."""
    order = sorted(range(len(flat)), key=lambda i: _length([flat[i]]))
    logits: list[Tensor] = []
    losses, weights = torch.zeros(()), torch.zeros(())
    for start in range(0, len(flat), BLOCK):
        some = [flat[i] for i in order[start : start + BLOCK]]
        ids, mask, kinds, marks, known = (pad(t) for t in encode(tokenizer, some))
        whole, pieces = (t.float() for t in model(ids, mask, kinds))
        logits.append(whole[: len(some)])
        piece = bce(pieces, marks, reduction="none", pos_weight=torch.tensor(2.0)) * known
        losses, weights = losses + piece.sum(), weights + known.sum()
    places = torch.tensor(order).argsort()
    return torch.cat(logits)[places], losses, weights


def pad(block: Tensor) -> Tensor:
    """With zeros, to the next of few shapes."""
    rows, width = block.shape
    return torch.nn.functional.pad(block, (0, -width % WIDTH, 0, BLOCK - rows))


def ranked(whole: Tensor, batch: list[Unit]) -> Tensor:
    gaps, at = [], 0
    for unit in batch:
        for i, one in enumerate(unit):
            gaps += [whole[at + i] - whole[at + j] for j, other in enumerate(unit)
                     if one.wrong > other.wrong]  # fmt: skip
        at += len(unit)
    return torch.nn.functional.softplus(-torch.stack(gaps)).mean() if gaps else whole.sum() * 0


#: The share of the full rate at a step.
Pace = Callable[[int], float]


def declining(steps: int) -> Pace:
    """Warming up, and declining to the end."""
    return lambda step: min(1.0, (step + 1) / (0.06 * steps)) * max(0.02, 1 - step / steps)


def level(stop: int) -> Pace:
    """Warming up, level, and cooled before the stop: so that a training can be drawn out."""
    return lambda step: min(1.0, (step + 1) / WARMING, max(0.02, (stop - step) / COOLING))


class Learner:
    """One step after the other: bfloat16 to compute with, which is faster (AVX512), and 32 bits to
    add small steps to. Without dropout: most pairs are read once."""

    def __init__(self, model: bert.Marker, rate: float, pace: Pace, length: int) -> None:
        self.model, self.tokenizer = model.to(torch.bfloat16).eval(), tokens(length)
        lowest = model.encoder.layers[: len(model.encoder.layers) // 4]
        for frozen in (model.encoder.word, *lowest):  # faster; rare words stay sane
            frozen.requires_grad_(False)
        self.half = [p for p in model.parameters() if p.requires_grad]
        self.exact = [p.detach().float().clone().requires_grad_() for p in self.half]
        self.optimiser = torch.optim.AdamW(self.exact, rate, weight_decay=0.01, fused=True)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimiser, pace)

    def step(self, batch: list[Unit]) -> float:
        loss = losses(self.model, self.tokenizer, batch)
        loss.backward()
        for half, exact in zip(self.half, self.exact, strict=True):
            exact.grad = None if half.grad is None else half.grad.float()
            half.grad = None
        torch.nn.utils.clip_grad_norm_(self.exact, 1.0)
        self.optimiser.step()
        self.schedule.step()
        with torch.no_grad():
            for half, exact in zip(self.half, self.exact, strict=True):
                half.copy_(exact)
        return float(loss.item())

    def weights(self) -> dict[str, Tensor]:
        """The whole model in 32 bits."""
        exact = dict(zip(map(id, self.half), self.exact, strict=True))
        return {
            name: exact.get(id(p), p).detach().float().clone()
            for name, p in self.model.named_parameters()
        }

    def state(self) -> dict[str, object]:
        return {"optimiser": self.optimiser.state_dict(), "schedule": self.schedule.state_dict()}

    def load(self, weights: dict[str, Tensor], state: dict[str, Any]) -> None:
        self.model.load_state_dict(weights)
        names = {id(p): name for name, p in self.model.named_parameters()}
        with torch.no_grad():
            for half, exact in zip(self.half, self.exact, strict=True):
                exact.copy_(weights[names[id(half)]])
        self.optimiser.load_state_dict(state["optimiser"])
        self.schedule.load_state_dict(state["schedule"])


def train(model: bert.Marker, rows: list[Unit], rng: random.Random) -> dict[str, Tensor]:
    order = [batch for _ in range(PASSES) for batch in batches(rows, rng)]
    learner = Learner(model, RATE, declining(len(order)), LENGTH)
    began, total = time.time(), 0.0
    for seen, batch in enumerate(order, 1):
        total += learner.step(batch)
        if seen % 50 == 0:
            took = time.time() - began
            print(f"{seen}/{len(order)} loss {total / 50:.3f} {took:.0f} s", flush=True)
            total = 0.0
    return learner.weights()


def batches(rows: list[Unit], rng: random.Random) -> list[list[Unit]]:
    """Shuffled, yet of like length within a batch: less padding, more speed."""
    order = rows[:]
    rng.shuffle(order)
    found: list[list[Unit]] = []
    for start in range(0, len(order), BATCH * 8):
        bucket = sorted(order[start : start + BATCH * 8], key=_length)
        found.append([])
        for unit in bucket:
            if sum(map(len, found[-1])) >= BATCH:
                found.append([])
            found[-1].append(unit)
    rng.shuffle(found)
    return found


def _length(unit: Unit) -> int:
    return max(len(p.claim) + len(p.evidence) for p in unit)


def tokens(length: int) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(bert.published() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(length, strategy="longest_first")
    return tokenizer


def main(out: Path, part: str) -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(THREADS)
    rng = random.Random(f"{SEED} {part}")
    model = bert.Marker(bert.open_base("minilm"))
    rows = units([r for r in data.everything() if str(r.half) != part], rng)
    flat = [p for u in rows for p in u]
    print(part, len(flat), "pairs", sum(p.wrong for p in flat) / len(flat), "wrong", flush=True)
    weights = train(model, rows, rng)
    torch.save(weights, out / f"{part}.pt")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
