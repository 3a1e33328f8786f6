"""Stores to test with: every test that takes `where` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest


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
