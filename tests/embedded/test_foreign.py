"""French and Dutch in short: opposites, amounts, verbs, other words, and summaries in neither."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.judges.embedded import open_embedded
from oyer.judges.embedded.assess import Assessed, assess, scorer
from oyer.judges.embedded.perception import perceive
from oyer.judges.embedded.source import index
from oyer.judges.embedded.tongues import other_tongue
from oyer.judges.embedded.words import read
from oyer.types import Case
from tests.embedded.test_languages import PAIRS

TEXTS = {
    code: next(t["text"] for t in file["text"] if t["part"] == "development2")
    for code, file in PAIRS.items()
}


def claim(code: str, article: str, sentence: str) -> Assessed:
    found = assess(index(article, code), sentence, scorer("light"))
    return min(found, key=lambda one: one.support)


@pytest.mark.parametrize(
    ("code", "lie"),
    [
        ("fr", "Le conseil communal de Namur a rejeté la passerelle sur la Meuse."),
        ("fr", "L'opposition a voté pour le projet."),
        ("fr", "Les commerçants espèrent gagner des clients durant les travaux."),
        ("nl", "De oppositie stemde voor het project."),
        ("nl", "De gemeenteraad van Leuven heeft het fietspad afgewezen."),
        ("nl", "De oppositie vindt het plan te goedkoop."),
    ],
)
def test_what_turns_a_clause_round_is_unsupported(code: str, lie: str) -> None:
    found = claim(code, TEXTS[code], lie)
    assert found.turned
    assert found.label == "Unsupported"


@pytest.mark.parametrize("code", ["fr", "nl"])
def test_faults_are_seen_in_the_second_development_part_too(code: str) -> None:
    seen, count = {True: 0, False: 0}, 0
    for text in (t for t in PAIRS[code]["text"] if t["part"] == "development2"):
        source = index(text["text"], code)
        for _, right, wrong in text["pairs"]:
            count += 1
            for sentence, true in ((right, True), (wrong, False)):
                seen[true] += any(c.faults for c in assess(source, sentence, scorer("light")))
    assert seen[True] <= 0.15 * count
    assert seen[False] >= 0.45 * count


UNITS = {"fr": ("ans", "mois", "semaines", "jours"), "nl": ("jaar", "maanden", "weken", "dagen")}


@given(
    st.sampled_from(["fr", "nl"]),
    st.permutations(range(4)),
    st.lists(st.integers(2, 3), min_size=2, max_size=2),
)
def test_an_amount_with_another_unit_is_never_supported(
    code: str, order: list[int], sizes: list[int]
) -> None:
    one, other = (UNITS[code][n] for n in order[:2])
    size, again = sizes
    article, says = (
        (f"Le procès a duré {size} {one}. Il a coûté cher à la ville.", f"Le procès a duré {again}")
        if code == "fr"
        else (f"Het proces duurde {size} {one}. Het was duur.", f"Het proces duurde {again}")
    )
    assert claim(code, article, f"{says} {other}.").label != "Supported"
    assert bool(claim(code, article, f"{says} {one}.").faults) == (size != again)


@pytest.mark.parametrize(
    ("code", "forms", "norms"),
    [
        ("fr", "espèrent dorment obtiennent promise réduites emploie achète rejette", 8),
        ("fr", "changeait annonça reçoivent craignent comprise détruits", 6),
        ("nl", "Milieuorganisaties softwarebedrijf lichtgewond", 6),
    ],
)
def test_forms_of_verbs_and_compounds_are_read(code: str, forms: str, norms: int) -> None:
    found = read(forms, code).norms
    assert len(found) == norms
    assert not [norm for norm in found if "~" in norm]


@pytest.mark.parametrize(
    ("code", "text", "norms"),
    [
        ("fr", "La Région paie", "the region pay"),
        ("fr", "dit Sophie Région", "say soph~fr région~fr"),
        ("nl", "De Vlaamse overheid", "the flemish government"),
        ("nl", "neemt tien mensen in dienst", "take 10 people hire"),
        ("nl", "wierf tien mensen aan", "hire 10 people also"),
    ],
)
def test_a_capital_and_a_part_are_read_by_what_stands_beside_them(
    code: str, text: str, norms: str
) -> None:
    assert " ".join(read(text, code).norms) == norms


def test_a_point_is_told_in_other_words() -> None:
    article = (
        "La ville va construire une école à Marle. Le ministre a félicité les élèves du village. "
        "La police recherche le conducteur de la voiture. Les habitants ont signé une lettre."
    )
    summary = "Une école sera bâtie à Marle par la commune."
    found = perceive(article, summary, scorer("light"), "fr")
    told = {article[p.start : p.end]: t.label for p, t in found.points}
    assert told["La ville va construire une école à Marle."] == "Fully"
    assert told["La police recherche le conducteur de la voiture."] == "Not"


@pytest.mark.parametrize(
    ("code", "summary", "tongue"),
    [
        ("fr", "The council rejected the footbridge.", "English"),
        ("nl", "The council rejected the footbridge.", "English"),
        ("fr", "She resigned.", "English"),
        ("fr", "De raad keurde het plan af.", "Dutch"),
        ("nl", "Le conseil a rejeté le plan.", "French"),
        ("fr", "Der Rat lehnte den Plan ab.", "German"),
    ],
)
def test_a_short_summary_in_another_language_is_refused(
    code: str, summary: str, tongue: str
) -> None:
    case = Case("a", {"article": TEXTS[code], "summary": summary})
    refused = json.loads(open_embedded("light").reply("judge-lock", case))
    assert refused["error"].startswith(f"the summary seems to be {tongue}")


@pytest.mark.parametrize("code", ["fr", "nl"])
def test_no_sentence_in_the_language_of_its_article_is_taken_for_another(code: str) -> None:
    texts = [t for t in PAIRS[code]["text"] if t["part"].startswith("development")]
    for _, *both in (pair for text in texts for pair in text["pairs"]):
        assert not [sentence for sentence in both if other_tongue(sentence, code)]
    assert not other_tongue("Namur plan test.", code)
    assert not other_tongue("Jean Dupont, Paris", code)
