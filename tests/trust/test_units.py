"""What people label is cut by code, and a judge's verdict can be read on the same pieces."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.protocols.catalogue import find_protocol
from oyer.store import open_store
from oyer.trust.units import findings_of, unit_metrics, units_of
from oyer.trust.words import word_choices
from oyer.types import Case
from tests.trust.runs_for_labels import ARTICLE, SUMMARIES, judged_run

SUMMARY = find_protocol("judge-lock")


def _case(article: str, summary: str) -> Case:
    return Case("1", {"article": article, "summary": summary})


def _field_and_slice(where: str) -> tuple[str, slice]:
    field, _, rest = where.partition("[")
    low, _, high = rest.rstrip("]").partition(":")
    return field, slice(int(low), int(high))


@given(st.text(max_size=300), st.text(max_size=300))
def test_a_unit_is_the_stretch_that_its_name_says(article: str, summary: str) -> None:
    case = _case(article, summary)
    pieces = [unit for unit in units_of(SUMMARY, case) if unit.where]
    for unit in pieces:
        field, stretch = _field_and_slice(unit.where)
        assert case.text(field)[stretch] == unit.text
        assert unit.text.strip()
    assert len({unit.key for unit in pieces}) == len(pieces)
    assert len([unit for unit in pieces if unit.metric == "told"]) <= 5


def test_units_are_sentences_key_points_and_scores() -> None:
    case = _case(ARTICLE.format(n=3000), SUMMARIES["bad"])
    assert unit_metrics(SUMMARY, case) == ["supported", "told", *SUMMARY.scale]
    sentences = units_of(SUMMARY, case, ["supported"])
    assert [unit.text for unit in sentences] == [
        "The mayor resigned on Friday.",
        "The pool was bought by a bank from Norway.",
    ]
    assert sentences[0].choices == ("not", "partly", "supported")
    assert len(units_of(SUMMARY, case, ["told"])) == 4
    (score,) = units_of(SUMMARY, case, ["coverage"])
    assert (score.where, score.scale, score.choices) == ("", (0, 10), ())


@pytest.mark.parametrize("name", ["rubric", "belgian-law"])
def test_a_protocol_without_pieces_has_its_words_and_scores(name: str) -> None:
    protocol = find_protocol(name)
    units = units_of(protocol, Case("1", {}))
    words = list(word_choices(protocol))
    assert [unit.metric for unit in units] == [*words, *protocol.scale]


def sentence_labels(tmp_path: Path) -> dict[str | None, list[str | None]]:
    """What the embedded judge says of each candidate's sentences."""
    with open_store(judged_run(tmp_path, 1), write=False) as store:
        kept = list(store.verdicts(store.find_run("latest").id))
        cases = store.cases({one.case_sha for one in kept})
    by_candidate: dict[str | None, list[str | None]] = {}
    for one in kept:
        case = cases[one.case_sha].case
        assert SUMMARY.unit_labels is not None
        labels = SUMMARY.unit_labels(case, one.record)
        sentences = units_of(SUMMARY, case, ["supported"])
        by_candidate[case.candidate] = [labels.get(unit.key) for unit in sentences]
        assert set(labels) <= {unit.key for unit in units_of(SUMMARY, case)}
    return by_candidate


def test_a_verdict_says_something_of_the_same_pieces(tmp_path: Path) -> None:
    assert sentence_labels(tmp_path)["good"] == ["supported", "supported"]


def test_a_plain_invention_is_not_supported(tmp_path: Path) -> None:
    assert "supported" not in sentence_labels(tmp_path)["bad"]


def test_findings_for_a_review_are_named_by_their_place(tmp_path: Path) -> None:
    with open_store(judged_run(tmp_path, 1), write=False) as store:
        record = next(store.verdicts(store.find_run("latest").id)).record
    findings = findings_of(record)
    places = {unit.where for unit in findings}
    assert {"hallucination.claims_checked[0]", "coverage.key_points[0]"} <= places
    assert len(places) == len(findings)
