"""What the tests of runs share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.runs.rig import Sitter


@pytest.fixture(scope="session")
def sitter() -> Iterator[Sitter]:
    """A process that starts `oyer` in milliseconds."""
    made = Sitter()
    yield made
    made.close()
