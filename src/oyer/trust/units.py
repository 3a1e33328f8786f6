"""What is labelled: units cut by code (blind), or a judge's own findings (review)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from oyer.records import VerdictRecord, output_objects
from oyer.trust.words import word_units
from oyer.types import AnyProtocol, Case, JsonObject, Unit

AGREE = ("no", "yes")  # of a review: does the person agree with the finding


def units_of(protocol: AnyProtocol, case: Case, kinds: Collection[str] = ()) -> tuple[Unit, ...]:
    """Everything a person may label in a case, blind: the protocol's pieces, the word of its
    verdict, its scores.

    `kinds` keeps the metrics that are named; none named: all.
    """
    pieces = protocol.units(case) if protocol.units is not None else ()
    scores = tuple(
        Unit(
            metric=metric,
            question=f"How good is it by '{metric.replace('_', ' ')}'?",
            scale=bounds,
        )
        for metric, bounds in protocol.scale.items()
    )
    every = (*pieces, *word_units(protocol), *scores)
    return tuple(unit for unit in every if not kinds or unit.metric in kinds)


def unit_metrics(protocol: AnyProtocol, case: Case) -> list[str]:
    """The metrics that `kinds` may name, in the order shown."""
    return list(dict.fromkeys(unit.metric for unit in units_of(protocol, case)))


def findings_of(record: VerdictRecord) -> tuple[Unit, ...]:
    """A judge's findings as units of a review: each entry of each list of its output.

    The unit's `where` is the finding's own place ("hallucination.claims_checked[2]").
    """
    units: list[Unit] = []
    for prefix, holder in output_objects(record.get("output")):
        units += _entries(holder, prefix)
    return tuple(units)


def _entries(holder: JsonObject, prefix: str) -> Iterator[Unit]:
    for key, value in holder.items():
        if not isinstance(value, list):
            continue
        for at, entry in enumerate(value):
            text = _text(entry) if isinstance(entry, Mapping) else ""
            if text:
                yield Unit(
                    metric=f"{prefix}{key}",
                    where=f"{prefix}{key}[{at}]",
                    text=text,
                    question="Is this finding right?",
                    choices=AGREE,
                )


def _text(entry: JsonObject) -> str:
    """A finding in words; none where the judge does not print what it is about."""
    if "hidden" in entry.values():
        return ""
    return " · ".join(str(part) for part in entry.values() if part not in (None, ""))
