"""oyer cite [FILE] [--lang fr|nl] [--json] [--distinct] [--html]"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from oyer.text.printable import plain


class DecisionCitations(NamedTuple):
    """A text to read: its id when the file gives one, its language when known."""

    text: str
    id: str | None = None
    language: Any = None
    when: str | None = None


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "cite",
        help="the Belgian citation engine on its own",
        description="Find every legal provision that a Belgian decision cites, French or Dutch.",
    )
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="text or Markdown, or .jsonl(.gz) with decisionId, proceduralLanguage, sourceText; "
        "- or nothing: standard input",
    )
    parser.add_argument("--lang", choices=("fr", "nl"), help="the language; else it is detected")
    parser.add_argument(
        "--date",
        metavar="YYYY-MM-DD",
        help="the day of the decision, for names that passed from one act to the next; "
        "else that of its ECLI",
    )
    parser.add_argument("--distinct", action="store_true", help="each provision once")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one citation a line")
    form.add_argument("--html", action="store_true", help="a page with the citations marked")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, cite, print."""
    from oyer.cite import cite, distinct

    shown = 0
    if args.html:
        from oyer.cite.page import page

        sys.stdout.write(page([(d.id, d.text, _cited(d)) for d in _decisions(args)]))
        return 0
    for decision in _decisions(args):
        found = cite(decision.text, decision.language, decision.when)
        kept = distinct(found) if args.distinct else found
        if args.json:
            _lines(decision, kept)
        else:
            _table(decision, kept)
        shown += len(kept)
    if not args.json and not shown:
        print("no citation found", file=sys.stderr)
    return 0


def _cited(decision: DecisionCitations) -> Any:
    from oyer.cite import cite

    return cite(decision.text, decision.language, decision.when)


def _lines(decision: DecisionCitations, citations: Any) -> None:
    import json

    from oyer.cite import record

    for citation in citations:
        line = record(citation)
        if decision.id is not None:
            line = {"decisionId": decision.id, **line}
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


def _table(decision: DecisionCitations, citations: Any) -> None:
    """For people: one row a phrase, with the quote in its line."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from oyer.report.screen import Screen

    console = Screen(highlight=False)
    title = None if decision.id is None else Text(plain(decision.id, instead=" "))
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("line", justify="right", no_wrap=True)
    for name in ("article", "act", "via"):
        table.add_column(name, overflow="fold")
    marked = not console.is_terminal  # in a pipe nothing is bold
    table.add_column("quote (>>cited<<)" if marked else "quote", overflow="fold", ratio=1)
    line, at = 1, 0
    phrases: dict[tuple[int, int], list[Any]] = {}
    for citation in citations:
        phrases.setdefault((citation.start, citation.end), []).append(citation)
    for (start, end), group in sorted(phrases.items()):
        line, at = line + decision.text.count("\n", at, start), start
        act = group[0].act.id or plain(group[0].act.name, instead=" ") or "unknown"
        table.add_row(
            str(line),
            Text(", ".join(" ".join((c.key, *c.path)) + " …" * c.open for c in group)),
            Text(act if group[0].certain else f"{act} ?"),
            " ".join(dict.fromkeys(c.via for c in group)),
            _in_its_line(decision.text, (start, end), marked),
        )
    if citations:
        console.print(table)


def _in_its_line(text: str, span: tuple[int, int], marked: bool) -> Any:
    """The quote between the words around it: in bold, or between >> and << where there is none."""
    from rich.text import Text

    start, end = span
    low = max(text.rfind("\n", 0, start) + 1, start - 24)
    stop = text.find("\n", end)
    high = min(len(text) if stop < 0 else stop, end + 24)
    shown = Text(plain(text[low:start], instead=" "))
    quote = plain(text[start:end], instead=" ")
    shown.append(f">>{quote}<<" if marked else quote, style="bold")
    shown.append(plain(text[end:high], instead=" "))
    return shown


def _decisions(args: argparse.Namespace) -> Iterator[DecisionCitations]:
    name = args.file
    when = _day(args.date)
    if name.endswith((".jsonl", ".jsonl.gz", ".ndjson")):
        from oyer.cite import decided

        for row in _rows(name, args.lang):
            yield row._replace(when=when or decided(row.id))
    else:
        yield DecisionCitations(_read(name), None, args.lang, when)


def _day(date: str | None) -> str | None:
    import datetime

    from oyer.errors import InputError

    try:
        return datetime.date.fromisoformat(date).isoformat() if date else None
    except ValueError:
        raise InputError(f"'{date}' is not a date; write YYYY-MM-DD", field="--date") from None


def _read(name: str) -> str:
    from pathlib import Path

    from oyer.errors import InputError

    shown = "standard input" if name == "-" else name
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=shown) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = data.count(b"\n", 0, error.start) + 1
        raise InputError("is not UTF-8 text; convert it first", file=shown, line=where) from None


def _rows(name: str, language: str | None) -> Iterator[DecisionCitations]:
    import gzip
    import json
    import zlib
    from pathlib import Path

    from oyer.errors import InputError

    number = 0
    try:
        with gzip.open(name) if name.endswith(".gz") else Path(name).open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _row(json.loads(line), language, name, number)
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {why}", file=name) from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise InputError("is not a JSON object on one line", file=name, line=number) from None


def _row(row: Any, language: str | None, name: str, number: int) -> DecisionCitations:
    from oyer.errors import InputError

    if not isinstance(row, dict):
        raise InputError("expected a JSON object", file=name, line=number)
    text, id_ = row.get("sourceText"), row.get("decisionId")
    if not isinstance(text, str):
        raise InputError("is missing or not text", file=name, line=number, field="sourceText")
    if id_ is not None and not isinstance(id_, str):
        raise InputError("is not text", file=name, line=number, field="decisionId")
    spoken = row.get("proceduralLanguage")
    if language is None and spoken is not None:
        language = spoken.lower() if isinstance(spoken, str) else ""
        if language not in ("fr", "nl"):
            raise InputError(
                "must be FR or NL (or give --lang)",
                file=name,
                line=number,
                field="proceduralLanguage",
            )
    return DecisionCitations(text, id_, language)
