"""EX-GRADE: an answer against the expected one, by code.

Correct   the same after folding; or at least 3 in 4 of the expected content, and all its numbers
Partial   at least 1 in 3 of the expected content (Japanese: 2 in 5 of its characters)
Wrong     anything else; no answer; another number, name or currency in the expected one's place;
          a negation lost or added; "fewer" for "more"; a list of guesses

Not asked for: words of the question, words like "about", titles, currencies, a first name beside
its surname. Figures stand for number words, and stems for words.

EX-HEARD: a word of the answer counts only when it stands in the text that the answer was to be
drawn from. What else a call sees (key points, claims) can suggest an answer; it earns no mark.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from oyer.judges.exam.answers import ExamAnswer, contradicts, read_answer, units_of
from oyer.judges.exam.figures import has_time, numbers, with_figures
from oyer.text.fold import fold

Status = Literal["Correct", "Partial", "Wrong"]

#: An answer is asked for in 8 words; what stands after this many cannot earn marks by chance.
LONGEST = 30
#: More numbers that nobody expected than this are a list of guesses.
GUESSES = 2
ENOUGH = 0.75
SOME = {"ja": 0.4}
SOME_ELSE = 1 / 3


class GradedQuestion(NamedTuple):
    """A question with the answer that earns the mark, and the words of its text that hold it."""

    expected: str
    question: str = ""
    wording: str = ""


def words_of(text: str, language: str) -> frozenset[str]:
    """The content and numbers of a text, as `grade` compares them."""
    plain = with_figures(fold(text).casefold(), language)
    found, rest = numbers(plain)
    times, _ = numbers(plain, clock=True)
    return frozenset(units_of(rest, language)) | found | times


def grade(
    asked: GradedQuestion, given: str, language: str, words: frozenset[str] | None = None
) -> Status:
    """How well the given answer meets the expected one; `words` are those of its source."""
    short = " ".join(given.split()[:LONGEST])
    clock = has_time(fold(asked.expected).casefold()) or has_time(fold(short).casefold())
    wanted = read_answer(asked.expected, language, asked.question, clock=clock)
    answer = read_answer(short, language, asked.question, clock=clock)
    if not answer.plain or not wanted.plain:
        return "Wrong"
    if contradicts(wanted, answer) or len(answer.numbers - wanted.numbers) > GUESSES:
        return "Wrong"
    if words is None and wanted.squeezed == answer.squeezed:
        return "Correct"
    if words is not None:  # EX-HEARD
        answer = answer.within(words)
    share = wanted.share_in(answer)
    if share is None:  # an answer of stop words only
        return "Correct" if wanted.squeezed == answer.squeezed else "Wrong"
    complete = wanted.numbers <= answer.numbers
    if complete and (share >= ENOUGH or _is_reworded(asked, wanted, answer, share)):
        return "Correct"
    return "Partial" if share >= SOME.get(language, SOME_ELSE) else "Wrong"


def _is_reworded(
    asked: GradedQuestion, wanted: ExamAnswer, answer: ExamAnswer, share: float
) -> bool:
    """As much as was expected, in other words of the very place that holds the answer."""
    if not asked.wording or share < SOME_ELSE:
        return False
    wording = words_of(asked.wording, wanted.language)
    return len(answer.content) >= len(wanted.content) and set(answer.content) <= wording
