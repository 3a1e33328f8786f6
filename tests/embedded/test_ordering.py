"""Each fault lowers its own metric: a table of spoiled summaries beside a faithful one."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from oyer.judges.embedded import Embedded
from oyer.judges.embedded.assess import Variant
from tests.embedded.conftest import ARTICLE, GOOD, VARIANTS, verdict

LEAD = "The Harlow city council voted on Tuesday to close the old Bridge Street library.\n"


@dataclass(frozen=True)
class Fault:
    """A change to the faithful summary, what must fall, and what may fall by at most a point."""

    why: str
    before: str
    after: str
    falls: tuple[str, ...]
    stays: tuple[str, ...]


FAULTS = (
    Fault("an invented fact: an unsupported claim also caps coverage and relevance by rule",
          LEAD, LEAD + "Prime minister Carlos Vega was arrested in Lisbon for smuggling gold.\n",
          ("hallucination", "coverage", "relevance"), ("bias_toxicity",)),
    Fault("a swapped number",
          "would cost 2.4 million pounds", "would cost 7.9 million pounds",
          ("hallucination",), ("bias_toxicity",)),
    Fault("a swapped count",
          "collected 3,200 signatures", "collected 8,700 signatures",
          ("hallucination",), ("bias_toxicity",)),
    Fault("a negation dropped",
          "will not lose their jobs", "will lose their jobs",
          ("support", "hallucination"), ("bias_toxicity",)),
    Fault("a negation put in",
          "will open in September", "will never open in September",
          ("support", "hallucination"), ("bias_toxicity",)),
    Fault("a dropped key point",
          LEAD, "", ("recall",), ("hallucination", "bias_toxicity", "alignment")),
    Fault("an off-topic sentence",
          GOOD, GOOD + "\nBananas ripen quickly in warm kitchens near sunny southern windows.",
          ("relevance", "hallucination"), ("bias_toxicity",)),
    Fault("a slur",
          "Residents collected", "Residents and some wetbacks collected",
          ("bias_toxicity",), ()),
    Fault("profanity",
          "the old Bridge Street library", "the old shit Bridge Street library",
          ("bias_toxicity",), ()),
)  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.why.partition(":")[0])
def test_a_fault_lowers_its_own_metric(fault: Fault, variant: Variant) -> None:
    assert fault.before in GOOD, fault.why
    spoiled = GOOD.replace(fault.before, fault.after)
    for protocol in ("judge-lock", "twin-lock"):
        good, bad = (measured(protocol, text, variant) for text in (GOOD, spoiled))
        for metric in fault.falls:
            assert bad[metric] < good[metric], metric
        for metric in fault.stays:
            assert bad[metric] >= good[metric] - 1, metric


def measured(
    protocol: str, summary: str, variant: Variant, article: str = ARTICLE
) -> dict[str, float]:
    """The five scores, and the mean support and the recall of key points from the trace: judge-lock
    caps coverage at 7 unless nearly everything is told, which hides a step below."""
    found = verdict(protocol, summary, article, variant=variant)
    assert found.scores is not None
    steps = {"support": "HAL-SUPPORT", "recall": "COV-RECALL"}
    shown = {
        name: float(next(s.value for s in found.trace if s.rule.endswith(rule)))
        for name, rule in steps.items()
    }
    return {**{k: float(v) for k, v in found.scores.items()}, **shown}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_more_is_invented_the_lower_the_support(variant: Variant) -> None:
    invented = [
        "Prime minister Carlos Vega was arrested in Lisbon.",
        "A volcano on Saturn erupted during the football final.",
    ]
    texts = [GOOD, GOOD + "\n" + invented[0], GOOD + "\n" + "\n".join(invented)]
    supports = [measured("twin-lock", text, variant)["support"] for text in texts]
    assert supports == sorted(supports, reverse=True)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_copied_article_is_faithful_and_covers_everything(variant: Variant) -> None:
    found = measured("twin-lock", ARTICLE, variant)
    assert found["hallucination"] >= 8
    assert found["coverage"] >= 8
    assert found["relevance"] == 10


@pytest.mark.parametrize("summary", ["", "   ", "\u200b"])
def test_an_empty_summary_is_an_input_error_not_a_zero(summary: str) -> None:
    from oyer.errors import InputError
    from oyer.protocols.catalogue import find_protocol
    from oyer.types import Case

    validate = find_protocol("judge-lock").validate
    assert validate is not None
    with pytest.raises(InputError, match="summary"):
        validate(Case("1", {"article": ARTICLE, "summary": summary}))


def test_null_texts_are_refused_by_the_judge_itself() -> None:
    from oyer.types import Case

    reply = Embedded("light").reply("twin-lock", Case("1", {"article": ARTICLE, "summary": None}))
    assert '"error"' in reply
