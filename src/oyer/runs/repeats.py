"""Repeats that are none: a provider that gives the same text each time it is asked the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from oyer.text.printable import flat
from oyer.text.seal import SEAL
from oyer.types import Reply


@dataclass
class RepeatCounter:
    """Counts, for each judge, the cases that were asked about more than once, and how many of them
    got the same answer every time."""

    cases: Counter[str] = field(default_factory=Counter)
    alike: Counter[str] = field(default_factory=Counter)

    def take(self, judge: str, answers: Sequence[Sequence[Reply]]) -> None:
        """All repeats of one case by one judge; each has the replies of its attempts."""
        texts = [_text(replies) for replies in answers if replies]
        if len(texts) < 2:
            return
        self.cases[judge] += 1
        self.alike[judge] += len(set(texts)) == 1

    def notes(self, temperature: float) -> Iterator[str]:
        """A sentence on each judge that repeated itself."""
        for judge, alike in self.alike.items():
            if alike:
                yield (
                    f"{flat(judge)}: the same text in every repeat of {alike:,} of "
                    f"{self.cases[judge]:,} cases, at temperature {temperature:g}; such repeats "
                    "say nothing of how sure it is"
                )


def _text(replies: Iterable[Reply]) -> str:
    """The answers without their seals, which are new in each prompt."""
    texts = []
    for reply in replies:
        seal = str(reply.about.get(SEAL, ""))
        texts.append(reply.text.replace(seal, "") if seal else reply.text)
    return "\n".join(texts)
