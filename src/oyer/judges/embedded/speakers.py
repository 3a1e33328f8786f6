"""Who says each sentence: in a dialogue or an interview the name before the line, in a mail the
sender in its head. "I have to give a speech" tells of nobody while it is not known who says it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from oyer.judges.embedded import languages
from oyer.judges.embedded.languages import ENGLISH

Spans = Sequence[tuple[int, int]]
CAPITAL = r"[A-Z\u00c0-\u00de][\w.'’-]*"
NAME = rf"{CAPITAL}(?: (?:d[aei]|l[ae]|al|bin|van|von|den|der|ten|{CAPITAL})){{0,4}}"
#: A name and a colon at the beginning of a line, with the time of day that chats put there.
LABEL = re.compile(
    rf"[>\s*]*(?:\[?\d\d?[:.]\d\d\]?\s+)?({NAME})(?: ?\([^)\n]{{1,20}}\))?\**:\**[ \t]+(?=\S)"
)
SENDER = re.compile(rf"(?i:[>\s*]*from\**:\**)\s*({NAME})")
RECEIVER = re.compile(rf"(?i:[>\s*]*to\**:\**)\s*({NAME})")
#: "On Monday, Ada Lind wrote:"
WROTE = re.compile(rf"(?i:[>\s]*on\b)[^\n]{{3,60}}?[, ]\s*({NAME})(?:\s*<[^>\n]*>)?\s+wrote:\s*$")
SPOKEN = 2  # lines with the same name before them that make it a speaker's


def find_speakers(text: str, spans: Spans, language: str = ENGLISH) -> list[str]:
    """For each sentence the name that belongs before it: empty where nobody is known to say it,
    or where the name stands there already."""
    lines = _by_line(text, language)
    names = []
    for start, _ in spans:
        first = text.rfind("\n", 0, start) + 1
        name, named_until = lines[first]
        names.append(name if start >= named_until else "")
    return names


def _by_line(text: str, language: str) -> dict[int, tuple[str, int]]:
    """For the beginning of each line, who speaks there and where the name before it ends."""
    heads = languages.pattern(language, "head")
    labels = _labels(text, heads)
    found: dict[int, tuple[str, int]] = {}
    sender = ""
    for line in re.finditer(r"[^\n]*\n?", text):
        start, words = line.start(), line.group().rstrip()
        sender = _sender(words, sender)
        label = LABEL.match(words)
        if heads.match(words) or WROTE.match(words):
            found[start] = ("", start)
        elif label and label[1] in labels:
            found[start] = (label[1], start + max(1, label.end()))
        else:
            found[start] = (sender, start)
    return found


def _labels(text: str, heads: re.Pattern[str]) -> set[str]:
    """The names that stand before more than one line."""
    matches = [LABEL.match(line) for line in text.split("\n") if not heads.match(line)]
    counts = Counter(label[1] for label in matches if label)
    return {name for name, count in counts.items() if count >= SPOKEN}


def _sender(line: str, before: str) -> str:
    """Who writes from this line on: "Ada Lind", or "Ada Lind to Tom Okafor"."""
    begins = SENDER.match(line) or WROTE.match(line)
    if begins:
        return begins[1].strip()
    receiver = RECEIVER.match(line)
    if receiver and before and " to " not in before:
        return f"{before} to {receiver[1].strip()}"
    return before
