"""The same surroundings for every test on every machine; where the shared data lies."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.servers.model import model_file, model_server  # noqa: F401 — fixtures for everybody

# A script that starts the tests with `&` has Ctrl-C ignored in all of them: then no command that a
# test starts could be stopped by it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes is the machine's affair: speed lives in bench/. In CI the examples are
# the same each time; elsewhere every run tries new ones.
settings.register_profile(
    "oyer",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("oyer")


def _quiet_surroundings() -> None:
    """What a user's shell says must not reach the tests, nor the processes they start."""
    ours = ("OYER_SHARED", "OYER_TEST_POSTGRES", "OYER_PYTHONS")
    colours = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PY_COLORS")
    screen = ("COLUMNS", "LINES", "COLORTERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
    others = ("PYTHONIOENCODING", "PYTHONWARNINGS", "PYTHONHASHSEED", "GITHUB_ACTIONS")
    for name in list(os.environ):
        provider = name.endswith(("_API_KEY", "_BASE_URL", "_API_BASE")) or name == "OLLAMA_HOST"
        proxy = name.lower().endswith("_proxy")
        known = name in (*colours, *screen, *others)
        if provider or proxy or known or (name.startswith("OYER_") and name not in ours):
            del os.environ[name]
    os.environ |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


_quiet_surroundings()

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


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a store that does not exist yet."""
    if request.param == "sqlite":
        yield str(tmp_path / "oyer.db")
        return
    server = os.environ.get("OYER_TEST_POSTGRES")
    if not server:
        pytest.skip("LOUD: no PostgreSQL: `. .ci/postgres` starts one and sets OYER_TEST_POSTGRES")
    import psycopg

    name = f"t{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{name}"')
    yield f"{server}?options=-csearch_path%3D{name}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP SCHEMA "{name}" CASCADE')
