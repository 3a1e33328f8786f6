"""Run as a program: prints the verdicts on a fixed set of replies, as JSON Lines.

    python -m tests.fuzz.identity [PROTOCOL]…

Other processes, hash seeds and versions of Python must print the same bytes.
"""

from __future__ import annotations

import random
import sys

from oyer import find_protocol
from oyer.types import Reply
from oyer.verdicts.core import audit
from oyer.verdicts.record import as_json
from tests.fuzz.mutants import mutant
from tests.injection.attacked_cases import ATTACKED, as_reply

MUTANTS = 40


def main(names: list[str]) -> int:
    for name in names or ATTACKED:
        court, protocol, rng = ATTACKED[name], find_protocol(name), random.Random(name)
        replies = [as_reply(court.honest), *(mutant(rng, court.honest) for _ in range(MUTANTS))]
        for reply in replies:
            line = as_json(audit(court.case, protocol, Reply(reply, judge="judge")))
            sys.stdout.buffer.write(line.encode("utf-8") + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
