"""From trained weights to what runs: `python train/export.py OUT`.

OUT/0/entail.pt and OUT/1/entail.pt are the encoders that saw one half of people's summaries each,
mixed with the one that they went on from (OUT/before.onnx, where there is one). In eight-bit
integers they become OUT/0.onnx and OUT/1.onnx, for train/fit.py; the mean of their weights goes
into the package, beside the tokenizer.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import bert
import cross
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from oyer.judges.embedded.cross import ENCODER, TOKENS

Weights = dict[str, torch.Tensor]
BEFORE = 0.15  # the share of the encoder that was there before
PARTS = ("0", "1")
PACKAGE = Path(__file__).resolve().parents[1] / "src/oyer/judges/embedded"


def write(state: Weights, out: Path) -> None:
    layers = 1 + max(int(n.split(".")[2]) for n in state if n.startswith("encoder.layers"))
    model = bert.Marker(bert.Encoder(layers))
    model.load_state_dict(state)
    model.eval()
    ids = torch.ones(2, 16, dtype=torch.long)
    axes = {0: "batch", 1: "length"}
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        torch.onnx.export(
            model, (ids, ids, ids), str(plain), input_names=["ids", "mask", "kinds"],
            output_names=["whole", "pieces"], opset_version=17, dynamo=False,
            dynamic_axes={"ids": axes, "mask": axes, "kinds": axes, "whole": {0: "batch"},
                          "pieces": axes},
        )  # fmt: skip
        quantize_dynamic(
            plain, out, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul", "Gather"],
            per_channel=True, extra_options={"MatMulConstBOnly": True},
        )  # fmt: skip


def blend(weights: Weights, other: Path, share: float) -> Weights:
    """Weights with a share of an encoder that was shipped, where there is one."""
    if not other.exists():
        return weights
    return cross.mix([(1 - share, weights), (share, bert.reopen(other))])


def main(out: Path) -> None:
    halves = [torch.load(out / part / "entail.pt")["model"] for part in PARTS]
    halves = [blend(weights, out / "before.onnx", BEFORE) for weights in halves]
    for part, weights in zip(PARTS, halves, strict=True):
        write(weights, out / f"{part}.onnx")
    mean = cross.mix([(1 / len(halves), weights) for weights in halves])
    write(mean, PACKAGE / ENCODER)
    shutil.copy(bert.published() / "tokenizer.json", PACKAGE / TOKENS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
