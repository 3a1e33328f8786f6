"""From trained weights to what runs: `python train/export.py OUT`.

OUT/0/entail.pt and OUT/1/entail.pt are the encoders that saw one half of people's summaries each.
Each, with a share of the one that they went on from and that saw nothing of these
(OUT/before.onnx), becomes OUT/0.onnx or OUT/1.onnx, for train/fit.py, in eight-bit integers. The
mean of both goes into the package, beside the tokenizer, with the same share of the encoder that
was shipped last (OUT/beside.onnx), which has seen all: no row may be judged by it.
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
PARTS = ("0", "1")
EARLIER = 0.35  # the share of an earlier encoder
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
    halves = [torch.load(out / part / "entail.pt")["model"] for part in PARTS]
    for part, weights in zip(PARTS, halves, strict=True):
        write(blend(weights, out / "before.onnx"), out / f"{part}.onnx")
    mean = cross.mix([(1 / len(halves), weights) for weights in halves])
    write(blend(mean, out / "beside.onnx"), PACKAGE / ENCODER)
    shutil.copy(bert.published() / "tokenizer.json", PACKAGE / TOKENS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
