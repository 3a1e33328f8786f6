"""Quotes as typesetters, browsers and people write them, through a whole audit."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from oyer.protocols.judge_lock import PROTOCOL
from oyer.text.fold import fold
from tests.summary.good_replies import case, codes, heard
from tests.summary.good_replies import judge_lock as good

ENGLISH = (
    "“We’ll re\u00adopen the cafe\u0301 – soon”,\u00a0said the mayor. The pro\u200bject costs "
    "3.5 million euros\u2009and ends in 2028. Nai\u0308ve plans\nwere dropped by the city council."
)
FRENCH = (
    "L’avocat général conclut\u202f: «\u00a0La loi du 3\u00a0juillet 1978 n’a pas été respectée"
    "\u00a0». L’employeur a été condamné aux de\u0301pens de l’instance."
)
DUTCH = (
    "De coo\u0308peratie ‘Het Anker’ sloot – na twee jaar – haar deuren. De curator zag geen "
    "reële over\u00adname\u00adkandidaten en één ideeën\u00adbus."
)
JAPANESE = (
    "東京都は二〇二四年に新しい図書館を開いた。利用者は三十二万人を超え、「とても便利た\u3099」と"
    "話している。　予算は約５億円で、来年も工事か\u3099続く。"
)
#: language, text, quote, found, why
ROWS = [
    ("en", ENGLISH, '"We\'ll reopen the café - soon"', True, "quotes, soft hyphen, accent, dash"),
    ("en", ENGLISH, "\"We'll reopen the café", True, "the accent that ends the slice is in it"),
    ("en", ENGLISH, "The project costs 3.5 million euros and", True, "zero-width and thin blanks"),
    ("en", ENGLISH, "Naïve plans were dropped", True, "a line end, a decomposed accent"),
    ("en", ENGLISH, "costs 3.6 million euros and", False, "a changed digit"),
    ("en", ENGLISH, "costs 5 million euros and ends", False, "half a number"),
    ("en", ENGLISH, "the city cоuncil were dropped", False, "a look-alike letter"),
    ("en", ENGLISH, "dropped by the city cоuncil", False, "a Cyrillic о in a true quote"),
    ("en", ENGLISH, "Naive plans were dropped", False, "an accent left out is another word"),
    ("fr", FRENCH, "L'avocat général conclut :", True, "apostrophe, narrow blank"),
    ("fr", FRENCH, "La loi du 3 juillet 1978 n'a pas été respectée", True, "no-break blanks"),
    ("fr", FRENCH, "condamné aux dépens de l'instance", True, "decomposed é"),
    ("fr", FRENCH, "La loi du 3 juillet 1979", False, "another year"),
    ("nl", DUTCH, "De coöperatie 'Het Anker' sloot", True, "diaeresis, single quotes"),
    ("nl", DUTCH, "reële overnamekandidaten en één ideeënbus", True, "soft hyphens in compounds"),
    ("nl", DUTCH, "geen reële over", False, "half a hyphenated word is no word"),
    ("ja", JAPANESE, "新しい図書館を開いた。利用者は三十二万人を超え", True, "no blanks"),
    ("ja", JAPANESE, "「とても便利だ」と話している", True, "a decomposed voicing mark"),
    ("ja", JAPANESE, "話している。 予算は約５億円で", True, "an ideographic blank"),
    ("ja", JAPANESE, "予算は約５億円で、来年も工事が", True, "the mark that ends the slice"),
    ("ja", JAPANESE, "利用者は三十三万人を超え、「とても", False, "a changed numeral"),
    ("ja", JAPANESE, "十二万人を超え、「とても便利だ」と話して", False, "half a numeral"),
    ("ja", JAPANESE, "予算は約5億円で、来年も", True, "ASCII digits for full-width ones"),
]


@pytest.mark.parametrize("metric", ["coverage", "hallucination"])
@pytest.mark.parametrize(
    ("language", "text", "quote", "found", "why"), ROWS, ids=[f"{r[0]}-{r[4]}" for r in ROWS]
)
def test_quotes(metric: str, language: str, text: str, quote: str, found: bool, why: str) -> None:
    """In its source, the quote is located and slices back; elsewhere it is a violation."""
    reply: dict[str, Any] = good()
    reply[metric]["qag_results"][0]["evidence"] = quote
    given = case(text, text, language=language)
    verdict = heard(PROTOCOL, reply, given)
    where = f"{metric}.qag_results[0]"
    spans = [e.span for e in verdict.evidence if e.where == where]
    assert bool(spans) == found, why
    assert (("evidence.absent", where) in codes(verdict)) == (not found), why
    for span in spans:
        there, wanted = (
            fold(unicodedata.normalize("NFKC", one)) for one in (text[span.start : span.end], quote)
        )
        assert there == wanted, why
        assert text[span.end : span.end + 1] not in ("\u0301", "\u0308", "\u3099"), why
    if found:
        correct = next(
            s.inputs["Correct"]
            for s in verdict.trace
            if s.rule == ("JL-COV-QAG" if metric == "coverage" else "JL-HAL-QAG")
        )
        assert correct == 1, f"{why}: 4 to 12 tokens, so the pair holds"


def test_a_japanese_summary_is_measured() -> None:
    """Segments end at 。, keywords are runs of kanji and katakana."""
    summary = "東京都は新しい図書館を開き、利用者は三十二万人を超えた。予算は約５億円である。"
    verdict = heard(PROTOCOL, good(), case(JAPANESE, summary))
    labels = [s["relevance"] for s in verdict.output[3]["summary_sections"]]
    assert labels == ["High"]
    unrelated = "猫は庭で魚を食べて、犬は山で月を見て、鳥は空を飛ぶ。"
    other = heard(PROTOCOL, good(), case(JAPANESE, unrelated))
    assert [s["relevance"] for s in other.output[3]["summary_sections"]] == ["None"]
