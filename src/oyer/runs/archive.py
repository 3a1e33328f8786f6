"""A whole run in one file, and back: `oyer export RUN -o FILE.oyer`, `oyer import FILE`.

The file is gzipped JSON Lines: the run's manifest first, then cases and replies each before the
verdicts that need them, and a count at the end, so that a file that was cut is noticed. A run that
was imported is the same run: it can be explained, compared, resumed and rescored without a model.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, cast

from oyer.errors import InputError
from oyer.store import Manifest, Run, RunState
from oyer.store.codec import reply_row, verdict_row
from oyer.store.kept_columns import keep_new_columns
from oyer.store.record_files import FILES, read_records
from oyer.store.records import Task, canonical, case_json
from oyer.store.store import Store
from oyer.types import JsonObject, Reply, Usage
from oyer.verdicts.record import restored

ENDING = ".oyer"
FORMAT = 1
_PAGE = 250  # verdicts written or kept together

Line = JsonObject


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import."""

    run: Run
    verdicts: int
    whole: bool  # with cases and replies: it can be rescored


# ── out ───────────────────────────────────────────────────────────────────────────────────────


def write_archive(store: Store, run: Run, path: Path) -> int:
    """Write the whole run; how many verdicts it has."""
    count = 0
    with gzip.open(path, "wt", encoding="ascii", compresslevel=6) as out:
        for line in _lines_of(store, run):
            count += "verdict" in line
            out.write(canonical(line).decode("ascii") + "\n")
    return count


def _lines_of(store: Store, run: Run) -> Iterator[Line]:
    yield {"oyer": FORMAT, "run": run.manifest.as_json(), "state": run.state}
    written: set[str] = set()  # shas of cases, names of questions
    count = 0
    stored = store.raw_verdicts(run.id)
    while page := list(islice(stored, _PAGE)):
        shas = {kept.case_sha for kept in page} - written
        for row in store.cases(shas).values():
            yield {"case": case_json(row.case)}
        questions = set[str]()
        for kept in page:
            questions.update(kept.task.ask.split("+"))
        for replies in store.replies(sorted(questions - written)).values():
            for reply in replies:
                yield {"reply": _reply_json(reply.ask, reply.attempt, reply.reply)}
        written |= shas | questions
        for kept in page:
            count += 1
            yield {
                "verdict": kept.body.decode("ascii"),  # its bytes are what rescoring compares
                "task": kept.task.key,
                "ask": kept.task.ask,
                "seq": kept.task.seq,
                "case_sha": kept.case_sha,
                "attempts": kept.attempts,
            }
    yield {"end": count}


def _reply_json(ask: str, attempt: int, reply: Reply) -> dict[str, Any]:
    usage = reply.usage
    return {
        "ask": ask,
        "attempt": attempt,
        "text": reply.text,
        "judge": reply.judge,
        "about": json.dumps(dict(reply.about)),  # as text: the order of its keys is kept
        "usage": [
            usage.input_tokens,
            usage.output_tokens,
            usage.cost_usd,
            usage.calls,
            usage.seconds,
        ],
    }


# ── in ────────────────────────────────────────────────────────────────────────────────────────


def import_run(store: Store, name: str) -> Imported:
    """Keep the run of a file in the store. Nothing doubles when it is there already."""
    if name.endswith(FILES):
        return _import_records(store, name)
    return _import_archive(store, name)


@dataclass(slots=True)
class _Waiting:
    """Rows that are kept together."""

    cases: list[tuple[str, bytes]] = field(default_factory=list)
    replies: list[dict[str, Any]] = field(default_factory=list)
    verdicts: list[dict[str, Any]] = field(default_factory=list)

    def keep(self, store: Store) -> None:
        """Put them into the store; returns when they are on the disk."""
        store.keep_bodies(self.cases).result()
        store.keep_rows(self.replies, self.verdicts).result()
        self.cases, self.replies, self.verdicts = [], [], []


def _import_archive(store: Store, name: str) -> Imported:
    _check_archive(name)  # all of it, before the store changes
    lines = _read_archive(name)
    _, head = next(lines)
    run = store.begin_run(Manifest.from_json(head["run"]))
    waiting = _Waiting()
    count = 0
    for _, line in lines:
        if "case" in line:
            body = canonical(line["case"])
            waiting.cases.append((hashlib.sha256(body).hexdigest(), body))
        elif "reply" in line:
            waiting.replies.append(_reply_row(run.id, line["reply"]))
        elif "verdict" in line:
            waiting.verdicts.append(_verdict_row(run.id, line))
            count += 1
        if len(waiting.verdicts) >= _PAGE:
            waiting.keep(store)
    waiting.keep(store)
    store.end_run(run, _state_of(head))
    keep_new_columns(store, run.id)
    return Imported(store.find_run(str(run.id)), count, whole=True)


def _check_archive(name: str) -> None:
    """Read the file to its end, and make every row once: it is whole, or an InputError says why."""
    count, end = 0, None
    for number, line in _read_archive(name):
        try:
            if number == 1:
                if line["oyer"] != FORMAT:
                    newer = f"format {line['oyer']}, this Oyer reads {FORMAT}: upgrade"
                    raise InputError(newer, file=name)
                Manifest.from_json(line["run"])
            elif "reply" in line:
                _reply_row(0, line["reply"])
            elif "verdict" in line:
                _verdict_row(0, line)
                count += 1
            end = line.get("end", end)
        except (KeyError, TypeError, ValueError, AttributeError) as cause:
            odd = f"not a run that `oyer export` wrote ({type(cause).__name__}: {cause})"
            raise InputError(odd, file=name, line=number) from None
    if end != count:
        raise InputError(f"cut off after {count:,} verdicts: copy the file again", file=name)


def _read_archive(name: str) -> Iterator[tuple[int, Line]]:
    if not Path(name).is_file():
        raise InputError("there is no such file", file=name)
    number = 0
    try:
        with gzip.open(name, "rt", encoding="ascii") as handle:
            for number, text in enumerate(handle, 1):
                line = json.loads(text)
                if not isinstance(line, dict):
                    raise ValueError("not an object")
                yield number, line
    except EOFError:
        raise InputError("cut off: copy the file again", file=name, line=number) from None
    except (OSError, ValueError) as cause:
        odd = f"not a run: make the file with `oyer export RUN -o FILE{ENDING}` ({cause})"
        raise InputError(odd, file=name, line=number + 1) from None


def _reply_row(run: int, line: Line) -> dict[str, Any]:
    usage = Usage(*line["usage"])
    reply = Reply(line["text"], line["judge"], usage, json.loads(line["about"]))
    return reply_row(Task(run, "", line["ask"]), line["attempt"], reply)


def _verdict_row(run: int, line: Line) -> dict[str, Any]:
    raw = line["verdict"].encode("ascii")
    verdict = restored(json.loads(raw))
    task = Task(run, line["task"], line["ask"], line["seq"])
    return verdict_row(task, line["case_sha"], verdict, line["attempts"], raw)


def _state_of(head: Line) -> RunState:
    """How the run had ended; one that was running elsewhere is stopped here."""
    state = head["state"]
    return cast(RunState, state) if state in ("done", "budget", "failed") else "stopped"


def _import_records(store: Store, name: str) -> Imported:
    """Verdicts without their texts: read, ranked and compared, but not scored again."""
    records = list(read_records(name))
    if not records:
        raise InputError("no verdict in it", file=name)
    protocols = sorted({record["protocol"] for _, record in records})
    if len(protocols) > 1:
        several = f"verdicts of several protocols ({', '.join(protocols)}): one file for each"
        raise InputError(several, file=name)
    rows = []
    places: dict[str, int] = {}  # the case's place is that of its first verdict
    for number, record in records:
        seq = places.setdefault(record["case"], len(places))
        try:
            verdict = restored(record)
        except (KeyError, TypeError, ValueError) as cause:
            raise InputError(f"not a whole verdict: {cause!r}", file=name, line=number) from None
        rows.append((record["id"], seq, verdict))
    judges = tuple(dict.fromkeys(record["judge"] for _, record in records))
    content = canonical([name for name, _, _ in rows])
    manifest = Manifest(
        suite=Path(name).name.partition(".")[0],
        protocol=protocols[0],
        rules_sha="",
        prompt_sha="",
        judges=judges,
        cases_sha=hashlib.sha256(content).hexdigest(),
        cases=len(places),
        kind="import",
        verdicts=len(rows),
    )
    run = store.begin_run(manifest)
    kept = []
    for verdict_id, seq, verdict in rows:
        kept.append(verdict_row(Task(run.id, verdict_id, "", seq), "", verdict, 0))
    for start in range(0, len(kept), _PAGE):
        store.keep_verdicts(kept[start : start + _PAGE]).result()
    store.end_run(run, "done")
    keep_new_columns(store, run.id)
    return Imported(store.find_run(str(run.id)), len(rows), whole=False)
