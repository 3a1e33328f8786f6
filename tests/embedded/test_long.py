"""A text of about 3,000 words is judged as well as its parts are by themselves."""

from __future__ import annotations

import tomllib
from pathlib import Path

from oyer.judges.embedded.assess import assess, scorer
from oyer.judges.embedded.source import SourceText, index
from tests.embedded.stories import STORIES

DEVELOPMENT = Path(__file__).with_name("development.toml")
OWN = Path(__file__).parents[2] / "train/own.toml"
TEXTS, OTHERS = (tomllib.loads(f.read_text(encoding="utf-8"))["text"] for f in (DEVELOPMENT, OWN))


def count_ranked(source: SourceText, pairs: list[tuple[str, str, str]]) -> int:
    """How many true sentences have more support than their false twins."""
    score, count = scorer("light"), 0
    for _, right, wrong in pairs:
        true, false = (min(c.support for c in assess(source, s, score)) for s in (right, wrong))
        count += true > false
    return count


def test_true_sentences_rank_above_false_ones_in_a_long_text_as_in_a_short_one() -> None:
    stories = [story.article for story in STORIES]
    whole = index("\n\n".join([*stories, *(text["text"] for text in [*TEXTS, *OTHERS])]))
    assert len(whole.words) >= 2_900
    alone = sum(count_ranked(index(text["text"]), text["pairs"]) for text in TEXTS)
    within = sum(count_ranked(whole, text["pairs"]) for text in TEXTS)
    pairs = sum(len(text["pairs"]) for text in TEXTS)
    assert within >= alone - 0.05 * pairs
