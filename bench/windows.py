"""Windows of real decisions annotated by reading (tests/cite/windows), and the engine on them."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oyer.cite import Citation, cite

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "cite" / "windows"


@dataclass(frozen=True)
class Window:
    """A stretch of a decision, as the engine gets it, and what a reader found in it."""

    id: str
    language: str
    text: str
    places: tuple[dict[str, Any], ...]


@dataclass
class Tally:
    """Counts over places: keys found, missed, extra; acts right; the same of certain ones."""

    hits: int = 0
    missed: int = 0
    extra: int = 0
    acts: int = 0
    certain: int = 0
    certain_right: int = 0
    #: (confidence, act is right) of each citation with a right key
    graded: list[tuple[float, bool]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def key_f1(self) -> float:
        return 2 * self.hits / max(2 * self.hits + self.missed + self.extra, 1)

    @property
    def act_f1(self) -> float:
        """Of (key, act) pairs: a right key with a wrong act is missed and extra."""
        return 2 * self.acts / max(2 * self.hits + self.missed + self.extra, 1)

    @property
    def act_share(self) -> float:
        return self.acts / max(self.hits, 1)

    @property
    def certain_share(self) -> float:
        return self.certain_right / max(self.certain, 1)


def read_windows(name: str, shared: Path) -> Iterator[Window]:
    """The windows of a set ("test", "dev"), with their texts from the shared data."""
    places: dict[int, list[dict[str, Any]]] = {}
    for row in _lines(FOLDER / f"{name}_annotations.jsonl"):
        places.setdefault(row["window"], []).append(row)
    sources: dict[str, dict[tuple[str, str], str]] = {}
    for row in _lines(FOLDER / f"{name}_windows.jsonl"):
        if row["file"] not in sources:
            sources[row["file"]] = _texts(shared / "data/belgian-law" / f"{row['file']}.jsonl.gz")
        whole = sources[row["file"]][row["id"], row["language"]]
        text = whole[row["offset"] : row["offset"] + row["length"]]
        if hashlib.sha256(text.encode()).hexdigest() != row["sha256"]:
            raise ValueError(f"{row['file']} has changed: window {row['window']} of {row['id']}")
        yield Window(row["id"], row["language"], text, tuple(places.get(row["window"], ())))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _texts(path: Path) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if "sourceText" in row:
                found[row["decisionId"], row["proceduralLanguage"]] = row["sourceText"]
            else:
                for language in ("FR", "NL"):
                    abstracts = row[f"abstracts_{language.lower()}"]
                    found[row["ecli"], language] = "\n".join(abstracts)
    return found


def measure(windows: Iterator[Window] | list[Window]) -> Tally:
    tally = Tally()
    for window in windows:
        _measure(window, tally)
    return tally


def _measure(window: Window, tally: Tally) -> None:
    from oyer.cite.succession import day_of_decision

    found = cite(window.text, window.language.lower(), day_of_decision(window.id))  # type: ignore[arg-type]
    rest = list(found)
    for place in window.places:
        here = [c for c in rest if place["start"] - 3 <= c.start < place["end"]]
        rest = [c for c in rest if c not in here]
        _measure_place(window, place, here, tally)
    for citation in rest:
        tally.extra += 1
        tally.certain += citation.certain
        tally.faults.append(f"{window.id} EXTRA {citation.key} {_quote(citation)}")


def _measure_place(
    window: Window, place: dict[str, Any], here: list[Citation], tally: Tally
) -> None:
    wanted = {p["key"] for p in place["provisions"] if not p.get("optional")}
    allowed = {p["key"] for p in place["provisions"]}
    words = " ".join(window.text[place["start"] : place["end"]].split())
    keys = {c.key: c for c in here}
    for key in sorted(wanted - set(keys)):
        tally.missed += 1
        tally.faults.append(f"{window.id} MISSED {key} at «{words}»")
    for key, citation in keys.items():
        if key not in allowed:
            tally.extra += 1
            tally.certain += citation.certain
            tally.faults.append(f"{window.id} EXTRA {key} at «{words}»")
        elif key in wanted:
            right = citation.act.id in place["acts"]
            tally.hits += 1
            tally.acts += right
            tally.certain += citation.certain
            tally.certain_right += citation.certain and right
            tally.graded.append((getattr(citation, "confidence", float(citation.certain)), right))
            if not right:
                sure = "CERTAIN " if citation.certain else ""
                tally.faults.append(
                    f"{window.id} {sure}ACT {citation.act.id} for {place['acts']} at «{words}»"
                )
    paths = {(c.key, c.path) for c in here}
    for provision in place["provisions"]:
        pair = (provision["key"], tuple(provision["path"]))
        if provision["key"] in keys and pair not in paths and not provision.get("optional"):
            tally.faults.append(f"{window.id} PATH {sorted(paths)} for {pair} at «{words}»")


def _quote(citation: Citation) -> str:
    return f"«{' '.join(citation.quote.split())}»"


def report(name: str, shared: Path, *, faults: bool) -> None:
    windows = list(read_windows(name, shared))
    tally = measure(windows)
    languages = Counter(w.language for w in windows)
    print(
        f"\nAnnotated windows ({name}): {len(windows)}, {languages['FR']} FR, {languages['NL']} NL"
    )
    print(f"  places: {sum(len(w.places) for w in windows)}, articles {tally.hits + tally.missed}")
    print(f"  keys F1 {tally.key_f1:.3f} ({tally.missed} missed, {tally.extra} extra)")
    print(
        f"  with act: right at {tally.act_share:.3f} of the articles found, F1 {tally.act_f1:.3f}"
    )
    print(f"  certain: {tally.certain}, right {tally.certain_share:.3f}")
    if faults:
        print(*(f"    {fault}" for fault in tally.faults), sep="\n")
