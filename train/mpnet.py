"""MPNet in plain torch: the encoder of entailment, to teach and to export.

Twelve layers of 768. How far apart two words stand adds to their score, the same in every layer:
near distances each have their own bucket, far ones share.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

WIDTH, HEADS, INNER, LAYERS = 768, 12, 3072, 12
BUCKETS, NEAR, FARTHEST = 32, 8, 128
PLACES, FIRST = 514, 2  # how many places there are, and which is the first word's
EPSILON = 1e-5


def bucket(distance: int) -> int:
    """The bucket of a word that stands so far behind another."""
    half = BUCKETS // 2
    ahead, far = (half if distance > 0 else 0), abs(distance)
    if far < NEAR:
        return ahead + far
    share = math.log(far / NEAR) / math.log(FARTHEST / NEAR)
    return ahead + min(half - 1, NEAR + int(share * (half - NEAR)))


@lru_cache(maxsize=512)
def buckets_of(length: int) -> Tensor:
    """For every word of a text, the buckets of all others."""
    row = torch.tensor([bucket(d) for d in range(-length + 1, length)])
    places = torch.arange(length)
    return row[places[None, :] - places[:, None] + length - 1]


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, EPSILON), nn.LayerNorm(WIDTH, EPSILON)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        b, n, _ = x.shape

        def split(t: Tensor) -> Tensor:
            return t.view(b, n, HEADS, WIDTH // HEADS).transpose(1, 2)

        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = q @ k.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5 + bias
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, WIDTH)
        x = self.norm1(x + self.out(mixed))
        inner: Tensor = self.down(nn.functional.gelu(self.up(x)))
        return self.norm2(x + inner)


class Encoder(nn.Module):
    def __init__(self, words: int) -> None:
        super().__init__()
        self.word, self.place = nn.Embedding(words, WIDTH), nn.Embedding(PLACES, WIDTH)
        self.norm, self.far = nn.LayerNorm(WIDTH, EPSILON), nn.Embedding(BUCKETS, HEADS)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        #: Set for export: a table of distances for texts up to this length, cut to each text's.
        self.longest: int | None = None

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        n = ids.shape[1]
        x = self.norm(self.word(ids) + self.place(torch.arange(n) + FIRST))
        far = self.far(buckets_of(self.longest or n))[:n, :n].permute(2, 0, 1)
        bias = far + ((1.0 - mask[:, None, None, :].float()) * -1e4).to(x.dtype)
        for layer in self.layers:
            x = layer(x, bias)
        return x


class Marker(nn.Module):
    """(claim, evidence) -> error logit of the claim, and of each of its word pieces."""

    def __init__(self, words: int) -> None:
        super().__init__()
        self.encoder = Encoder(words)
        self.claim, self.piece = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)

    def forward(self, ids: Tensor, mask: Tensor, _: Tensor | None = None) -> tuple[Tensor, Tensor]:
        x = self.encoder(ids, mask)
        return self.claim(x[:, 0]).squeeze(-1), self.piece(x).squeeze(-1)


NAMES = {
    "query": "attention.attn.q", "key": "attention.attn.k", "value": "attention.attn.v",
    "out": "attention.attn.o", "norm1": "attention.LayerNorm", "up": "intermediate.dense",
    "down": "output.dense", "norm2": "output.LayerNorm",
}  # fmt: skip


def open_published(folder: Path) -> dict[str, Tensor]:
    """The encoder's weights by our names."""
    theirs = load_file(folder / "model.safetensors")
    theirs = {name.removeprefix("mpnet."): value for name, value in theirs.items()}
    ours = {
        "word.weight": theirs["embeddings.word_embeddings.weight"],
        "place.weight": theirs["embeddings.position_embeddings.weight"],
        "norm.weight": theirs["embeddings.LayerNorm.weight"],
        "norm.bias": theirs["embeddings.LayerNorm.bias"],
        "far.weight": theirs["encoder.relative_attention_bias.weight"],
    }
    for n in range(LAYERS):
        for mine, name in NAMES.items():
            for part in ("weight", "bias"):
                ours[f"layers.{n}.{mine}.{part}"] = theirs[f"encoder.layer.{n}.{name}.{part}"]
    return ours
