"""Options that several commands share: which protocol, which cases."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from oyer.errors import InputError, UsageError
from oyer.protocols.fields import ALL as FLAGGED
from oyer.types import AnyProtocol, Case, Field

if TYPE_CHECKING:
    from oyer.cases import Mapper, Row


SENTENCE = 4  # words: what has as many and is no file is a text


class _OneOrMany(argparse.Action):
    """No value is None, one is itself, several are a list."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option: str | None = None,
    ) -> None:
        several = values if isinstance(values, list) else [values]
        given = several[0] if len(several) == 1 else several or None
        setattr(namespace, self.dest, given)


def add_protocol(parser: argparse.ArgumentParser) -> None:
    """PROTOCOL and --protocol-path."""
    parser.add_argument("protocol", help="its name; `oyer protocols` lists them")
    parser.add_argument(
        "--protocol-path", action="append", default=[], metavar="DIR",
        help="a folder with a protocol of your own (may be repeated)",
    )  # fmt: skip


def add_cases(parser: argparse.ArgumentParser) -> None:
    """CASES, and the flags that make a single case."""
    parser.add_argument(
        "cases", nargs="*", metavar="CASES", action=_OneOrMany, default=None,
        help=".json, .jsonl(.gz), .csv, .parquet, folders, patterns, or - for standard input",
    )  # fmt: skip
    parser.add_argument(
        "--map", action="append", default=[], metavar="FIELD=COLUMN,…",
        help="which column is which field: article=document,summary=choices.0.text",
    )  # fmt: skip
    group = parser.add_argument_group("a single case (files; - reads standard input)")
    for field in FLAGGED:
        metavar = "VALUE" if field.literal else "FILE"
        group.add_argument(*field.flags, metavar=metavar, dest=f"field_{field.name}")
    group.add_argument(
        "--field", action="append", default=[], metavar="NAME=FILE", help="a field of your protocol"
    )
    group.add_argument("--candidate", metavar="NAME", help="who wrote the judged text")


def protocol_of(args: argparse.Namespace) -> AnyProtocol:
    """The protocol the user named."""
    from oyer.protocols.catalogue import find_protocol

    return find_protocol(args.protocol, args.protocol_path)


def rows_of(args: argparse.Namespace, protocol: AnyProtocol) -> Iterator[Row]:
    """The rows of CASES, or the one case that the flags make."""
    from oyer.cases import load

    _refuse_two_of_stdin(args)
    given = _read_flags(args, protocol)
    if given and args.cases is not None:
        raise UsageError("Give CASES or the flags of a single case, not both.")
    if given:
        return iter([_single(given, args.candidate, protocol)])
    if args.cases is None:
        flags = " ".join(f"{_flag(field)} …" for field in protocol.fields if field.required)
        raise UsageError(f"Nothing to judge. Give a file of cases, or {flags}")
    return load(args.cases, protocol, mapper_of(args, protocol))


def mapper_of(args: argparse.Namespace, protocol: AnyProtocol) -> Mapper:
    """--map, checked against the protocol's fields."""
    from oyer.cases import parse_map

    return parse_map(args.map, protocol)


def template_of(args: argparse.Namespace, protocol: AnyProtocol) -> str | None:
    """--prompt is the judge's prompt template, unless it makes the `prompt` field of a case."""
    return None if _prompt_is_field(args, protocol) else args.field_prompt


def _prompt_is_field(args: argparse.Namespace, protocol: AnyProtocol) -> bool:
    return args.cases is None and any(f.name == "prompt" for f in protocol.fields)


def _refuse_two_of_stdin(args: argparse.Namespace) -> None:
    """Standard input ends where it was read once; the second reader would get nothing."""
    fields = [getattr(args, f"field_{f.name}") for f in FLAGGED if not f.literal]
    fields += [pair.partition("=")[2] for pair in args.field]
    cases = args.cases if isinstance(args.cases, list) else [args.cases]
    if [*fields, *cases, getattr(args, "reply", None)].count("-") > 1:
        raise UsageError("Only one thing can come from standard input (-).")


def _read_flags(args: argparse.Namespace, protocol: AnyProtocol) -> dict[str, str]:
    """field -> text, from the flags."""
    files = {field.name: getattr(args, f"field_{field.name}") for field in FLAGGED}
    if not _prompt_is_field(args, protocol):
        del files["prompt"]
    for pair in args.field:
        name, eq, file = pair.partition("=")
        if not eq:
            raise UsageError(f"--field takes NAME=FILE, not '{pair}'.")
        files[name] = file
    literal = {field.name for field in FLAGGED if field.literal}
    return {
        name: value if name in literal else _read_field(name, value)
        for name, value in files.items()
        if value is not None
    }


def _read_field(name: str, file: str) -> str:
    try:
        return read_file(file)
    except InputError:
        if len(file.split()) < SENTENCE:
            raise
        flag = next((field.flags[0] for field in FLAGGED if field.name == name), f"--field {name}=")
        message = f"{flag} takes the name of a file, not the text; - is standard input"
        raise UsageError(message) from None


def _single(given: dict[str, str], candidate: str | None, protocol: AnyProtocol) -> Case:
    names = [f.name for f in protocol.fields]
    for name in given:
        if name not in names:
            raise UsageError(f"{protocol.id} has no field '{name}'; it has {', '.join(names)}.")
    fields: dict[str, object] = dict(given)
    for field in protocol.fields:
        if field.name not in given and not field.required:
            continue
        if field.name not in given:
            raise UsageError(f"{_flag(field)} is missing: {field.help or field.name}.")
        if field.kind == "json":
            try:
                fields[field.name] = json.loads(given[field.name])
            except (ValueError, RecursionError) as cause:
                raise InputError(f"not JSON: {cause}", field=field.name) from None
    return Case("1", fields, candidate=candidate)


def _flag(field: Field) -> str:
    """How a user gives the field; a protocol from elsewhere has no flags of its own here."""
    known = any(field.name == ours.name for ours in FLAGGED)
    return field.flags[0] if known and field.flags else f"--field {field.name}=FILE"


def read_file(file: str) -> str:
    """A text file, or standard input for `-`."""
    if file == "-":
        from oyer.cases import stdin

        text = stdin().read()
        if any("\ud800" <= ch <= "\udfff" for ch in text):
            raise InputError("is not UTF-8 text", file="<stdin>")
        return text
    try:
        # newline="": offsets count the characters of the file as it is
        with open(file, encoding="utf-8-sig", newline="") as handle:
            return handle.read()
    except OSError as cause:
        raise InputError(f"cannot be read: {cause.strerror}", file=file) from None
    except UnicodeDecodeError as cause:
        from oyer.cases import refuse_utf16

        refuse_utf16(cause.object[:2], file)
        raise InputError("is not UTF-8 text; save it as UTF-8", file=file) from None
