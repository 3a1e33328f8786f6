"""Everything the embedded judge perceives in one case, before any protocol's form."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from itertools import groupby

from oyer.judges.embedded import vectors
from oyer.judges.embedded.assess import Assessed, Scorer, assess, listed
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.layout import plain
from oyer.judges.embedded.markup import legible
from oyer.judges.embedded.phrases import nominal
from oyer.judges.embedded.points import (
    Point,
    Teller,
    Telling,
    ToldPoint,
    join_claims,
    key_points,
    tell_point,
)
from oyer.judges.embedded.quoting import Quoter
from oyer.judges.embedded.retold import Doubt, find_retold, read_points
from oyer.judges.embedded.salience import focus, weights
from oyer.judges.embedded.sentences import sentences
from oyer.judges.embedded.source import SourceText, index
from oyer.judges.embedded.telling import telling_in
from oyer.judges.embedded.tone import Tone, tone


@dataclass(frozen=True, slots=True)
class Perceived:
    """Points and claims with their labels, theme, stance and tone."""

    source: SourceText
    article: str  # as far as it was read, with its markup: what quotes are of
    summary: str
    telling: SourceText  # the summary, indexed
    every: tuple[Assessed, ...]  # claim of the summary
    claims: tuple[Assessed, ...]  # those that are listed: at most ten, the weakest
    tellers: tuple[Telling, ...]  # sentences without what is invented: that tells nothing
    weights: dict[str, float]  # of the article's telling words
    focus: float  # 0 to 1, less the more the summary repeats itself
    points: tuple[tuple[Point, ToldPoint], ...]
    retold: dict[int, int]  # claims in words of their own -> the sentences that they tell
    theme: str
    likeness: float  # of the summary's words to the article's, 0 to 1
    turned: tuple[Assessed, ...]  # claims that seem to say the opposite
    tone: Tone

    def held_claim(self, point: ToldPoint) -> Assessed | None:
        return self.every[point.claim] if point.claim >= 0 else None

    @property
    def alignment(self) -> float:
        """0 to 10 from measured signals: support, theme, tone, turned meanings."""
        mean = sum(c.support for c in self.claims) / max(1, len(self.claims))
        score = 4.5 * min(1.0, mean / 0.7) + 3.5 * self.likeness + 2.0 * (1 - self.tone.shift)
        return round(max(0.0, score - 1.5 * min(2, len(self.turned))), 2)


def perceive(
    article: str,
    summary: str,
    score: Scorer,
    language: str = ENGLISH,
    doubt: Doubt | None = None,
) -> Perceived:
    """What is to be seen in the case; with an encoder's doubt, points in other words, too."""
    source, read = index(legible(article), language), plain(summary, language)
    mine = index(read, language)
    found = tuple(assess(source, summary, score))
    chosen = listed(found)
    how = telling_in(language)
    held = [(n, c) for n, c in enumerate(found) if how.tells(c)]
    ends = [end for _, end in sentences(read, language)]
    groups = [list(g) for _, g in groupby(held, key=lambda item: bisect(ends, item[1].start))]
    tellers = tuple(
        join_claims([Teller(n, how.told(c), how.alike(c), how.trust(c), c.sound) for n, c in group])
        for group in groups
    )
    weighed = weights(source)
    tight = focus(source, [
        ([s for _, c in group for s in how.said(c)], {c.view.best for _, c in group})
        for group in groups
    ] if source.bounds else [])  # fmt: skip
    points = tuple((p, tell_point(p, tellers, tight)) for p in key_points(source, weighed))
    retold: dict[int, int] = {}
    if doubt is not None:
        retold = find_retold(source, found)
        points = read_points(source, points, found, retold, doubt)
    return Perceived(
        source, article[: len(source.text)], summary, mine, found, chosen, tellers, weighed, tight,
        points, retold, _theme(source), how.likeness(source, mine),
        tuple(c for c in chosen if c.turned), tone(source.text, summary, language),
    )  # fmt: skip


def _theme(source: SourceText) -> str:
    """The nouns and names that the article keeps coming back to, as it writes them."""
    written: dict[str, str] = {}
    w = source.words
    for stem, (first, *_) in source.places.items():
        if nominal(w.norms[first], source.language):
            raw = source.text[w.starts[first] : w.ends[first]]
            written[stem] = raw if stem in source.names or raw.isupper() else raw.lower()
    weigh = {s: source.counts[s] * (0.3 + vectors.rarity(written[s].lower())) for s in written}
    return ", ".join(written[s] for s in sorted(weigh, key=lambda s: (-weigh[s], s))[:6])


def evidence(perceived: Perceived) -> list[str]:
    """For each claim the article's words that come nearest to it, verbatim."""
    quoter = Quoter(perceived.article)
    quotes = []
    for claim in perceived.claims:
        v = claim.view
        if not perceived.source.spans:
            quotes.append("")
            continue
        span = perceived.source.spans[v.best]
        low, high = perceived.source.bounds[v.best]
        places = [p for s in v.stems for p in perceived.source.places.get(s, ()) if low <= p < high]
        middle = sorted(places)[len(places) // 2] if places else low
        quotes.append(quoter.around(perceived.source.words.starts[middle], span))
    return quotes
