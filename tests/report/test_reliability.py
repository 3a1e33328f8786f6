"""`oyer explain --full` says in words how a judge was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from oyer.cli import main

SUMMARY = "The pool closed. It opens again in May."


def test_the_sets_of_a_judge_are_told_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "case.jsonl"
    case.write_text(
        '{"id": "pool", "article": "The town pool closed on Friday. It opens again in May, '
        f'the mayor said.", "summary": "{SUMMARY}"}}\n',
        encoding="utf-8",
    )
    store = str(tmp_path / "oyer.db")
    main(["judge", "judge-lock", str(case), "--judge", "embedded:light", "--store", store])
    capsys.readouterr()
    assert main(["explain", "latest", "--store", store, "--full"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "How often this judge was right, on sets that people labelled" in text
    assert "a coin in 50%" in text
    assert "balanced_accuracy" not in text
    assert "auc" not in text
