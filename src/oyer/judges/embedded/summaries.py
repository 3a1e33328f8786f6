"""The embedded judge on protocols that judge a summary."""

from __future__ import annotations

import re

from oyer.judges.embedded import refusal, replies, vectors
from oyer.judges.embedded.assess import Variant, heard, scorer
from oyer.judges.embedded.languages import ENGLISH, NAMES, is_foreign
from oyer.judges.embedded.perception import perceive
from oyer.judges.embedded.retold import open_doubt
from oyer.judges.embedded.tongues import other_tongue
from oyer.judges.embedded.words import STOP, is_content, read
from oyer.text import words
from oyer.types import Case, SummaryForm

#: Share of words that are known, in texts of so many, below which: refuse. A tongue like French
#: (Italian) has .4 of its words in the table.
KNOWN, ENOUGH = {"en": 0.35, "fr": 0.45, "nl": 0.45}, 8
CAPITAL = re.compile(r"\b[A-ZÀ-ÖØ-Þ]\w*")  # a word with a large first letter
TONGUES = {**NAMES, "de": "German", "es": "Spanish", "ja": "Japanese"}
INSTEAD = "name a language model with --judge"
STATES_NOTHING = "states nothing that could be held against the article"
READ = f"the embedded judge reads English, French and Dutch only: {INSTEAD}"


def judge_summary(case: Case, variant: Variant, form: SummaryForm) -> str:
    """The reply in the protocol's form: with its question loop, or without."""
    article, summary = case.text("article"), case.text("summary")
    language = words.detect(article)
    reason = unfit(article, language)
    if reason:
        return refusal(f"the article {reason}")
    reason = mismatch(summary, language) or unfit(summary, language)
    if reason or not heard(summary, language):
        return refusal(f"the summary {reason or STATES_NOTHING}")
    doubt = open_doubt(variant, language)
    seen = perceive(article, summary, scorer(variant), language, doubt)
    write = replies.with_questions if form.questions else replies.without_questions
    return write(seen, variant)


def unfit(text: str, language: str) -> str | None:
    """Why a text cannot be judged: no words, or a language that the judge does not read."""
    if not any(c.isalnum() for c in text):
        return "has no words"
    if language not in NAMES:
        return f"seems to be {_tongue(language)}; {READ}"
    found = [n for n in read(text, language).norms if n[0].isalpha()]
    if language == ENGLISH:
        known = sum(n in STOP or (is_content(n) and vectors.row(n) >= 0) for n in found)
    else:
        known = sum(not is_foreign(n) for n in found)
    if len(found) >= ENOUGH and known < KNOWN[language] * len(found):
        return f"does not seem to be {NAMES[language]}; {READ}"
    return None


def mismatch(summary: str, language: str) -> str | None:
    """Why a summary cannot be held against an article in this language. A short one of which no
    word tells another language is taken to be in the article's."""
    own = words.detect(CAPITAL.sub(" ", summary))  # Ben, Les and Van are names here
    short = language != ENGLISH and language in words.tongues(summary, language)
    if own == language or short:
        own = other_tongue(summary, language) or language
    if own == language:
        return None
    if own not in NAMES:
        return f"seems to be {_tongue(own)}; {READ}"
    return (
        f"seems to be {_tongue(own)} and the article {_tongue(language)}; the embedded judge "
        f"cannot hold one against the other: {INSTEAD}"
    )


def _tongue(code: str) -> str:
    return TONGUES.get(code, f"in '{code}'")
