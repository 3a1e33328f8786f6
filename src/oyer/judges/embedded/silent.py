"""Sentences of an article that say nothing of their own: what a mail, minutes, a table or an
interview needs around what it tells. They are no key points, and nothing is asked of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from oyer.judges.embedded import languages, tables
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.mails import find_senders
from oyer.judges.embedded.rows import CELLS, is_head, row_at
from oyer.judges.embedded.words import Words, is_content, is_number

Spans = Sequence[tuple[int, int]]
#: The head of a mail or of minutes, a greeting, a farewell, and who wrote what is quoted.
FRAMES = ("head", "greeting", "farewell", "quoted")
#: What stands before a line's own words: a speaker's letter, a number, a bullet.
LABEL = re.compile(r"(?:(?:[QA]|Question|Answer)[:.]|\(?\d{1,2}[.)]|[-–•*>])\s+")
STOPS = ".!?…。"
SHORT, TITLE = 8, 14  # words of a heading, and of a title
VERBS = tables.words("verbs")
BEING = frozenset(
    ("is", "are", "was", "were", "be", "been", "has", "have", "had", "will", "would", "can",
     "could", "may", "might", "must", "should", "do", "does", "did", "said", "says")
)  # fmt: skip
MEETING = frozenset(("held", "works", "scheduled"))  # verbs by their form, in titles of minutes
#: Who speaks, at the beginning of a line: up to four capitalised words and a colon.
SPEAKER = re.compile(r"[>\s]*(?:(?:[A-Z\u00c0-\u00de][\w.'’-]* ?){1,4}:[ \t]+)?")
COURTESIES = tables.words("courtesies")
POLITE, NOTED = 12, 25  # words of a courtesy, and of a note to the reader


def silent(
    text: str, spans: Spans, asked: frozenset[int], language: str = ENGLISH
) -> frozenset[int]:
    """The numbers of the sentences that say nothing, or only ask."""
    ended = sum(_ends(text[a:b]) for a, b in spans)
    prose = 2 * ended >= len(spans)
    found = set(asked)
    frames = [languages.pattern(language, name) for name in FRAMES]
    for n, (start, end) in enumerate(spans):
        sentence = text[start:end]
        framed = any(form.match(sentence) for form in frames)
        row = row_at(text, start)
        if row:  # with its headings it says something, however short it is
            found.update(() if row.heads else (n,))
            continue
        heads = not _ends(sentence) and (
            _heading(text, start, end, prose) or _columns(text, spans, n)
        )
        if framed or heads or (n == 0 and _title(sentence, language)):
            found.add(n)
    return frozenset(found if len(found) < len(spans) else asked)


def idle(text: str, words: Words, spans: Spans, bounds: Spans) -> frozenset[int]:
    """The numbers of the sentences that only greet, thank, excuse, exclaim or wish ("Oh, right!"),
    tell the reader what to do with the page ("Click here for more"), or head a text or a table.

    Not among the silent ones, on which the measures of claims rest."""
    polite, note, opens = (
        languages.pattern(words.language, name) for name in ("courtesy", "note", "opens")
    )
    found = {0} if spans and _heads_text(text, spans) else set()
    for n, ((start, end), (low, high)) in enumerate(zip(spans, bounds, strict=True)):
        speaker = SPEAKER.match(text, start, end)
        begins = speaker.end() if speaker else start
        norms = [words.norms[i] for i in range(low, high) if words.starts[i] >= begins]
        below = text[slice(*spans[n + 1])] if n + 1 < len(spans) else ""
        thanks = len(norms) <= POLITE and polite.match(text, begins, end)
        brief = high - low <= NOTED
        noted = brief and (note.search(text, start, end) or opens.match(text, begins, end))
        titled = brief and _names_minutes(text[start:end], norms, words.language)
        if thanks or noted or titled or _exclaims(norms) or is_head(text[start:end], below):
            found.add(n)
    found |= _polite(text, spans, words.language)
    return frozenset(found if len(found) < len(spans) else ())


def _polite(text: str, spans: Spans, language: str) -> set[int]:
    """The sentences of a mail that thank, wish, hope, look forward or offer to answer questions;
    elsewhere such a one may be what somebody said."""
    if language != ENGLISH or not is_mail(text):
        return set()
    polite = languages.pattern(language, "polite")
    short = {n for n, span in enumerate(spans) if len(text[slice(*span)].split()) <= NOTED}
    return {n for n in short if polite.match(text, *spans[n])}


def is_mail(text: str) -> bool:
    """Whether a text has the head of a mail, or greets somebody and is signed."""
    heads = languages.pattern(ENGLISH, "head")
    headed = len(languages.pattern(ENGLISH, "mail").findall(text)) > 1
    return headed or any(line.name for line in find_senders(text, heads))


def _exclaims(norms: Sequence[str]) -> bool:
    """Whether no word says more than "great", "thanks" or "good luck" do."""
    telling = [n for n in norms if is_content(n) or is_number(n)]
    return len(norms) <= POLITE and all(n in COURTESIES for n in telling)


def opening(sentence: str, language: str = ENGLISH) -> int:
    """How many letters of a line are only its label, or greet before it says something."""
    label = LABEL.match(sentence)
    begins = label.end() if label else 0
    greets = languages.pattern(language, "salute").match(sentence, begins)
    return greets.end() if greets else begins


def _ends(sentence: str) -> bool:
    return sentence.rstrip("\"'”’)]*_ ")[-1:] in STOPS


def _title(sentence: str, language: str) -> bool:
    """A first line that has no verb, as far as forms tell; a foreign one without a stop."""
    if language != ENGLISH:
        return len(sentence.split()) <= TITLE and not _ends(sentence)
    words = re.findall(r"[a-z]+", sentence.lower())
    acts = [w for w in words if w in VERBS or w in BEING or w.endswith(("ed", "ing"))]
    return len(words) <= TITLE and not acts


def _heads_text(text: str, spans: Spans) -> bool:
    """Whether the first line is the title of a text of sentences, a longer one than a heading:
    "Notes from the project meeting on Tuesday 5 May:"."""
    start, end = spans[0]
    prose = 2 * sum(_ends(text[a:b]) for a, b in spans) >= len(spans)
    title = len(text[start:end].split()) <= TITLE and not _ends(text[start:end])
    return title and prose and _is_alone(text, start, end)


def _names_minutes(sentence: str, norms: Sequence[str], language: str) -> bool:
    """Whether a sentence only says of which meeting these are the minutes, also with a stop;
    "Minutes of the meeting were sent to all" says more."""
    if not languages.pattern(language, "title").match(sentence):
        return False
    if language != ENGLISH:
        return len(norms) <= TITLE
    acts = [n for n in norms if n in VERBS or n in BEING or n.endswith("ed")]
    return set(acts) <= MEETING


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether a sentence is a line for itself."""
    return text[end : end + 1] in ("\n", "") and (start == 0 or text[start - 1] == "\n")


def _heading(text: str, start: int, end: int, prose: bool) -> bool:
    """A short line for itself that ends as no sentence does, in a text of sentences; or one that
    announces what follows."""
    words = len(text[start:end].split())
    return _is_alone(text, start, end) and words <= SHORT and (prose or text[end - 1] == ":")


def _columns(text: str, spans: Spans, n: int) -> bool:
    """The first row of a table: cells without figures, above a row that has some."""
    if n + 1 >= len(spans):
        return False
    sentence, below = text[slice(*spans[n])], text[slice(*spans[n + 1])]
    cells = len(CELLS.findall(sentence.strip())) > 1
    return cells and not re.search(r"\d{2}|\d\.\d", sentence) and bool(re.search(r"\d", below))
