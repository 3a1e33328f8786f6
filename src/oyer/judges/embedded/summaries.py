"""The embedded judge on protocols that judge a summary."""

from __future__ import annotations

from oyer.judges.embedded import refusal, replies, vectors
from oyer.judges.embedded.assess import Variant, scorer
from oyer.judges.embedded.perception import perceive
from oyer.judges.embedded.words import STOP, is_content, read
from oyer.text import words
from oyer.types import Case, SummaryForm

KNOWN, ENOUGH = 0.35, 8  # share of English words, in texts of so many words, below which: refuse


def judge_summary(case: Case, variant: Variant, form: SummaryForm) -> str:
    """The reply in the protocol's form: with its question loop, or without."""
    article, summary = case.text("article"), case.text("summary")
    for name, text in (("article", article), ("summary", summary)):
        reason = unfit(text)
        if reason:
            return refusal(f"the {name} {reason}")
    seen = perceive(article, summary, scorer(variant))
    write = replies.with_questions if form.questions else replies.without_questions
    return write(seen, variant)


def unfit(text: str) -> str | None:
    """Why a text cannot be judged: no words, or a language that the model was not trained for."""
    found = [n for n in read(text).norms if n[0].isalpha()]
    if not found and not any(c.isdigit() for c in text):
        return "has no words"
    language = words.detect(text)
    if language != words.ENGLISH:
        return f"seems to be in '{language}'; the embedded judge was trained on English only"
    known = sum(n in STOP or (is_content(n) and vectors.row(n) >= 0) for n in found)
    if len(found) >= ENOUGH and known < KNOWN * len(found):
        return "does not seem to be English; the embedded judge was trained on English only"
    return None
