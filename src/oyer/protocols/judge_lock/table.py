"""The rules of judge-lock, read from rules.toml."""

from __future__ import annotations

from oyer.protocols.summary.table import LabelValues, load

TABLE = load("oyer.protocols.judge_lock")
RULES = TABLE.rules

POINTS = LabelValues.of(RULES["JL-COV-RECALL"], ("Fully", "Partial", "Not"))
COVERAGE_PAIRS = LabelValues.of(RULES["JL-COV-QAG"], ("Correct", "Partial", "Wrong"))
HALLUCINATION_PAIRS = LabelValues.of(RULES["JL-HAL-QAG"], ("Correct", "Partial", "Wrong"))
CLAIMS = LabelValues.of(RULES["JL-HAL-FRACTION"], ("Supported", "Partial", "Unsupported"))
SECTIONS = LabelValues.of(RULES["JL-REL-LABEL"], ("High", "Some", "None"))
