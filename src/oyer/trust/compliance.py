"""How a judge keeps to the protocol: read from stored verdicts, no labels needed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from oyer.store.aggregates import JudgeSums
from oyer.verdicts.violations import breaches

#: What a violation's code begins with, or ends with -> what the judge did wrong. First match.
_BEGINS = (
    ("evidence.", "quotes"),
    ("span.", "quotes"),
    ("finding.unsupported", "quotes"),
    ("arithmetic", "arithmetic"),
    ("cap.", "caps"),
    ("critical.", "caps"),
    ("claims.uncovered", "nothing overlooked"),
    ("overlooked", "nothing overlooked"),
    ("lexicon.", "nothing overlooked"),
    ("fence.", "no orders obeyed"),
    ("reply.ambiguous", "no orders obeyed"),
)
_ENDS = (
    (".wrong", "arithmetic"),
    (".count", "counts"),
    (".length", "counts"),
    (".long", "counts"),
)
KINDS = (
    "quotes",
    "arithmetic",
    "caps",
    "counts",
    "form",
    "nothing overlooked",
    "no orders obeyed",
)


@dataclass(frozen=True, slots=True)
class Compliance:
    """Of one judge in one run. Shares are of the verdicts that were scored."""

    verdicts: int
    scored: int
    errors: Mapping[str, int]  # why the others have no score
    clean: float  # share without any violation
    kept: Mapping[str, float]  # kind -> share without a violation of this kind
    codes: Mapping[str, int]  # verdicts with each code, the most frequent first
    cost_usd: float | None  # of one verdict; None: not known
    seconds: float | None  # of one call; None: nobody was asked

    @property
    def unscored(self) -> float:
        return 1 - self.scored / self.verdicts if self.verdicts else math.nan


def kind_of(code: str) -> str:
    """Which promise of a judge a violation breaks."""
    for beginning, kind in _BEGINS:
        if code.startswith(beginning):
            return kind
    for ending, kind in _ENDS:
        if code.endswith(ending):
            return kind
    return "form"


def compliance(sums: JudgeSums) -> Compliance:
    """From a judge's sums over a run."""
    broken: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    flawed = 0
    for violations, count in sums.violations:
        own = breaches(violations)
        flawed += count if own else 0
        codes.update(dict.fromkeys(own, count))
        broken.update(dict.fromkeys({kind_of(code) for code in own}, count))
    replies = max(sums.verdicts - _without_reply(sums), 1)
    return Compliance(
        verdicts=sums.verdicts,
        scored=sums.scored,
        errors=dict(sums.errors.most_common()),
        clean=1 - flawed / replies,
        kept={kind: 1 - broken[kind] / replies for kind in KINDS},
        codes=dict(codes.most_common(12)),
        cost_usd=_cost(sums),
        seconds=sums.seconds / sums.calls if sums.calls else None,
    )


def _cost(sums: JudgeSums) -> float | None:
    """Of one verdict; replies that somebody else paid for (audit) have no price here."""
    if sums.cost_usd is None or not sums.calls:
        return None
    return sums.cost_usd / sums.verdicts


def _without_reply(sums: JudgeSums) -> int:
    """Verdicts without a reply that could break a rule."""
    return sum(sums.errors[kind] for kind in ("provider", "budget", "input", "refused"))
