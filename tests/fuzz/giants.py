"""Run as a program: giant and hostile replies, under a hard limit on memory and on CPU time.

The limits are the assertion: a reply that needs more kills the process.
"""

from __future__ import annotations

import resource
import sys

from oyer import find_protocol
from oyer.types import Reply
from oyer.verdicts.core import audit
from tests.injection.attacked_cases import ATTACKED, as_reply

MEMORY, SECONDS = 600 * 2**20, 240  # seconds: two on our machine; what is quadratic takes hours
DEEP = 10_000
TEN_MB = 10 * 2**20


def giants() -> dict[str, str]:
    """Name -> a reply that must be refused without being worked on."""
    return {
        "10 MB of prose": "a" * TEN_MB,
        "10 MB of one array": '{"a": [' + "1," * (TEN_MB // 2) + "1]}",
        "10 MB of objects": '{"metric": "coverage"} ' * (TEN_MB // 23),
        "10 MB of reasoning": "<think>" + "x" * TEN_MB,
        "deep objects": '{"a":' * DEEP + "1" + "}" * DEEP,
        "deep arrays": "[" * DEEP + "]" * DEEP,
        "deep and cut": '[{"a":' * DEEP,
        "deep in single quotes": "{'a':" * DEEP,
        "deep behind a verdict": '{"score": ' + "[" * DEEP,
    }


def hostile() -> list[str]:
    """Within the limits, but made to be slow."""
    pieces = ["{'", '{"\\', "{ ", "{/*", "{//", '{"x" ', '["a",', '{"a":1,}', '{"a":1}', "\\ud83d"]
    return [piece * (200_000 // len(piece)) for piece in pieces]


def main() -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    for name, court in ATTACKED.items():
        protocol = find_protocol(name)
        assert audit(court.case, protocol, Reply(as_reply(court.honest))).status == "scored"
        for told, reply in giants().items():
            verdict = audit(court.case, protocol, Reply(reply))
            print(name, told, verdict.violations[0].code, sep="\t")
    court, protocol = ATTACKED["rubric"], find_protocol("rubric")
    for reply in hostile():
        verdict = audit(court.case, protocol, Reply(reply))
        print("rubric", reply[:8], verdict.violations[0].code, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main())
