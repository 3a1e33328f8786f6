"""Key points that a summary tells in words of its own: the encoder reads them beside it."""

from __future__ import annotations

import pytest

from oyer.judges.embedded.assess import scorer
from oyer.judges.embedded.perception import Perceived, perceive
from oyer.judges.embedded.points import ToldPoint
from oyer.judges.embedded.retold import IN_PART, Doubt, open_doubt
from tests.embedded.conftest import ARTICLE, GOOD, VARIANTS, verdict

#: Told in the article's words but for the repairs, of which it has few.
RETOLD = """The Harlow city council voted on Tuesday to close the old Bridge Street library.
An engineer reported the cost of the work."""
SIGNATURES = "Residents collected 3,200 signatures, and some wept in the public gallery."


def told(seen: Perceived, words: str) -> ToldPoint:
    text = seen.source.text
    return next(told for point, told in seen.points if words in text[point.start : point.end])


def read_with(summary: str, doubt: Doubt | None) -> Perceived:
    return perceive(ARTICLE, summary, scorer("light"), doubt=doubt)


#: a doubt, how the point on the repairs is told, why
READINGS = [
    (None, "Not", "by its words, without an encoder"),
    (IN_PART + 1, "Not", "the encoder doubts it"),
    (IN_PART - 1, "Partial", "the encoder does not doubt it: in part, for details may be left out"),
]


@pytest.mark.parametrize(("value", "label", "why"), READINGS, ids=lambda v: None)
def test_a_point_is_told_as_the_encoder_reads_it(value: float | None, label: str, why: str) -> None:
    seen = read_with(RETOLD, None if value is None else lambda *_: value)
    assert told(seen, "built in 1931").label == label, why


def test_the_encoder_takes_nothing_away_that_words_tell() -> None:
    by_words, read = read_with(GOOD, None), read_with(GOOD, lambda *_: IN_PART + 1)
    assert [t for _, t in read.points] == [t for _, t in by_words.points]


def test_what_has_no_word_like_the_points_is_not_read() -> None:
    """However sure the encoder is: it is not asked."""
    asked: list[str] = []

    def doubt(sentence: str, beside: str) -> float:
        asked.append(sentence)
        return IN_PART - 1

    seen = read_with(SIGNATURES, doubt)
    assert told(seen, "built in 1931").label == "Not"
    assert not any("built in 1931" in sentence for sentence in asked)


def test_only_supported_claims_are_read() -> None:
    """A claim that is not Supported tells no point, in whatever words."""
    lie = "The engineer reported that 9,500 drunken sailors would do the work for nothing."
    read: list[str] = []

    def doubt(sentence: str, beside: str) -> float:
        read.append(beside)
        return IN_PART - 1

    seen = read_with(f"{RETOLD}\n{lie}", doubt)
    assert [c.label for c in seen.every if "sailors" in c.text] != ["Supported"]
    assert read
    assert not any("sailors" in beside for beside in read)


def test_the_quote_is_of_the_claim_that_tells_the_point() -> None:
    seen = read_with(RETOLD, lambda *_: IN_PART - 1)
    claim = seen.held_claim(told(seen, "built in 1931"))
    assert claim is not None
    assert "engineer" in claim.text


def test_light_and_other_languages_have_no_encoder() -> None:
    assert open_doubt("light", "en") is None
    assert open_doubt("full", "fr") is None


@pytest.mark.skipif("full" not in VARIANTS, reason="the full variant is not installed")
def test_a_retold_summary_is_found_to_tell_more_by_full_than_by_its_words() -> None:
    """Each sentence is true, and hardly one has the article's words."""
    free = """Harlow's councillors decided to shut the Bridge Street library.
An engineer put the bill for repairing it at 2.4 million pounds.
Its successor in Mill Lane is to open its doors in September with 60,000 volumes.
More than 3,000 people in the town signed a petition against the step.
None of the employees will be dismissed, according to Ada Lind."""
    by_words = perceive(ARTICLE, free, scorer("full"))
    read = perceive(ARTICLE, free, scorer("full"), doubt=open_doubt("full", "en"))
    worth = {"Fully": 2, "Partial": 1, "Not": 0}
    assert sum(worth[t.label] for _, t in read.points) > sum(
        worth[t.label] for _, t in by_words.points
    )
    found = verdict("twin-lock", free, variant="full")
    points = found.output[0]["key_points"]  # type: ignore[index]
    assert any("in other words" in str(point.get("justification")) for point in points)
