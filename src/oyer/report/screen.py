"""Where rich prints: as it does by itself, but for a reader who leaves (`oyer … | head`)."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from oyer.text.door import harmless_segments, styled_stream


class Screen(Console):
    """A console whose words are harmless, and that leaves a broken pipe to `oyer.cli.main`."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"file": styled_stream(sys.stdout), **settings})

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        return harmless_segments(super().render(renderable, options))

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
