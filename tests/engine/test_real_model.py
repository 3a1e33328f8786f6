"""A real model's real reply through the whole way: a verdict, or an honest reason for none."""

from __future__ import annotations

import asyncio

from oyer.engine import Asking, Hearing, hear
from oyer.judges import JudgePool, Options
from oyer.protocols.catalogue import find_protocol
from tests.injection.attacked_cases import ATTACKED

#: Short, for the sake of the machine: the schema says the rest.
SHORT = (
    "# System\nMark the RESPONSE from 0 to 10 on each axis. Short strings. JSON only.\n"
    "# User\n{{PROMPT}}\n{{RESPONSE}}\n{{RUBRIC}}\n{{KNOWN}}\n"
)


def test_a_real_model_under_our_schema_is_read_and_audited(model_server: str) -> None:
    court = ATTACKED["rubric"]

    async def main() -> Hearing:
        async with JudgePool(Options(timeout=1200, retries=0, max_tokens=400)) as pool:
            judge = pool.open(f"openai:smollm2@{model_server}")
            asking = Asking(template=SHORT, attempts=1)
            return await hear(court.case, find_protocol("rubric"), judge, asking=asking)

    hearing = asyncio.run(main())
    verdict = hearing.verdict
    assert len(hearing.replies) == 1
    assert hearing.replies[0].text.lstrip().startswith("{")
    assert verdict.usage.output_tokens > 20
    if verdict.scores is None:
        assert verdict.error in ("unreadable", "missing_metric")
        assert verdict.violations
    else:
        assert all(0 <= value <= 100 for value in verdict.scores.values())
        assert len(verdict.extra["prompt"]) == 64
