"""Cases, replies, verdicts and manifests for the store's tests."""

from __future__ import annotations

from oyer.store import Manifest, Task
from oyer.types import Case, Reply, Usage, Verdict, Violation

#: Text that databases, encodings and terminals have trouble with, and why.
HOSTILE = {
    "nul": "a\x00b",  # PostgreSQL has no NUL in text
    "surrogate": "a\ud800b",  # not UTF-8; JSON replies can hold it
    "astral": "𝄞 👩‍👩‍👧 日本語",
    "quotes": "'; DROP TABLE oyer_runs; --",
    "long": "ä" * 200_000,
    "empty": "",
    "plus": "a+b",
}


def manifest(suite: str = "s", **changed: object) -> Manifest:
    told = {
        "protocol": "toy@1",
        "rules_sha": "r",
        "prompt_sha": "p",
        "judges": ("j",),
        "cases_sha": "c",
        "cases": 3,
    }
    return Manifest(suite=suite, **(told | changed))  # type: ignore[arg-type]


def case(number: int = 0, text: str = "a text") -> Case:
    return Case(f"c{number}", {"text": text}, candidate="someone", meta={"n": number, "x": [1.5]})


def task(run: int, number: int = 0) -> Task:
    return Task(run, f"key{number}", f"ask{number}", number)


def reply(text: str = "fine") -> Reply:
    return Reply(text, "j", Usage(100, 20, 0.25, 1, 0.5), {"stop": "stop"})


def verdict(number: int = 0, total: float | None = 7.25, **changed: object) -> Verdict:
    told: dict[str, object] = {
        "id": f"{number:016x}",
        "case": f"c{number}",
        "candidate": "someone",
        "protocol": "toy@1",
        "judge": "j",
        "status": "scored",
        "sha": "s" * 64,
        "scores": {"marks": total},
        "total": total,
        "stated": {"marks": 9},
        "violations": (Violation("a.b", "x", "y"), Violation("a.b", "z", "y")),
        "usage": Usage(100, 20, 0.25, 1, 0.5),
        "extra": {"critical_fail": False},
    }
    return Verdict(**(told | changed))  # type: ignore[arg-type]
