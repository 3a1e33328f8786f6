"""Suites against a provider's server, run in this process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oyer.runs.plan import make_plan
from oyer.runs.session import Session, run_session
from oyer.runs.suite import read_suite
from oyer.store import Outcome, Run, open_store
from tests.servers.provider import ProviderServer

TOY = Path(__file__).parent / "toy"


def marks(prompt: str) -> str:
    """A judge's reply that depends on the question alone."""
    return json.dumps({"marks": sum(prompt.partition("CASE=")[2].encode()) % 11})


@dataclass
class Bed:
    """A folder with cases and a suite, and the store beside them."""

    folder: Path
    server: ProviderServer
    address: str = ""  # of the store; else a file in the folder

    def judge(self, model: str = "m") -> str:
        return f"openai:{model}@{self.server.url}/v1"

    @property
    def store(self) -> str:
        return self.address or str(self.folder / "oyer.db")

    @property
    def suite(self) -> Path:
        return self.folder / "suite.toml"

    def rows(self, rows: Sequence[Mapping[str, Any]]) -> None:
        (self.folder / "cases.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))

    def cases(self, count: int) -> None:
        self.rows([{"id": f"c{i}", "text": f"text {i}"} for i in range(count)])

    def write(self, tables: str = "", **settings: Any) -> None:
        """The suite; settings are TOML-compatible JSON values."""
        told = {
            "name": "bed",
            "protocol": "toy",
            "protocol_path": str(TOY),
            "cases": "cases.jsonl",
            "judges": [self.judge()],
            "concurrency": 4,
        } | settings
        lines = [f"{key} = {json.dumps(value)}" for key, value in told.items() if value is not None]
        patient = "" if "[options]" in tables else "[options]\nretries = 2\ntimeout = 120.0\n"
        self.suite.write_text("\n".join(lines) + f"\n{tables}\n{patient}")

    def run(self) -> Session:
        plan = make_plan(read_suite(self.suite))
        with open_store(self.store) as store:
            return run_session(plan, store)

    def outcomes(self, run: Run) -> list[Outcome]:
        with open_store(self.store, write=False) as store:
            return list(store.outcomes(run.id))

    @property
    def asked(self) -> int:
        return len(self.server.seen)
