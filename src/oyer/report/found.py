"""What was found in the texts of each candidate: how many have it, with an example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from oyer.abilities import Remark, Section
from oyer.report.conclusion import conclude
from oyer.report.explain import Explanation, explain, measure, total_top
from oyer.report.open_run import Opened
from oyer.report.sample import choose
from oyer.report.standings import NOBODY, Standing
from oyer.report.tables import Sheet

INVENTED = "invented"  # the key of the section that has what a candidate made up
FOUND_UP_TO = 1_000  # verdicts of a run that are all read; of more, a report and `oyer cases` tell
NAMED = 3  # candidates that the conclusion names
LOOKED_AT = 200  # verdicts, for one that has its judge's figures
TRIES = 20  # of each judge's verdicts: those on a foreign text have other figures
LONGEST = 120  # characters of the example in the conclusion


@dataclass
class Findings:
    """By candidate and title: the remark that the judge is surest of, from each verdict."""

    scored: dict[str, int] = field(default_factory=dict)  # verdicts with a score
    remarks: dict[str, dict[str, list[Remark]]] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)  # the gravest first
    invented: str = ""  # the title of what is made up; "": the protocol has no such finding

    def count(self, candidate: str, title: str) -> int:
        """How many of a candidate's verdicts have such a finding."""
        return len(self.remarks.get(candidate, {}).get(title, ()))

    def example(self, candidate: str, title: str) -> Remark:
        """The finding of which the judge is surest; the first among equals."""
        return max(self.remarks[candidate][title], key=lambda remark: remark.doubt)


def find_findings(verdicts: Iterable[tuple[str, Explanation]]) -> Findings:
    """Gather what the explanations of each candidate's verdicts name."""
    found = Findings()
    tones: dict[str, str] = {}
    for name, words in verdicts:
        candidate = name or NOBODY
        if not words.scores:
            continue
        found.scored[candidate] = found.scored.get(candidate, 0) + 1
        sections = [section for section in words.sections if section.tone != "plain"]
        _order_titles(found.titles, sections)
        for section in sections:
            tones[section.title] = section.tone
            if section.key == INVENTED:
                found.invented = section.title
            kinds = found.remarks.setdefault(candidate, {})
            surest = max(section.remarks, key=lambda remark: remark.doubt)
            kinds.setdefault(section.title, []).append(surest)
    found.titles.sort(key=lambda title: tones[title] != "bad")
    return found


def _order_titles(titles: list[str], sections: Sequence[Section]) -> None:
    """Add new ones before those that they stand before in the explanation."""
    names = [section.title for section in sections]
    for at, title in enumerate(names):
        if title not in titles:
            later = [titles.index(other) for other in names[at:] if other in titles]
            titles.insert(min(later, default=len(titles)), title)


def read_findings(opened: Opened, most: int = 200) -> Findings:
    """What was found, in as many verdicts as a page would open."""
    return find_findings(_explanations(opened, choose(opened.outcomes(), most).rows))


def _explanations(opened: Opened, rows: Iterable[int]) -> Iterator[tuple[str, Explanation]]:
    for row in rows:
        for kept in opened.store.verdicts(opened.run.id, row - 1, row):
            yield kept.record["candidate"] or "", explain(kept.record, opened.protocol)


# ── as tables ─────────────────────────────────────────────────────────────────────────────────


def findings_sheets(found: Findings, rows: Sequence[Standing]) -> list[Sheet]:
    """A finding a row, counted for each candidate; then an example of each."""
    if not found.titles:
        return []
    candidates = [row.candidate for row in rows]
    body = []
    for title in found.titles:
        counts = (f"{found.count(who, title)} of {found.scored.get(who, 0)}" for who in candidates)
        body.append((title, *counts))
    examples = []
    for who in candidates:
        graver = [title for title in found.titles if found.count(who, title)]
        if graver:
            examples.append((who, f"{graver[0]}: {found.example(who, graver[0]).text}"))
    notes = ("Verdicts that have such a finding; judges find them, and may be wrong.",)
    names = ("verdicts",) if candidates == [NOBODY] else tuple(candidates)
    return [
        Sheet(("finding", *names), tuple(body)),
        Sheet(("candidate", "for example"), tuple(examples), notes, words=(1,)),
    ]


# ── as sentences ──────────────────────────────────────────────────────────────────────────────


def conclusions(opened: Opened, rows: Sequence[Standing], found: Findings) -> list[str]:
    """What a reader wants to know first: who is best, who invents, how far to trust the judge."""
    sentences = [
        conclude(rows, total_top(opened.protocol)),
        conclude_findings(found, rows),
        tell_weakness(opened),
    ]
    return [sentence for sentence in sentences if sentence]


def conclude_findings(found: Findings, rows: Sequence[Standing]) -> str:
    """Who invents, how often, and one sentence of the worst; "": nobody does."""
    counts = {row.candidate: found.count(row.candidate, found.invented) for row in rows}
    worst = sorted((who for who in counts if counts[who]), key=lambda who: -counts[who])
    if not worst:
        return ""
    if worst == [NOBODY]:
        start = f"{counts[NOBODY]} of {found.scored[NOBODY]} texts have an invention"
    else:
        first, *others = [f"in {counts[who]} of {found.scored[who]} texts" for who in worst]
        parts = [f"{worst[0]} invents {first}"]
        named = zip(worst[1:NAMED], others, strict=False)
        parts += [f"{who} {share.removesuffix(' texts')}" for who, share in named]
        if len(worst) > NAMED:
            parts.append(f"{len(worst) - NAMED} more do so too")
        start = ", ".join(parts)
    text = " ".join(found.example(worst[0], found.invented).text.split())
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return f"{start}; for example: “{cut}”"


def tell_weakness(opened: Opened) -> str:
    """How often a judge that was measured before it came here is right; "": it has no figures."""
    tries = Counter[str]()
    for outcome in islice(opened.outcomes(), LOOKED_AT):
        if outcome.total is not None and tries[outcome.judge] < TRIES:
            tries[outcome.judge] += 1
            (kept,) = opened.store.verdicts(opened.run.id, outcome.row - 1, outcome.row)
            rates = measure(kept.record)
            if rates:
                return _weakness(outcome.judge, rates)
    return ""


def _weakness(judge: str, rates: Sequence[float]) -> str:
    return (
        f"{judge} is a weak judge: it tells faithful from unfaithful summaries in "
        f"{min(rates):.0%} to {max(rates):.0%} of cases; a coin does in 50%."
    )
