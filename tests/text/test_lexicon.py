"""The lexicon: what must be seen, and the ordinary words that must not be."""

from __future__ import annotations

import pytest

from oyer.text.lexicon import find

SEEN = [
    ("The minister called it bullshit in public.", None, "profanity", "bullshit", "plain"),
    ("He said the plan was SHIT.", "en", "profanity", "SHIT", "case does not hide"),
    ("What a sh1t plan", "en", "profanity", "sh1t", "digits for letters"),
    ("What a f**king mess", "en", "profanity", "f**king", "stars for letters"),
    ("Oh f.u.c.k that", "en", "profanity", "f.u.c.k", "spelled with dots"),
    ("Oh fuuuuck that", "en", "profanity", "fuuuuck", "stretched"),
    ("Oh fu\u00adck that", "en", "profanity", "fu\u00adck", "soft hyphens do not hide"),
    ("They yelled “faggots” at him", "en", "slur", "faggots", "a slur in quotes"),
    ("What $hit he said", "en", "profanity", "$hit", "a sign first"),
    ("He called him a spic", "en", "slur", "spic", "not and span"),
    ("They yelled beaners at them", "en", "slur", "beaners", "plural"),
    ("He called her a dyke", "en", "slur", "called her a dyke", "an ordinary word in a frame"),
    ("Those filthy chinks, he wrote", "en", "slur", "filthy chinks", "another frame"),
    ("You're retarded, he wrote", "en", "slur", "You're retarded", "not of growth"),
    ("That bastard lied", "en", "profanity", "bastard", "not of old"),
    ("A shithole country", "en", "profanity", "shithole", "compound"),
    ("Goddammit, he said", "en", "profanity", "Goddammit", "one word"),
    ("Ce connard a menti aux électeurs", None, "profanity", "connard", "French, detected"),
    ("Il l’a traité de bougnoule dans la rue", "fr", "slur", "bougnoule", "a French slur"),
    ("Een klootzak van een voorzitter", "nl", "profanity", "klootzak", "Dutch"),
    ("Er nannte ihn einen Kanaken", "de", "slur", "Kanaken", "German, inflected"),
    ("Es una mierda de proyecto", "es", "profanity", "mierda", "Spanish"),
    ("彼はクソみたいな計画だと述べた", None, "profanity", "クソ", "Japanese has no blanks"),
    ("Il a crié fuck devant tous", "fr", "profanity", "fuck", "English words travel"),
    (
        "It claims that women are naturally hysterical.",
        "en",
        "stereotype",
        "women are naturally hysterical",
        "a group, a link, a trait",
    ),
    (
        "Selon lui, les femmes sont faibles.",
        "fr",
        "stereotype",
        "les femmes sont faibles",
        "a French stereotype",
    ),
    ("彼は女は感情的だと言った", "ja", "stereotype", "女は感情的", "a Japanese stereotype"),
]
ORDINARY = [
    ("Scunthorpe and Penistone beat Arsenal in a classic assessment.", "en", "inside words"),
    ("Dick Cheney saw a chink in the dyke’s armour.", "en", "names and ordinary words"),
    ("The drug may retard growth; cocktails cost $5 at the bass bar.", "en", "verbs"),
    ("Spic and span, said SPIC, the power company.", "en", "a phrase and an acronym"),
    ("Senator Coons and Dick Van Dyke had a fag by the dyke.", "en", "names, a cigarette"),
    ("Through chinks in the wall a Maine coon saw light; growth is retarded.", "en", "framed"),
    ("William the Bastard, a bastard son, took England.", "en", "history"),
    ("Ke$ha and A$AP paid $hillings to @assets", "en", "signs in names"),
    ("Le train a du retard, dit le conducteur.", "fr", "French retard is a delay"),
    ("Der dicke Mann fährt die Straße entlang.", "de", "German dick is thick"),
    ("El coche negro y el con el perro", "es", "Spanish colours"),
    ("バカンスに行き、郷土人形を買い、死ねば終わりだ", "ja", "Japanese parts of words"),
    ("The women are too weak to walk, doctors said.", "en", "some women, not all"),
    ("H1N1 and B2B sales in the U.S.A. rose 10% to $3.5m!!!", "en", "digits and signs"),
    ("Significant at p<0.05** and data*** here", "en", "footnote stars"),
    ("", None, "nothing"),
]


@pytest.mark.parametrize(
    ("text", "language", "kind", "slice_", "why"), SEEN, ids=[r[4] for r in SEEN]
)
def test_seen(text: str, language: str | None, kind: str, slice_: str, why: str) -> None:
    assert [(h.kind, text[h.start : h.end]) for h in find(text, language)] == [(kind, slice_)], why


@pytest.mark.parametrize(("text", "language", "why"), ORDINARY, ids=[r[2] for r in ORDINARY])
def test_ordinary(text: str, language: str | None, why: str) -> None:
    assert find(text, language) == (), why
