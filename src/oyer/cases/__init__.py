"""Files and streams -> Case, with limits and line numbers. A bad row never stops the others."""

from oyer.cases.load import BadRow, Line, Row, is_lines, lines, load, refuse_utf16, stdin
from oyer.cases.problems import Gripes
from oyer.cases.replies import attach, with_own_reply

__all__ = [
    "BadRow", "Gripes", "Line", "Row", "attach", "is_lines", "lines", "load", "refuse_utf16",
    "stdin", "with_own_reply",
]  # fmt: skip
