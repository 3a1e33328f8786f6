"""The texts that the encoder learns from (train/stories): what is wrong there is learnt wrong."""

from __future__ import annotations

import importlib
import sys
from collections import defaultdict
from pathlib import Path

import pytest

TRAIN = Path(__file__).resolve().parents[2] / "train"


@pytest.fixture(scope="module")
def tales():
    sys.path.insert(0, str(TRAIN))
    try:
        return importlib.import_module("tales").read()
    finally:
        sys.path.remove(str(TRAIN))


def test_a_twin_is_two_texts_without_places_left_open(tales):
    """What differs between the versions is cut out of both, and they do differ."""
    versions = defaultdict(list)
    for tale in tales:
        if tale.is_twin:
            versions[tale.written].append(tale.text)
    assert len(versions) > 400
    for written, texts in versions.items():
        assert len(set(texts)) == 2, written[:80]
        assert not any("{" in text or "}" in text for text in texts), written[:80]


def test_what_is_true_of_one_twin_is_false_of_the_other(tales):
    twins = [tale for tale in tales if tale.is_twin]
    for one, other in zip(twins[::2], twins[1::2], strict=True):
        assert one.written == other.written
        for mine, theirs in zip(one.facts, other.facts, strict=True):
            assert set(mine.true) & set(theirs.false)
            assert set(mine.false) & set(theirs.true)


def test_no_sentence_is_both_true_and_false_of_a_text(tales):
    for tale in tales:
        for fact in tale.facts:
            assert not set(fact.true) & set(fact.false), fact


def test_both_twins_are_kept_from_the_encoder_or_neither(tales):
    kept = defaultdict(set)
    for tale in tales:
        kept[tale.written].add(tale.kept_back)
    assert all(len(found) == 1 for found in kept.values())
