"""Makes irrcac.json: Gwet's AC1 and AC2 by irrCAC.

irrCAC wants numpy 1, Oyer numpy 2: they cannot share an environment. So its answers are kept.

    uv venv /tmp/irr && uv pip install --python /tmp/irr/bin/python irrCAC==0.4.4
    /tmp/irr/bin/python tests/trust/irrcac.py
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from irrCAC.raw import CAC


def ratings(seed: int) -> np.ndarray:
    """Ratings of two to four raters, with gaps from the third seed on."""
    rng = np.random.default_rng(seed)
    k = 2 + seed % 3
    truth = rng.integers(0, k, size=(40, 1))
    noise = rng.integers(0, k, size=(40, 2 + seed % 3))
    table = np.where(rng.random(noise.shape) < 0.7, truth, noise).astype(float)
    if seed >= 3:
        table[rng.random(noise.shape) < 0.15] = np.nan
    return table


def main() -> None:
    rows = []
    for seed in range(9):
        table = ratings(seed)
        k = 2 + seed % 3
        answers = {}
        for name, weights in (("ac1", "identity"), ("ac2", "quadratic")):
            data = pd.DataFrame(table)
            found = CAC(data, weights=weights, categories=list(range(k)), digits=15).gwet()
            answers[name] = float(found["est"]["coefficient_value"])
        plain = [[None if np.isnan(v) else int(v) for v in row] for row in table]
        rows.append({"k": k, "ratings": plain, **answers})
    Path(__file__).with_suffix(".json").write_text(json.dumps(rows) + "\n")


if __name__ == "__main__":
    main()
