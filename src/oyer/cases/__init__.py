"""Files and streams -> Case, with limits and line numbers. A bad row never stops the others."""

from oyer.cases.load import (
    BadRow,
    Line,
    Row,
    is_lines,
    lines,
    load,
    load_copy,
    refuse_utf16,
    stdin,
)  # fmt: skip
from oyer.cases.problems import Gripes
from oyer.cases.replies import RecordedReply, attach, split_reply, with_own_reply

__all__ = [
    "BadRow", "Gripes", "Line", "RecordedReply", "Row", "attach", "is_lines", "lines", "load",
    "load_copy",     "refuse_utf16", "split_reply", "stdin", "with_own_reply",
]  # fmt: skip
