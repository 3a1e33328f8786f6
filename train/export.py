"""From trained weights to what runs: `python train/export.py OUT`.

OUT/a/entail.pt and OUT/b/entail.pt are two trainings side by side, as they ended. Their mean, with
a share of the encoder that was shipped last (OUT/before.onnx), goes into the package in eight-bit
integers, beside the tokenizer.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import bert
import cross
import torch
from entail import SIDE_BY_SIDE
from onnxruntime.quantization import QuantType, quantize_dynamic

from oyer.judges.embedded.cross import ENCODER, TOKENS

Weights = dict[str, torch.Tensor]
EARLIER = 0.4  # the share of the encoder that was shipped last
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


def blend(weights: Weights, earlier: Path) -> Weights:
    """Weights between those of a training and earlier ones: nearly as good at what each of them
    taught, and less is forgotten."""
    return cross.mix([(1 - EARLIER, weights), (EARLIER, bert.reopen(earlier))])


def main(out: Path) -> None:
    halves = [torch.load(out / side / "entail.pt")["model"] for side in SIDE_BY_SIDE]
    mean = cross.mix([(1 / len(halves), weights) for weights in halves])
    write(blend(mean, out / "before.onnx"), PACKAGE / ENCODER)
    shutil.copy(bert.published() / "tokenizer.json", PACKAGE / TOKENS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
