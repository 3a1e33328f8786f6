"""From trained weights to what runs: `python train/export.py OUT`.

In eight-bit integers: OUT/entail.pt, mixed with the encoder that it went on from (OUT/before.onnx,
where there is one), becomes OUT/entail.onnx, for train/fit.py, and goes into the
package beside the tokenizer; so does OUT/all.pt, as cross.onnx, where it is there, and the encoders
of the two halves become OUT/0.onnx and OUT/1.onnx.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import bert
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

Weights = dict[str, torch.Tensor]
BEFORE = 0.3  # the share of the encoder that was there before
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


def mix(new: Weights, before: Weights) -> Weights:
    """Weights between two goes of one training: nearly as good at what the later one taught, and
    less of the earlier one is forgotten."""
    return {name: (1 - BEFORE) * value + BEFORE * before[name] for name, value in new.items()}


def main(out: Path) -> None:
    taught = torch.load(out / "entail.pt")["model"]
    before = out / "before.onnx"
    if before.exists():
        taught = mix(taught, bert.reopen(before))
    write(taught, out / "entail.onnx")
    shutil.copy(out / "entail.onnx", PACKAGE / "entail.onnx")
    for part in ("0", "1", "all"):
        trained = out / f"{part}.pt"
        if trained.exists():
            place = PACKAGE / "cross.onnx" if part == "all" else out / f"{part}.onnx"
            write(torch.load(trained), place)
    shutil.copy(bert.published() / "tokenizer.json", PACKAGE / "cross.json")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
