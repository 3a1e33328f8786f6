"""A verdict as a readable derivation: what the judge said, what was checked, what capped what.

Works on the record alone (`oyer explain` reads it from a file or the store), for any protocol.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from oyer.report.highlight import FOUND, kind_of, label_of
from oyer.report.panel_votes import flags, outcome, split, standing, summary
from oyer.report.screen import Screen
from oyer.text.printable import flat
from oyer.types import Protocol
from oyer.verdicts.record import extra_of
from oyer.verdicts.violations import caution, incomplete, parted

BAR = 20


def explain(
    record: Mapping[str, Any], protocol: Protocol[Any] | None = None, console: Console | None = None
) -> None:
    """Print the derivation. Everything a model wrote goes through `Text`: never markup."""
    out = console or Screen()
    scale = protocol.scale if protocol else {}
    out.print(_headline(record))
    if record.get("scores") is not None:
        out.print(_scores(record, scale))
    broken, unheard = parted(record["violations"])
    sections = (
        ("The panel", _panel(record)),
        ("Also", _extra(record)),
        ("How it was computed", _trace(record["trace"], protocol)),
        ("Quotes found in the texts, and the judge's label of each", _evidence(record)),
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


def why_unheard(record: Mapping[str, Any]) -> str:
    """What to call the reasons for which something was not judged."""
    if record["error"] == "input":
        return "What is wrong with the case"
    return "Why there is no score" if record["scores"] is None else "Who gave no answer"


def _number(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return flat(value)
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _headline(record: Mapping[str, Any]) -> Text:
    line = Text()
    line.append(flat(record["protocol"]), style="bold")
    line.append(f"  case {flat(record['case'])}")
    if record.get("candidate"):
        line.append(f"  by {flat(record['candidate'])}")
    line.append(f"  judge {flat(record['judge'])}", style="cyan")
    if record["status"] == "scored":
        line.append(f"  total {_number(record['total'])}", style="bold green")
    else:
        line.append(f"  unscored: {record['error']}", style="bold red")
    for told in (incomplete(record), caution(record)):
        if told:
            line.append(f"  {flat(told)}", style="bold yellow")
    return line


def _scores(record: Mapping[str, Any], scale: Mapping[str, tuple[int, int]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column("score", justify="right")
    table.add_column("")
    table.add_column("judge said", justify="right")
    table.add_column("")
    stated = record.get("stated") or {}
    for key, score in record["scores"].items():
        low, high = scale.get(key, (0, 10))
        filled = round(BAR * (score - low) / (high - low)) if high > low else 0
        said = _stated_score(stated, key)
        differs = isinstance(said, int | float) and abs(said - score) > 0.05
        table.add_row(
            Text(key),
            Text(_number(score), style="bold"),
            Text("█" * filled + "·" * (BAR - filled), style=_colour(filled)),
            Text("—" if said is None else _number(said), style="yellow" if differs else "dim"),
            Text("≠" if differs else "", style="yellow"),
        )
    return table


def _stated_score(stated: Mapping[str, Any], key: str) -> Any:
    said = stated.get(key)
    return said.get("overall_score") if isinstance(said, Mapping) else said


def _colour(filled: int) -> str:
    return "green" if filled >= 0.7 * BAR else "yellow" if filled >= 0.4 * BAR else "red"


def _trace(steps: Sequence[Mapping[str, Any]], protocol: Protocol[Any] | None) -> Table | None:
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


def _inputs(inputs: Mapping[str, Any]) -> Iterator[str]:
    """What went in; a weighted sum as its products."""
    if inputs.keys() == {"scores", "weights"}:
        scores = inputs["scores"]
        for metric, weight in inputs["weights"].items():
            yield f"{flat(metric)} {_number(scores.get(metric))}·{_number(weight)}"
    else:
        yield from (f"{flat(key)} {_short(value)}" for key, value in inputs.items())


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{flat(key)} {_number(part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(_number(part) for part in value)
    text = _number(value)
    return text if len(text) <= 60 else text[:57] + "…"


_STYLES = {"good": "green", "partial": "yellow", "bad": "red", "evidence": "dim"}


def _evidence(record: Mapping[str, Any]) -> Table | None:
    """That a quote was found is one thing, what the judge made of it another: two columns."""
    if not record["evidence"]:
        return None
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(overflow="fold", style="dim")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", style="dim")
    table.add_column(overflow="fold")
    for item in record["evidence"]:
        label = label_of(item["where"], record["output"])
        place = f"{FOUND[item['match']]}: {item['source']}[{item['start']}:{item['end']}]"
        table.add_row(
            Text(flat(item["where"])),
            Text(flat(label) or "—", style=_STYLES[kind_of(label)]),
            Text(place),
            Text(f"“{flat(item.get('quote', ''))}”"),
        )
    return table


def _violations(items: Sequence[Mapping[str, Any]]) -> Table | None:
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


def _extra(record: Mapping[str, Any]) -> Group | None:
    lines: list[Text] = []
    for key, value in extra_of(record).items():
        if key == "panel":
            continue
        if isinstance(value, list) and all(isinstance(row, Mapping) for row in value):
            lines.append(Text(f"{key}:", style="dim"))
            lines += [Text(f"  {_row(row)}") for row in value]
        else:
            lines.append(Text.assemble((f"{key}: ", "dim"), said(value)))
    return Group(*lines) if lines else None


def _panel(record: Mapping[str, Any]) -> Group | None:
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
        said = ", ".join(f"{flat(who)} {_short(what)}" for who, what in ballot.said.items())
        votes.add_row(Text(flat(ballot.finding)), Text(flat(ballot.where), style="dim"),
                      Text(said), Text(flat(outcome(ballot)), style="bold"))  # fmt: skip
    told = [Text(line, style="dim") for line in summary(record)]
    marked = [Text(f"! {flat(flag)}", style="yellow") for flag in flags(panel)]
    return Group(seats, *told, *([votes] if ballots else []), *marked)


def _row(row: Mapping[str, Any]) -> str:
    """A row of an extra list on one line: what it says itself, not the lists inside it."""
    parts = []
    for key, value in row.items():
        if isinstance(value, bool):
            parts.append(flat(key) if value else f"not {flat(key)}")  # a check: passed or not
        elif value is not None and not isinstance(value, list | Mapping):
            parts.append(flat(value))
    return " · ".join(parts)


def said(value: Any) -> str:
    """An extra value in words: no brackets, no quotes."""
    if isinstance(value, Mapping):
        return ", ".join(f"{flat(k)} {said(v)}" for k, v in value.items() if v not in (None, []))
    if isinstance(value, list):
        return "; ".join(_row(v) if isinstance(v, Mapping) else said(v) for v in value)
    return flat(value)


def _usage(usage: Mapping[str, Any]) -> str:
    if not usage["calls"]:
        return ""
    cost = "unknown cost" if usage["cost_usd"] is None else f"${usage['cost_usd']:.4f}"
    tokens = f"{usage['input_tokens']:,} + {usage['output_tokens']:,} tokens"
    return f"{usage['calls']} call(s), {tokens}, {cost}, {usage['seconds']:.1f} s · "
