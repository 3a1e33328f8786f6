"""Word vectors for the light variant: each word through MiniLM once, then 48 small integers.

`python train/vectors.py src/oyer/judges/embedded/vectors.npz`
"""

from __future__ import annotations

import sys
from pathlib import Path

import bert
import numpy as np
import torch
from tokenizers import Tokenizer

SIZE = 48


def vocabulary() -> list[str]:
    lines = (bert.published() / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return [w for w in lines[1996:] if w.isascii() and w.isalpha() and len(w) > 1]


def embed(words: list[str]) -> np.ndarray:
    encoder = bert.load(bert.published()).eval()
    tokenizer = Tokenizer.from_file(str(bert.published() / "tokenizer.json"))
    tokenizer.no_padding()
    ids = torch.tensor(
        [tokenizer.encode(w).ids for w in words if len(tokenizer.encode(w).ids) == 3]
    )
    found = []
    with torch.no_grad():
        for batch in ids.split(256):
            x = encoder(batch, torch.ones_like(batch), torch.zeros_like(batch)).mean(1)
            found.append(torch.nn.functional.normalize(x, dim=1))
    return torch.cat(found).numpy()


def main(out: Path) -> None:
    torch.set_num_threads(1)
    words = vocabulary()
    table = embed(words)
    assert len(table) == len(words)
    table -= table.mean(0)
    _, _, axes = np.linalg.svd(table[:8000], full_matrices=False)
    small = table @ axes[:SIZE].T
    small /= np.linalg.norm(small, axis=1, keepdims=True) + 1e-9
    packed = np.round(small * 127).astype(np.int8)
    text = np.frombuffer("\n".join(words).encode("ascii"), dtype=np.uint8)
    np.savez_compressed(out, words=text, vectors=packed)
    print(len(words), "words", out.stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
