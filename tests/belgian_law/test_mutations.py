"""A perfect extraction, broken in each way the protocol names: the right issue each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from oyer.protocols.belgian_law import decide
from oyer.protocols.belgian_law.extraction import read_item
from oyer.protocols.belgian_law.forms import key_fault
from tests.belgian_law.decision import (
    CIVIL,
    DECISION,
    JUDICIAL,
    PROTOCOL_1,
    PROVISIONS,
    Item,
    added,
    at,
    case,
    perfect,
)

Break = Callable[[list[Item]], Any]


def drop(*numbers: str) -> Break:
    def broken(items: list[Item]) -> None:
        items[:] = [item for item in items if item["provisionNumber"] not in numbers]

    return broken


def put(number: str, **fields: Any) -> Break:
    """Change fields of one item (or with number "*", of all)."""

    def broken(items: list[Item]) -> None:
        for item in items if number == "*" else [at(items, number)]:
            item.update(fields)

    return broken


def lack(number: str, field: str) -> Break:
    def broken(items: list[Item]) -> None:
        del at(items, number)[field]

    return broken


def add(number: str, key: str, act: tuple[str, str, str | None]) -> Break:
    return lambda items: added(items, number, key, act)


def both(*breaks: Break) -> Break:
    def broken(items: list[Item]) -> None:
        for one in breaks:
            one(items)

    return broken


def split_act(items: list[Item]) -> None:
    at(items, "article 580, 2°")["internalParentActId"] = f"ACT-{DECISION}-099"


def merge_acts(items: list[Item]) -> None:
    other = at(items, "article 17")["internalParentActId"]
    at(items, "article XX.99")["internalParentActId"] = other


def reuse_id(items: list[Item]) -> None:
    items[1]["internalProvisionId"] = items[0]["internalProvisionId"]


def other_ids(items: list[Item]) -> None:
    for item in items:
        for field in ("internalProvisionId", "internalParentActId"):
            item[field] = item[field].replace("20240312", "20230101")


def foreign(items: list[Item]) -> None:
    """Another decision's provisions under this decision's ids."""
    other = ("arrêté royal du 20 juillet 1971", "ARRETE_ROYAL", "1971-07-20")
    items[:] = perfect([(f"article {n}", str(n), other) for n in range(201, 206)])


LAW_1935 = (
    "loi du 15 juin 1935 concernant l'emploi des langues en matière judiciaire",
    "LOI",
    "1935-06-15",
)
CONVENTION = (
    "Convention de sauvegarde des droits de l'homme et des libertés fondamentales",
    "TRAITE",
    None,
)
GDPR = ("Règlement (UE) 2016/679", "REGLEMENT_UE", None)
N = len(PROVISIONS)  # 23 expected, 23 extracted


class Row(NamedTuple):
    """A break, the issues it must give (CRITICAL first), verdict, score, recommendation, reason."""

    name: str
    broken: Break
    issues: list[str]
    verdict: str
    score: int
    advice: str
    reason: str


ROWS = [
    Row("perfect", lambda items: None, [], "PASS", 100, "PROCEED", "nothing is wrong"),
    # ── missing ───────────────────────────────────────────────────────────────────────────────
    Row("drop one", drop("article 1134"), ["one-missing"], "PASS", 98, "PROCEED", "22/23 ≥ .95"),
    Row(
        "drop two",
        drop("article 1134", "article 17"),
        [],
        "PASS",
        85,
        "PROCEED",
        "21/23 = .913: −15, but no issue between .90 and .95",
    ),
    Row(
        "drop many",
        drop("article 1134", "article 17", "article 1051", "article XX.99", "article 580, 2°"),
        ["missing"],
        "REVIEW_REQUIRED",
        73,
        "FIX_PROMPT",
        "18/23: −12 −15; five items are systemic",
    ),
    Row(
        "nothing extracted",
        list.clear,
        ["empty", "missing"],
        "FAIL",
        22,
        "FIX_PROMPT",
        "59 −12 −15 −10: recall and precision are 0",
    ),
    # ── not in the source ─────────────────────────────────────────────────────────────────────
    Row(
        "a bare act",
        add(LAW_1935[0], "15-06-1935", LAW_1935),
        ["hallucinated/bare-act"],
        "FAIL",
        59,
        "FIX_PROMPT",
        "named without an article; 23/24 precision costs nothing",
    ),
    Row(
        "convention for protocol",
        add("article 1er", "1", CONVENTION),
        ["hallucinated/base-convention"],
        "FAIL",
        59,
        "FIX_PROMPT",
        "only the Protocol's article 1 is cited",
    ),
    Row(
        "° as §",
        put("article 7, § 1er, 3°", provisionNumber="article 7, § 3"),
        ["hallucinated/degree-as-paragraph", "one-missing"],
        "FAIL",
        57,
        "FIX_PROMPT",
        "§ 1, 3° is not § 3, and is missing itself",
    ),
    Row(
        "an invented article",
        add("article 9999", "9999", CIVIL),
        ["hallucinated/other"],
        "FAIL",
        59,
        "FIX_PROMPT",
        "nobody cites it",
    ),
    Row(
        "an extra article of another act",
        add("article 1051", "1051", CIVIL),
        ["wrong-act"],
        "REVIEW_REQUIRED",
        88,
        "REVIEW_SAMPLES",
        "1051 is cited of the Code judiciaire: misattributed, whatever else covers that one",
    ),
    Row(
        "another decision's provisions",
        foreign,
        ["hallucinated/other", "wrong-decision", "missing"],
        "FAIL",
        22,
        "FIX_PROMPT",
        "none of five is supported: 59 −12 −15 −10",
    ),
    Row(
        "another decision's ids",
        other_ids,
        ["wrong-decision", "id"],
        "FAIL",
        59,
        "FIX_PROMPT",
        "all ids embed one other decision",
    ),
    # ── ids and types ─────────────────────────────────────────────────────────────────────────
    Row(
        "wrong id",
        put("article 17", internalProvisionId=f"ART-{DECISION.replace(':', '-')}-021"),
        ["id"],
        "FAIL",
        59,
        "FIX_PROMPT",
        "colons must stay",
    ),
    Row(
        "two digits",
        put("article 17", internalParentActId=f"ACT-{DECISION}-10"),
        ["id"],
        "FAIL",
        59,
        "FIX_PROMPT",
        "sequences have three digits",
    ),
    Row(
        "id reused", reuse_id, ["id"], "FAIL", 59, "FIX_PROMPT", "a provision's sequence is its own"
    ),
    Row(
        "Dutch type",
        put("article 17", parentActType="WETBOEK"),
        ["enum"],
        "FAIL",
        59,
        "FIX_PROMPT",
        "a French decision",
    ),
    Row(
        "type with suffix",
        put("*", parentActType="LOI (FR)"),
        ["enum"],
        "FAIL",
        59,
        "FIX_PROMPT",
        "twenty-three items, one issue",
    ),
    # ── major ─────────────────────────────────────────────────────────────────────────────────
    Row(
        "range cut short",
        drop("article 705"),
        ["expansion", "one-missing"],
        "REVIEW_REQUIRED",
        86,
        "REVIEW_SAMPLES",
        "its upper bound is missing: −12 −2",
    ),
    Row(
        "range overshot",
        add("article 706", "706", JUDICIAL),
        ["expansion"],
        "REVIEW_REQUIRED",
        88,
        "REVIEW_SAMPLES",
        "beyond the upper bound is MAJOR, not a hallucination",
    ),
    Row(
        "list not expanded",
        both(
            drop("article 2, alinéa 2"), put("article 2, alinéa 1er", provisionNumber="article 2")
        ),
        ["expansion"],
        "REVIEW_REQUIRED",
        73,
        "REVIEW_SAMPLES",
        "the bare article does not do for a list; 21/23: −12 −15",
    ),
    Row(
        "wrong act",
        put("article 1134", parentActName="Code pénal", internalParentActId=f"ACT-{DECISION}-009"),
        ["wrong-act", "one-missing"],
        "REVIEW_REQUIRED",
        86,
        "REVIEW_SAMPLES",
        "1134 is cited, of the Code civil",
    ),
    Row(
        "protocol for convention's neighbour",
        put("article 6.1", parentActName=PROTOCOL_1[0], parentActType="TRAITE"),
        ["wrong-act", "dedup", "one-missing"],
        "REVIEW_REQUIRED",
        74,
        "FIX_PROMPT",
        "6.1 is the Regulation's; its old act id now stands apart: two MAJOR",
    ),
    Row(
        "hierarchy ignored",
        put("article 2044", parentActName="Code civil"),
        ["wrong-act"],
        "REVIEW_REQUIRED",
        88,
        "REVIEW_SAMPLES",
        "the source names Livre III, Titre XV",
    ),
    Row(
        "act split in two", split_act, ["dedup"], "REVIEW_REQUIRED", 88, "REVIEW_SAMPLES", "one act"
    ),
    Row("acts merged", merge_acts, ["dedup"], "REVIEW_REQUIRED", 88, "REVIEW_SAMPLES", "one id"),
    Row(
        "no act named",
        put("article 31, § 2, alinéa 1er", parentActName="la loi"),
        ["act-name"],
        "REVIEW_REQUIRED",
        88,
        "REVIEW_SAMPLES",
        "which one? the article alone still supports it",
    ),
    Row(
        "another subject",
        put(
            "article 31, § 2, alinéa 1er",
            parentActName="loi du 10 mai 2007 relative à la pêche maritime côtière",
        ),
        ["act-name"],
        "REVIEW_REQUIRED",
        88,
        "REVIEW_SAMPLES",
        "right date, materially wrong name",
    ),
    Row(
        "wrong date",
        put("article 7, § 1er, 3°", parentActDate="1991-11-26"),
        ["date"],
        "REVIEW_REQUIRED",
        80,
        "REVIEW_SAMPLES",
        "−12 −8",
    ),
    Row(
        "impossible date",
        put("article 7, § 1er, 3°", parentActDate="1991-13-45"),
        ["date"],
        "REVIEW_REQUIRED",
        80,
        "REVIEW_SAMPLES",
        "not the citation's date either",
    ),
    Row(
        "key with §",
        put("article 747, § 2", provisionNumberKey="747 § 2"),
        ["key"],
        "REVIEW_REQUIRED",
        78,
        "REVIEW_SAMPLES",
        "−12 −10",
    ),
    Row(
        "key without suffix",
        put("article 1385undecies", provisionNumberKey="1385"),
        ["key"],
        "REVIEW_REQUIRED",
        78,
        "REVIEW_SAMPLES",
        "suffixes stay",
    ),
    Row(
        "key without Roman",
        put("article XX.99", provisionNumberKey="99"),
        ["key"],
        "REVIEW_REQUIRED",
        78,
        "REVIEW_SAMPLES",
        "Roman.Arabic stays",
    ),
    Row(
        "three bad keys",
        both(
            put("article XX.99", provisionNumberKey="99"),
            put("article 1385undecies", provisionNumberKey="1385"),
            put("article 747, § 2", provisionNumberKey="747, §2"),
        ),
        ["key"],
        "REVIEW_REQUIRED",
        78,
        "REVIEW_SAMPLES",
        "still one MAJOR and −10 once; 3 of 23 are not a quarter",
    ),
    Row(
        "key and date",
        both(
            put("article XX.99", provisionNumberKey="99"),
            put("article 7, § 1er, 3°", parentActDate="1991-11-26"),
        ),
        ["date", "key"],
        "REVIEW_REQUIRED",
        58,
        "FIX_PROMPT",
        "−24 −10 −8; two MAJOR",
    ),
    # ── minor ─────────────────────────────────────────────────────────────────────────────────
    Row(
        "wording",
        put("article 747, § 2", provisionNumber="article 747, par. 2"),
        ["cosmetic"],
        "PASS",
        98,
        "PROCEED",
        "par. for §",
    ),
    Row(
        "no date",
        put("article 7, § 1er, 3°", parentActDate=None),
        ["date-null"],
        "PASS",
        98,
        "PROCEED",
        "null is not wrong",
    ),
    Row(
        "another type of the set",
        put("article 7, § 1er, 3°", parentActType="LOI"),
        ["type"],
        "PASS",
        98,
        "PROCEED",
        "a royal decree",
    ),
    Row(
        "three minor",
        both(
            put("article 747, § 2", provisionNumber="article 747, par. 2"),
            put("article 7, § 1er, 3°", parentActDate=None, parentActType="LOI"),
        ),
        ["cosmetic", "date-null", "type"],
        "REVIEW_REQUIRED",
        94,
        "REVIEW_SAMPLES",
        "three MINOR ask for a review",
    ),
    # ── no fault ──────────────────────────────────────────────────────────────────────────────
    Row(
        "twice the same",
        add("article 1134", "1134", CIVIL),
        [],
        "PASS",
        100,
        "PROCEED",
        "a duplicate is counted, not punished",
    ),
    Row(
        "both notations",
        add("article 6, § 1er", "6", GDPR),
        ["notation"],
        "REVIEW_REQUIRED",
        88,
        "REVIEW_SAMPLES",
        "6.1 again as 6, § 1: the original's notation guard",
    ),
    Row(
        "shorter path",
        put("article 747, § 2", provisionNumber="article 747"),
        [],
        "PASS",
        100,
        "PROCEED",
        "of a citation that is not from a list",
    ),
    Row(
        "another name of the act",
        put("article 17", parentActName="C. pén."),
        [],
        "PASS",
        100,
        "PROCEED",
        "BL-ALIAS",
    ),
    Row("type off by nothing", put("*", extra=1), [], "PASS", 100, "PROCEED", "extra fields"),
    # ── missing fields are issues of the item ─────────────────────────────────────────────────
    Row(
        "no key",
        lack("article 17", "provisionNumberKey"),
        ["key"],
        "REVIEW_REQUIRED",
        78,
        "REVIEW_SAMPLES",
        "",
    ),
    Row("no type", lack("article 17", "parentActType"), ["enum"], "FAIL", 59, "FIX_PROMPT", ""),
    Row("no id", lack("article 17", "internalProvisionId"), ["id"], "FAIL", 59, "FIX_PROMPT", ""),
    Row(
        "no name",
        lack("article 17", "parentActName"),
        ["act-name"],
        "REVIEW_REQUIRED",
        88,
        "REVIEW_SAMPLES",
        "",
    ),
    Row(
        "no number", lack("article 17", "provisionNumber"), ["cosmetic"], "PASS", 98, "PROCEED", ""
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_break_is_named_and_priced(row: Row) -> None:
    items = perfect()
    row.broken(items)
    made = decide(case(items))
    assert [issue.name for issue in made.issues] == row.issues, made.output["summary"]
    output = made.output
    assert (output["verdict"], output["score"], output["recommendation"]) == (
        row.verdict,
        row.score,
        row.advice,
    )


def test_counts_of_a_perfect_extraction() -> None:
    assert decide(case(perfect())).output["counts"] == {
        "expected": N,
        "extracted": N,
        "matched": N,
        "missing": 0,
        "hallucinated": 0,
        "duplicates": 0,
    }


def test_duplicates_are_counted() -> None:
    items = perfect()
    added(items, "article 1134", "1134", CIVIL)
    added(items, "article 6, § 1er", "6", GDPR)
    assert decide(case(items)).output["counts"]["duplicates"] == 2


def test_nothing_cited_and_nothing_extracted_is_perfect() -> None:
    made = decide(case([], text="La cour entend les parties."))
    assert (made.output["verdict"], made.output["score"]) == ("PASS", 100)


def test_keys_of_the_output_are_the_originals() -> None:
    assert list(decide(case(perfect())).output) == [
        "verdict",
        "score",
        "confidence",
        "criticalIssues",
        "majorIssues",
        "minorIssues",
        "recommendation",
        "summary",
        "counts",
        "missing",
        "hallucinated",
        "idIssues",
        "typeIssues",
        "normalizationIssues",
    ]


def test_quotes_of_issues_slice_back() -> None:
    items = perfect()
    drop("article 705", "article 1134")(items)
    one = case(items)
    for entry in decide(one).output["missing"]:
        text = one.fields["sourceText"]
        assert text[entry["start"] : entry["end"]] == entry["quote"]


def test_unknown_act_never_makes_a_hallucination() -> None:
    """BL: against a citation whose act the engine does not know, the article alone decides."""
    text = "Selon l'article 12 du règlement de copropriété, la clause vaut."
    items = perfect([("article 12", "12", ("règlement de copropriété", "AUTRE", None))])
    made = decide(case(items, text=text))
    assert made.output["counts"]["hallucinated"] == made.output["counts"]["missing"] == 0


def test_article_that_the_engine_cannot_read_is_no_hallucination_when_it_stands_there() -> None:
    text = "Volgens art. III/23 van het bondsreglement is de club aansprakelijk."
    rules = ("bondsreglement", "ANDERE", None)
    there = perfect([("art. III/23 van het bondsreglement", "III/23", rules)])
    assert decide(case(there, text=text, language="NL")).output["counts"]["hallucinated"] == 0
    absent = perfect([("art. III/24 van het bondsreglement", "III/24", rules)])
    assert decide(case(absent, text=text, language="NL")).output["counts"]["hallucinated"] == 1


def test_act_whose_title_names_an_article_is_a_bare_act() -> None:
    name = "koninklijk besluit van 26 oktober 2007 bedoeld in artikel 1022 Ger.W."
    text = f"Gelet op het {name} en op artikel 1022 Ger.W."
    items = perfect([(name, "2007-10-26", (name, "KONINKLIJK_BESLUIT", "2007-10-26"))])
    made = decide(case(items, text=text, language="NL"))
    assert "hallucinated/bare-act" in [issue.name for issue in made.issues]


KEYS = [
    ("article 9 ter", "9ter", True, "a suffix after a blank"),
    ("art. 8b, § 2", "8b", True, "only the act knows whether b is part of the number"),
    ("article 1er", "1er", True, "1er is 1"),
    ("article 6.1", "6", True, "without a source nobody knows"),
    ("article 31bis", "31", False, "the suffix is lost"),
    ("article 3.2°", "3.2", False, "a point kept"),
    ("article 92, al. 10", "92 al. 10", False, "a subdivision kept"),
    ("artikel 774, tweede lid", "774-2", False, "a subdivision kept, encoded"),
    ("articles 10 à 13", "10-13", False, "a range is no anchor"),
    ("article XX.99", "XX. 99", True, "blanks do not matter"),
    ("article XX.99", "20.99", False, "Roman stays Roman"),
]


@pytest.mark.parametrize(("number", "key", "right", "reason"), KEYS)
def test_keys_without_a_source(number: str, key: str, right: bool, reason: str) -> None:
    item = read_item(0, {"provisionNumber": number, "provisionNumberKey": key}, "fr")
    assert (key_fault(item) is None) is right, reason
