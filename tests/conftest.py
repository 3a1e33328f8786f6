"""Where the shared data lies, and how tests that need it skip loudly."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.servers.model import model_file, model_server  # noqa: F401 — fixtures for everybody

# How long an example takes is the machine's affair: speed lives in bench/.
settings.register_profile("oyer", deadline=None)
settings.load_profile("oyer")

ROOT = Path(__file__).resolve().parents[1]


def _shared() -> Path:
    named = os.environ.get("OYER_SHARED")
    places = [Path(named)] if named else [ROOT.parent / "shared", ROOT.parents[1] / "shared"]
    return next((p for p in places if (p / "data").is_dir()), places[0])


SHARED = _shared()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder `shared/`; the test is skipped, loudly, where it is absent."""
    if not (SHARED / "data").is_dir():
        pytest.skip(f"LOUD: the shared data is not at {SHARED}; set OYER_SHARED")
    return SHARED
