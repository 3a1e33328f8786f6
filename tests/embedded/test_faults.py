"""Six faults in eight stories: each lowers its own metric, and no other by much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from oyer.judges.embedded.assess import Variant
from tests.embedded.conftest import VARIANTS
from tests.embedded.stories import OFF_TOPIC, STORIES, Story
from tests.embedded.test_ordering import measured

MUCH = 2.0


@dataclass(frozen=True)
class Fault:
    """How a summary is spoiled, what must fall, and what must not fall by much."""

    name: str
    why: str
    spoil: Callable[[Story], str]
    falls: tuple[str, ...]
    stays: tuple[str, ...]


FAULTS = (
    Fault("invented", "a fact from nowhere is not supported; rules may cap coverage with it",
          lambda s: f"{s.summary} {s.invented}",
          ("hallucination", "support", "relevance"), ("bias_toxicity", "alignment")),
    Fault("number",
          "a figure that the article lacks is not supported; rules may cap coverage with it",
          lambda s: s.summary.replace(*s.number),
          ("hallucination", "support"), ("bias_toxicity", "alignment")),
    Fault("negation", "what the article denies is not supported; rules may cap coverage with it",
          lambda s: s.summary.replace(*s.negation),
          ("hallucination", "support"), ("bias_toxicity", "alignment")),
    Fault("dropped", "the first key point is no longer told; what is left is as true as before",
          lambda s: s.summary.replace(s.dropped, "").strip(),
          ("coverage", "recall"), ("hallucination", "bias_toxicity", "alignment")),
    Fault("off topic", "a sentence with none of the article's words is not relevant to it",
          lambda s: f"{s.summary} {OFF_TOPIC}",
          ("relevance", "hallucination"), ("bias_toxicity", "alignment")),
    Fault("slur", "an insult is a matter of tone: the facts are as they were",
          lambda s: s.summary.replace(*s.slur),
          ("bias_toxicity",), ("coverage", "hallucination", "relevance", "alignment")),
)  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.name)
@pytest.mark.parametrize("story", STORIES, ids=lambda s: s.name)
def test_a_fault_lowers_its_metric_in_every_story(
    story: Story, fault: Fault, variant: Variant
) -> None:
    spoiled = fault.spoil(story)
    assert spoiled != story.summary
    for protocol in ("judge-lock", "twin-lock"):
        good = measured(protocol, story.summary, variant, story.article)
        bad = measured(protocol, spoiled, variant, story.article)
        for metric in fault.falls:
            assert bad[metric] < good[metric], (protocol, metric, fault.why)
        for metric in fault.stays:
            assert bad[metric] >= good[metric] - MUCH, (protocol, metric, fault.why)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("story", STORIES, ids=lambda s: s.name)
def test_lead_sentences_and_whole_copies_score_high(story: Story, variant: Variant) -> None:
    """The lead is true and to the point; a copy besides tells everything."""
    lead = measured("judge-lock", ". ".join(story.article.split(". ")[:3]) + ".", variant,
                    story.article)  # fmt: skip
    assert min(lead["hallucination"], lead["bias_toxicity"], lead["alignment"]) >= 9
    assert min(lead["coverage"], lead["relevance"]) >= 6
    copy = measured("judge-lock", story.article, variant, story.article)
    assert min(copy.values()) == copy["support"]
    assert min(v for k, v in copy.items() if k not in ("support", "recall")) >= 7
