"""A small stored run of the embedded judge, for the tests of labels and cards."""

from __future__ import annotations

import json
from pathlib import Path

from oyer.cli import main

ARTICLE = (
    "The town council voted on Tuesday to close the old swimming pool in June. "
    "Repairs would have cost 2.4 million euros, the mayor said. "
    "Residents collected {n} signatures against the plan. "
    "A new pool is planned for 2028 beside the school."
)
SUMMARIES = {
    "good": "The council will close the old pool in June. Repairs would have cost 2.4 million.",
    "bad": "The mayor resigned on Friday. The pool was bought by a bank from Norway.",
}


def judged_run(folder: Path, cases: int = 4, where: str | None = None) -> str:
    """Judge `cases` articles × two candidates' summaries; the store's file or `where`."""
    file, store = folder / "cases.jsonl", where or str(folder / "oyer.db")
    rows = [
        {
            "id": f"case-{n}",
            "candidate": name,
            "article": ARTICLE.format(n=1000 + n),
            "summary": summary,
        }
        for n in range(cases)
        for name, summary in SUMMARIES.items()
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    command = ["judge", "judge-lock", str(file), "--judge", "embedded:light", "--store", store]
    assert main([*command, "--json"]) == 0
    return store
