"""Who writes each line of a mail or a thread: the sender in its head, whoever "wrote:" what is
quoted below, or who signs a letter that begins with a greeting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

CAPITAL = r"[A-Z\u00c0-\u00de][\w.'’-]*"
NAME = rf"{CAPITAL}(?: (?:d[aei]|l[ae]|al|bin|van|von|den|der|ten|{CAPITAL})){{0,4}}"
ADDRESS = re.compile(r"<?\s*(?:mailto:)?([\w.+-]{1,64})@[\w.-]{1,190}\w\s*>?")
QUOTED = re.compile(r"[ \t]*(?:>[ \t]*)*")  # marks of an older mail
FROM = re.compile(r"\**(?i:from)\**:\**\s*(\S.*)")
TO = re.compile(r"\**(?i:to)\**:\**\s*(\S.*)")
#: "On Monday, Ada Lind wrote:"
WROTE = re.compile(
    rf"(?:(?i:on)\b.{{3,60}}?[, ]\s*)?({NAME}(?:\s*<[^>]*>)?|{ADDRESS.pattern})\s+wrote:\s*$"
)
ON = re.compile(r"(?i)on\b")
GREETING = re.compile(
    r"(?i:(?:my )?dear(?:est)?|esteemed|hi|hello|hey|good (?:morning|afternoon|evening))\b"
    r"[ \t]*([^,!:]{0,60})(?:[,!:]|$)"
)
CLOSING = (
    r"(?i:(?:(?:with|all|many|very|kind|kindest|warm|warmest|best|my|lots of) ){0,3}"
    r"(?:regards|wishes|thanks|thank you|cheers|sincerely|best|love|greetings|yours(?: \w+){0,2}|"
    r"your (?:\w+ ){0,2}\w+))"
)
CLOSED = re.compile(rf"{CLOSING}\s*[,.!–-]*")
#: "Best, Clara" or "– Clara" in one line, and her name in a line for itself.
SIGNED = re.compile(rf"(?:{CLOSING}\s*[,.!–-]+|[-–—]{{1,2}})\s*({NAME})")
ALONE = re.compile(rf"({NAME})(?:\s*[,(|].*)?")
AND = re.compile(r",|\s(?:and|&)\s")
NOBODY = frozenset(("sir", "madam", "all", "team", "both", "everyone", "everybody", "colleagues"))
#: Greeted, a mail's "you" are several.
SEVERAL = re.compile(r"(?i)(?:(?:all|team|both|everyone|everybody|folks)\b|[^,]*[a-z]s$)")
RECEIVERS = 3  # that are named; more are "others"
ABOVE = 8  # lines of an address and a date over a greeting
BELOW, SHORT = 3, 8  # lines under a signature, and words of each


@dataclass(slots=True)
class Line:
    """A line of a thread: how deep it is quoted, and who writes it."""

    start: int
    depth: int
    words: str
    frames: bool  # of a head, or "Ada Lind wrote:": nobody says it
    sender: str = ""  # "Ada Lind to Tom Okafor"
    name: str = ""
    to: str = ""  # the only one it is written to


def find_senders(text: str, heads: re.Pattern[str]) -> list[Line]:
    """Each line of a text with its sender, by name and as "Ada Lind to Tom Okafor"."""
    lines = _read_lines(text, heads)
    names: dict[int, str] = {}  # of those who write at each depth
    receivers: dict[int, str] = {}
    only: dict[int, str] = {}
    for n, line in enumerate(lines):
        in_head = n > 0 and lines[n - 1].frames
        if wrote := WROTE.match(line.words) if line.frames else None:
            depth = max(line.depth, _depth_below(lines, n))
            names[depth], receivers[depth], only[depth] = name_of(wrote[1]), "", ""
        elif sent := FROM.match(line.words):
            names = {d: name for d, name in names.items() if d < line.depth}
            names[line.depth] = name_of(sent[1])
            if not in_head:
                receivers[line.depth] = only[line.depth] = ""
        elif to := TO.match(line.words) if in_head or n == 0 else None:
            receivers[line.depth], only[line.depth] = _join(_names(to[1])), _only(to[1])
        elif greeting := None if line.frames else GREETING.match(line.words):
            only[line.depth] = _greeted(greeting[1].strip(), only.get(line.depth, ""))
        line.name, line.to = names.get(line.depth, ""), only.get(line.depth, "")
        line.sender = _label(line.name, receivers.get(line.depth, ""))
    for depth in {line.depth for line in lines}:
        _sign([x for x in lines if x.depth == depth and not x.sender and not x.frames])
    return lines


def name_of(words: str) -> str:
    """The name in "Ada Lind <ada@example.org>"; of a bare address, what its first part tells."""
    named = re.match(rf"[\s\"'*(]*({NAME})", ADDRESS.sub(" ", words))
    if named:
        return named[1].strip()
    address = ADDRESS.search(words)
    parts = re.findall(r"[^\W\d_]+", address[1]) if address else []
    return " ".join(part.capitalize() for part in parts)


def _read_lines(text: str, heads: re.Pattern[str]) -> list[Line]:
    lines: list[Line] = []
    for found in re.finditer(r"[^\n]*\n?", text):
        marks = QUOTED.match(found.group())
        marked = marks.group() if marks else ""
        words = found.group()[len(marked) :].rstrip()
        frames = heads.match(words.lstrip("*")) is not None
        lines.append(Line(found.start(), marked.count(">"), words, frames))
    for n, line in enumerate(lines):
        quotes = bool(ON.match(line.words)) or _depth_below(lines, n) > line.depth
        line.frames = line.frames or (quotes and WROTE.match(line.words) is not None)
    return lines


def _depth_below(lines: Sequence[Line], n: int) -> int:
    """How deep the next line with words is quoted."""
    return next((line.depth for line in lines[n + 1 : n + 4] if line.words), 0)


def _names(words: str) -> list[str]:
    """The people in "Ada Lind <ada@example.org>, Tom Okafor"."""
    parts = words.split(";") if ";" in words else AND.split(words)
    names = [name_of(part) for part in parts]
    return [name for name in names if name and name.lower() not in NOBODY]


def _only(words: str) -> str:
    """The one person in "Ada Lind <ada@example.org>, Head of Sales", if there are no others."""
    names = _names(words)
    grouped = SEVERAL.match(words) and not ADDRESS.search(words)
    return names[0] if len(names) == 1 and not grouped else ""


def _greeted(words: str, receiver: str) -> str:
    """Who is "you" after a greeting: the receiver, unless it names another, or several."""
    if len(AND.split(words)) > 1 or (SEVERAL.match(words) and not re.fullmatch(NAME, words)):
        return ""
    if not re.fullmatch(NAME, words) or words.lower() in NOBODY:
        return "" if words.lower() in NOBODY - {"sir", "madam"} else receiver
    return receiver if set(words.split()) & set(receiver.split()) else words


def _join(names: Sequence[str]) -> str:
    *others, last = [*names[:RECEIVERS], *["others"] * (len(names) > RECEIVERS)] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _label(sender: str, receivers: str) -> str:
    return f"{sender} to {receivers}" if sender and receivers else sender


def _sign(lines: Sequence[Line]) -> None:
    """Gives the lines of a letter, from its greeting on, to the one who signs it."""
    said = [line.words for line in lines if any(c.isalnum() for c in line.words)]
    said = [words for words in said if not words.startswith("---")]  # "---- Original message"
    greeting = _greeting(said)
    sender = _signature(said) if greeting else ""
    if greeting and sender:
        parts = AND.split(greeting[1].strip())
        greeted = _names(greeting[1]) if all(re.fullmatch(NAME, part) for part in parts) else []
        first = next(n for n, line in enumerate(lines) if line.words == greeting.string)
        for line in lines[first:]:
            line.sender = _label(sender, _join(greeted))
            line.name, line.to = sender, greeted[0] if len(greeted) == 1 else ""


def _greeting(said: Sequence[str]) -> re.Match[str] | None:
    """That of a letter: over it there may be an address and a date, but no sentence."""
    for words in said[:ABOVE]:
        if greeting := GREETING.match(words):
            return greeting
        if len(words.split()) > SHORT or words.endswith((".", "!", "?", ":")):
            return None
    return None


def _signature(said: Sequence[str]) -> str:
    """Whose name stands alone at the end, after "Best," or the like; under it there may be a few
    short lines."""
    for n in range(len(said) - 1, max(0, len(said) - BELOW - 2), -1):
        signed = SIGNED.fullmatch(said[n])
        if not signed and CLOSED.fullmatch(said[n - 1]):
            signed = ALONE.fullmatch(said[n])
        below = said[n + 1 :]
        short = all(len(x.split()) <= SHORT and not x.endswith((".", "!", "?")) for x in below)
        if signed and short and signed[1].lower() not in NOBODY:
            return signed[1]
    return ""
