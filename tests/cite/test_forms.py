"""The table of citation forms, row by row: what is cited, and where it stands."""

from __future__ import annotations

from collections import Counter

import pytest

from oyer.cite import TYPES, cite, record
from tests.cite.forms import Form, forms, shown

FORMS = forms()


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f"{f.rule}-{f.language}-{f.sentence[:50]}")
def test_form(form: Form) -> None:
    found = cite(form.sentence, form.language)
    got = "; ".join(shown(c) for c in found) or "none"
    assert got == form.expected, form.reason
    for citation in found:
        assert form.sentence[citation.start : citation.end] == citation.quote
        assert citation.act.type is None or citation.act.type in TYPES[form.language]


def test_table_is_large_and_covers_each_rule_in_both_languages() -> None:
    assert len(FORMS) >= 250
    rules = Counter((f.rule, f.language) for f in FORMS)
    for rule in ("ARTICLE", "PATH", "RANGE", "LIST", "DECIMAL", "ACT", "ALIAS", "TYPE", "DATE"):
        assert rules[f"BL-{rule}", "fr"] >= 3, rule
        assert rules[f"BL-{rule}", "nl"] >= 3, rule
    assert all(form.reason for form in FORMS)


def test_all_forms_in_one_text_keep_their_offsets() -> None:
    """Sentences side by side: quotes still slice back, in the order of the text."""
    text = "\n\n".join(f.sentence for f in FORMS if f.rule != "not citations")
    found = cite(text)
    assert len(found) > 350
    assert all(text[c.start : c.end] == c.quote for c in found)
    assert [c.start for c in found] == sorted(c.start for c in found)


@pytest.mark.parametrize(
    ("language", "sentence", "type_", "reason"),
    [
        ("fr", "l'article 1er de la loi du 3 mai 2003", "LOI", "loi"),
        ("nl", "artikel 1 van de wet van 3 mei 2003", "WET", "wet"),
        ("fr", "l'article 1er de l'arrêté royal du 3 mai 2003", "ARRETE_ROYAL", "arrêté royal"),
        ("nl", "artikel 1 van het K.B. van 3 mei 2003", "KONINKLIJK_BESLUIT", "K.B."),
        ("fr", "l'article 1er du Code pénal", "CODE", "code"),
        ("nl", "artikel 1 van het Strafwetboek", "WETBOEK", "wetboek"),
        ("fr", "l'article 10 de la Constitution", "CONSTITUTION", "constitution"),
        ("nl", "artikel 10 van de Grondwet", "GRONDWET", "grondwet"),
        ("fr", "l'article 17 du RGPD", "REGLEMENT_UE", "EU regulation"),
        ("nl", "artikel 17 AVG", "EU_VERORDENING", "EU regulation"),
        ("fr", "l'article 3 de la directive 93/13/CEE", "DIRECTIVE_UE", "EU directive"),
        ("nl", "artikel 3 van richtlijn 93/13/EEG", "EU_RICHTLIJN", "EU directive"),
        ("fr", "l'article 6 de la CEDH", "TRAITE", "treaty"),
        ("nl", "artikel 6 EVRM", "VERDRAG", "treaty"),
        ("fr", "l'article 1er de l'arrêté du Gouvernement wallon du 3 mai 2003",
         "ARRETE_GOUVERNEMENT", "government decree"),
        ("nl", "artikel 1 van het besluit van de Vlaamse regering van 3 mei 2003",
         "BESLUIT_VAN_DE_REGERING", "government decree"),
        ("fr", "l'article 1er de l'ordonnance du 3 mai 2003", "ORDONNANCE", "ordinance"),
        ("nl", "artikel 1 van de ordonnantie van 3 mei 2003", "ORDONNANTIE", "ordinance"),
        ("fr", "l'article 1er du décret du 3 mai 2003", "DECRET", "decree"),
        ("nl", "artikel 1 van het decreet van 3 mei 2003", "DECREET", "decree"),
        ("fr", "l'article 1er de la CCT n° 109", "AUTRE", "collective agreement"),
        ("nl", "artikel 1 van de CAO nr. 109", "ANDERE", "collective agreement"),
    ],
)  # fmt: skip
def test_type_in_the_language_of_the_decision(
    language: str, sentence: str, type_: str, reason: str
) -> None:
    found = cite(sentence, "fr" if language == "fr" else "nl")
    assert [c.act.type for c in found] == [type_], reason


@pytest.mark.parametrize(
    ("sentence", "name", "reason"),
    [
        ("l'article 12 du livre XX du Code de droit économique",
         "livre XX du Code de droit économique", "a named book belongs to the name"),
        ("artikel 3 van hoofdstuk IV van de wet van 10 mei 2007",
         "hoofdstuk IV van de wet van 10 mei 2007", "a named chapter too"),
        ("l'article 5 de la loi du 3 juillet 1978 relative aux contrats de travail, qui",
         "loi du 3 juillet 1978 relative aux contrats de travail", "the title, to the comma"),
        ("L'article 2 de la loi du 3 juillet 1978 relative aux contrats de travail. L'article 5 "
         "de la même loi", "loi du 3 juillet 1978 relative aux contrats de travail",
         "a pointer takes the name it points to"),
        ("l'article 5 des articles du contrat", "", "no act, no name"),
    ],
)  # fmt: skip
def test_name_as_written(sentence: str, name: str, reason: str) -> None:
    assert cite(sentence)[-1].act.name == name, reason


def test_record_is_the_notation_of_the_contract() -> None:
    text = "En vertu de l'article 31, § 2, alinéa 1er, de la loi du 10 mai 2007"
    assert [record(c) for c in cite(text)] == [
        {
            "quote": "l'article 31, § 2, alinéa 1er, de la loi du 10 mai 2007",
            "start": 12,
            "end": 67,
            "key": "31",
            "path": ["§2", "al1"],
            "act": {
                "id": "loi/2007-05-10",
                "name": "loi du 10 mai 2007",
                "type": "LOI",
                "date": "2007-05-10",
            },
            "via": "single",
            "open": False,
            "certain": True,
            "confidence": 0.99,
        }
    ]
    assert list(record(cite(text)[0])) == [
        "quote", "start", "end", "key", "path", "act", "via", "open", "certain",
        "confidence",
    ]  # fmt: skip
