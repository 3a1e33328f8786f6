"""`oyer judge`: cases to a judge, to verdicts. With --store they are kept and never paid twice."""

from __future__ import annotations

import argparse
import sys
from itertools import chain
from typing import Any

from oyer.cli.audit import add_output
from oyer.cli.sources import add_cases, add_protocol, protocol_of, read_file, template_of
from oyer.errors import UsageError

MOST_SECONDS = 86_400
MOST_TOKENS = 1_000_000


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "judge",
        help="judge cases with the embedded judge or a language model",
        epilog="Judges: embedded, PROVIDER:MODEL such as openai:gpt-5-mini (`oyer judges` lists "
        "all), openai:MODEL@http://host:port/v1, replay:FILE; a panel is a+b+c.",
    )
    add_protocol(parser)
    add_cases(parser)
    parser.add_argument(
        "--judge", action="append", default=[], metavar="NAME",
        help="who judges (default: embedded); may be repeated",
    )  # fmt: skip
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="ask N times each")
    parser.add_argument(
        "--combine", action="store_true",
        help="with --repeat: one verdict, the repeats combined like the members of a panel",
    )  # fmt: skip
    parser.add_argument(
        "--mode", choices=["one-shot", "exam"], default="one-shot",
        help="exam: the article is read once, every summary sits the same exam",
    )  # fmt: skip
    add_asking(parser)
    add_output(parser)
    parser.add_argument("--store", metavar="FILE", help="keep cases, replies and verdicts here")
    parser.add_argument(
        "--concurrency", type=int, default=16, metavar="N", help="cases at a time (16)"
    )
    parser.set_defaults(run=run)


def add_asking(parser: argparse.ArgumentParser) -> None:
    """How a language model is asked."""
    group = parser.add_argument_group("how a language model is asked")
    group.add_argument(
        "--template", metavar="FILE",
        help="your own prompt (docs/asking.md); --prompt FILE is the same, unless it "
        "is a field of a case made of flags",
    )  # fmt: skip
    group.add_argument("--language", default="", metavar="CODE",
                       help="of the prompt, such as en or ja")  # fmt: skip
    group.add_argument(
        "--with-arithmetic", action="store_true", help="ask for the numbers too, to compare them"
    )
    group.add_argument(
        "--attempts", type=int, default=3, metavar="N", help="at most N attempts a reply (3)"
    )
    group.add_argument(
        "--timeout", type=float, metavar="S",
        help="seconds for one question, with all its retries (300 for each attempt)",
    )  # fmt: skip
    group.add_argument("--max-tokens", type=int, metavar="N", help="of one reply")
    group.add_argument("--temperature", type=float, metavar="T", help="0 unless told otherwise")
    group.add_argument(
        "--without-self", action="store_true", help="leave a panel's self-judging members out"
    )


def run(args: argparse.Namespace) -> int:
    """Judge by the protocol that is named, or by each of several: judge-lock,twin-lock."""
    several = args.protocol.split(",")
    if len(several) == 1:
        return _judge(args)
    if args.cases == "-":
        raise UsageError("Standard input can be read once: for several protocols name a file.")
    codes = []
    for name in several:
        if not args.json and args.format is None:
            print(f"{name.strip()}\n")
        codes.append(_judge(argparse.Namespace(**{**vars(args), "protocol": name.strip()})))
    return max(codes)


def _judge(args: argparse.Namespace) -> int:
    """Judge every row in order; the printer knows the exit code."""
    from oyer.cli.output import Printer, how_of

    for name in ("repeat", "concurrency", "attempts"):
        if getattr(args, name) < 1:
            raise UsageError(f"--{name} must be at least 1")
    options_of(args)  # a bad number is told before anything is read
    protocol = protocol_of(args)
    printer = Printer(protocol, how_of(args), args.fail_under)
    asking = asking_of(args, protocol)
    judges = judges_of(args)
    if args.combine:
        if args.repeat < 2:
            raise UsageError("--combine needs repeats to combine: --repeat 3 --combine")
        judges = ["+".join([name] * args.repeat) for name in judges]
        args.repeat = 1
    if args.store:
        from oyer.cli.judge_store import judge_stored

        agreement = judge_stored(args, protocol, judges, asking, printer)
    else:
        from oyer.cli.judge_work import judge_rows

        agreement = judge_rows(args, protocol, judges, asking, printer)
    code = printer.close()
    if printer.how == "row":
        for line in agreement.lines():
            print(line)
    sys.stdout.flush()
    return code


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """The user's options as fields of `oyer.judges.Options`: only those that were given."""
    if args.timeout is not None and not 0 < args.timeout <= MOST_SECONDS:
        raise UsageError(f"--timeout must be more than 0 and at most {MOST_SECONDS:,} seconds")
    if args.max_tokens is not None and not 1 <= args.max_tokens <= MOST_TOKENS:
        raise UsageError(f"--max-tokens must be from 1 to {MOST_TOKENS:,}")
    if args.temperature is not None and not 0 <= args.temperature <= 2:
        raise UsageError("--temperature must be from 0 to 2")
    given = {
        "timeout": args.timeout,
        "deadline": args.timeout,
        "max_tokens": args.max_tokens,
        "temperature": args.temperature,
    }
    return {name: value for name, value in given.items() if value is not None}


def asking_of(args: argparse.Namespace, protocol: Any) -> dict[str, object]:
    """The user's options as the fields of `oyer.engine.Asking`."""
    from oyer.engine import check_language

    check_language(protocol, args.language)
    file = args.template or template_of(args, protocol)
    if file is not None and args.mode == "exam":
        raise UsageError("--prompt is for one-shot: exam mode has four prompts of its own")
    if file is not None and not _takes_prompts(args.judge or ["embedded"]):
        raise UsageError(
            f"{'--template' if args.template else '--prompt'} is for language models asked "
            "one-shot: none of these judges reads a prompt; name one (--judge openai:MODEL)"
        )
    asking: dict[str, object] = {
        "language": args.language,
        "with_arithmetic": args.with_arithmetic,
        "attempts": args.attempts,
    }
    if args.without_self:
        asking["without_self"] = True
    if file is None:
        return asking
    text = read_file(file)
    if protocol.describe_template is not None and (how := protocol.describe_template(text)):
        print(f"oyer: {file}: {how}", file=sys.stderr)
    return {**asking, "template": text}


def judges_of(args: argparse.Namespace) -> list[str]:
    """The judges' names, in exam mode with their prefix."""
    from oyer.judges.names import EXAM, in_exam_mode

    names = list(dict.fromkeys(args.judge or ["embedded"]))
    if args.mode != "exam":
        return names
    examined = [in_exam_mode(name) for name in names]
    if examined == names and not any(EXAM in name for name in names):
        raise UsageError("--mode exam needs a language model: --judge openai:MODEL")
    return examined


def _takes_prompts(names: list[str]) -> bool:
    """Whether any judge is asked with the protocol's prompt: others read the case, or a file."""
    from oyer.judges.names import is_exam, members, provider_of

    judges = chain.from_iterable(map(members, names))
    return any(provider_of(judge).needs_prompt and not is_exam(judge) for judge in judges)
