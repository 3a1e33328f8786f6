"""Prompts side by side: how the replies to each keep to the protocol, and what they cost.

For two runs of the same cases that ask with different prompts, and for a run whose judges have
prompts of their own. Read from stored verdicts: every one carries the hash of its prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from oyer.records import VerdictRecord
from oyer.report.tables import Sheet
from oyer.verdicts.record import extra_of
from oyer.verdicts.violations import is_breach

if TYPE_CHECKING:
    from oyer.store import Manifest

#: Violations that mean: a quotation was looked up and does not stand there as asked for.
_BAD_QUOTES = ("evidence.", "span.")
_MISSING_QUOTES = ("evidence.missing",)  # nothing was quoted: nothing was looked up
_WRONG_SUMS = ("arithmetic", ".wrong")


@dataclass(slots=True)
class PromptCompliance:
    """The verdicts of one judge that answer one prompt."""

    run: str
    judge: str
    prompt: str  # its hash; "": none was asked with
    verdicts: int = 0
    scored: int = 0
    quotes: int = 0  # that were looked up
    quotes_found: int = 0
    sums: int = 0  # verdicts whose judge stated numbers
    sums_right: int = 0
    violations: int = 0  # of scored verdicts
    input_tokens: int = 0
    output_tokens: int = 0

    def take(self, record: VerdictRecord) -> None:
        self.verdicts += 1
        usage = record["usage"]
        self.input_tokens += usage["input_tokens"]
        self.output_tokens += usage["output_tokens"]
        if record["scores"] is None:
            return
        self.scored += 1
        codes = [violation["code"] for violation in record["violations"]]
        self.violations += sum(is_breach(code) for code in codes)
        failed = set()
        for violation in record["violations"]:
            if _is_bad_quote(violation["code"]):
                failed.add(violation["where"])
        found = {evidence["where"] for evidence in record["evidence"]} - failed
        self.quotes += len(found) + len(failed)
        self.quotes_found += len(found)
        if any(value is not None for value in record["stated"].values()):
            self.sums += 1
            self.sums_right += not any(_is_wrong_sum(code) for code in codes)


def _is_bad_quote(code: str) -> bool:
    return code.startswith(_BAD_QUOTES) and code not in _MISSING_QUOTES


def _is_wrong_sum(code: str) -> bool:
    return code.startswith(_WRONG_SUMS[0]) or code.endswith(_WRONG_SUMS[1])


def by_prompt(run: str, records: Iterable[VerdictRecord]) -> list[PromptCompliance]:
    """One row a judge and prompt, in the order of the verdicts; a panel's members count alone."""
    rows: dict[tuple[str, str], PromptCompliance] = {}
    for record in records:
        if "panel" in record:
            continue
        prompt = str(extra_of(record).get("prompt", ""))
        key = (record["judge"], prompt)
        rows.setdefault(key, PromptCompliance(run, *key)).take(record)
    return list(rows.values())


def asks_differently(*manifests: Manifest) -> bool:
    """Whether these runs, or the judges of a single one, were asked with more than one prompt."""
    return len(set(chain.from_iterable(map(_prompts, manifests)))) > 1


def _prompts(manifest: Manifest) -> Iterator[str]:
    """What a manifest says of the prompt of each judge."""
    asking = manifest.params.get("asking", {})
    usual = (manifest.prompt_sha, asking.get("template"), asking.get("with_arithmetic", False))
    named = manifest.named.get("judges", {})
    for judge in manifest.judges:
        own = named.get(judge, {}).get("prompt")
        yield str(usual if own is None else own)


def prompt_sheet(rows: Iterable[PromptCompliance]) -> Sheet:
    """The table; `run` is a column where there are several."""
    rows = list(rows)
    several = len({row.run for row in rows}) > 1
    first = ("run", "judge", "prompt") if several else ("judge", "prompt")
    header = (
        *first, "verdicts", "no score", "quotes found", "sums right", "violations a verdict",
        "tokens in", "tokens out",
    )  # fmt: skip
    body = tuple(tuple(_cells(row, several)) for row in rows)
    notes = ("tokens: of one verdict, all attempts counted; prompt: the beginning of its hash.",)
    return Sheet(header, body, notes, names=len(first))


def _cells(row: PromptCompliance, several: bool) -> Iterator[str]:
    if several:
        yield row.run
    yield row.judge
    yield row.prompt[:8] or "–"
    yield f"{row.verdicts:,}"
    yield f"{row.verdicts - row.scored:,}"
    yield _share(row.quotes_found, row.quotes)
    yield _share(row.sums_right, row.sums)
    yield f"{row.violations / row.scored:.2f}" if row.scored else "–"
    yield f"{row.input_tokens / row.verdicts:,.0f}"
    yield f"{row.output_tokens / row.verdicts:,.0f}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%} of {whole:,}" if whole else "–"
