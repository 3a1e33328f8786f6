"""A verdict's derivation on a terminal: every step, quote and broken rule of the record.

What `oyer explain --full` prints after the words of `oyer.report.speak`, for any protocol.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from oyer.records import StepRecord, UsageRecord, VerdictRecord, ViolationRecord
from oyer.report.explain import place, why_unheard
from oyer.report.highlight import FOUND, kind_of, label_of, place_of
from oyer.report.panel_votes import flags, outcome, split, standing, summary
from oyer.report.screen import Screen
from oyer.text.printable import flat
from oyer.types import AnyProtocol, JsonObject, Wording
from oyer.verdicts.record import extra_of
from oyer.verdicts.violations import split_violations

#: How a judge was measured, in words.
_FIGURES = {
    "balanced_accuracy": "right in {:.0%}, a coin in 50%",
    "consistency_spearman": "orders consistency as people do by {:.2f} (1: always, 0: never)",
    "relevance_spearman": "relevance by {:.2f}",
    "ranks": "the true sentence before the false one in {:.0%}, a coin in 50%",
    "labels": "each called what it is in {:.0%}",
}


def derive(
    record: VerdictRecord, protocol: AnyProtocol | None = None, console: Console | None = None
) -> None:
    """Print the derivation. Everything a model wrote goes through `Text`: never markup."""
    out = console or Screen()
    broken, unheard = split_violations(record["violations"])
    wording = protocol.wording if protocol else None
    sections = (
        ("The panel", _panel(record)),
        ("How often this judge was right, on sets that people labelled", _reliability(record)),
        ("Also", _extra(record)),
        ("How it was computed", _trace(record["trace"], protocol)),
        ("Quotes found in the texts, and the judge's label of each", _evidence(record, wording)),
        (why_unheard(record), _violations(unheard)),
        ("Where the judge broke the protocol", _violations(broken)),
    )
    for title, body in sections:
        if body is not None:
            out.print()
            out.print(Text(title, style="bold"))
            out.print(Padding(body, (0, 0, 0, 2)))
    out.print()
    out.print(Text(f"{_usage(record['usage'])}sha {record['sha'][:16]}…", style="dim"))


def _number(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return flat(value)
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _trace(steps: Sequence[StepRecord], protocol: AnyProtocol | None) -> Table | None:
    if not steps:
        return None
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    table.add_column(justify="right")
    for step in steps:
        lowered = protocol is not None and protocol.is_cap(step["rule"])
        style = "red" if lowered else "cyan"
        inputs = ", ".join(_inputs(step["inputs"]))
        value = f"{_short(step['value'])}" + (f"  ({step['exact']})" if "exact" in step else "")
        table.add_row(
            Text(step["rule"], style=style),
            Text(flat(step["formula"])),
            Text(inputs, style="dim"),
            Text(value, style="bold red" if lowered else "bold"),
        )
    return table


def _inputs(inputs: JsonObject) -> Iterator[str]:
    """What went in; a weighted sum as its products."""
    if inputs.keys() == {"scores", "weights"}:
        scores = inputs["scores"]
        for metric, weight in inputs["weights"].items():
            yield f"{flat(metric)} {_number(scores.get(metric))}·{_number(weight)}"
    else:
        yield from (f"{flat(key)} {_short(value)}" for key, value in inputs.items())


def _short(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{flat(key)} {_number(part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(_number(part) for part in value)
    text = _number(value)
    return text if len(text) <= 60 else text[:57] + "…"


NARROW = 18  # columns for the label of a quote and what was measured of it
_STYLES = {"good": "green", "partial": "yellow", "bad": "red", "evidence": "dim"}


def _evidence(record: VerdictRecord, wording: Wording | None) -> Table | None:
    """That a quote was found is one thing, what the judge made of it another: two columns."""
    if not record["evidence"]:
        return None
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(overflow="fold", style="dim")
    table.add_column(max_width=NARROW)  # what was measured may be a sentence
    table.add_column(overflow="fold", style="dim")
    table.add_column(overflow="fold")
    measured = wording.measured(record) if wording and wording.measured else {}
    for item in record["evidence"]:
        label = label_of(item["where"], record["output"])
        figure = f"\n{measured[where]}" if (where := place_of(item["where"])) in measured else ""
        found = f"{FOUND[item['match']]}: {item['source']}[{item['start']}:{item['end']}]"
        table.add_row(
            Text(flat(place(item["where"], wording))),
            Text(f"{flat(label) or '—'}{figure}", style=_STYLES[kind_of(label)]),
            Text(found),
            Text(f"“{flat(item.get('quote', ''))}”"),
        )
    return table


def _violations(items: Sequence[ViolationRecord]) -> Table | None:
    if not items:
        return None
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="yellow")
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for item in items:
        table.add_row(
            Text(flat(item["code"])), Text(flat(item["where"])), Text(flat(item["detail"]))
        )
    return table


def _extra(record: VerdictRecord) -> Group | None:
    lines: list[Text] = []
    for key, value in extra_of(record).items():
        if key in ("panel", "reliability"):  # they have sections of their own
            continue
        if isinstance(value, list) and all(isinstance(row, Mapping) for row in value):
            lines.append(Text(f"{key}:", style="dim"))
            lines += [Text(f"  {_row(row)}") for row in value]
        else:
            lines.append(Text.assemble((f"{key}: ", "dim"), format_value(value)))
    return Group(*lines) if lines else None


def _reliability(record: VerdictRecord) -> Table | None:
    """What the judge was measured by, set by set."""
    known = record.get("reliability")
    sets = known.items() if isinstance(known, Mapping) else ()
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, figures in sets:
        if not isinstance(figures, Mapping):
            continue
        parts = [
            wording.format(figures[key]) for key, wording in _FIGURES.items() if key in figures
        ]
        count = f"{figures['pairs']} pairs" if "pairs" in figures else f"{figures.get('n')} texts"
        if name == "kind":  # of text: nobody labelled those but us
            row = flat(f"on {figures.get('looks_like')}"), "pairs of our own"
        else:
            row = flat(name), count
        table.add_row(row[0], Text(", ".join(parts)), Text(f"of {row[1]}"))
    return table if table.row_count else None


def _panel(record: VerdictRecord) -> Group | None:
    """The members of a panel, what they disagree on, and what a person should look at."""
    panel = record.get("panel")
    if not panel:
        return None
    seats = Table(box=None, pad_edge=False, show_header=False)
    for member in panel["members"]:
        total, marks = standing(member)
        seats.add_row(Text(flat(member["judge"]), style="cyan"), Text(total),
                      Text(marks, style="yellow"))  # fmt: skip
    ballots = split(panel)
    votes = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(4):
        votes.add_column(overflow="fold")
    for ballot in ballots:
        votes_in_words = ", ".join(
            f"{flat(who)} {_short(what)}" for who, what in ballot.votes.items()
        )
        votes.add_row(Text(flat(ballot.finding)), Text(flat(ballot.where), style="dim"),
                      Text(votes_in_words), Text(flat(outcome(ballot)), style="bold"))  # fmt: skip
    notes = [Text(line, style="dim") for line in summary(record)]
    marked = [Text(f"! {flat(flag)}", style="yellow") for flag in flags(panel)]
    return Group(seats, *notes, *([votes] if ballots else []), *marked)


def _row(row: JsonObject) -> str:
    """A row of an extra list on one line: what it says itself, not the lists inside it."""
    parts = []
    for key, value in row.items():
        if isinstance(value, bool):
            parts.append(flat(key) if value else f"not {flat(key)}")  # a check: passed or not
        elif value is not None and not isinstance(value, list | Mapping):
            parts.append(flat(value))
    return " · ".join(parts)


def format_value(value: object) -> str:
    """An extra value in words: no brackets, no quotes."""
    if isinstance(value, Mapping):
        return ", ".join(
            f"{flat(k)} {format_value(v)}" for k, v in value.items() if v not in (None, [])
        )
    if isinstance(value, list):
        return "; ".join(_row(v) if isinstance(v, Mapping) else format_value(v) for v in value)
    return flat(value)


def _usage(usage: UsageRecord) -> str:
    if not usage["calls"]:
        return ""
    cost = "unknown cost" if usage["cost_usd"] is None else f"${usage['cost_usd']:.4f}"
    tokens = f"{usage['input_tokens']:,} + {usage['output_tokens']:,} tokens"
    return f"{usage['calls']} call(s), {tokens}, {cost}, {usage['seconds']:.1f} s · "
