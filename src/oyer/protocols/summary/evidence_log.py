"""Quotes looked up, one by one: what was found, and what the judge got wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from oyer.protocols.summary.findings import Claim, Common, KeyPoint, text_of
from oyer.protocols.summary.issues import says_none
from oyer.protocols.summary.measure import Texts
from oyer.text.coverage import tokens
from oyer.text.quotes import QuoteSource, find
from oyer.text.segments import Segment
from oyer.types import Evidence, Rule, Span, Violation

#: Labels that say "it stands there": they need a quote where one was asked for.
AFFIRMING = ("Fully", "Partial", "Partially", "Supported")
_SHOWN = 60  # characters of a segment that a violation names


class EvidenceLog:
    """The evidence and the violations of one reply."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self.evidence: list[Evidence] = []
        self.violations: list[Violation] = []

    def locate(self, where: str, quote: str, source: QuoteSource) -> Span | None:
        """The place of a quote, put on the record when there is one."""
        span = find(quote, source)
        if span is not None:
            self.evidence.append(Evidence(where, span, source.text[span.start : span.end]))
        return span

    def violate(self, code: str, where: str, detail: str) -> None:
        self.violations.append(Violation(code, where, detail))

    def at_most(self, rule: Rule, code: str, where: str, size: int) -> None:
        """A size that the table bounds from above (`most`) and perhaps from below (`fewest`)."""
        low, high = rule.values.get("fewest", 0), rule.values["most"]
        if not low <= size <= high:
            wanted = f"{low} to {high}" if low else f"at most {high}"
            self.violate(code, where, f"{rule.id}: {size}, but {wanted} wanted")

    def points(self, common: Common, rule: Rule) -> None:
        """EVIDENCE-SUPPORT for key points: their quotes stand in the summary."""
        for i, point in enumerate(common.points):
            where = f"coverage.key_points[{i}].evidence"
            self._check_support(where, point, self.texts.summary, rule if common.quoted else None)

    def claims(self, common: Common, rule: Rule) -> list[Span | None]:
        """EVIDENCE-SUPPORT for claims; returns where each claim's span stands."""
        spans: list[Span | None] = []
        for i, claim in enumerate(common.claims):
            where = f"hallucination.claims_checked[{i}]"
            span = None
            if claim.span.strip():
                span = self.locate(f"{where}.span", claim.span, self.texts.summary)
                if span is None:
                    self.violate("span.absent", f"{where}.span", "not in the summary")
            spans.append(span)
            asked = rule if common.quoted else None
            self._check_support(f"{where}.evidence", claim, self.texts.article, asked)
        return spans

    def _check_support(
        self, where: str, item: KeyPoint | Claim, source: QuoteSource, asked: Rule | None
    ) -> None:
        if item.evidence.strip():
            self.check_quote(where, item.evidence, source)
        elif asked is not None and item.label in AFFIRMING:
            self.violate("evidence.missing", where, f"{asked.id}: {item.label} without a quote")

    def check_quote(self, where: str, quote: str, source: QuoteSource) -> None:
        """A quote that should stand in `source`."""
        if self.locate(where, quote, source) is not None:
            return
        other = self.texts.other(source)
        if self.locate(where, quote, other) is None:
            self.violate("evidence.absent", where, "in neither text")
        else:
            detail = f"in the {other.name}, not in the {source.name}"
            self.violate("evidence.wrong_source", where, detail)

    def remarks(self, common: Common) -> None:
        """EVIDENCE-SUPPORT for deviations and issues: their words stand in the summary."""
        for where, quote in _remarks(common):
            if self.locate(where, quote, self.texts.summary) is None:
                self.violate("evidence.absent", where, "not in the summary")

    def cover(
        self, rule: Rule, claims: Sequence[Claim], spans: Sequence[Span | None],
        pieces: Iterable[Segment],
    ) -> None:  # fmt: skip
        """CLAIMS-COVER: at least half of every segment lies under claims."""
        if len(claims) >= rule.values["full"]:
            return
        own = tokens(self.texts.summary)
        covered = 0  # a bit for each token
        for claim, span in zip(claims, spans, strict=True):
            place = own.place(claim.claim, span, self.texts.language)
            if place is not None:
                covered |= _bits(place)
        for piece in pieces:
            place = own.under(piece.start, piece.end)
            under = (covered & _bits(place)).bit_count()
            if under * 2 < len(place):
                words = piece.text if len(piece.text) <= _SHOWN else f"{piece.text[:_SHOWN]}…"
                detail = (
                    f"{rule.id}: {under} of the {len(place)} words at "
                    f"summary[{piece.start}:{piece.end}] are under a claim: {words}"
                )
                self.violate("claims.uncovered", "hallucination.claims_checked", detail)


def _bits(place: range) -> int:
    return ((1 << len(place)) - 1) << place.start


def _remarks(common: Common) -> Iterator[tuple[str, str]]:
    """The words of the summary that deviations and issues quote, and where they do."""
    for metric, key, name in (
        ("alignment", "deviations", "summary_text"),
        ("bias_toxicity", "issues_found", "text"),
    ):
        given: object = common.objects[metric].get(key)
        for i, item in enumerate(given if isinstance(given, list) else ()):
            quote = text_of(item.get(name)) if isinstance(item, dict) else ""
            if quote.strip() and not says_none(quote):
                yield f"{metric}.{key}[{i}].{name}", quote
