"""How simple the house is, in numbers: python bench/house.py [FOLDER …]

Each FOLDER is a checkout (default: this one); name two to see them side by side. Counts what
`docs/architecture.md` promises: one loop that asks and decides, few shapes of a verdict, one file a
provider, no `getattr` on judges, no protocol's name outside its folder, no class name defined
twice; and how the code reads. Import times are the best of several starts. Prints what it measured,
nothing else.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STARTS = 7
PROTOCOLS = ("judge-lock", "twin-lock", "rubric", "belgian-law", "judge_lock", "twin_lock",
             "belgian_law")  # fmt: skip
#: A class with four of a verdict's fields, the score or its absence among them, is a shape of it.
VERDICT = {"case", "candidate", "judge", "repeat", "status", "error", "scores", "total",
           "violations"}  # fmt: skip
#: Words that name nothing: which message, which rows, which case?
VAGUE = {"told", "said", "made", "one", "heard"}
#: Past participles that do not end in -ed. A function is a verb: `open_judge`, not `opened`.
IRREGULAR = {"told", "said", "made", "heard", "kept", "taken", "found", "given", "shown", "seen",
             "known", "lost", "left", "held", "met", "built", "sent", "written", "spoken", "chosen",
             "broken", "hidden", "drawn", "bound"}  # fmt: skip
NO_PARTICIPLES = {"need", "seed", "feed", "speed", "embed"}
#: What may follow a participle and still leave it one: `written_by`, `cut_short`.
FOLLOWERS = {"by", "of", "at", "in", "on", "to", "up", "out", "again", "all", "beside", "later",
             "plainly", "apart", "way"}  # fmt: skip
#: A provider's name, as code would test for it.
PROVIDER = "openrouter"


class House:
    """The source of one checkout, parsed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.source = root / "src" / "oyer"
        self.files = sorted(self.source.rglob("*.py"))
        self.texts = {file: file.read_text("utf-8") for file in self.files}
        self.trees = {file: ast.parse(text) for file, text in self.texts.items()}

    @property
    def lines(self) -> int:
        return sum(text.count("\n") for text in self.texts.values())

    def nodes(self, kind: type[ast.AST]) -> Iterator[ast.AST]:
        for tree in self.trees.values():
            yield from (node for node in ast.walk(tree) if isinstance(node, kind))


def loops(house: House) -> int:
    """Files that turn replies into verdicts by themselves: they call `audit` of the inner room."""
    inner = re.compile(
        r"from oyer\.(?:audit\.hearing|verdicts\.core|verdicts) import [^\n]*"
        r"\b(?:audit|rejected|reject_row)\b"
        r"|from oyer\.(?:audit|verdicts) import core"
        r"|from oyer\.(?:engine|pipeline) import [^\n]*\b(?:questioned|reheard|decided)\b"
    )
    return sum(bool(inner.search(text)) for text in house.texts.values())


def shapes(house: House) -> int:
    """Classes that have a verdict's own fields, and not just a verdict inside."""
    return len(shape_names(house))


def shape_names(house: House) -> list[str]:
    found = []
    for node in house.nodes(ast.ClassDef):
        assert isinstance(node, ast.ClassDef)
        fields = {
            part.target.id
            for part in node.body
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
        }
        if len(fields & VERDICT) >= 4 and fields & {"status", "error", "scores", "total"}:
            found.append(node.name)
    return sorted(found)


def provider_files(house: House) -> int:
    """Files that know one provider by its name."""
    texts = house.texts.values()
    return sum(bool(re.search(rf"\b{PROVIDER}\b", text, re.IGNORECASE)) for text in texts)


def getattr_on_judges(house: House) -> int:
    pattern = re.compile(r"(?:getattr|hasattr)\((?:self\.)?_?(?:judge|member|one\.judge)\b")
    return sum(len(pattern.findall(text)) for text in house.texts.values())


def protocol_names(house: House) -> int:
    """String constants that are a protocol's name, outside the protocols' folders."""
    found = 0
    for file, tree in house.trees.items():
        if file.relative_to(house.source).parts[0] == "protocols":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in PROTOCOLS:
                found += 1
    return found


def classes_twice(house: House) -> int:
    names = [
        node.name
        for node in house.nodes(ast.ClassDef)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    return sum(count > 1 for count in Counter(names).values())


def vague_names(house: House) -> int:
    """Uses of variables and parameters called `told`, `said`, `made`, `one`, `heard`."""
    names = [node.id for node in house.nodes(ast.Name) if isinstance(node, ast.Name)]
    names += [node.arg for node in house.nodes(ast.arg) if isinstance(node, ast.arg)]
    return sum(name in VAGUE for name in names)


def participles(house: House) -> int:
    """Functions whose whole name is a participle; a property may be one."""
    found = 0
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef):
        for node in house.nodes(kind):
            assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
            if not decorators & {"property", "cached_property"}:
                found += is_participle(node.name)
    return found


def is_participle(name: str) -> bool:
    first, *rest = name.strip("_").split("_")
    ends = first.endswith("ed") and first not in NO_PARTICIPLES
    return (ends or first in IRREGULAR) and set(rest) <= FOLLOWERS


def any_per_thousand(house: House) -> float:
    count = sum(len(re.findall(r"\bAny\b", text)) for text in house.texts.values())
    return round(1000 * count / house.lines, 1)


def mean_line(house: House) -> float:
    lines = [line.strip() for text in house.texts.values() for line in text.splitlines()]
    lengths = [len(line) for line in lines if line]
    return round(sum(lengths) / len(lengths), 1)


def nested_comprehensions(house: House) -> int:
    """Comprehensions with more than one `for`, or inside another."""
    kinds = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    found = 0
    for kind in kinds:
        for node in house.nodes(kind):
            inner = any(isinstance(part, kinds) for part in ast.walk(node) if part is not node)
            found += inner or len(getattr(node, "generators", ())) > 1
    return found


def seconds(house: House, *arguments: str) -> str:
    """The best of several starts of Python with these arguments."""
    environ = {**os.environ, "PYTHONPATH": str(house.root / "src")}
    best = float("inf")
    for _ in range(STARTS):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], env=environ, check=True, capture_output=True)
        best = min(best, time.perf_counter() - began)
    return f"{1000 * best:.0f} ms"


ROWS: dict[str, Callable[[House], object]] = {
    "files that ask or decide by themselves": loops,
    "shapes of a verdict": shapes,
    f"files that name the provider {PROVIDER}": provider_files,
    "getattr on judges": getattr_on_judges,
    "protocol names outside their folders": protocol_names,
    "class names defined twice": classes_twice,
    "variables called told, said, made, one": vague_names,
    "functions named by a participle": participles,
    "Any in 1,000 lines": any_per_thousand,
    "mean line, characters": mean_line,
    "nested comprehensions": nested_comprehensions,
    "files": lambda house: len(house.files),
    "lines": lambda house: f"{house.lines:,}",
    "python -c pass": lambda house: seconds(house, "-c", "pass"),
    "import oyer": lambda house: seconds(house, "-c", "import oyer"),
    "oyer --help": lambda house: seconds(house, "-m", "oyer", "--help"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[ROOT])
    houses = [House(folder) for folder in parser.parse_args().folders]
    print(f"{'':42}" + "".join(f"{house.root.resolve().name:>14}" for house in houses))
    for name, measure in ROWS.items():
        print(f"{name:42}" + "".join(f"{measure(house)!s:>14}" for house in houses), flush=True)


if __name__ == "__main__":
    main()
