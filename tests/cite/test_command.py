"""`oyer cite` as a user runs it."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (
    "Vu l'article 5, § 1er, de la loi du 3 juillet 1978 relative aux contrats de travail;\n"
    "les articles 10 à 12 du Code judiciaire et l'article 5, § 1er, de la même loi.\n"
)


def oyer(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "120"}
    return subprocess.run(
        [sys.executable, "-m", "oyer", "cite", *args],
        input=stdin,
        capture_output=True,
        env=environment,
        check=False,
    )


def lines(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_json_from_a_file_and_from_stdin(tmp_path: Path) -> None:
    file = tmp_path / "d.md"
    file.write_text(TEXT, encoding="utf-8")
    found = lines(oyer(str(file), "--json"))
    assert [c["key"] for c in found] == ["5", "10", "11", "12", "5"]
    assert all(TEXT[int(str(c["start"])) : int(str(c["end"]))] == c["quote"] for c in found)
    assert lines(oyer("--json", stdin=TEXT.encode())) == found
    assert lines(oyer("-", "--json", stdin=TEXT.encode())) == found
    once = lines(oyer(str(file), "--json", "--distinct"))
    assert [c["key"] for c in once] == ["5", "10", "11", "12"]


def test_jsonl_of_decisions(tmp_path: Path) -> None:
    rows = [
        {"decisionId": "A", "proceduralLanguage": "FR", "sourceText": TEXT, "more": 1},
        {"decisionId": "B", "proceduralLanguage": "NL", "sourceText": "artikel 5 Sw."},
    ]
    data = "\n".join(json.dumps(row) for row in rows)
    plain, packed = tmp_path / "d.jsonl", tmp_path / "d.jsonl.gz"
    plain.write_text(data, encoding="utf-8")
    packed.write_bytes(gzip.compress(data.encode()))
    found = lines(oyer(str(plain), "--json"))
    assert [c["decisionId"] for c in found] == ["A"] * 5 + ["B"]
    act = {"id": "code-penal", "name": "Sw.", "type": "WETBOEK", "date": None}
    assert found[-1]["act"].items() >= act.items()
    assert lines(oyer(str(packed), "--json")) == found


def test_table_shows_the_quote_in_its_line() -> None:
    done = oyer(stdin=TEXT.encode())
    shown = " ".join(done.stdout.decode().split())
    assert done.returncode == 0
    assert "10, 11, 12 code-judiciaire range" in shown
    assert "back-reference" in shown


def test_control_characters_never_reach_the_terminal() -> None:
    done = oyer(stdin=b"\x1b[31mart. 5 \x1b]0;x\x07 Sw. [bold]")
    assert b"\x1b[31m" not in done.stdout
    assert b"\x07" not in done.stdout


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        self.ids += [value or "" for name, value in attrs if name == "id"]


def test_page_is_escaped_and_links_citations_to_their_act() -> None:
    hostile = TEXT + '<script>alert(1)</script> article 5 de la loi <img src=x onerror="y"> "'
    done = oyer("--html", stdin=hostile.encode())
    page = _Page()
    page.feed(done.stdout.decode())
    assert {"script", "img"}.isdisjoint(page.tags)
    assert page.tags.count("mark") >= 3
    assert page.links
    inside = [link for link in page.links if link.startswith("#")]
    assert all(link[1:] in page.ids for link in inside)
    official = ("https://www.ejustice.just.fgov.be/eli/", "https://eur-lex.europa.eu/")
    assert all(link.startswith(official) for link in page.links if link not in inside)


@pytest.mark.parametrize(
    ("name", "data", "said", "reason"),
    [
        ("d.txt", b"\xff\xfe\x00art. 5", "d.txt:1: is not UTF-8", "not text"),
        ("d.jsonl", b"{", "d.jsonl:1: is not a JSON object", "not JSON"),
        ("d.jsonl", b"[]", "d.jsonl:1: expected a JSON object", "no object"),
        ("d.jsonl", b'{}', "d.jsonl:1: field 'sourceText'", "no text"),
        ("d.jsonl", b'\n{"sourceText": 5}', "d.jsonl:2: field 'sourceText'", "text is a number"),
        ("d.jsonl", b'{"sourceText": "x", "proceduralLanguage": "DE"}', "must be FR or", "German"),
        ("d.jsonl", b'{"sourceText": "x", "decisionId": 5}', "field 'decisionId'", "a number"),
        ("d.jsonl.gz", b"not gzip", "d.jsonl.gz: cannot be read", "not packed"),
    ],
)  # fmt: skip
def test_bad_input_is_told_with_its_place(
    tmp_path: Path, name: str, data: bytes, said: str, reason: str
) -> None:
    (tmp_path / name).write_bytes(data)
    done = oyer(str(tmp_path / name), "--json")
    assert done.returncode == 2, reason
    assert said in done.stderr.decode(), reason
    assert b"Traceback" not in done.stderr


def test_missing_file_and_wrong_language() -> None:
    done = oyer("no-such-file.txt")
    assert done.returncode == 2
    assert b"no-such-file.txt: cannot be read" in done.stderr
    assert oyer("--lang", "de").returncode == 2


def test_nothing_cited_is_said() -> None:
    done = oyer(stdin=b"Rien ici.")
    assert done.returncode == 0
    assert b"no citation found" in done.stderr


def test_the_day_of_the_decision(tmp_path: Path) -> None:
    """A name means the act of its time: by --date, or by the ECLI in decisionId."""
    text = "Art. 150 Werkloosheidsbesluit."
    old, new = "ar/1963-12-20", "ar/1991-11-25"
    for args, expected in ((("--date", "1985-03-25"), old), ((), new)):
        (line,) = lines(oyer("--json", *args, stdin=text.encode()))
        assert line["act"]["id"] == expected  # type: ignore[index]
    file = tmp_path / "d.jsonl"
    row = {"decisionId": "ECLI:BE:CASS:1985:ARR.19850325.11", "sourceText": text}
    file.write_text(json.dumps(row), encoding="utf-8")
    (line,) = lines(oyer("--json", str(file)))
    assert line["act"]["id"] == old  # type: ignore[index]
    bad = oyer("--json", "--date", "25/03/1985", stdin=text.encode())
    assert bad.returncode != 0
    assert b"YYYY-MM-DD" in bad.stderr
