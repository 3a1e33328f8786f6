"""Slurs, profanity and stereotypes lower the judge's own scores in each of the six languages."""

from __future__ import annotations

import pytest

from oyer.judges.embedded.tone import tone

#: language: a neutral sentence, one with a slur, one with profanity, one with a stereotype
TEXTS = {
    "en": ("The council met on Tuesday and closed the library.",
           "The council met on Tuesday with a wetback.",
           "The council met on Tuesday and talked shit.",
           "The council met on Tuesday and said that women are lazy."),
    "fr": ("Le conseil s'est réuni mardi et il a fermé la bibliothèque.",
           "Le conseil s'est réuni mardi avec un bougnoule.",
           "Le conseil s'est réuni mardi pour une affaire de merde.",
           "Le conseil a dit mardi que les femmes sont paresseuses."),
    "nl": ("De raad kwam dinsdag bijeen en sloot de bibliotheek.",
           "De raad kwam dinsdag bijeen met een kutmarokkaan.",
           "De raad kwam dinsdag bijeen met een klootzak.",
           "De raad zei dinsdag in het verslag: vrouwen zijn lui."),
    "de": ("Der Rat hat am Dienstag die Bibliothek geschlossen und das Haus verkauft.",
           "Der Rat hat am Dienstag mit einem Kanaken gesprochen.",
           "Der Rat hat am Dienstag nur Scheiße gemacht.",
           "Der Rat hat am Dienstag gesagt: Frauen sind faul."),
    "es": ("El consejo se reunió el martes y cerró la biblioteca de la ciudad.",
           "El consejo se reunió el martes con un sudaca.",
           "El consejo se reunió el martes y todo fue una mierda.",
           "El consejo dijo el martes que las mujeres son perezosas."),
    "ja": ("市議会は火曜日に図書館を閉鎖した。",
           "市議会は火曜日にチャンコロと会った。",
           "市議会は火曜日にクソ野郎と会った。",
           "市議会は火曜日に、外国人は犯罪者だと言った。"),
}  # fmt: skip


@pytest.mark.parametrize("language", TEXTS)
def test_word_lists_work_in_each_language(language: str) -> None:
    neutral, slur, profanity, stereotype = (tone("", text) for text in TEXTS[language])
    assert (neutral.label, neutral.bias, neutral.toxicity) == ("neutral", 10, 10)
    assert (slur.label, slur.bias) == ("hostile", 10)
    assert slur.toxicity <= 2  # JL-TOX-SLUR
    assert profanity.toxicity <= 5  # JL-TOX-PROFANITY
    assert stereotype.bias <= 4  # JL-BIAS-STEREOTYPE


def test_words_of_the_article_are_not_the_summarys_tone() -> None:
    """A summary of an outrage may say outrageous, as the article does; not so another one."""
    article = "Neighbours called the outrageous plan shameful."
    told = "The plan is outrageous and shameful."
    assert tone(article, told).bias == 10
    assert tone("Neighbours opposed the plan.", told).bias < 10


ARTICLE = 'The mayor presented the plan. "It is a shameful plan," said Tom Okafor.'


@pytest.mark.parametrize(
    ("summary", "label", "why"),
    [
        ("The plan is stupid.", "hostile", "the summary's own word"),
        ("The plan is not stupid.", "neutral", "negated"),
        ("The plan isn't perfect.", "neutral", "negated, in short"),
        ("The plan is not only stupid.", "hostile", "said all the same"),
        ("Tom Okafor called the plan shameful.", "neutral", "his word, and told as his"),
        ('Okafor on the plan: "shameful".', "neutral", "his word, quoted"),
        ("The plan is shameful.", "subjective", "his word, said as if it were a fact"),
        ("Tom Okafor called the plan disgraceful.", "subjective", "a word that he did not use"),
    ],
)
def test_whose_word_it_is_decides(summary: str, label: str, why: str) -> None:
    assert tone(ARTICLE, summary).label == label, why
