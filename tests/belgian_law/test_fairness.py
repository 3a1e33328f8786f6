"""The judge is fair and strict: what was not read costs nobody, what is wrong is found."""

from __future__ import annotations

from typing import Any

import pytest

from oyer.protocols.belgian_law import Decision, decide
from oyer.types import Case

DECISION = "ECLI:BE:CTLIE:2024:ARR.20240312.9"
Item = dict[str, Any]


def item(number: str, key: str | None, name: str, kind: str, date: str | None = None) -> Item:
    return {
        "provisionNumber": number,
        "provisionNumberKey": key,
        "parentActName": name,
        "parentActType": kind,
        "parentActDate": date,
    }


def judge(text: str, *items: Item, language: str = "FR") -> Decision:
    acts: dict[str, int] = {}
    for n, one in enumerate(items, 1):
        act = acts.setdefault(one["parentActName"], len(acts) + 1)
        one["internalProvisionId"] = f"ART-{DECISION}-{n:03}"
        one["internalParentActId"] = f"ACT-{DECISION}-{act:03}"
    fields = {
        "decisionId": DECISION,
        "proceduralLanguage": language,
        "sourceText": text,
        "extracted": {"citedProvisions": list(items)},
    }
    return decide(Case(DECISION, fields))


def codes(made: Decision) -> list[str]:
    return [issue.name for issue in made.issues]


GDPR = "L'article 6.1.a du RGPD et l'article 8 de la CEDH s'appliquent."
CEDH = item("article 8", "8", "CEDH", "TRAITE")


@pytest.mark.parametrize(
    "number", ["article 6.1.a", "article 6, § 1, a)", "article 6, alinéa 1er, a)"]
)
def test_one_provision_in_any_notation(number: str) -> None:
    """BL-DECIMAL: 6.1.a is 6, § 1, a) of an EU act."""
    made = judge(GDPR, item(number, "6.1", "RGPD", "REGLEMENT_UE"), dict(CEDH))
    assert codes(made) == []
    assert made.score == 100


def test_a_copy_in_the_other_notation_is_an_error() -> None:
    made = judge(
        GDPR,
        item("article 6.1.a", "6.1", "RGPD", "REGLEMENT_UE"),
        item("article 6, § 1, a)", "6", "RGPD", "REGLEMENT_UE"),
        dict(CEDH),
    )
    assert codes(made) == ["notation"]
    assert made.output["counts"]["duplicates"] == 1


def test_two_notations_of_the_source_are_no_error() -> None:
    text = "L'article 6.1 du RGPD. L'article 6, § 1er, du RGPD."
    made = judge(
        text,
        item("article 6.1", "6.1", "RGPD", "REGLEMENT_UE"),
        item("article 6, § 1er", "6", "RGPD", "REGLEMENT_UE"),
    )
    assert "notation" not in codes(made)


def test_dutch_lid_of_a_treaty() -> None:
    made = judge(
        "artikel 6, lid 1, EVRM", item("artikel 6.1", "6", "EVRM", "VERDRAG"), language="NL"
    )
    assert codes(made) == []


@pytest.mark.parametrize(
    ("text", "number", "key", "name"),
    [
        ("L'article 1675/13 du Code judiciaire", "article 1675/13", "1675", "Code judiciaire"),
        ("L'article XX.99 du Code de droit économique", "article XX.99", "XX",
         "Code de droit économique"),
        ("L'article 7:228 du Code des sociétés et des associations", "article 7:228", "7",
         "Code des sociétés et des associations"),
        ("L'article 31/1 du Code judiciaire", "article 31/1", "31", "Code judiciaire"),
        ("L'article 5.70 du Code civil", "article 5.70", "5", "Code civil"),
        ("L'article 1675/13 du Code judiciaire", "article 1675", "1675", "Code judiciaire"),
    ],
)  # fmt: skip
def test_a_key_cut_short_is_found(text: str, number: str, key: str, name: str) -> None:
    """Even when provisionNumber is cut short too: a lost anchor, not an invention."""
    made = judge(text, item(number, key, name, "CODE"))
    assert "key" in codes(made)
    assert not any(code.startswith("hallucinated") for code in codes(made))


def test_an_invented_date() -> None:
    made = judge(
        "L'article 17 du Code judiciaire",
        item("article 17", "17", "Code judiciaire", "CODE", "1967-10-10"),
    )
    assert codes(made) == ["date"]
    assert made.score == 80, "100 − 12 − 8"


def test_a_date_that_the_text_gives_somewhere_is_not_invented() -> None:
    text = "L'article 17 du Code judiciaire. Entré en vigueur le 10 octobre 1967."
    made = judge(text, item("article 17", "17", "Code judiciaire", "CODE", "1967-10-10"))
    assert codes(made) == []


def test_exact_copies_count_against_precision() -> None:
    one = item("article 17", "17", "Code judiciaire", "CODE")
    made = judge("L'article 17 du Code judiciaire", one, dict(one))
    assert made.output["counts"]["duplicates"] == 1
    assert made.score == 90, "1 matched of 2 extracted: precision .5, −10"
    assert made.output["verdict"] == "PASS"


def test_a_name_without_its_date() -> None:
    text = "L'article 5 de la loi du 10 mai 2007 tendant à lutter contre la discrimination"
    made = judge(
        text, item("article 5", "5", "loi relative aux contrats de travail", "LOI", "2007-05-10")
    )
    assert "act-name" in codes(made) or "wrong-act" in codes(made)


def test_a_name_without_its_qualifier() -> None:
    text = "L'article 16bis de la loi spéciale du 8 août 1980"
    made = judge(text, item("article 16bis", "16bis", "loi 8 août 1980", "LOI", "1980-08-08"))
    assert codes(made) == ["act-name"]


def test_a_number_that_the_engine_did_not_read_is_unsure() -> None:
    """No hallucination where the number stands behind an article word, unread."""
    text = "L'article 17 du Code judiciaire. Voir aussi les articles visés (n° 1051, no 1052)."
    made = judge(
        text,
        item("article 17", "17", "Code judiciaire", "CODE"),
        item("article 1051", "1051", "Code civil", "CODE"),
    )
    assert not any(code.startswith("hallucinated") for code in codes(made))
    assert made.output["confidence"] != "HIGH"
    assert any(note.startswith("unsure") for note in made.output["normalizationIssues"])


def test_what_was_read_otherwise_is_not_unsure() -> None:
    text = "L'article 17, 3°, du Code judiciaire"
    made = judge(
        text,
        item("article 17, 3°", "17", "Code judiciaire", "CODE"),
        item("article 3", "3", "Code judiciaire", "CODE"),
    )
    assert "hallucinated/other" in codes(made)


def test_a_misattributed_article_is_major_not_critical() -> None:
    text = "L'article 17 du Code judiciaire et l'article 6 de la CEDH"
    made = judge(
        text,
        item("article 17", "17", "Code judiciaire", "CODE"),
        item("article 6", "6", "CEDH", "TRAITE"),
        item("article 17", "17", "Code pénal", "CODE"),
    )
    assert codes(made) == ["wrong-act"]
