"""Who says each sentence, and to whom: in a dialogue or an interview the name before the line, in a
mail its sender. "I have to give a speech" tells of nobody while it is not known who says it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from oyer.judges.embedded import languages, tables
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.mails import NAME, Line, find_senders
from oyer.judges.embedded.persons import call

Spans = Sequence[tuple[int, int]]
#: A name and a colon at the beginning of a line, with the time of day that chats put there.
LABEL = re.compile(
    rf"[>\s*]*(?:\[?\d\d?[:.]\d\d\]?\s+)?({NAME})(?: ?\([^)\n]{{1,20}}\)|,? \d\d?[:.]\d\d)?"
    r"\**:\**[ \t]+(?=\S)"
)
#: Before a colon, no name of anybody; nor is a single letter.
NAMELESS = tables.words("nameless")
ITSELF = re.compile(r"\bI\b|\b[Mm][ey]\b")  # whoever says this is a person
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


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who says a sentence, as the sentence may call them, and the only one whom they say it to;
    both may be unknown. The label belongs before it, and is empty where it stands there already."""

    name: str = ""
    to: str = ""
    label: str = ""


def find_speakers(text: str, spans: Spans, language: str = ENGLISH) -> list[Speaker]:
    """The speaker of each sentence."""
    lines = _by_line(text, language)
    found = []
    for start, _ in spans:
        first = text.rfind("\n", 0, start) + 1
        speaker, named_until = lines[first]
        found.append(speaker if start >= named_until else replace(speaker, label=""))
    return found


def without_letter(answer: str) -> str:
    """An answer without the "A:" in whose place the name of the speaker is told."""
    return LETTER.sub("", answer, count=1) if LETTER.match(answer) else answer


def after_label(line: str) -> int:
    """Where the words after a name and a colon begin."""
    label = LABEL.match(line)
    return label.end() if label else 0


def _by_line(text: str, language: str) -> dict[int, tuple[Speaker, int]]:
    """For the beginning of each line, who speaks there and where the name before it ends."""
    heads = languages.pattern(language, "head")
    counts = _count_labels(text, heads)
    labels = _known(counts)
    interviewed = _interviewed(text) if {ASKS, ANSWERS} <= labels else ""
    spoken = _speakers(counts, labels, interviewed) if ITSELF.search(text) else {}
    found: dict[int, tuple[Speaker, int]] = {}
    answering = ""
    for line in find_senders(text, heads):
        label = LABEL.match(text, line.start, _end(text, line.start))
        known = label is not None and label[1] in labels
        if label and known:
            answering = interviewed if label[1] == ANSWERS else ""
        if line.frames:
            found[line.start] = (Speaker(), line.start)
        elif label and known and not answering:
            speaker = replace(spoken.get(label[1], Speaker()), label=label[1])
            found[line.start] = (speaker, max(line.start + 1, label.end()))
        elif answering:
            found[line.start] = (Speaker(call(answering), "", answering), line.start)
        else:
            found[line.start] = (_sender(line), line.start)
    return found


def _sender(line: Line) -> Speaker:
    """Of a line of a mail; its label has both names in full."""
    return Speaker(call(line.name), call(line.to) if line.name else "", line.sender)


def _speakers(
    counts: Counter[str], labels: Collection[str], interviewed: str
) -> dict[str, Speaker]:
    """What is known of the one behind each label. The other of two is the one spoken to."""
    people = {label: _whole(label, counts) for label in counts}
    several = set(people.values())
    found = {}
    for label in labels:
        others = several - {people[label]} if len(several) == 2 else set()
        other = "".join(others)
        to = interviewed if other == ANSWERS else other if _is_name(other) else ""
        found[label] = Speaker(call(label) if _is_name(label) else "", _full(to))
    return found


def _is_name(label: str) -> bool:
    return len(label) > 1 and label.lower() not in NAMELESS


def _full(name: str) -> str:
    """Of somebody whom no label names: the whole name, or "the caller"."""
    called = call(name)
    return called if called.startswith("the ") or name.isupper() else name


def _whole(label: str, labels: Collection[str]) -> str:
    """The longest form of a name: "Henrike Moltke" of "Moltke"."""
    forms = [x for x in labels if x.startswith(f"{label} ") or x.endswith(f" {label}")]
    return max([label, *forms], key=lambda form: (len(form), form))


def _end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _count_labels(text: str, heads: re.Pattern[str]) -> Counter[str]:
    matches = [LABEL.match(line) for line in text.split("\n") if not heads.match(line)]
    return Counter(label[1] for label in matches if label)


def _known(counts: Counter[str]) -> set[str]:
    """The names that stand before more than one line, and longer forms of them."""
    often = {name for name, count in counts.items() if count >= SPOKEN}
    return often | {_whole(name, counts) for name in often}


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
