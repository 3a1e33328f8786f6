"""`oyer init`: a folder with a suite that runs at once. The starters are files, not code."""

from __future__ import annotations

import json
from pathlib import Path

from oyer.errors import UsageError
from oyer.runs.suite import suite_schema

STARTERS = Path(__file__).parent / "starters"
SUITES = ("oyer.toml", "suite.toml")  # what `oyer run` looks for when it is given no file


def starter_names() -> list[str]:
    """What can be begun."""
    return sorted(folder.name for folder in STARTERS.iterdir() if folder.is_dir())


def write_starter(name: str, folder: Path) -> list[Path]:
    """Write a starter's files; refuses, before writing any, to change a file that is there."""
    if name not in starter_names():
        raise UsageError(f"there is no starter '{name}'; there are {', '.join(starter_names())}")
    source = STARTERS / name
    files = [file for file in sorted(source.rglob("*")) if file.is_file() and _is_ours(file)]
    texts = {folder / file.relative_to(source): file.read_text("utf-8") for file in files}
    texts[folder / "suite.schema.json"] = json.dumps(suite_schema(), indent=1) + "\n"
    for path in texts:
        if path.exists():
            raise UsageError(f"{path} is there already; name an empty folder: oyer init {name} DIR")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts)


def _is_ours(file: Path) -> bool:
    return "__pycache__" not in file.parts


def find_suite() -> str:
    """The suite of this folder, for `oyer run` without a file."""
    for name in SUITES:
        if Path(name).is_file():
            return name
    raise UsageError(
        f"there is no {' or '.join(SUITES)} here; name a suite, or make one: `oyer init summaries`"
    )
