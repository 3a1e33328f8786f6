"""From trained weights to what runs: `python train/export.py OUT`.

In eight-bit integers: OUT/all.pt goes into the package as cross.onnx, with its tokenizer; the
encoders of the two halves become OUT/0.onnx and OUT/1.onnx, for train/fit.py.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import bert
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

PACKAGE = Path(__file__).resolve().parents[1] / "src/oyer/judges/embedded"


def write(state: dict[str, torch.Tensor], out: Path) -> None:
    model = bert.Marker()
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


def main(out: Path) -> None:
    for half in ("0", "1"):
        write(torch.load(out / f"{half}.pt"), out / f"{half}.onnx")
    write(torch.load(out / "all.pt"), PACKAGE / "cross.onnx")
    shutil.copy(bert.published() / "tokenizer.json", PACKAGE / "cross.json")
    print((PACKAGE / "cross.onnx").stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
