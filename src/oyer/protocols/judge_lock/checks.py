"""Checks on the findings before any arithmetic: quotes are looked up, labels measured."""

from __future__ import annotations

from oyer.protocols.judge_lock.reply import JudgeLockFindings, JudgeLockVerified, Pair
from oyer.protocols.judge_lock.table import RULES
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
from oyer.text import words
from oyer.text.fold import fold
from oyer.text.kept import keep
from oyer.text.quotes import QuoteSource, find
from oyer.text.segments import Segment, segments
from oyer.types import Case, Checked, Span

PAIRS: int = RULES["JL-QAG-COUNT"].values["pairs"]
FEWEST: int = RULES["JL-QUOTE"].values["fewest"]
MOST: int = RULES["JL-QUOTE"].values["most"]
SOURCES = RULES["JL-SOURCE"].values
WRONG = "Wrong"


def check(case: Case, findings: JudgeLockFindings) -> Checked[JudgeLockFindings]:
    """Look every quote up, count, measure; the findings come back with what holds of them."""
    texts = Texts.of(case)
    book = EvidenceLog(texts)
    common, support = findings.common, RULES["JL-EVIDENCE-SUPPORT"]
    book.violations += common.flaws
    _sizes(book, findings)
    book.points(common, support)
    coverage = _pairs(book, "coverage", findings.coverage)
    book.remarks(common)
    spans = book.claims(common, support)
    book.cover(RULES["JL-CLAIMS-COVER"], common.claims, spans, _pieces(texts))
    hallucination = _pairs(book, "hallucination", findings.hallucination)
    # JL-EXTRANEOUS: every Unsupported claim
    lies = [(c.claim, s) for c, s in zip(common.claims, spans, strict=True)
            if c.label == "Unsupported"]  # fmt: skip
    taken, total = extraneous(texts, lies)
    measured = _measure(texts)
    book.violations += disagreements(common.sections, measured, texts)
    seen = _lexicon(book, findings)
    quotes = {("coverage", pair.folded) for pair in coverage if pair.status != WRONG}
    quotes |= {("hallucination", pair.folded) for pair in hallucination if pair.status != WRONG}
    verified = JudgeLockVerified(
        coverage, hallucination, len(quotes), taken, total, measured, seen, texts.language
    )
    held = findings._replace(verified=verified)
    return Checked(held, tuple(book.violations), tuple(book.evidence))


@keep
def _pieces(texts: Texts) -> tuple[Segment, ...]:
    """JL-REL-SEGMENTS."""
    return segments(texts.summary.text, fewest=RULES["JL-REL-SEGMENTS"].values["fewest"])


@keep
def _measure(texts: Texts) -> tuple[Measured, ...]:
    """The segments with their labels."""
    return relevance(texts, _pieces(texts), RULES["JL-REL-LABEL"])


def _sizes(book: EvidenceLog, findings: JudgeLockFindings) -> None:
    """JL-POINTS, JL-CLAIMS, JL-ASPECTS, JL-THEME: violations; the items still count."""
    common, points = findings.common, RULES["JL-POINTS"]
    fewest = points.values["tokens"]
    book.at_most(points, "points.count", "coverage.key_points", len(common.points))
    for i, point in enumerate(common.points):
        size = words.count(point.point, fewest)
        if size < fewest:
            detail = f"JL-POINTS: {size} tokens, at least {fewest} wanted"
            book.violate("points.length", f"coverage.key_points[{i}]", detail)
    claims = len(common.claims)
    book.at_most(RULES["JL-CLAIMS"], "claims.count", "hallucination.claims_checked", claims)
    book.at_most(RULES["JL-ASPECTS"], "aspects.length", "alignment.aspects", aspect_tokens(common))
    book.at_most(RULES["JL-THEME"], "theme.length", "relevance.article_theme", theme_tokens(common))


def _pairs(book: EvidenceLog, metric: str, given: tuple[Pair, ...]) -> tuple[Pair, ...]:
    """JL-QAG-COUNT and JL-QAG-EVIDENCE: exactly six pairs, those without a quote Wrong."""
    if len(given) != PAIRS:
        detail = f"JL-QAG-COUNT: {len(given)} pairs, {PAIRS} wanted"
        book.violate("qag.count", f"{metric}.qag_results", detail)
    source = book.texts.summary if SOURCES[metric] == "summary" else book.texts.article
    held: list[Pair] = []
    for i, pair in enumerate(given[:PAIRS]):
        where = f"{metric}.qag_results[{i}]"
        span = _find(book, where, pair, source)
        if pair.status == WRONG or span is None:
            held.append(Pair(WRONG, pair.evidence, pair.folded))
            continue
        # as it stands in the source, so that no way of writing it makes it another quote
        as_found = pair
        if span.match != "verbatim":
            there = fold(source.text[span.start : span.end])
            as_found = Pair(pair.status, pair.evidence, there)
        _tell_repeated(book, where, as_found.folded, held)
        held.append(as_found)
    return (*held, *[Pair(WRONG, "", "")] * (PAIRS - len(held)))


def _tell_repeated(book: EvidenceLog, where: str, quote: str, before: list[Pair]) -> None:
    """JL-CAP-DUPLICATE caps a quote used twice; here it is told."""
    for i, pair in enumerate(before):
        if pair.status != WRONG and pair.folded == quote:
            detail = f"JL-CAP-DUPLICATE: the quote of pair {i + 1} again"
            book.violate("evidence.repeated", where, detail)
            return


def _find(book: EvidenceLog, where: str, pair: Pair, source: QuoteSource) -> Span | None:
    """Where a pair's quote stands (JL-QUOTE) in its source (JL-SOURCE), when it counts."""
    quote = pair.evidence
    if pair.status == WRONG:
        return book.locate(where, quote, source) if quote else None
    tokens = words.count_folded(pair.folded)
    if not tokens:
        book.violate("evidence.missing", where, f"JL-QAG-EVIDENCE: {pair.status} without a quote")
        return None
    long_enough = FEWEST <= tokens <= MOST
    if not long_enough:
        detail = f"JL-QAG-EVIDENCE: {tokens} tokens, {FEWEST} to {MOST} wanted"
        book.violate("evidence.length", where, detail)
    span = book.locate(where, quote, source)
    if span is not None:
        return span if long_enough else None
    other = book.texts.other(source)
    if find(quote, other):
        detail = f"JL-QAG-EVIDENCE: in the {other.name}, not in the {source.name}"
        book.violate("evidence.wrong_source", where, detail)
    else:
        book.violate("evidence.absent", where, f"JL-QAG-EVIDENCE: not in the {source.name}")
    return None


def _lexicon(book: EvidenceLog, findings: JudgeLockFindings) -> frozenset[str]:
    """The kinds of words that the lexicon sees in the summary, told when the judge did not."""
    hits = book.texts.terms()
    listed = {issue.type for issue in findings.common.issues}
    for hit in hits:
        if hit.kind not in listed:
            detail = f"a {hit.kind} at summary[{hit.start}:{hit.end}]"
            book.violate("lexicon.overlooked", "bias_toxicity.issues_found", detail)
    return frozenset(hit.kind for hit in hits)
