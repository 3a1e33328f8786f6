"""Acts by their names: the resolver, and the tables a lawyer can add to."""

from __future__ import annotations

import datetime
import re

import pytest

from oyer.cite import TYPES, article, cite, day_of_decision, distinct, resolve
from oyer.cite.lexicon import KINDS, fold, names, rows, words

NAMES = list(rows("acts.tsv", 5))


@pytest.mark.parametrize(
    ("name", "id_", "reason"),
    [
        ("Gerechtelijk Wetboek", "code-judiciaire", "full name"),
        ("Ger.W.", "code-judiciaire", "abbreviation"),
        ("Ger. W.", "code-judiciaire", "with a blank"),
        ("het Gerechtelijk Wetboek", "code-judiciaire", "with its article"),
        ("Code judiciaire", "code-judiciaire", "French"),
        ("C. jud.", "code-judiciaire", "French abbreviation"),
        ("B.W.", "code-civil", "BW"),
        ("Sw.", "code-penal", "Sw."),
        ("C.i.cr.", "cic", "criminal procedure"),
        ("WIB 92", "cir92", "WIB 92"),
        ("Code des impôts sur les revenus (coordonné par l'arrêté royal du 10 avril 1992)", "cir92",
         "the bracket changes nothing"),
        ("WER", "cde", "economic law"),
        ("WVV", "csa", "companies"),
        ("Grondwet", "constitution", "constitution"),
        ("EVRM", "cedh", "convention"),
        ("Eerste Aanvullend Protocol bij het EVRM", "protocole-1-cedh", "not the convention"),
        ("AVG", "rgpd", "AVG"),
        ("GDPR", "rgpd", "the English name"),
        ("Règlement (UE) 2016/679 du 27 avril 2016", "rgpd", "by number"),
        ("VWEU", "tfue", "treaty"),
        ("wet betreffende de arbeidsovereenkomsten", "loi/1978-07-03", "a law by its subject"),
        ("wet van 15 juni 1935 op het gebruik der talen", "loi/1935-06-15", "dated"),
        ("loi du 10 mai 2007 tendant à lutter contre certaines formes de discrimination",
         "loi/2007-05-10", "dated, French"),
        ("koninklijk besluit van 25 november 1991", "ar/1991-11-25", "royal decree"),
        ("projet d'arrêté royal du 25 novembre 1991", "ar/1991-11-25", "a draft is the decree"),
        ("Directive 2000/35/CE", "dir/2000/35", "directive"),
        ("loi du 3 juillet 1978 modifiée par la loi du 5 mai 1999", "loi/1978-07-03", "amended"),
        ("iets onbekends", None, "no such act"),
        ("", None, "nothing"),
    ],
)  # fmt: skip
def test_resolve(name: str, id_: str | None, reason: str) -> None:
    assert resolve(name).id == id_, reason


def test_resolve_reads_type_and_date_when_the_name_says_less() -> None:
    assert resolve("de wet", type="WET", date="2003-05-03", language="nl").id == "loi/2003-05-03"
    act = resolve("tarief", type="KONINKLIJK_BESLUIT", date="2007-10-26", language="nl")
    assert act.id == "ar/2007-10-26"
    assert act.type == "KONINKLIJK_BESLUIT"
    assert resolve("Code judiciaire", type="CODE").type == "CODE"
    assert resolve("Gerechtelijk Wetboek", type="WETBOEK").type == "WETBOEK"


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("article 31, § 2, alinéa 1er", ("31", ("§2", "al1")), "French"),
        ("art. 5, 2de lid", ("5", ("al2",)), "Dutch"),
        ("31", ("31", ()), "a number alone"),
        ("l'article 10bis", ("10bis", ()), "with its article"),
        ("artikel XX.99, eerste lid", ("XX.99", ("al1",)), "Roman"),
        ("§ 2", None, "no article"),
        ("", None, "nothing"),
    ],
)
def test_article(text: str, expected: object, reason: str) -> None:
    assert article(text) == expected, reason


def test_distinct_keeps_each_provision_once() -> None:
    text = "Les articles 5 et 6 du Code civil. L'article 6 du Code civil. L'article 6 C. civ."
    assert [(c.key, c.via) for c in distinct(cite(text))] == [("5", "list"), ("6", "single")]


# ── the tables ────────────────────────────────────────────────────────────────────────────────


def test_several_hundred_names_in_both_languages() -> None:
    for language in ("fr", "nl"):
        assert sum(row[1] == language for row in NAMES) >= 300
    assert len({row[0] for row in NAMES}) >= 150


def flaws(row: list[str]) -> list[str]:
    """What is wrong with a row of `acts.tsv`."""
    id_, language, kind, date, name = row
    dated = re.search(r"/(\d{4}-\d{2}-\d{2})$", id_)
    node = names()
    for word in words(name):
        node = node[word]
    found = {
        "unknown language": language not in TYPES,
        "unknown kind": kind not in KINDS,
        "date is not yyyy-mm-dd or -": date != "-" and not re.fullmatch(r"\d{4}-\d\d-\d\d", date),
        "id is not in lower case": not re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)*", id_),
        "date differs from the id's": dated is not None and dated[1] != date,
        "two acts have this name": node[""].id != id_,
    }
    return [flaw for flaw, holds in found.items() if holds]


def test_every_row_is_sound() -> None:
    assert {row[4]: flaws(row) for row in NAMES if flaws(row)} == {}


def test_folding() -> None:
    assert words("C.E.D.H.") == words("CEDH") == words("cedh")
    assert words("Code d'instruction criminelle") == ["code", "d", "instruction", "criminelle"]
    assert fold("Arrêté") == "arrete"


@pytest.mark.parametrize(
    ("name", "when", "expected", "why"),
    [
        ("Werkloosheidsbesluit", None, "ar/1991-11-25", "no day: the newest act"),
        ("Werkloosheidsbesluit", "1985-03-25", "ar/1963-12-20", "the decree of its time"),
        ("Werkloosheidsbesluit", "1992-06-01", "ar/1991-11-25", "from the day it took over"),
        ("Werkloosheidsbesluit 1991", "1985-03-25", "ar/1991-11-25", "a year fixes the act"),
        ("nouvelle loi communale", "1980-01-01", "loi/1988-06-24", "so does new"),
        ("loi relative aux marchés publics", "1990-01-01", "loi/1976-07-14", "the first of four"),
        ("loi relative aux marchés publics", "2000-01-01", "loi/1993-12-24", "the second"),
        ("loi relative aux marchés publics", "2014-01-01", "loi/2006-06-15", "the third"),
        ("loi relative aux marchés publics", "2020-01-01", "loi/2016-06-17", "the last"),
        ("ZIV-wet", "2011-05-16", "loi/1994-07-14", "a name that went on to a later act"),
    ],
)
def test_a_name_means_the_act_of_its_time(
    name: str, when: str | None, expected: str, why: str
) -> None:
    assert resolve(name, when=when).id == expected, why
    assert cite(f"artikel 5 {name}", "nl", when)[0].act.id == expected, why


@pytest.mark.parametrize(
    ("ecli", "day"),
    [
        ("ECLI:BE:CASS:1985:ARR.19850325.11", "1985-03-25"),
        ("ECLI:BE:CASS:2015:ARR.20150518.3F.7", "2015-05-18"),
        ("ECLI:BE:GHCC:2010:ARR.095", "2010-12-31"),
        ("ECLI:BE:RVSCE:2026:ARR.265.352", "2026-12-31"),
        ("2019/AB/123", None),
        (None, None),
    ],
)
def test_the_day_of_a_decision(ecli: str | None, day: str | None) -> None:
    assert day_of_decision(ecli) == day


def test_an_ecli_at_the_head_of_the_text_dates_it() -> None:
    text = "ECLI:BE:CASS:1985:ARR.19850325.11\n\nArt. 150 Werkloosheidsbesluit."
    assert cite(text)[0].act.id == "ar/1963-12-20"


def test_every_era_is_whole() -> None:
    """Each row starts from an act that a name of the tables has, and gives a real date."""
    named = {row[0] for row in rows("acts.tsv", 5)}
    for id_, side, date, other in rows("eras.tsv", 4):
        assert id_ in named
        assert other != id_
        assert side in ("before", "from")
        assert datetime.date.fromisoformat(date)
