"""A run says how far it is: plainly in a log, live on a terminal."""

from __future__ import annotations

import contextlib
import io
import os
import pty

from oyer.runs.budget import Budget, BudgetMeter
from oyer.runs.progress import Progress
from oyer.types import Usage

NAME = "openai:[bold]m"  # markup to rich, were it let


def _told(progress: Progress) -> None:
    with progress:
        progress.count_found(NAME)
        progress.count_made(NAME, "scored")
        progress.count_made(NAME, "unscored")


def test_plain_lines_where_there_is_no_terminal() -> None:
    out = io.StringIO()
    _told(Progress([NAME], 10, BudgetMeter(Budget(), Usage(100, 20, 0.5, 3)), out))
    line, spent = out.getvalue().splitlines()
    assert line.startswith(f"{NAME}  3/10")
    assert "1 unscored" in line
    assert "1 found" in line
    assert "ETA" in line
    assert spent == "spent: 0 calls now; in all 3, 120 tokens, $0.5000"


def test_an_unknown_price_is_said() -> None:
    out = io.StringIO()
    _told(Progress([NAME], 10, BudgetMeter(Budget(), Usage(calls=3, cost_usd=None)), out))
    assert "price unknown" in out.getvalue()


def test_a_live_line_on_a_terminal() -> None:
    ours, theirs = pty.openpty()
    with open(theirs, "w") as out:
        _told(Progress([NAME], 10, BudgetMeter(Budget(), Usage()), out))
    shown = ""
    with contextlib.suppress(OSError):  # Linux's word for the end of a terminal
        while read := os.read(ours, 65536):  # comes in as many pieces as it likes
            shown += read.decode()
    os.close(ours)
    assert f"{NAME}  3/10" in shown
    assert "\x1b[?25h" in shown, "the cursor is given back"
