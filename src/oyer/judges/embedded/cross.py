"""The cross-encoder of the full variant: MiniLM, fine-tuned by us to mark wrong words."""

from __future__ import annotations

from oyer.judges.embedded.source import Source

LENGTH = 128  # word pieces of claim and evidence together
ROOM = 60  # words of evidence


def marks(source: Source, texts: list[str]) -> list[tuple[float, ...]]:
    raise NotImplementedError
