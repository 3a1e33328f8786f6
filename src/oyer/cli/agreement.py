"""How far verdicts on the same case are apart: judges, repeats of one, a panel's members."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from oyer.arith import Alpha
from oyer.types import AnyProtocol, Verdict
from oyer.verdicts.agreement import AgreementStats, Kind


@dataclass
class Agreement:
    """Takes the verdicts of one case after another; constant memory."""

    protocol: AnyProtocol
    cases: int = 0
    most: int = 0  # verdicts a case
    split: int = 0  # cases that some scored and some did not
    ranges: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    alphas: dict[str, Alpha] = field(default_factory=lambda: defaultdict(Alpha))
    panels: dict[str, AgreementStats] = field(default_factory=lambda: defaultdict(AgreementStats))

    def take(self, verdicts: Sequence[Verdict]) -> None:
        """The verdicts of one case."""
        for verdict in verdicts:
            if panel := verdict.extra.get("panel"):
                self.panels[verdict.judge].take(panel)
        scored = [v.scores for v in verdicts if v.scores is not None]
        self.most = max(self.most, len(verdicts))
        if scored and len(scored) < len(verdicts):
            self.split += 1
        if len(scored) < 2:
            return
        self.cases += 1
        for key in self.protocol.scale:
            values = [scores[key] for scores in scored if key in scores]
            if values:
                self.ranges[key] += max(values) - min(values)
                self.alphas[key].add(values)

    def lines(self) -> Iterator[str]:
        """For people: how far scores are apart, and how far a panel's members agree."""
        if self.cases:
            means = "  ".join(self._score(key) for key in self.ranges)
            split = f"; {self.split:,} cases were scored by some only" if self.split else ""
            yield f"agreement, {self.most} verdicts a case, mean range:  {means}{split}"
        for judge, concord in self.panels.items():
            if concord.kinds and concord.cases > 1:  # one case is explained in full
                yield ""
                yield f"agreement of the panel {judge}, finding by finding:"
                yield f"  {'finding':<28}{'n':>7}{'agree':>8}{'alpha':>8}{'ties':>6}"
                yield from (f"  {name:<28}{_row(kind)}" for name, kind in concord.kinds.items())
                yield "  agree: mean share that says what the panel says; alpha: Krippendorff's,"
                yield "  1 is perfect, 0 is chance, - where nothing varies."

    def _score(self, key: str) -> str:
        alpha = self.alphas[key].value
        beyond = "" if alpha is None or self.cases < 2 else f" (alpha {float(alpha):.2f})"
        return f"{key} {self.ranges[key] / self.cases:.2f}{beyond}"


def _row(kind: Kind) -> str:
    alpha = kind.alpha.value
    agree = "-" if kind.agree is None else f"{kind.agree:.0%}"
    beyond = "-" if alpha is None else f"{float(alpha):.2f}"
    return f"{kind.n:>7,}{agree:>8}{beyond:>8}{kind.ties:>6,}"
