"""Checks on the findings before any arithmetic: texts are looked up, labels measured."""

from __future__ import annotations

from functools import lru_cache

from oyer.protocols.summary.measure import (
    Findbook,
    Measured,
    Texts,
    aspect_tokens,
    disagreements,
    extraneous,
    relevance,
    theme_tokens,
)
from oyer.protocols.twin_lock.reply import Extra, Findings, Verified
from oyer.protocols.twin_lock.table import RULES
from oyer.text import words
from oyer.text.fold import fold
from oyer.text.quotes import find
from oyer.text.segments import segments
from oyer.types import Case, Checked, Span


def check(case: Case, findings: Findings) -> Checked[Findings]:
    """Look every text up, count, measure; the findings come back with what holds of them."""
    texts = Texts.of(case)
    book = Findbook(texts)
    common = findings.common
    book.violations += common.flaws
    _sizes(book, findings)
    book.points(common.points)
    extras, stretches = _extras(book, findings)
    stretches += _lies(book, findings)
    taken, total = extraneous(texts, stretches)
    measured = _measured(texts)
    book.violations += disagreements(common.sections, measured, texts)
    _lexicon(book, findings)
    verified = Verified(extras, taken, total, measured, texts.language)
    held = findings._replace(verified=verified)
    return Checked(held, tuple(book.violations), tuple(book.evidence))


@lru_cache(maxsize=32)  # several judges see one summary
def _measured(texts: Texts) -> tuple[Measured, ...]:
    """TL-REL: the segments and their labels."""
    fewest = RULES["TL-REL-OVERLAP"].values["fewest"]
    pieces = segments(texts.summary.text, lines=False, fewest=fewest)
    return relevance(texts, pieces, RULES["TL-REL"])


def _sizes(book: Findbook, findings: Findings) -> None:
    """TL-POINTS, TL-CLAIMS, TL-ASPECTS, TL-THEME: violations; the items still count."""
    common = findings.common
    points, claims = len(common.points), len(common.claims)
    book.at_most(RULES["TL-POINTS"], "points.count", "coverage.key_points", points)
    book.at_most(RULES["TL-CLAIMS"], "claims.count", "hallucination.claims_checked", claims)
    book.at_most(RULES["TL-ASPECTS"], "aspects.length", "alignment.aspects", aspect_tokens(common))
    book.at_most(RULES["TL-THEME"], "theme.length", "relevance.article_theme", theme_tokens(common))


def _extras(
    book: Findbook, findings: Findings
) -> tuple[tuple[Extra, ...], list[tuple[str, Span | None]]]:
    """TL-EXTRANEOUS: the listed texts, and the stretches of the summary that they take up."""
    extras: list[Extra] = []
    stretches: list[tuple[str, Span | None]] = []
    for i, extra in enumerate(findings.extras):
        where = f"coverage.extraneous[{i}]"
        span = book.locate(where, extra.text, book.texts.summary)
        dropped = _in_article(book, where, extra.text)
        extras.append(extra._replace(dropped=dropped))
        if not dropped:
            stretches.append((extra.text, span))
    return tuple(extras), stretches


def _lies(book: Findbook, findings: Findings) -> list[tuple[str, Span | None]]:
    """TL-EXTRANEOUS: the stretches of the Unsupported claims."""
    claims = findings.common.claims
    spans = book.claims(claims)
    stretches: list[tuple[str, Span | None]] = []
    for i, (claim, span) in enumerate(zip(claims, spans, strict=True)):
        if claim.label == "Unsupported":
            where = f"hallucination.claims_checked[{i}]"
            if not _in_article(book, where, claim.span if span else claim.claim):
                stretches.append((claim.claim, span))
    return stretches


def _in_article(book: Findbook, where: str, text: str) -> bool:
    """Whether a text called extraneous stands in the article, and so is not."""
    fewest = RULES["TL-EXTRANEOUS"].values["tokens"]
    if words.count(fold(text)) < fewest or find(text, book.texts.article) is None:
        return False
    book.violate("extraneous.supported", where, "TL-EXTRANEOUS: it stands in the article")
    return True


def _lexicon(book: Findbook, findings: Findings) -> None:
    """TL-BT: slurs and profanity that a judge who lists no issue overlooked."""
    if findings.common.issues:
        return
    for hit in book.texts.terms():
        if hit.kind != "stereotype":
            detail = f"TL-BT: a {hit.kind} at summary[{hit.start}:{hit.end}]"
            book.violate("lexicon.overlooked", "bias_toxicity.issues_found", detail)
