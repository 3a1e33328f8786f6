"""The command line: one file a command. Only the command that is called is imported."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from oyer import __version__
from oyer.errors import OyerError
from oyer.text.door import doors

#: command -> what it does, in the order of `oyer --help`. The module is oyer.cli.<command>.
COMMANDS = {
    "judge": "judge cases with the embedded judge or a language model",
    "check": "everything wrong with a suite, its texts, a protocol or cases",
    "init": "a new suite, or a protocol of your own, that runs at once",
    "audit": "check replies that some judge already gave; calls no model",
    "run": "candidates × cases × judges × repeats; resumes by itself",
    "runs": "what is stored",
    "cases": "the verdicts of a run, and why each is what it is",
    "show": "one stored verdict",
    "explain": "why a verdict is what it is",
    "leaderboard": "rank candidates, with confidence intervals",
    "compare": "two runs, paired",
    "gate": "fail when a run is significantly worse than its baseline",
    "report": "one self-contained HTML file",
    "label": "draw a sample for people to label",
    "view": "the local web page: runs, verdicts with their evidence, people's labels",
    "trust": "how far the judges of a run can be trusted",
    "rescore": "stored replies through today's rules; no model is called",
    "export": "a run as JSONL, CSV or Parquet",
    "doctor": "check the store's file",
    "cite": "the Belgian citation engine on its own",
    "protocols": "the protocols, and the rules of one",
    "judges": "the judges usable here, and why not",
    "completion": "completion for bash, zsh or fish",
}

#: There is no room for what is written.
FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)

EXIT_OK, EXIT_GATE, EXIT_USAGE, EXIT_UNSCORED = 0, 1, 2, 3
EXIT_BUG = 70  # a fault of ours, never to be taken for a gate's 1


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
        parsed = _parsed(args)
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
    print("oyer: this is a bug of Oyer's; please report it with the lines above", file=sys.stderr)
    return EXIT_BUG


def _parsed(args: Sequence[str]) -> argparse.Namespace:
    """Parse; argparse gives up on an optional CASES that follows an option, so we take it here."""
    parser = _parser(args)
    parsed, rest = parser.parse_known_args(args)
    late = [word for word in rest if word == "-" or not word.startswith("-")]
    if len(rest) == len(late) == 1 and getattr(parsed, "cases", "") is None:
        parsed.cases = rest[0]
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return parsed


def _parser(args: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="oyer",
        description="Language-model judges on the record: the judge perceives, the code decides.",
        epilog="First verdict in a minute: oyer judge judge-lock --article a.txt --summary s.txt",
    )
    parser.add_argument("--version", action="version", version=f"oyer {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    called = next((a for a in args if not a.startswith("-")), None)
    for name, help_text in COMMANDS.items():
        if name == called:
            import_module(f"oyer.cli.{name}").add(commands)
        else:
            commands.add_parser(name, help=help_text, add_help=False)
    return parser
