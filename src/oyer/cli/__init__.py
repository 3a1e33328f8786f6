"""The command line: one file a command. Only the command that is called is imported."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from typing import TypeAlias

from oyer import __version__
from oyer.errors import OyerError, UsageError
from oyer.text.door import doors

Commands: TypeAlias = "argparse._SubParsersAction[ArgumentParser]"

#: command -> what it does, in the order of `oyer --help`. The module is oyer.cli.<command>.
COMMANDS = {
    "judge": "judge cases with the embedded judge or a language model",
    "check": "list everything wrong with a suite, its texts, a protocol or cases",
    "init": "write a new suite, or a protocol of your own, that runs at once",
    "audit": "check replies that some judge already gave; calls no model",
    "run": "run a suite: candidates × cases × judges × repeats; resumes by itself",
    "runs": "list stored runs",
    "cases": "list the verdicts of a run, and what decided each",
    "show": "print one stored verdict",
    "explain": "explain why a verdict has its score",
    "leaderboard": "rank candidates, with confidence intervals",
    "compare": "compare two runs, case by case",
    "gate": "fail when a run is significantly worse than its baseline",
    "report": "write one self-contained HTML file",
    "label": "draw a sample for people to label",
    "view": "open the local web page: runs, verdicts with evidence, people's labels",
    "trust": "how far the judges of a run can be trusted",
    "rescore": "recompute stored verdicts with the current rules; no model is called",
    "export": "write a run as JSONL, CSV, Parquet, or whole",
    "import": "keep an exported run in this store",
    "doctor": "check the store's integrity, row by row",
    "cite": "find cited provisions in Belgian decisions",
    "protocols": "list the protocols, or the rules of one",
    "judges": "list available judges and what is missing for the others",
    "completion": "print completion for bash, zsh or fish",
}

#: Commands whose name is a word of Python's own.
MODULES = {"import": "import_run"}

#: There is no room for what is written.
FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)

EXIT_OK = 0
EXIT_GATE = 1
EXIT_USAGE = 2
EXIT_UNSCORED = 3
EXIT_BUG = 70  # a fault in the code of Oyer or of a protocol, never to be taken for a gate's 1


def main(argv: Sequence[str] | None = None) -> int:
    """Parse, run, and turn Oyer's own errors into a message and an exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):  # UTF-8 whatever the locale; never die while printing
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    with doors():
        return _run(args)


def _run(args: Sequence[str]) -> int:
    try:
        parsed = _parse(args)
        code: int = parsed.run(parsed)
        sys.stdout.flush()
        return code
    except OyerError as error:
        print(f"oyer: {error}", file=sys.stderr)
        return EXIT_USAGE
    except BrokenPipeError:  # `oyer … | head`: nobody listens any more, and that is fine
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except OSError as error:
        return _report_file(error)
    except KeyboardInterrupt:
        print("oyer: stopped", file=sys.stderr)
        return 130
    except Exception:  # the outermost door: a traceback's own exit code is a gate's 1
        return _report_bug()


def _report_file(error: OSError) -> int:
    """A file that the user named; any other error of the system is a bug, and shown as one."""
    if error.filename is None and error.errno in FULL:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        error.filename = "standard output"
    if error.filename is None:
        return _report_bug()
    print(f"oyer: {error.filename}: {error.strerror}", file=sys.stderr)
    return EXIT_USAGE


def _report_bug() -> int:
    """The traceback, and an exit code that means nothing else."""
    from traceback import print_exc  # only here: it takes 10 ms

    print_exc()
    message = "this is a bug of Oyer's; please report it with the lines above"
    if (file := _own_protocol()) is not None:
        message = f"this is a bug in the protocol of {file}: the lines above say where"
    print(f"oyer: {message}", file=sys.stderr)
    return EXIT_BUG


def _own_protocol() -> str | None:
    """The file of a user's protocol that the error came through, if it did."""
    trace, found = sys.exc_info()[2], None
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__", "").startswith("oyer_protocol_"):
            found = trace.tb_frame.f_code.co_filename
        trace = trace.tb_next
    return found


def _parse(args: Sequence[str]) -> argparse.Namespace:
    """Parse; argparse gives up on an optional CASES that follows an option, so we take it here."""
    parser, commands = _parser(args)
    parsed, rest = parser.parse_known_args(args)
    late = [word for word in rest if word == "-" or not word.startswith("-")]
    if len(rest) == len(late) == 1 and getattr(parsed, "cases", "") is None:
        parsed.cases = rest[0]
    elif rest:
        called = _command_in(args)
        raise UsageError(_describe_unrecognized(rest, called, commands.choices[called]))
    return parsed


def _describe_unrecognized(rest: Sequence[str], called: str, parser: ArgumentParser) -> str:
    from difflib import get_close_matches

    named = [word for word in rest if word.startswith("-") and word != "-"]
    help_text = f"`oyer {called} --help` lists what it takes"
    if not named:
        return f"oyer {called} has no use for '{' '.join(rest)}': {help_text}"
    option = named[0].partition("=")[0]
    known: list[str] = []
    for action in parser._actions:
        known += action.option_strings
    near = get_close_matches(option, known, 1)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"oyer {called} has no option {option}: {meant}{help_text}"


def _command_in(args: Sequence[str]) -> str:
    return next((word for word in args if not word.startswith("-")), "")


def _unknown(called: str) -> str:
    from difflib import get_close_matches  # only here: most commands are spelt well

    near = get_close_matches(called, COMMANDS, 1)
    meant = f"did you mean '{near[0]}'? " if near else ""
    return f"there is no command '{called}': {meant}`oyer --help` lists them"


def _parser(args: Sequence[str]) -> tuple[ArgumentParser, Commands]:
    parser = ArgumentParser(
        prog="oyer",
        description="Language-model judges on the record: the judge perceives, the code decides.",
        epilog="First verdict in a minute: oyer judge judge-lock --article a.txt --summary s.txt",
    )
    parser.add_argument("--version", action="version", version=f"oyer {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    called = _command_in(args)
    if called and called not in COMMANDS:
        parser.error(_unknown(called))
    for name, help_text in COMMANDS.items():
        if name == called:
            import_module(f"oyer.cli.{MODULES.get(name, name)}").add(commands)
        else:
            commands.add_parser(name, help=help_text, add_help=False)
    return parser, commands
