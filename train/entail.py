"""Teach the encoder entailment: `python train/entail.py OUT STOP [START]`.

It goes on from START (the shipped encoder of entailment, unless told otherwise), with short pairs
of premise and hypothesis from ../shared/data/nli, for STOP steps in all. OUT/entail.pt is written
every few minutes; the same command goes on from there, to the same weights as if it had never
stopped. The rate is level until 300 steps before STOP; the checkpoint from there, OUT/level.pt,
can be drawn out by a later day with a larger STOP.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
from collections import defaultdict
from pathlib import Path

import bert
import cross
import data
import pairs
import torch

from oyer.judges.embedded.cross import clue
from oyer.judges.embedded.source import index

SEED, RATE, KEPT_EVERY = 20261118, 1e-4, 100
MOST_WORDS, LONG = 70, ("fib", "wice", "diasumfact", "faithdial_audit")
SHIPPED = Path(__file__).resolve().parents[1] / "src/oyer/judges/embedded/entail.onnx"
#: How many pairs are taken of each set: all of those that are nearest to summaries, few of those
#: that are synthetic, or of short captions.
SHARES = {
    "new_protocols": 39000, "mnli_sni": 34000, "wanli": 15000, "semiauto_wiki": 12000,
    "conjnli": 5000, "fever_nli": 4500, "fever_dev": 6000, "fool_me_twice": 2600,
    "healthver": 3400, "climate_fever": 2000, "fever_symmetric": 1200, "check_covid": 900,
    "wice": 1300, "begin": 4000, "dialog_factual": 1300, "diasumfact": 1200, "fib": 7900,
    "faithdial_audit": 500, "rte_cb": 2800, "scitail": 3000, "paws": 6500, "cad_nli": 6000,
    "breaking_nli": 2500, "snli_sni": 6000, "med_help": 2000, "curriculum": 4000,
    "ambient_folio": 1500, "mrpc_noisy": 1000,
}  # fmt: skip
MADE = 12000  # pairs of our own making, from articles of `fib`


def read(name: str) -> list[dict[str, str]]:
    path = data.folder().parent / "nli" / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def pairs_of(name: str, most: int, taken: set[str], rng: random.Random) -> list[cross.Unit]:
    """Pairs of one set, those of one premise together, to be ranked against each other. Long
    premises are read as the judge reads articles, by their evidence.

    What shares its text with a summary that we measure on is left out (`taken`)."""
    rows = read(name)
    rng.shuffle(rows)
    found: dict[str, cross.Unit] = defaultdict(list)
    for row in rows[:most]:
        premise, claim = row["premise"].strip(), row["hypothesis"].strip()
        if not premise or not claim or (name in LONG and data.group(premise) in taken):
            continue
        beside = clue(index(premise), claim) if name in LONG else premise
        if len(beside.split()) + len(claim.split()) > MOST_WORDS + 30 * (name in LONG):
            continue
        wrong = float(row["label"] != "entailment")
        found[premise].append(cross.Pair(claim, beside, wrong, None, 1.0))
    return [unit for group in found.values() for unit in cross.mixed(group, rng)]


def made(taken: set[str], rng: random.Random) -> list[cross.Unit]:
    """Sentences of articles, spoiled and not (pairs.py)."""
    articles = sorted({row["premise"].strip() for row in read("fib")})
    free = [a for a in articles if data.group(a) not in taken]
    bases = [(article, line) for article in free for line in pairs.whole(article)]
    return [[pair] for pair in cross.generated(bases, MADE, rng)]


def lessons() -> list[cross.Unit]:
    rng = random.Random(SEED)
    taken = {row.group for row in data.everything()}
    every = [u for name, most in SHARES.items() for u in pairs_of(name, most, taken, rng)]
    every += made(taken, rng)
    rng.shuffle(every)
    flat = [pair for unit in every for pair in unit]
    print(len(flat), "pairs,", sum(p.wrong for p in flat) / len(flat), "wrong", flush=True)
    return every


def save(state: dict[str, object], out: Path) -> None:
    fresh = out.with_suffix(".new")
    torch.save(state, fresh)
    fresh.replace(out)


def main(out: Path, stop: int, start: Path) -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(cross.THREADS)
    model = bert.open_shipped(start)
    order = cross.batches(lessons(), random.Random(SEED))[:stop]
    learner = cross.Learner(model, RATE, cross.level(stop))
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
            level = seen <= stop - cross.COOLING
            state = {"model": model.state_dict(), "learner": learner.state(), "seen": seen}
            for name in ("entail.pt", "level.pt") if level else ("entail.pt",):
                save(state, out / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]) if sys.argv[3:] else SHIPPED)
