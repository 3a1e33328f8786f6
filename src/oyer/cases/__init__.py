"""Files and streams -> Case, with limits and line numbers. A bad row never stops the others."""

from oyer.cases.load import Line, is_lines, lines, load, load_copy, refuse_utf16, stdin
from oyer.cases.mapping import Mapper, make_mapper, parse_map
from oyer.cases.problems import ProblemSummary
from oyer.cases.replies import RecordedReply, attach, split_reply, with_own_reply
from oyer.cases.rows import BadRow, Row, case_of

__all__ = [
    "BadRow",
    "Line",
    "Mapper",
    "ProblemSummary",
    "RecordedReply",
    "Row",
    "attach",
    "case_of",
    "is_lines",
    "lines",
    "load",
    "load_copy",
    "make_mapper",
    "parse_map",
    "refuse_utf16",
    "split_reply",
    "stdin",
    "with_own_reply",
]  # fmt: skip
