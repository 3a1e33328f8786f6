"""The cross-encoder of the full variant: MiniLM, fine-tuned by us to mark wrong words."""

from __future__ import annotations

LENGTH = 128  # word pieces of claim and evidence together
ROOM = 60  # words of evidence
