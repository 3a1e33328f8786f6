"""Checks on the findings before any arithmetic: texts are looked up, labels measured."""

from __future__ import annotations

from oyer.protocols.summary.evidence_log import EvidenceLog
from oyer.protocols.summary.measure import (
    Measured,
    Texts,
    aspect_tokens,
    disagreements,
    extraneous,
    relevance,
    theme_tokens,
)
from oyer.protocols.twin_lock.reply import Extra, TwinLockFindings, TwinLockVerified
from oyer.protocols.twin_lock.table import RULES
from oyer.text import words
from oyer.text.fold import fold
from oyer.text.kept import keep
from oyer.text.quotes import find, source
from oyer.text.segments import Segment, segments
from oyer.types import Case, Checked, Span


def check(case: Case, findings: TwinLockFindings) -> Checked[TwinLockFindings]:
    """Look every text up, count, measure; the findings come back with what holds of them."""
    texts = Texts.of(case)
    book = EvidenceLog(texts)
    common = findings.common
    book.violations += common.flaws
    _sizes(book, findings)
    book.points(common, RULES["TL-EVIDENCE-SUPPORT"])
    book.remarks(common)
    extras, stretches = _extras(book, findings)
    stretches += _lies(book, findings)
    taken, total = extraneous(texts, stretches)
    measured = _measure(texts)
    book.violations += disagreements(common.sections, measured, texts)
    _lexicon(book, findings)
    verified = TwinLockVerified(extras, taken, total, measured, texts.language)
    held = findings._replace(verified=verified)
    return Checked(held, tuple(book.violations), tuple(book.evidence))


@keep
def _pieces(texts: Texts) -> tuple[Segment, ...]:
    """TL-REL: the segments."""
    fewest = RULES["TL-REL-OVERLAP"].values["fewest"]
    return segments(texts.summary.text, lines=False, fewest=fewest)


@keep
def _measure(texts: Texts) -> tuple[Measured, ...]:
    """... and their labels."""
    return relevance(texts, _pieces(texts), RULES["TL-REL"])


def _sizes(book: EvidenceLog, findings: TwinLockFindings) -> None:
    """TL-POINTS, TL-CLAIMS, TL-ASPECTS, TL-THEME: violations; the items still count."""
    common = findings.common
    points, claims = len(common.points), len(common.claims)
    book.at_most(RULES["TL-POINTS"], "points.count", "coverage.key_points", points)
    book.at_most(RULES["TL-CLAIMS"], "claims.count", "hallucination.claims_checked", claims)
    book.at_most(RULES["TL-ASPECTS"], "aspects.length", "alignment.aspects", aspect_tokens(common))
    book.at_most(RULES["TL-THEME"], "theme.length", "relevance.article_theme", theme_tokens(common))


def _extras(
    book: EvidenceLog, findings: TwinLockFindings
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
            if span is None:
                book.violate("evidence.absent", where, "TL-EXTRANEOUS: not in the summary")
    return tuple(extras), stretches


def _lies(book: EvidenceLog, findings: TwinLockFindings) -> list[tuple[str, Span | None]]:
    """TL-EXTRANEOUS: the stretches of the Unsupported claims."""
    claims = findings.common.claims
    spans = book.claims(findings.common, RULES["TL-EVIDENCE-SUPPORT"])
    book.cover(RULES["TL-CLAIMS-COVER"], claims, spans, _pieces(book.texts))
    stretches: list[tuple[str, Span | None]] = []
    for i, (claim, span) in enumerate(zip(claims, spans, strict=True)):
        if claim.label == "Unsupported":
            where = f"hallucination.claims_checked[{i}]"
            if not _in_article(book, where, claim.span if span else claim.claim):
                stretches.append((claim.claim, span))
    return stretches


def _in_article(book: EvidenceLog, where: str, text: str) -> bool:
    """Whether a text called extraneous stands in the article, in whatever case, and so is not."""
    fewest = RULES["TL-EXTRANEOUS"].values["tokens"]
    if words.count(fold(text)) < fewest:
        return False
    article = book.texts.article
    if find(text, article) is None:
        caseless = source(article.name, article.text.casefold())
        if find(text.casefold(), caseless) is None:
            return False
    book.violate("extraneous.supported", where, "TL-EXTRANEOUS: it stands in the article")
    return True


def _lexicon(book: EvidenceLog, findings: TwinLockFindings) -> None:
    """TL-BT: slurs and profanity that a judge who lists no issue overlooked."""
    if findings.common.issues:
        return
    for hit in book.texts.terms():
        if hit.kind != "stereotype":
            detail = f"TL-BT: a {hit.kind} at summary[{hit.start}:{hit.end}]"
            book.violate("lexicon.overlooked", "bias_toxicity.issues_found", detail)
