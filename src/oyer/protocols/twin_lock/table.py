"""The rules of twin-lock, read from rules.toml."""

from __future__ import annotations

from oyer.protocols.summary.table import LabelValues, load

TABLE = load("oyer.protocols.twin_lock")
RULES = TABLE.rules

POINTS = LabelValues.of(RULES["TL-COV-RECALL"], ("Fully", "Partial", "Not"))
CLAIMS = LabelValues.of(RULES["TL-HAL-FRACTION"], ("Supported", "Partially", "Unsupported"))
SECTIONS = LabelValues.of(RULES["TL-REL"], ("High", "Some", "None"))
