"""What kind of text an article is, by its lines; and how well such texts are judged."""

from __future__ import annotations

import re

from oyer.judges.embedded import languages
from oyer.judges.embedded.grids import find_rows
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.markup import legible
from oyer.judges.embedded.model import reliability
from oyer.judges.embedded.rows import CELLS
from oyer.types import JsonObject

SPEAKER = re.compile(r"^[A-Z][\w. ]{0,30}:[ \t]", re.MULTILINE)
LONG, SPEAKERS = 1_500, 3  # words of a long text; lines that are too few for a dialogue
BADLY = 0.8  # of pairs ranked rightly: below this a verdict says so
KINDS = {"long": "a long text", "interview": "an interview", "minutes": "minutes"}


def kind_of(article: str, language: str = ENGLISH) -> str:
    lines = article.splitlines()
    rows = [x for x in lines if len(CELLS.findall(x.strip())) > 1 and any(c.isdigit() for c in x)]
    certain = [row for row in find_rows(article).values() if row.heads]
    if max(len(rows), len(certain)) > 1:
        return "table"
    if len(languages.pattern(language, "mail").findall(article)) > 1:
        return "mail"
    if len(languages.pattern(language, "asker").findall(article)) > 1:
        return "interview"
    if languages.pattern(language, "minutes").search(article):
        return "minutes"
    speakers = SPEAKER.findall(article)
    if len(speakers) > SPEAKERS and len(set(speakers)) < len(speakers):
        return "dialogue"
    return "long" if len(article.split()) > LONG else "prose"


def preface(language: str) -> str:
    """The first sentence of a verdict on a foreign text: how it was judged, and how well that
    works; of an English one, nothing."""
    if language == ENGLISH:
        return ""
    pairs = languages.measured(language)
    return (
        f"Judged by embedded:light (the encoder of embedded:full reads English only), with word "
        f"lists and rules for {languages.NAMES[language]} that rank {pairs['ranks']:.0%} of "
        f"{pairs['pairs']} pairs of sentences rightly and label {pairs['labels']:.0%} of "
        f"these sentences rightly: take its findings as hints (docs/embedded.md). "
    )


def measured_on_kind(article: str, variant: str) -> JsonObject:
    """How well the judge tells true sentences from false ones on texts of the article's kind, where
    it is known to do so badly; else nothing."""
    kind = kind_of(legible(article))
    share = reliability().get(variant, {}).get("pairs", {}).get(kind)
    if share is None or share >= BADLY:
        return {}
    return {"looks_like": KINDS.get(kind, f"a {kind}"), "ranks": share}
