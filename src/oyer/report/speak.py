"""A verdict's explanation on a terminal, or as plain text for a test's failure."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import chain

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from oyer.abilities import Section
from oyer.records import VerdictRecord
from oyer.report.explain import Explanation, ScoreLine, explain, number
from oyer.text.printable import flat, plain
from oyer.types import AnyProtocol, JsonObject

BAR = 20
LONGEST = 4_000  # characters of the judged text on a terminal
SHOWN = 8  # remarks of a section; the rest is counted
_STYLES = {"bad": "red", "partial": "yellow", "plain": ""}


def speak(
    record: VerdictRecord,
    protocol: AnyProtocol | None = None,
    console: Console | None = None,
    fields: JsonObject | None = None,
) -> None:
    """Print what people want to know first. What a model wrote goes through `Text`: no markup."""
    from oyer.report.screen import Screen

    out = console or Screen()
    words = explain(record, protocol)
    good = record.get("scores") is not None
    out.print(Text(flat(words.headline), style="bold" if good else "bold red"))
    out.print(Text(_whose(record), style="dim"))
    for section in words.sections:
        out.print()
        out.print(Text(section.title, style="bold"))
        out.print(Padding(_remarks(section), (0, 0, 0, 2)))
    if fields is not None:
        _judged_text(out, words, fields)
    if words.scores:
        out.print()
        out.print(_score_table(words.scores))
        for line in words.scores:
            if line.caveat:
                out.print(Text(f"* {line.name} {line.caveat}", style="dim"))
    for title, sentence in _closing(words):
        out.print()
        out.print(Text.assemble((f"{title}: ", "bold"), flat(sentence)))


def as_text(record: VerdictRecord, protocol: AnyProtocol | None = None, width: int = 100) -> str:
    """The same as plain text."""
    out = io.StringIO()
    speak(record, protocol, Console(file=out, width=width, color_system=None))
    return out.getvalue()


def _whose(record: VerdictRecord) -> str:
    parts = [f"case {flat(record['case'])}"]
    if record.get("candidate"):
        parts.append(f"by {flat(record['candidate'])}")
    judge = flat(record["judge"])
    other = record.get("judged_by")
    parts.append(f"judged by {flat(other)}, asked as {judge}" if other else f"judged by {judge}")
    parts.append(flat(record["protocol"]))
    if record.get("id"):
        parts.append(f"verdict {flat(record['id'])}")
    return " · ".join(parts)


def _remarks(section: Section) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for remark in section.remarks[:SHOWN]:
        text = Text(flat(remark.text), style=_STYLES[section.tone])
        note = flat(remark.note)
        if note and section.tone == "plain":
            text = Text.assemble((f"{note}: ", "dim"), text)
        elif note:
            text = Text.assemble(text, (f"  ({note})", "dim"))
        table.add_row(Text("–", style="dim"), text)
    more = len(section.remarks) - SHOWN
    if more > 0:
        table.add_row("", Text(f"and {more} more", style="dim"))
    return table


def _score_table(lines: tuple[ScoreLine, ...]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    stated = any(line.stated is not None for line in lines)
    table.add_column("judge said" if stated else "", justify="right", no_wrap=True)
    for line in lines:
        filled = round(BAR * line.share)
        stated_score = "" if line.stated is None else number(line.stated)
        table.add_row(
            Text(f"{line.name} *" if line.caveat else line.name),
            Text(f"{number(line.value)} of {line.top:g}", style="bold"),
            Text("█" * filled + "·" * (BAR - filled), style=_colour(line.share)),
            Text(
                f"{stated_score} ≠" if line.differs else stated_score,
                style="yellow" if line.differs else "dim",
            ),
        )
    return table


def _colour(share: float) -> str:
    if share >= 0.7:
        return "green"
    return "yellow" if share >= 0.4 else "red"


def _closing(words: Explanation) -> Iterator[tuple[str, str]]:
    if words.corrected:
        yield "The judge broke its rules", f"{words.corrected}; none of it is in the score"
    if words.trust:
        yield "Trust", words.trust
    if words.scale:
        yield "Scale", words.scale


# ── the judged text, marked ───────────────────────────────────────────────────────────────────


def _judged_text(out: Console, words: Explanation, fields: JsonObject) -> None:
    text = fields.get(words.judged)
    if not isinstance(text, str) or not text.strip():
        return
    out.print()
    out.print(Text(f"The {words.judged}", style="bold"))
    text = text.rstrip()
    out.print(Padding(mark(text[:LONGEST], words, out.color_system is not None), (0, 0, 0, 2)))
    if len(text) > LONGEST:
        out.print(Text(f"  … {len(text) - LONGEST:,} more characters", style="dim"))


def mark(text: str, words: Explanation, coloured: bool) -> Text:
    """The judged text with its bad stretches marked: in colour, else between >> and <<."""
    tones = [""] * len(text)
    for tone in ("partial", "bad"):  # the graver one last: it covers the other
        for section in words.sections:
            if section.tone != tone:
                continue
            for source, start, end in chain.from_iterable(r.spans for r in section.remarks):
                if source == words.judged and 0 <= start < end <= len(text):
                    tones[start:end] = [tone] * (end - start)
    marked = Text()
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and tones[end] == tones[at]:
            end += 1
        piece = plain(text[at:end], keep="\n\t")
        if not tones[at] or coloured:
            marked.append(piece, style=f"{_STYLES[tones[at]]} underline" if tones[at] else "")
        else:
            marked.append(f">>{piece}<<")
        at = end
    return marked
