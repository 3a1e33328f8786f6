"""Write the goldens anew: python -m tests.goldens.update. Then read the diff, line by line."""

from __future__ import annotations

import tempfile
from pathlib import Path

from oyer.protocols.catalogue import OURS
from tests.goldens.files import (
    HERE,
    STORE,
    VERDICTS,
    keys,
    old_store,
    rescored,
    rules,
    verdicts_of,
)


def main() -> None:
    for name in OURS:
        (VERDICTS / f"{name}.json").write_text(verdicts_of(name), "utf-8")
    (HERE / "keys.json").write_text(keys(), "utf-8")
    (HERE / "rules.json").write_text(rules(), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        (STORE / "rescored.json").write_text(rescored(old_store(Path(folder))), "utf-8")


if __name__ == "__main__":
    main()
