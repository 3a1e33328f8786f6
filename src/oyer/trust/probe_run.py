"""Probes through the ordinary runner: budget, resuming and the store are those of any run."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from oyer.errors import InputError, UsageError
from oyer.runs.plan import make_plan
from oyer.runs.session import run_session
from oyer.runs.suite import read_suite
from oyer.runs.workers import HERE
from oyer.store import Run
from oyer.store.store import Store
from oyer.trust.label_files import read_rows
from oyer.trust.probes import (
    JudgedProbe,
    ProbeResult,
    choose_probes,
    judge_probes,
    probe_cases,
)
from oyer.types import AnyProtocol, Case

SEED = 2026
VARIANTS = ("paraphrase", "translation")


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """Which probes, by whom, on how many cases, for how much money."""

    probes: str = "all"
    judges: tuple[str, ...] = ()
    cases: int = 30
    dollars: float | None = None
    variants: str | None = None  # a file with the user's own paraphrases and translations
    protocol_paths: tuple[str, ...] = ()
    on: str = HERE  # where judges that need a core are asked


def run_probes(
    store: Store, run: Run, protocol: AnyProtocol, plan: ProbePlan
) -> tuple[Run, dict[str, list[ProbeResult]]]:
    """Judge a sample of a run's cases, plain and changed: the run of that, and by judge how each
    probe went.

    A plain case that the run has asked before is not paid again: its reply is in the store.
    """
    if not plan.judges:
        raise UsageError("name who is to be probed: --judge NAME")
    probes = choose_probes(protocol, plan.probes)
    sample = _sample(store, run, plan.cases)
    if plan.variants is not None:
        sample = add_variants(sample, read_variants(plan.variants))
    cases = probe_cases(probes, sample)
    with tempfile.TemporaryDirectory() as folder:
        suite = _write_suite(Path(folder), run, protocol, plan, cases)
        session = run_session(make_plan(replace(read_suite(suite), on=plan.on)), store)
    verdicts: dict[str, list[JudgedProbe]] = {}
    for kept in store.verdicts(session.run.id):
        case = store.cases([kept.case_sha])[kept.case_sha].case
        verdicts.setdefault(str(kept.record["judge"]), []).append(JudgedProbe(case, kept.record))
    results = {judge: judge_probes(protocol, probes, some) for judge, some in verdicts.items()}
    return session.run, results


def read_variants(path: str) -> dict[tuple[str, str | None], dict[str, str]]:
    """A user's own versions of texts: (case, candidate) -> `paraphrase`, `translation`."""
    variants: dict[tuple[str, str | None], dict[str, str]] = {}
    for line, row in read_rows(path):
        if "case" not in row:
            raise InputError("there is no case", file=path, line=line, field="case")
        texts = {name: str(row[name]) for name in VARIANTS if row.get(name)}
        if not texts:
            raise InputError(f"give {' or '.join(VARIANTS)}", file=path, line=line)
        candidate = row.get("candidate")
        key = (str(row["case"]), None if candidate is None else str(candidate))
        variants.setdefault(key, {}).update(texts)
    return variants


def add_variants(
    cases: Sequence[Case], variants: Mapping[tuple[str, str | None], Mapping[str, str]]
) -> list[Case]:
    """The cases with the user's versions beside them; a row without a candidate is for all."""
    varied = []
    for case in cases:
        own = variants.get((case.id, case.candidate)) or variants.get((case.id, None)) or {}
        varied.append(replace(case, meta={**case.meta, **own}))
    if not any(case.meta.keys() & set(VARIANTS) for case in varied):
        raise UsageError("no case of the sample has a row in --variants: draw more with --n")
    return varied


def _sample(store: Store, run: Run, most: int) -> list[Case]:
    """Cases of the run that some judge could score, at random, in the order of the run."""
    shas: dict[str, int] = {}
    for outcome in store.outcomes(run.id):
        if outcome.total is not None:
            shas.setdefault(outcome.case_sha, outcome.seq)
    if not shas:
        raise UsageError(f"run {run.id} has no scored verdict to probe.")
    names = sorted(shas)
    chosen = random.Random(SEED).sample(names, min(most, len(names)))
    found = store.cases(chosen)
    return [found[sha].case for sha in sorted(chosen, key=lambda sha: (shas[sha], sha))]


def _write_suite(
    folder: Path, run: Run, protocol: AnyProtocol, plan: ProbePlan, cases: Sequence[Case]
) -> Path:
    rows = [json.dumps(_row(case), ensure_ascii=True) + "\n" for case in cases]
    (folder / "cases.jsonl").write_text("".join(rows), encoding="utf-8")
    name = f"{run.name} probes"
    lines = [
        f"name = {json.dumps(name)}",
        f"protocol = {json.dumps(protocol.id)}",
        'cases = "cases.jsonl"',
        f"judges = {json.dumps(list(plan.judges))}",
    ]
    if plan.protocol_paths:
        paths = [str(Path(path).resolve()) for path in plan.protocol_paths]
        lines.append(f"protocol_path = {json.dumps(paths)}")
    if plan.dollars is not None:
        lines += ["[budget]", f"dollars = {float(plan.dollars)}"]
    suite = folder / "suite.toml"
    suite.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return suite


def _row(case: Case) -> dict[str, object]:
    """A case as a line of a file; what is not of the protocol stays as it was."""
    known = {"id": case.id, **case.meta, **case.fields}
    return known if case.candidate is None else {**known, "candidate": case.candidate}
