"""`oyer explain` tells what one changed label would do."""

from __future__ import annotations

import json
from pathlib import Path

from tests.engine.test_cli_judge import oyer
from tests.servers.provider import ProviderServer
from tests.summary.good_replies import ARTICLE, SUMMARY, judge_lock, written


def test_the_labels_that_weigh_most_are_told(tmp_path: Path) -> None:
    reply = judge_lock()
    reply["hallucination"]["claims_checked"][2]["status"] = "Unsupported"
    case = {"id": "c1", "article": ARTICLE, "summary": SUMMARY}
    (tmp_path / "cases.jsonl").write_text(json.dumps(case), "utf-8")
    with ProviderServer(reply=written(reply)) as server:
        judged = oyer("judge", "judge-lock", "cases.jsonl", "--judge", "openai:m", "--json",
                      "--store", "my.db", server=server, cwd=tmp_path)  # fmt: skip
    verdict = json.loads(judged.stdout)
    told = oyer("explain", verdict["id"], "--store", "my.db", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    assert "One label more or less:" in told.stdout
    line = next(line for line in told.stdout.splitlines() if "if claim 3 were" in line)
    assert "if claim 3 were Supported: 10 (+" in line
