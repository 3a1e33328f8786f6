"""What code sees by itself: where quotes stand, extraneous tokens, segments and their overlap."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from fractions import Fraction
from typing import NamedTuple

from oyer.arith import ratio, round_to_show
from oyer.protocols.summary.findings import Claim, Common, ReplySection, text_of
from oyer.text import lexicon, words
from oyer.text.coverage import tokens
from oyer.text.quotes import QuoteSource, find, source, stands
from oyer.text.segments import Segment
from oyer.types import Case, JsonObject, Rule, Span, Violation

PLACES = 6  # of the support of claims, as it is shown
_ENDS = ".;\"') "  # what a judge may leave off the end of a section


def language_of(case: Case) -> object:
    """What the case says of its language."""
    return case.meta.get("language") or case.meta.get("lang")


class Texts(NamedTuple):
    """The two texts of a case, ready for look-ups, and the language of the article."""

    article: QuoteSource
    summary: QuoteSource
    language: str  # of stems: told in the case, when it is a known one, else the article's

    @classmethod
    def of(cls, case: Case) -> Texts:
        article, summary = case.text("article"), case.text("summary")
        language = words.known(language_of(case)) or words.detect(article)
        return cls(source("article", article), source("summary", summary), language)

    def terms(self) -> tuple[lexicon.Hit, ...]:
        """What the lexicon sees in the summary, in the summary's own language."""
        return lexicon.find_own(self.summary.text, self.language)

    def other(self, source: QuoteSource) -> QuoteSource:
        return self.article if source is self.summary else self.summary


class Measured(NamedTuple):
    """A segment of the summary and the share of its keywords that the article has."""

    segment: Segment
    overlap: Fraction
    label: str
    keywords: Set[str]
    met: int  # how many of its keywords the article has


def relevance(texts: Texts, pieces: Sequence[Segment], labels: Rule) -> tuple[Measured, ...]:
    """JL-REL-OVERLAP and JL-REL-LABEL for every segment that has keywords."""
    high, some = (labels.values[key].as_integer_ratio() for key in ("from_high", "from_some"))
    places = [(piece.start, piece.end) for piece in pieces]
    keywords = words.keywords_within(texts.summary.text, places, texts.language)
    found: list[Measured] = []
    # While segments stand in the article word for word, it has all their keywords: no need to look
    # at each of its words. Where no blanks are written, words would depend on their neighbours.
    article, theirs = texts.article.text, None
    verbatim = article.isascii()
    for piece, own in zip(pieces, keywords, strict=True):
        if not own:
            continue
        verbatim = verbatim and stands(piece.text, article)
        if not verbatim and theirs is None:
            theirs = words.kept_keywords(article, texts.language)
        met, size = len(own if theirs is None else own & theirs), len(own)
        # met/size ≥ bound, in whole numbers
        label = (
            "High" if met * high[1] >= high[0] * size else
            "Some" if met * some[1] >= some[0] * size else "None"
        )  # fmt: skip
        found.append(Measured(piece, ratio(met, size), label, own, met))
    return tuple(found)


def disagreements(
    stated: tuple[ReplySection, ...], measured: tuple[Measured, ...], texts: Texts
) -> list[Violation]:
    """`label.disagrees`: the judge's label of a segment against the measured one."""
    if not stated:
        return []
    by_text = {m.segment.text.rstrip(_ENDS): m for m in measured}
    pool: list[_Stretch] = []  # filled when a section is not found word for word
    found = []
    for i, section in enumerate(stated):
        bare = section.section.strip().rstrip(_ENDS)
        if section.label is None or not bare:
            continue
        twin = by_text.get(bare) or _twin(bare, measured, texts, pool)
        if twin is not None and section.label != twin.label:
            detail = f"{section.label} stated, {twin.label} measured ({_share(twin)})"
            found.append(Violation("label.disagrees", f"relevance.summary_sections[{i}]", detail))
    return found


#: A stretch of the summary: its keywords, and the segment it is (None: an ignored one).
_Stretch = tuple[Set[str], Measured | None]


def _twin(
    bare: str, measured: tuple[Measured, ...], texts: Texts, pool: list[_Stretch]
) -> Measured | None:
    """The segment that a section of the judge's is: it holds most of it, or of its keywords.

    None when it is a section that is not measured (too short), or several in one.
    """
    begun = [m for m in measured if m.segment.text.startswith(bare)]
    if len(begun) == 1:  # judges like to give the first words only
        return begun[0]
    span = find(bare, texts.summary)
    if span is not None:
        shared = [(min(span.end, m.segment.end) - max(span.start, m.segment.start), m)
                  for m in measured]  # fmt: skip
        return next((m for size, m in shared if 2 * size > span.end - span.start), None)
    wanted = words.keywords(bare, texts.language)
    if not pool:
        pool += _stretches(measured, texts)
    most, best = 0, None
    for own, candidate in pool:
        common = len(wanted & own)
        if common > most:
            most, best = common, candidate
        elif common == most:
            best = None  # as good as another: no match
    return best if 2 * most > len(wanted) else None


def _stretches(measured: tuple[Measured, ...], texts: Texts) -> Iterable[_Stretch]:
    """The measured segments of the summary, and what stands between them, which is ignored."""
    summary, end = texts.summary.text, 0
    for m in measured:
        between = summary[end : m.segment.start]
        if not between.isspace():
            yield words.keywords(between, texts.language), None
        yield m.keywords, m
        end = m.segment.end
    yield words.keywords(summary[end:], texts.language), None


def _share(measured: Measured) -> str:
    return f"{measured.met}/{len(measured.keywords)} of its keywords"


def overlap_inputs(found: Sequence[Measured]) -> dict[str, list[int]]:
    """What goes into JL-REL-OVERLAP, segment by segment."""
    return {"|S∩A|": [m.met for m in found], "|S|": [len(m.keywords) for m in found]}


def extraneous(texts: Texts, claims: Iterable[tuple[str, Span | None]]) -> tuple[int, int]:
    """How many tokens of the summary the claims take up, and how many it has."""
    given = list(claims)
    if not given:
        text = texts.summary.text  # folding an ASCII text changes none of its tokens
        return 0, words.count_folded(texts.summary.folded.folded if text.isascii() else text)
    own = tokens(texts.summary)
    return own.count_taken(given, texts.language), own.total


def aspect_tokens(common: Common) -> int:
    """How many tokens `aspects` has in all, in whatever shape it came."""
    return sum(map(words.count, _strings(common.objects["alignment"].get("aspects"))))


def theme_tokens(common: Common) -> int:
    return words.count(text_of(common.objects["relevance"].get("article_theme")))


def _strings(value: object, depth: int = 4) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner, depth - 1)


def counts(labels: Sequence[str], names: Iterable[str]) -> dict[str, int]:
    """How often each label occurs, in the order of `names`."""
    return {name: labels.count(name) for name in names}


def support(claims: tuple[Claim, ...]) -> tuple[JsonObject, float] | None:
    """The claims' support, one by one, and its mean, when the judge measured every one."""
    given = [claim.support for claim in claims if claim.support is not None]
    if not given or len(given) != len(claims):
        return None
    unit = math.lcm(*[share.denominator for share in given])
    parts = sum([share.numerator * (unit // share.denominator) for share in given])
    mean = round_to_show(Fraction(parts, unit * len(given)), PLACES)
    return {"N": len(given), "support": [round_to_show(share, PLACES) for share in given]}, mean
