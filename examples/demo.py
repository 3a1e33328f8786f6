"""`make demo`: a reply audited, a small suite judged, ranked and reported. No key needed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from oyer.cli import main

HERE = Path(os.path.relpath(Path(__file__).parent))  # short: people copy what is printed
STORE = HERE.parent / "demo" / "oyer.db"
REPORT = HERE.parent / "report.html"


def step(title: str, *args: str) -> None:
    """Show the command, run it, stop the demo when it fails."""
    shown = f"\x1b[1m{title}\x1b[0m" if sys.stdout.isatty() else title
    print(f"\n{shown}\n$ oyer {' '.join(args)}\n", flush=True)
    code = main(args)
    # 3: some cases have no score. The German ones have none here: the embedded judge says that it
    # does not read German, and an honest "unscored" is part of what there is to see.
    if code not in (0, 3):
        sys.exit(f"demo: oyer {args[0]} ended with exit code {code}")


if __name__ == "__main__":
    STORE.parent.mkdir(exist_ok=True)
    step(
        "1. A judge's reply, audited: what it said, what was checked, which rule capped what.",
        "audit", "judge-lock", str(HERE / "first/replies.jsonl"),
    )  # fmt: skip
    step(
        "2. Three candidates' summaries, judged by the embedded judge: a small model that compares "
        "words and clauses.\n   It sees many plain errors, misses others and doubts some true "
        "sentences; it is no language model (docs/embedded.md).\n   It reads English, French and "
        "Dutch: the German cases get no score.",
        "run", str(HERE / "suite/suite.toml"), "--store", str(STORE),
    )  # fmt: skip
    step("3. Which one to use?", "leaderboard", "latest", "--store", str(STORE))
    step("4. The report.", "report", "latest", "-o", str(REPORT), "--store", str(STORE))
    print(f"\nOpen {REPORT} in a browser, or look around: oyer view --store {STORE}")
    print(f"Why one text got its total: oyer cases --candidate careless --store {STORE}")
