"""A question that is answered with no tells nothing: what it asks is not so."""

from __future__ import annotations

import pytest

from oyer.judges.embedded.assess import Variant, assess, scorer
from oyer.judges.embedded.source import index
from tests.embedded.conftest import VARIANTS

OPENING = "Clara Voss played the viola for eighteen years. Now she builds violins in Brugg.\n\n"
#: the question, the answer, a claim, whether it is refuted, why
ANSWERS = [
    ("Q: Will you return to the stage next spring?", "A: No, I am happy here.",
     "She will return to the stage next spring.", True, "the plain case"),
    ("Anna: Will you return to the stage next spring?", "Clara: No. I am happy here.",
     "Clara will return to the stage next spring.", True, "names before the lines"),
    ("Q: There is talk that you will return to the stage next spring. Is that true?",
     "A: No, that is a rumour.", "She will return to the stage next spring.", True,
     "of “Is that true?” it is the sentence before"),
    ("Q: Will you return to the stage next spring?", "A: Yes, in April.",
     "She will return to the stage next spring.", False, "yes"),
    ("Q: Will you return to the stage next spring?", "A: Nobody has asked me.",
     "She will return to the stage next spring.", False, "no answer with no"),
    ("Q: Will you not return to the stage next spring?", "A: No, I am happy here.",
     "She will not return to the stage next spring.", False, "“no” agrees with a “not”"),
    ("Q: Will you return to the stage next spring?", "A: No, I am happy here.",
     "She will not return to the stage next spring.", False, "this is what she says"),
]  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("question", "answer", "claim", "refuted", "why"), ANSWERS, ids=[row[-1] for row in ANSWERS]
)
def test_what_is_answered_with_no_is_not_so(
    question: str, answer: str, claim: str, refuted: bool, why: str, variant: Variant
) -> None:
    source = index(f"{OPENING}{question}\n{answer}")
    (found,) = assess(source, claim, scorer(variant))
    assert ("turned" in found.faults) == refuted, why
    assert not (refuted and found.label == "Supported"), why
