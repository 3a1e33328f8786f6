"""How a cross-encoder learns: from pairs of claim and evidence, some of which are ranked against
each other. What it learns from is entail.py's and summaries.py's."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import bert
import data
import torch
from tokenizers import Tokenizer
from torch import Tensor

BATCH = 32  # pairs, or a few more
TOGETHER = 4  # edits of one summary's sentence that are read side by side
WARMING, COOLING = 60, 600  # steps
BLOCK, WIDTH = 12, 16  # pairs that are read at once, and of what their word pieces are a multiple
THREADS = 1  # two trainings side by side are faster than one with two threads


class Pair(NamedTuple):
    claim: str
    evidence: str
    wrong: float
    spans: data.Spans | None  # the wrong words, where they are known
    weight: float


bce = torch.nn.functional.binary_cross_entropy_with_logits
Unit = list[Pair]  # pairs that stay in one batch, to be ranked against each other


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
        self.take(weights)
        self.optimiser.load_state_dict(state["optimiser"])
        self.schedule.load_state_dict(state["schedule"])

    def take(self, weights: dict[str, Tensor]) -> None:
        """Go on from other weights."""
        self.model.load_state_dict(weights)
        names = {id(p): name for name, p in self.model.named_parameters()}
        with torch.no_grad():
            for half, exact in zip(self.half, self.exact, strict=True):
                exact.copy_(weights[names[id(half)]])


def mix(parts: list[tuple[float, dict[str, Tensor]]]) -> dict[str, Tensor]:
    """Weights between several trainings that began as one, each by its share."""
    names = parts[0][1]
    return {
        name: torch.stack([share * weights[name] for share, weights in parts]).sum(0)
        for name in names
    }


def count(units: list[Unit]) -> int:
    return sum(len(unit) for unit in units)


def fill(units: list[Unit], room: int) -> list[Unit]:
    """As many units as have room, by their pairs."""
    found: list[Unit] = []
    for unit in units:
        room -= len(unit)
        if room < 0:
            break
        found.append(unit)
    return found


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
