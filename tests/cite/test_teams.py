"""For legal teams: titles and links, a team's own acts, case law, other tools, what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from oyer.cite import cite, is_german, references, work
from oyer.cite.exports import as_brat, as_label_studio, as_spacy
from oyer.cite.works import celex

TEXT = "L'article 5 de la loi du 3 juillet 1978 et\nl'article 6 du RGPD."


def oyer(*arguments: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "oyer", "cite", *map(str, arguments)],
        input=given, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("id_", "number", "reason"),
    [
        ("dir/2000/35", "32000L0035", "year first"),
        ("dir/95/46", "31995L0046", "a year of two figures"),
        ("regl/44/2001", "32001R0044", "number first, before 2015"),
        ("regl/2022/2065", "32022R2065", "year first, since 2015"),
        ("rgpd", "32016R0679", "an act that has a name"),
        ("tfue", "12012E/TXT", "a treaty"),
        ("loi/1978-07-03", None, "no act of the EU"),
    ],
)
def test_celex(id_: str, number: str | None, reason: str) -> None:
    assert celex(id_) == number, reason


def test_a_law_has_its_title_and_address() -> None:
    known = work("loi/1978-07-03")
    assert known.titles == {
        "fr": "loi du 3 juillet 1978 relative aux contrats de travail",
        "nl": "wet van 3 juli 1978 betreffende de arbeidsovereenkomsten",
    }
    assert known.eli == "https://www.ejustice.just.fgov.be/eli/loi/1978/07/03/1978070303/justel"
    assert work("loi/2031-01-01").eli is None, "what is not known is null"


def test_every_address_is_of_an_act_of_the_tables() -> None:
    from oyer.cite import lexicon

    for id_, path in lexicon.rows("eli.tsv", 2):
        assert id_ in lexicon.kinds(), id_
        assert path.count("/") == 4, path


def test_json_has_titles_and_links(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    lines = [json.loads(line) for line in oyer(tmp_path / "a.txt", "--json").stdout.splitlines()]
    assert [line["act"]["celex"] for line in lines] == [None, "32016R0679"]
    assert lines[1]["act"]["url"].startswith("https://eur-lex.europa.eu/legal-content/FR/")


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a.txt").write_text("article 5 du Code civil", encoding="utf-8")
    (tmp_path / "b" / "c.md").write_text("artikel 6 EVRM", encoding="utf-8")
    (tmp_path / "d.png").write_bytes(b"\x89PNG")
    lines = [json.loads(line) for line in oyer(tmp_path, "--json").stdout.splitlines()]
    assert [Path(line["decisionId"]).name for line in lines] == ["a.txt", "c.md"]


def test_a_teams_own_acts(tmp_path: Path) -> None:
    acts = tmp_path / "acts.tsv"
    acts.write_text("huisregels/x\tnl\tautre\t-\tHuisregels Zuid\n", encoding="utf-8")
    got = oyer("--json", "--acts", acts, given="artikel 4 van de Huisregels Zuid")
    assert json.loads(got.stdout)["act"]["id"] == "huisregels/x"


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("x\tde\tloi\t-\tGesetz\n", "language 'de'"),
        ("x\tfr\tlaw\t-\tloi X\n", "kind 'law'"),
        ("x\tfr\tloi\t3/7/78\tloi X\n", "date '3/7/78'"),
        ("x\tfr\tloi\n", "columns"),
        ("rgpd\tfr\tloi\t-\tloi X\n", "of kind regl"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, row: str, says: str) -> None:
    acts = tmp_path / "acts.tsv"
    acts.write_text(row, encoding="utf-8")
    got = oyer("--acts", acts, given="x")
    assert got.returncode == 2
    assert says in got.stderr
    assert "acts.tsv" in got.stderr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cass., 26 mai 2006, RG C.05.0150.F",
         [("judgment", "CASS", "2006-05-26", None), ("docket", "CASS", None, "C.05.0150.F")]),
        ("ECLI:BE:CASS:2012:ARR.20120207.1",
         [("ecli", "CASS", "2012-02-07", "ECLI:BE:CASS:2012:ARR.20120207.1")]),
        ("ECLI:BE:GHCC:2010:ARR.095.", [("ecli", "GHCC", None, "ECLI:BE:GHCC:2010:ARR.095")]),
        ("arrest nr. 109/2015 van het Grondwettelijk Hof d.d. 16 juli 2015",
         [("judgment", "GHCC", None, "109/2015"), ("judgment", "GHCC", "2015-07-16", None)]),
        ("l'article 5 du Code civil", []),
    ],
)  # fmt: skip
def test_case_law(text: str, expected: list[tuple[str, ...]]) -> None:
    found = references(text)
    assert [(r.kind, r.court, r.date, r.number) for r in found] == expected
    assert all(text[r.start : r.end] == r.quote for r in found)


def test_spans_for_spacy() -> None:
    made: dict[str, Any] = as_spacy(TEXT, cite(TEXT))
    quotes = [TEXT[s["start"] : s["end"]] for s in made["spans"]["sc"]]
    assert quotes == [c.quote for c in cite(TEXT)]


def test_brat_breaks_a_span_at_the_end_of_a_line() -> None:
    text = "l'article 5 de la\nloi du 3 juillet 1978"
    line = as_brat(text, cite(text)).splitlines()[0]
    assert line == "T1\tPROVISION 0 17;18 39\tl'article 5 de la loi du 3 juillet 1978"


def test_label_studio_has_the_confidence() -> None:
    task: dict[str, Any] = as_label_studio(TEXT, cite(TEXT), "x")
    assert [r["score"] for r in task["predictions"][0]["result"]] == [0.99, 0.99]


def test_brat_is_for_one_decision(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    got = oyer(tmp_path, "--format", "brat")
    assert got.returncode == 2
    assert "one decision a file" in got.stderr


GERMAN = (
    "Gemäß Artikel 5 des Gesetzes vom 3. Juli 1978 ist die Klage nicht begründet und wird der "
    "Antrag durch das Gericht abgewiesen; Artikel 7 der Verfassung."
)


def test_german_is_named_and_its_acts_are_null() -> None:
    assert is_german(GERMAN)
    assert not is_german(TEXT * 20)
    assert not is_german("artikel 5 van de wet van 3 juli 1978 der Koning en het besluit " * 20)
    assert [(c.key, c.act.id) for c in cite(GERMAN)] == [("5", None), ("7", None)]
    assert "looks German" in oyer(given=GERMAN).stderr


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.pdf", b"%PDF-1.7 ...", "is a PDF"),
        ("a.txt", b"%PDF-1.7 ...", "is a PDF"),
        ("a.docx", b"PK\x03\x04...", "Office document"),
        ("a.csv", b"id,text\n1,article 5\n", "is a table"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(data)
    got = oyer(tmp_path / name)
    assert got.returncode == 2
    assert says in got.stderr


def test_page_has_a_legend_and_an_index(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    page = oyer(tmp_path, "--html").stdout
    assert "<mark>certain</mark>" in page
    assert "<h1>Acts cited</h1>" in page
    assert page.count('href="#d2"') >= 1


def test_a_text_without_lines_is_shown_by_offset() -> None:
    flat = oyer(given="mot " * 300 + "l'article 5 du Code civil").stdout
    assert "offset" in flat
    assert "1200" in flat
