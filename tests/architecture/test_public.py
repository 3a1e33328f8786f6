"""The public names, the light import, the commands: what others build on."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import oyer
from oyer.cli import COMMANDS

PUBLIC = {
    "__version__", "audit", "judge", "as_json", "record", "find_protocol", "InputError",
    "OyerError", "Unscored", "UsageError", "Ask", "Case", "Checked", "Evidence", "Field", "Found",
    "Judge", "Pooled", "Prompt", "Protocol", "Reading", "Reply", "Rule", "Ruling", "Span", "Step",
    "Usage", "Verdict", "Violation", "Vote", "find_quote", "count_tokens", "read_number",
    "read_label", "exact", "harmonic", "Availability", "JudgeName", "Opening", "Options",
    "Provider", "ProviderError", "RunView", "StoreError", "VerdictRecord", "judge_async",
    "judge_many", "judge_many_async", "open_run", "fence", "Probe", "Reasons", "Remark", "Section",
    "Unit", "Wording", "Writing",
}  # fmt: skip


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_public_names_are_these_and_all_load() -> None:
    """A name added or lost is a decision, not an accident."""
    assert set(oyer.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(oyer, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'judgement'"):
        _ = oyer.judgement


def test_audit_is_called_with_a_protocol_a_case_and_a_reply() -> None:
    """Editors and `help` see its parameters."""
    assert list(inspect.signature(oyer.audit).parameters) == ["protocol", "case", "reply"]
    assert "never a zero" in (oyer.audit.__doc__ or "")


@pytest.mark.parametrize(
    ("case", "reply", "wanted"),
    [(5, "{}", "a case is a mapping"), ({"article": "a", "summary": "b"}, 5, "a reply is text")],
)
def test_what_is_no_case_and_no_reply_is_told_so(case: Any, reply: Any, wanted: str) -> None:
    with pytest.raises(oyer.UsageError, match=wanted):
        oyer.audit("judge-lock", case, reply)


def test_import_oyer_loads_nothing_third_party() -> None:
    code = (
        "import sys, json; before = set(sys.modules); import oyer, oyer.types, oyer.verdicts; "
        "print(json.dumps(sorted({m.split('.')[0] for m in set(sys.modules) - before})))"
    )
    loaded = set(json.loads(python(code)))
    assert loaded - set(sys.stdlib_module_names) == {"oyer"}


def test_help_loads_no_command() -> None:
    code = (
        "import sys, contextlib, io, oyer.cli\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    oyer.cli.main(['--help'])\n"
        "print([m for m in sys.modules if m.startswith('oyer.cli.') or m == 'rich'])"
    )
    assert python(code).strip() == "[]"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "oyer", command, "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"oyer {command}" in done.stdout


def test_no_source_file_is_a_god_module() -> None:
    """Files to 400 lines: a room that grows past it is rebuilt, not extended."""
    root = Path(oyer.__file__).parent
    long = {
        str(p.relative_to(root)): n
        for p in root.rglob("*.py")
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long


@pytest.mark.parametrize("room", ["judge_lock", "twin_lock", "rubric", "belgian_law"])
def test_a_protocol_s_folder_says_what_its_files_are(room: str) -> None:
    """Each has the same three rooms, and a page that leads through them."""
    folder = Path(oyer.__file__).parent / "protocols" / room
    page = (folder / "README.md").read_text(encoding="utf-8")
    for name in ("reply.py", "checks.py", "score.py"):
        assert (folder / name).is_file()
        assert name in page
