"""`oyer completion`: a script for the shell, made from the commands' own options."""

from __future__ import annotations

import argparse
from itertools import chain

_BASH = """_oyer() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" cmd="${{COMP_WORDS[1]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="{commands}"
  else case "$cmd" in
{cases}
  esac; fi
  if [[ "$cur" == -* || "$COMP_CWORD" -eq 1 ]]; then
    COMPREPLY=( $(compgen -W "$words" -- "$cur") )
  fi
}}
complete -o default -F _oyer oyer
"""
_ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("completion", help="completion for bash, zsh or fish")
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script; `eval "$(oyer completion bash)"` uses it."""
    options = options_by_command()
    if args.shell == "fish":
        print("\n".join(_fish(options)))
        return 0
    cases = "\n".join(f'    {name}) words="{" ".join(words)}";;' for name, words in options.items())
    script = _BASH.format(commands=" ".join(options), cases=cases)
    print((_ZSH if args.shell == "zsh" else "") + script, end="")
    return 0


def options_by_command() -> dict[str, list[str]]:
    """Every command with its options."""
    from importlib import import_module

    from oyer.cli import COMMANDS, MODULES

    options_of: dict[str, list[str]] = {}
    for name in COMMANDS:
        subparsers = argparse.ArgumentParser().add_subparsers()
        import_module(f"oyer.cli.{MODULES.get(name, name)}").add(subparsers)
        parser = subparsers.choices[name]
        options = chain.from_iterable(action.option_strings for action in parser._actions)
        options_of[name] = [word for word in options if word.startswith("--")]
    return options_of


def _fish(options: dict[str, list[str]]) -> list[str]:
    from oyer.cli import COMMANDS

    lines = []
    for name, words in options.items():
        about = COMMANDS[name].replace("'", "")
        lines.append(f"complete -c oyer -n __fish_use_subcommand -a {name} -d '{about}'")
        for word in words:
            known = f"-n '__fish_seen_subcommand_from {name}' -l {word.removeprefix('--')}"
            lines.append(f"complete -c oyer {known}")
    return lines
