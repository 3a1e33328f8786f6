"""Teach the encoder entailment: `python train/entail.py OUT [BASE]`.

The first of two lessons: short pairs of premise and hypothesis from ../shared/data/nli, before
train/cross.py goes on with people's labels of summaries. OUT/entail.pt is written every few
minutes; the same command goes on from there, to the same weights as if it had never stopped.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
from pathlib import Path

import bert
import cross
import data
import torch

from oyer.judges.embedded.cross import clue
from oyer.judges.embedded.source import index

SEED, RATE, KEPT_EVERY = 20261117, 1.5e-4, 100
STEPS = 1400  # of 32 pairs: what an hour of one core allows
MOST_WORDS, LONG = 70, ("fib", "wice", "diasumfact", "faithdial_audit")
STOP = 1400  # where it was stopped: other work needed the machine
#: How many pairs are taken of each set: all of those that are nearest to summaries, few of those
#: that are synthetic, or of short captions.
SHARES = {
    "new_protocols": 12000, "mnli_sni": 8000, "wanli": 6000, "semiauto_wiki": 3000,
    "conjnli": 2500, "fever_nli": 3000, "fever_dev": 2500, "fool_me_twice": 2500,
    "healthver": 1500, "climate_fever": 1000, "fever_symmetric": 1100, "check_covid": 500,
    "wice": 1300, "begin": 2000, "dialog_factual": 1000, "diasumfact": 1200, "fib": 5000,
    "faithdial_audit": 500, "rte_cb": 2000, "scitail": 1500, "paws": 5000, "cad_nli": 2500,
    "breaking_nli": 1500, "snli_sni": 2000, "med_help": 1000, "curriculum": 1500,
    "ambient_folio": 500, "mrpc_noisy": 500,
}  # fmt: skip


def read(name: str) -> list[dict[str, str]]:
    path = data.folder().parent / "nli" / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def pairs_of(name: str, most: int, taken: set[str], rng: random.Random) -> list[cross.Pair]:
    """Pairs of one set; long premises are read as the judge reads articles, by their evidence.

    What shares its text with a summary that we measure on is left out (`taken`)."""
    rows = read(name)
    rng.shuffle(rows)
    found: list[cross.Pair] = []
    for row in rows:
        premise, claim = row["premise"].strip(), row["hypothesis"].strip()
        if len(found) >= most or not premise or not claim:
            continue
        if name in LONG:
            if data.group(premise) in taken:
                continue
            premise = clue(index(premise), claim)
        if len(premise.split()) + len(claim.split()) > MOST_WORDS + 30 * (name in LONG):
            continue
        wrong = float(row["label"] != "entailment")
        found.append(cross.Pair(claim, premise, wrong, None, 1.0))
    return found


def lessons() -> list[cross.Unit]:
    rng = random.Random(SEED)
    taken = {row.group for row in data.everything()}
    every = [p for name, most in SHARES.items() for p in pairs_of(name, most, taken, rng)]
    rng.shuffle(every)
    print(len(every), "pairs,", sum(p.wrong for p in every) / len(every), "wrong", flush=True)
    return [[pair] for pair in every]


def save(state: dict[str, object], out: Path) -> None:
    fresh = out.with_suffix(".new")
    torch.save(state, fresh)
    fresh.replace(out)


def main(out: Path, base: str) -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(cross.THREADS)
    model = bert.Marker(bert.open_base(base))
    order = cross.batches(lessons(), random.Random(SEED))[:STEPS]
    learner = cross.Learner(model, len(order), RATE, STOP)
    order = order[:STOP]
    path, begun = out / "entail.pt", 0
    if path.exists():
        state = torch.load(path)
        model.load_state_dict(state["model"])
        learner.load(state["learner"])
        begun = state["seen"]
    began, total = time.time(), 0.0
    for seen in range(begun + 1, len(order) + 1):
        torch.manual_seed(SEED + seen)  # dropout is the same whether resumed or not
        total += learner.step(order[seen - 1])
        if seen % 50 == 0:
            took = time.time() - began
            print(f"{seen}/{len(order)} loss {total / 50:.3f} {took:.0f} s", flush=True)
            total = 0.0
        if seen % KEPT_EVERY == 0 or seen == len(order):
            save({"model": model.state_dict(), "learner": learner.state(), "seen": seen}, path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "minilm")
