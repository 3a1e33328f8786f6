"""The memory of a run does not grow with the number of its cases."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "toy"
PEAK = """
import sys
from oyer.cli import main
code = main(sys.argv[1:])
print("PEAK", open("/proc/self/status").read().partition("VmHWM:")[2].split()[0])
sys.exit(code)
"""


def peak(folder: Path, count: int) -> int:
    """Kilobytes a run needs at most for `count` cases of 30,000 characters each."""
    folder.mkdir()
    with (folder / "cases.jsonl").open("w") as out:
        for i in range(count):
            text = f"(code decides) {i} " + chr(97 + i % 26) * 30_000
            out.write(json.dumps({"id": f"c{i}", "text": text}) + "\n")
    (folder / "s.toml").write_text(
        f'protocol = "toy"\nprotocol_path = "{TOY}"\ncases = "cases.jsonl"\n'
        'judges = ["ollama:nobody-is-asked"]\n'
    )
    done = subprocess.run(
        [sys.executable, "-c", PEAK, "run", f"{folder}/s.toml", "--store", f"{folder}/o.db"],
        capture_output=True, text=True, check=False, env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return int(done.stdout.rpartition("PEAK")[2])


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="LOUD: needs Linux's /proc")
def test_ten_times_the_cases_need_no_more_memory(tmp_path: Path) -> None:
    few, many = peak(tmp_path / "few", 150), peak(tmp_path / "many", 1500)
    # The larger run holds 40 MB more of text; kept in memory it would show.
    assert many - few < 12_000, f"{few:,} kB for 150 cases, {many:,} kB for 1,500"
