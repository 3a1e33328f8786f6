"""oyer cite [FILE…] [--lang fr|nl] [--json] [--distinct] [--html] [--format …] [--references]"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oyer.cli.cite_files import DecisionText, read_decisions
from oyer.errors import InputError, UsageError
from oyer.text.printable import plain


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "cite",
        help="the Belgian citation engine on its own",
        description="Find every legal provision that a Belgian decision cites, French or Dutch.",
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="text or Markdown, or .jsonl(.gz) with decisionId, proceduralLanguage, sourceText; "
        "a folder: all of these in it; - or nothing: standard input",
    )
    parser.add_argument("--lang", choices=("fr", "nl"), help="the language; else it is detected")
    parser.add_argument(
        "--date",
        metavar="YYYY-MM-DD",
        help="the day of the decision, for names that passed from one act to the next; "
        "else that of its ECLI",
    )
    parser.add_argument("--on", choices=("ray",), help="on the cores of a Ray cluster")
    parser.add_argument("--distinct", action="store_true", help="each provision once")
    parser.add_argument(
        "--acts",
        type=Path,
        metavar="FILE",
        help="your own acts and names, in the columns of tables/acts.tsv",
    )
    parser.add_argument(
        "--references",
        action="store_true",
        help="case law instead of provisions: ECLI, docket numbers, judgments by date",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one citation a line")
    form.add_argument("--html", action="store_true", help="a page with the citations marked")
    form.add_argument(
        "--format",
        choices=("spacy", "brat", "label-studio"),
        help="for other tools: spaCy and Label Studio a JSON line a decision, BRAT an .ann file",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, cite, print."""
    if args.acts:
        from oyer.cite import add_acts

        add_acts(args.acts)
    decisions = read_decisions(args.files, args.lang, _day(args.date))
    if args.on is None:
        return _show(decisions, args)
    if args.references:
        raise UsageError("--on is for provisions; case law (--references) is found at once here")
    from oyer.cli.cite_work import cite_elsewhere

    with cite_elsewhere(decisions, args.on, args.acts) as cited:
        return _show(cited, args)


def _show(decisions: Iterator[DecisionText], args: argparse.Namespace) -> int:
    if args.html:
        from oyer.cite.page import page

        sys.stdout.write(page([(d.id, d.text, _cite(d)) for d in decisions]))
        return 0
    show = _choose_printer(args)
    shown = 0
    for number, decision in enumerate(decisions):
        if number and args.format == "brat":
            raise InputError("BRAT has one decision a file; give one FILE", field="--format")
        shown += show(decision, args.distinct)
    if not args.json and not args.format and not shown:
        print("no citation found", file=sys.stderr)
    return 0


def _choose_printer(args: argparse.Namespace) -> Any:
    """The function that prints one decision, and returns how much it had to say."""
    if args.references:
        return _reference_lines if args.json else _reference_table
    if args.format:
        return lambda decision, distinct_: _export(decision, args.format)
    return _lines if args.json else _table


def _cite(decision: DecisionText) -> Any:
    from oyer.cite import cite, is_german

    if decision.language is None and is_german(decision.text):
        name = decision.id or "this text"
        print(f"{name}: looks German; articles are found, acts stay unknown", file=sys.stderr)
    if decision.citations is not None:
        return decision.citations
    return cite(decision.text, decision.language, decision.when)


def _citations(decision: DecisionText, once: bool) -> Any:
    from oyer.cite import distinct

    citations = _cite(decision)
    return distinct(citations) if once else citations


def _lines(decision: DecisionText, once: bool) -> int:
    from oyer.cite import describe

    citations = _citations(decision, once)
    for citation in citations:
        _print_json(decision, describe(citation))
    return len(citations)


def _print_json(decision: DecisionText, line: dict[str, object]) -> None:
    import json

    if decision.id is not None:
        line = {"decisionId": decision.id, **line}
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


def _reference_lines(decision: DecisionText, once: bool) -> int:
    from oyer.cite.references import reference_record, references

    found = references(decision.text)
    for reference in found:
        _print_json(decision, reference_record(reference))
    return len(found)


def _reference_table(decision: DecisionText, once: bool) -> int:
    from rich.text import Text

    from oyer.cite.references import references
    from oyer.report.screen import Screen

    console = Screen(highlight=False)
    found = references(decision.text)
    if decision.id is not None and found:
        console.print(Text(plain(decision.id, instead=" ")))
    for reference in found:
        parts = (
            reference.kind,
            reference.court or "-",
            reference.date or "-",
            reference.number or "-",
        )
        console.print(Text("  ".join((*parts, plain(reference.quote, instead=" ")))))
    return len(found)


def _export(decision: DecisionText, form: str) -> int:
    import json

    from oyer.cite.exports import as_brat, as_label_studio, as_spacy

    citations = _cite(decision)
    if form == "brat":
        sys.stdout.write(as_brat(decision.text, citations))
    elif form == "spacy":
        document = {**as_spacy(decision.text, citations), "decisionId": decision.id}
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
    else:
        task = as_label_studio(decision.text, citations, decision.id)
        sys.stdout.write(json.dumps(task, ensure_ascii=False) + "\n")
    return len(citations)


def _table(decision: DecisionText, once: bool) -> int:
    """For people: one row a phrase, with the quote in its line."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from oyer.report.screen import Screen

    citations = _citations(decision, once)
    console = Screen(highlight=False)
    title = None if decision.id is None else Text(plain(decision.id, instead=" "))
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    flat = len(decision.text) > 400 * (decision.text.count("\n") + 1)  # one line of pages
    table.add_column("offset" if flat else "line", justify="right", no_wrap=True)
    for name in ("article", "act", "via"):
        table.add_column(name, overflow="fold")
    marked = not console.is_terminal  # in a pipe nothing is bold
    table.add_column("quote (>>cited<<)" if marked else "quote", overflow="fold", ratio=1)
    line, at = 1, 0
    phrases: dict[tuple[int, int], list[Any]] = {}
    for citation in citations:
        phrases.setdefault((citation.start, citation.end), []).append(citation)
    for (start, end), group in sorted(phrases.items()):
        line = line + decision.text.count("\n", at, start)
        at = start
        act = group[0].act.id or plain(group[0].act.name, instead=" ") or "unknown"
        table.add_row(
            str(start if flat else line),
            Text(", ".join(" ".join((c.key, *c.path)) + " …" * c.open for c in group)),
            Text(act if group[0].certain else f"{act} ?"),
            " ".join(dict.fromkeys(c.via for c in group)),
            _in_its_line(decision.text, (start, end), marked),
        )
    if citations:
        console.print(table)
    return len(citations)


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


def _day(date: str | None) -> str | None:
    import datetime

    try:
        return datetime.date.fromisoformat(date).isoformat() if date else None
    except ValueError:
        raise InputError(f"'{date}' is not a date; write YYYY-MM-DD", field="--date") from None
