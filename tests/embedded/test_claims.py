"""Claims: sentences, cut only where what follows has a subject of its own."""

from __future__ import annotations

import pytest

from oyer.judges.embedded.sentences import claims

#: a sentence, the claims that it makes
CUT = [
    ("The council sold the three flats at the harbour, which have to be vacated before July.", 1),
    ("The driver lost his licence on Tuesday evening, and was fined 300 euros by the court.", 1),
    ("The union rejected the offer of the railway company, but will go on talking with it.", 1),
    ("The museum closes its doors for two long years, before moving to the old brewery.", 1),
    ("The council sold the three flats at the harbour, and the tenants have to leave by July.", 2),
    ("Forty flights were cancelled on Friday evening, and 3,000 travellers slept in the hall.", 2),
    ("The union rejected the offer of the railway, but Minister Anna Lund called it fair.", 2),
    ("Sales rose by a tenth in the first quarter; they had fallen in the year before.", 2),
    ("He left, but she stayed.", 1),  # too few words for facts of their own
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "count"), CUT)
def test_a_clause_without_a_subject_stays_with_its_sentence(sentence: str, count: int) -> None:
    assert len(claims(sentence)) == count
