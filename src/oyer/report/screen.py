"""Where rich prints: as it does by itself, but for a reader who leaves (`oyer … | head`)."""

from __future__ import annotations

from rich.console import Console


class Screen(Console):
    """A console that leaves a broken pipe to `oyer.cli.main`, which knows that it is no failure."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
