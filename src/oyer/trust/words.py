"""Words of verdicts (PASS, FAIL, critical_fail) as labels: what people and judges may say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oyer.report.standings import words_of
from oyer.store.records import Outcome
from oyer.types import AnyProtocol, Unit

VERDICT = "verdict"  # the metric of a protocol whose verdicts are one of several words
YES_NO = ("yes", "no")  # of a single word, which is a fault: yes is the worst


def word_choices(protocol: AnyProtocol) -> dict[str, tuple[str, ...]]:
    """The metrics that are words, each with its choices from the worst to the best."""
    if len(protocol.labels) > 1:
        return {VERDICT: tuple(reversed(protocol.labels))}
    return dict.fromkeys(protocol.labels, YES_NO)


def chosen_words(protocol: AnyProtocol, outcome: Outcome) -> dict[str, str]:
    """Metric -> the choice that a verdict made; nothing when it has no score."""
    if outcome.scores is None:
        return {}
    words = set(words_of(outcome.facts))
    if len(protocol.labels) > 1:
        given = [word for word in protocol.labels if word in words]
        return {VERDICT: given[0]} if given else {}
    return {word: "yes" if word in words else "no" for word in protocol.labels}


def word_units(protocol: AnyProtocol) -> Iterable[Unit]:
    """The words as units that people label."""
    for metric, choices in word_choices(protocol).items():
        name = metric.replace("_", " ")
        question = "What is the right verdict?" if metric == VERDICT else f"Is it a {name}?"
        yield Unit(metric=metric, question=question, choices=choices)


def find_choice(value: str | None, choices: Iterable[str]) -> str | None:
    """The choice that a person wrote, in capitals or not; None: it is none of them."""
    known: Mapping[str, str] = {choice.casefold(): choice for choice in choices}
    return known.get((value or "").strip().casefold())
