"""Who says each sentence: in a dialogue or an interview the name before the line, in a mail its
sender. "I have to give a speech" tells of nobody while it is not known who says it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from oyer.judges.embedded import languages
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.mails import NAME, find_senders

Spans = Sequence[tuple[int, int]]
#: A name and a colon at the beginning of a line, with the time of day that chats put there.
LABEL = re.compile(
    rf"[>\s*]*(?:\[?\d\d?[:.]\d\d\]?\s+)?({NAME})(?: ?\([^)\n]{{1,20}}\))?\**:\**[ \t]+(?=\S)"
)
SPOKEN = 2  # lines with the same name before them that make it a speaker's
ASKS, ANSWERS = "Q", "A"
LETTER = re.compile(rf"[>\s*]*{ANSWERS}\**:\**\s+")
#: "Interview with the biologist Dr Mara Velt", in the first lines of an interview.
INTERVIEW = re.compile(
    r"(?i:\b(?:interview|conversation|q ?& ?a|talk(?:s|ing)?|speak(?:s|ing)?)"
    rf" (?:with|to)) (?:[a-z][\w-]* ){{0,6}}({NAME})"
)
ARTICLE = re.compile(r"(?i)\b(?:the|an?) $")  # before the name of a paper or a firm
ANOTHER = re.compile(r" (?:and|&) [A-Z\u00c0-\u00de]")
FIRST = 5  # lines


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


def without_letter(answer: str) -> str:
    """An answer without the "A:" in whose place the name of the speaker is told."""
    return LETTER.sub("", answer, count=1) if LETTER.match(answer) else answer


def _by_line(text: str, language: str) -> dict[int, tuple[str, int]]:
    """For the beginning of each line, who speaks there and where the name before it ends."""
    heads = languages.pattern(language, "head")
    labels = _labels(text, heads)
    interviewed = _interviewed(text) if {ASKS, ANSWERS} <= labels else ""
    found: dict[int, tuple[str, int]] = {}
    answering = ""
    for line in find_senders(text, heads):
        label = LABEL.match(text, line.start, _end(text, line.start))
        known = label is not None and label[1] in labels
        if label and known:
            answering = interviewed if label[1] == ANSWERS else ""
        if line.frames:
            found[line.start] = ("", line.start)
        elif label and known and not answering:
            found[line.start] = (label[1], max(line.start + 1, label.end()))
        else:
            found[line.start] = (answering or line.sender, line.start)
    return found


def _end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _labels(text: str, heads: re.Pattern[str]) -> set[str]:
    """The names that stand before more than one line."""
    matches = [LABEL.match(line) for line in text.split("\n") if not heads.match(line)]
    counts = Counter(label[1] for label in matches if label)
    return {name for name, count in counts.items() if count >= SPOKEN}


def _interviewed(text: str) -> str:
    """Who is asked, where the first lines say it plainly, of one person."""
    lines = [line for line in text.split("\n") if line.strip()][:FIRST]
    names = set()
    for line in (line for line in lines if not LABEL.match(line)):
        for found in INTERVIEW.finditer(line):
            if ANOTHER.match(line, found.end()):
                return ""
            if not ARTICLE.search(line, 0, found.start(1)):
                names.add(found[1].rstrip(".'’"))
    return names.pop() if len(names) == 1 else ""
