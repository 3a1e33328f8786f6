"""What the tests of runs share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.runs.rig import ProcessStarter


@pytest.fixture(scope="session")
def starter() -> Iterator[ProcessStarter]:
    """A process that starts `oyer` in milliseconds."""
    made = ProcessStarter()
    yield made
    made.close()
