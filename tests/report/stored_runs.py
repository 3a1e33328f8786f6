"""Stored runs of the example protocol, made by the real audit and the real store."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from oyer import Case, Reply, Usage
from oyer.protocols.catalogue import load_folder
from oyer.store import Manifest, Task, case_sha, open_store, rules_sha
from oyer.verdicts.core import audit

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples/minutes/oyer_minutes"
MINUTES = load_folder(FOLDER)

TRANSCRIPT = "Ana: We agree to close at eight. Ben: We buy the scanner. Ana: The garden can wait."
SENTENCES = ("We agree to close at eight", "We buy the scanner", "The garden can wait")


@dataclass(frozen=True)
class Hearing:
    """One verdict to store: who, which case, how many of three decisions it records."""

    case: str
    candidate: str | None
    recorded: float  # 0 … 3, in halves
    judge: str = "judge-a"
    repeat: int = 0
    readable: bool = True
    cost: float | None = 0.001
    minutes: str = "Closing at eight was agreed."
    transcript: str = TRANSCRIPT


def reply_of(hearing: Hearing) -> str:
    labels, left = [], hearing.recorded
    for _ in SENTENCES:
        labels.append("yes" if left >= 1 else "partly" if left >= 0.5 else "no")
        left -= 1
    decisions = [
        {"quote": quote, "recorded": label} for quote, label in zip(SENTENCES, labels, strict=True)
    ]
    return json.dumps({"decisions": decisions, "invented": [], "score": 77})


def keep(where: Path, name: str, hearings: Iterable[Hearing]) -> int:
    """Store the hearings as a finished run; its number."""
    made = list(hearings)
    judges = tuple(dict.fromkeys(h.judge for h in made))
    manifest = Manifest(name, MINUTES.name, rules_sha(MINUTES), "", judges, "0" * 64, len(made))
    with open_store(str(where)) as store:
        run = store.begin_run(manifest)
        rows: dict[object, int] = {}  # of a cases file: one a case and candidate
        for h in made:
            seq = rows.setdefault((h.case, h.candidate, h.transcript), len(rows))
            fields = {"transcript": h.transcript, "minutes": h.minutes}
            case = Case(h.case, fields, h.candidate)
            text = reply_of(h) if h.readable else "no idea"
            verdict = audit(case, MINUTES, Reply(text, h.judge, Usage(10, 10, h.cost, 1)))
            key = f"{seq}/{h.case}/{h.candidate}/{h.judge}/{h.repeat}"
            store.keep_cases([case])
            store.keep_verdict(Task(run.id, key, key, seq), case_sha(case), verdict, 1)
        store.end_run(run, "done")
        return run.id
