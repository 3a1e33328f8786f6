"""How good and how fast `oyer.cite` is: python bench/cite.py [--shared DIR] [--quick] [--misses N]

Side by side with the plain regex of the seed's helper patterns (repaired so that it is linear:
as printed they take seconds on a page). Prints what it measured, nothing else.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from extractions import report_judging  # type: ignore[import-not-found]
from windows import read_windows, report  # type: ignore[import-not-found]

from oyer.cite import Citation, cite

Keys = Callable[[str, str], set[str]]

_SEED = re.compile(
    r"\b(?:art\.?|articles?|artikel(?:en)?)\s*"
    r"([IVXLCDM]+\.[0-9]+|[A-Z]{1,4}\.[0-9]+|\d+(?:/\d+)?(?:bis|ter|quater)?)",
    re.IGNORECASE,
)
_MENTIONS = re.compile(r"(?i)\bart(?:t?\.|icles?|ikel(?:en)?)?\s*\d")


def seed_keys(text: str, language: str) -> set[str]:
    return set(_SEED.findall(text))


def engine_keys(text: str, language: str) -> set[str]:
    return {c.key for c in cite(text, language)}  # type: ignore[arg-type]


# ── annotated decisions ───────────────────────────────────────────────────────────────────────


def gold_sets(items: Iterable[dict[str, Any]], level: str, *, sure: bool) -> set[tuple[Any, ...]]:
    return {
        shape(i["key"], i["actKey"], tuple(i["path"]), level)
        for i in items
        if i.get("sure", True) is sure
    }


def shape(key: str, act: str | None, path: tuple[str, ...], level: str) -> tuple[Any, ...]:
    return {"article": (key,), "act": (act, key), "path": (act, key, path)}[level]


def decisions(path: Path, misses: int) -> None:
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    print(f"\nAnnotated decisions: {len(rows)}, {sum(len(r['gold']) for r in rows)} provisions")
    print(f"{'':28}{'precision':>10}{'recall':>8}{'F1':>7}   seed: {'P':>6}{'R':>7}{'F1':>7}")
    cited = {r["decisionId"]: cite(r["sourceText"], r["proceduralLanguage"].lower()) for r in rows}
    for level, label in (
        ("article", "article keys"),
        ("act", "(act, article)"),
        ("path", "(act, article, path)"),
    ):
        tally = [0, 0, 0]
        seed = [0, 0, 0]
        for row in rows:
            gold = gold_sets(row["gold"], level, sure=True)
            doubtful = gold_sets(row["gold"], level, sure=False) - gold
            found = {shape(c.key, c.act.id, c.path, level) for c in cited[row["decisionId"]]}
            count(tally, gold, found - doubtful)
            if level == "article":
                count(seed, gold, {(k,) for k in seed_keys(row["sourceText"], "")} - doubtful)
            if misses:
                for name, some in (("missed", gold - found), ("extra", found - gold - doubtful)):
                    print(*(f"  {level} {name}: {row['decisionId']} {x}" for x in some), sep="\n")
        print(f"{label:28}{line(tally)}   {line(seed) if level == 'article' else ''}")


def count(tally: list[int], gold: set[Any], found: set[Any]) -> None:
    tally[0] += len(gold & found)
    tally[1] += len(found)
    tally[2] += len(gold)


def line(tally: list[int]) -> str:
    hit, found, gold = tally
    precision, recall = hit / max(found, 1), hit / max(gold, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return f"{precision:>10.3f}{recall:>8.3f}{f1:>7.3f}"


# ── the court's own index ─────────────────────────────────────────────────────────────────────


def read(path: Path) -> list[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(text) for text in lines]


def abstracts(path: Path, misses: int) -> None:
    rows = read(path)
    found: dict[str, dict[str, list[set[str]]]] = {}
    for name, keys in (("engine", engine_keys), ("seed", seed_keys)):
        found[name] = {
            lang: [keys("\n".join(row[f"abstracts_{lang}"]), lang) for row in rows]
            for lang in ("fr", "nl")
        }
    print(
        f"\nCassation abstracts: {len(rows)}. Recall of the court's own index, over the decisions"
    )
    print("whose abstract names an article: mean of the decisions, then share of all provisions.")
    print("'6.1 as 6': the index files article 6.1 under 6; 'in text': the number stands in the")
    print("abstract at all, no engine finds more. 'held out': the half of the ECLIs (by hash) in")
    print("which no miss was looked at.")
    print(f"{'':12}{'rows':>6}{'engine':>16}{'6.1 as 6':>16}{'seed regex':>16}{'in text':>16}")
    for lang in ("fr", "nl"):
        print(index_line(rows, lang, found, misses))
        print(index_line(rows, lang, found, misses=0, held=True))
    print("\nThe same set of keys in French and in Dutch (share of decisions)")
    print(f"{'':12}{'with both':>16}{'that cite':>16}")
    for name, base in (("engine", False), ("6.1 as 6", True), ("seed", False)):
        print(parity_line(rows, name, found["seed" if name == "seed" else "engine"], base))
    print(parity_line([r for r in rows if held_out(r)], "held out", _held(rows, found), False))


def whole(keys: set[str]) -> set[str]:
    """Decimal keys by their article: 6.1 as 6."""
    return {re.sub(r"^(\d+)\.\d.*", r"\1", key) for key in keys}


def held_out(row: Any) -> bool:
    return hashlib.sha1(json.dumps(row["ecli"]).encode()).digest()[0] % 2 == 1


def _held(rows: list[Any], found: dict[str, Any]) -> dict[str, list[set[str]]]:
    return {
        lang: [keys for row, keys in zip(rows, every, strict=True) if held_out(row)]
        for lang, every in found["engine"].items()
    }


def parity_line(rows: list[Any], name: str, found: dict[str, list[set[str]]], base: bool) -> str:
    pairs = [
        (whole(a), whole(b)) if base else (a, b)
        for row, a, b in zip(rows, found["fr"], found["nl"], strict=True)
        if row["abstracts_fr"] and row["abstracts_nl"]
    ]
    some = [(a, b) for a, b in pairs if a or b]
    both, cited = share(a == b for a, b in pairs), share(a == b for a, b in some)
    return f"{name:12}{both:>9.3f} {len(pairs):>6}{cited:>9.3f} {len(some):>6}"


def index_line(
    rows: list[Any], lang: str, found: dict[str, Any], misses: int, *, held: bool = False
) -> str:
    scores: dict[str, list[tuple[int, int]]] = {"engine": [], "whole": [], "seed": [], "text": []}
    for at in range(len(rows)):
        if held and not held_out(rows[at]):
            continue
        text = "\n".join(rows[at][f"abstracts_{lang}"])
        keys = {key for _, key in rows[at]["indexed_provisions"] if key not in ("general", "")}
        if not keys or not _MENTIONS.search(text):
            continue
        numbers = set(re.findall(r"\d+(?:[./-]\d+)*[a-z]*", text)) | set(re.findall(r"\d+", text))
        got = found["engine"][lang][at]
        for name, some in (
            ("engine", got),
            ("whole", got | whole(got)),
            ("seed", found["seed"][lang][at]),
            ("text", numbers),
        ):
            scores[name].append((len(keys & some), len(keys)))
        missed = (keys & numbers) - got
        if misses and missed and not held_out(rows[at]):
            print(f"  {lang} {sorted(missed)} of {sorted(keys)}: {text[:600]!r}")
    label = f"{lang.upper()} {'held out' if held else 'all'}"
    cells = [f"{label:12}{len(scores['engine']):>6}"]
    for pairs in scores.values():
        mean = share(hit / of for hit, of in pairs)
        micro = sum(hit for hit, _ in pairs) / max(sum(of for _, of in pairs), 1)
        cells.append(f"{mean:>9.3f} {micro:.3f} ")
    return "".join(cells)


def share(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / max(len(listed), 1)


# ── speed ─────────────────────────────────────────────────────────────────────────────────────


def speed(shared: Path, *, quick: bool) -> None:
    rows = read(shared / "decisions_long.jsonl.gz")
    print("\nLong decisions")
    for row in rows:
        seconds, got = timed(row["sourceText"])
        size = len(row["sourceText"])
        print(f"  {size:>9,} characters {seconds:6.2f} s {len(got):>6} citations "
              f"{size / seconds / 1e6:5.2f} MB/s")  # fmt: skip
    whole = "\n\n".join(row["sourceText"] for row in rows)
    sizes = [10_000, 100_000, 1_000_000] + ([] if quick else [10_000_000])
    texts = {
        "decisions": whole * (sizes[-1] // len(whole) + 1),
        "only citations": "les articles 5, § 1er, alinéas 2 et 3, et 7 du Code civil et 8 de la "
        "loi du 3 juillet 1978; " * (sizes[-1] // 90),
        "article words": "article art. artikel " * (sizes[-1] // 20),
        "one endless list": "articles 1" + ", 2, 3bis, § 4" * (sizes[-1] // 14),
        "blanks": ("art." + " " * 500) * (sizes[-1] // 504 + 1),
        "open brackets": "loi du (((« ci-après la loi $^{ " * (sizes[-1] // 30),
    }
    print("\nGrowth")
    for name, text in texts.items():
        points = [(size, best(text[:size])) for size in sizes]
        low, high = points[0], points[-1]
        exponent = math.log(high[1] / low[1]) / math.log(high[0] / low[0])
        rate = high[0] / high[1] / 1e6
        print(f"  {name:16} " + "  ".join(f"{s:,}: {t:.3f} s" for s, t in points)
              + f"   exponent {exponent:.2f}, {rate:.2f} MB/s")  # fmt: skip


def timed(text: str) -> tuple[float, tuple[Citation, ...]]:
    start = time.process_time()
    got = cite(text)
    return time.process_time() - start, got


def best(text: str) -> float:
    return min(timed(text)[0] for _ in range(3 if len(text) < 1_000_000 else 1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    near = Path(__file__).resolve().parents[1].parent / "shared"
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("OYER_SHARED", near)))
    parser.add_argument("--quick", action="store_true", help="to 1 MB only")
    parser.add_argument("--only", choices=("gold", "windows", "index", "speed"))
    parser.add_argument("--misses", type=int, default=0, help="1: show what was missed")
    args = parser.parse_args()
    data = args.shared / "data" / "belgian-law"
    if not data.is_dir():
        print(f"no data in {data}: give --shared DIR or set OYER_SHARED", file=sys.stderr)
        return 2
    print(f"oyer.cite · Python {platform.python_version()} · {platform.machine()} · one core")
    cite("article 1er du Code civil")  # tables are read once
    if args.only in (None, "gold"):
        decisions(data / "decisions_gold.jsonl", args.misses)
    if args.only in (None, "windows"):
        for name in ("test", "second"):
            report(name, args.shared, faults=bool(args.misses))
        report_judging([w for n in ("test", "second") for w in read_windows(n, args.shared)])
    if args.only in (None, "index"):
        abstracts(data / "cass_abstracts.jsonl.gz", args.misses)
    if args.only in (None, "speed"):
        speed(data, quick=args.quick)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
