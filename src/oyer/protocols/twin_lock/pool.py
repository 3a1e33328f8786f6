"""A panel's twin-lock replies as one (PANEL rules); what comes out is checked like any reply."""

from __future__ import annotations

from collections.abc import Mapping

from oyer.protocols.summary.matching import Placed
from oyer.protocols.summary.measure import Texts
from oyer.protocols.summary.pooling import PanelFindings
from oyer.protocols.twin_lock.reply import Extra, TwinLockFindings
from oyer.protocols.twin_lock.table import CLAIMS, POINTS
from oyer.protocols.voting import vote_on_listing
from oyer.text import words
from oyer.text.coverage import tokens
from oyer.types import Case, Checked, JsonObject, Pooled

STRICT_CLAIMS = ("Unsupported", "Partially", "Supported")
TYPES = ("Bias", "Toxicity", "Stereotype", "Subjectivity")


def pool(case: Case, members: Mapping[str, Checked[TwinLockFindings]]) -> Pooled:
    """Five objects, and every vote that made them."""
    findings = {name: checked.findings for name, checked in members.items()}
    bench = PanelFindings({name: f.common for name, f in findings.items()}, Texts.of(case))
    owner, points = bench.points(POINTS)
    extras = {
        name: f.verified.extras if f.verified is not None else f.extras
        for name, f in findings.items()
    }
    coverage = {
        **bench.object_of(owner, "coverage", "rationale"),
        "key_points": points,
        "extraneous": _extraneous(bench, extras),
    }
    alignment = bench.alignment()
    hallucination = {
        **bench.object_of(owner, "hallucination", "rationale"),
        "claims_checked": bench.claims(STRICT_CLAIMS, CLAIMS),
    }
    rest = (bench.relevance(owner), bench.bias_toxicity(TYPES))
    return Pooled((coverage, alignment, hallucination, *rest), tuple(bench.votes))


def _extraneous(bench: PanelFindings, extras: Mapping[str, tuple[Extra, ...]]) -> list[JsonObject]:
    """PANEL-LISTED: a text that at least half of the members call extraneous, wherever they cut."""
    placed = {name: _place_extras(name, own, bench.texts) for name, own in extras.items()}
    entries: list[Placed] = []
    for own in placed.values():
        entries += [extra for extra in own if not extra.is_among(entries)]
    extraneous: list[JsonObject] = []
    for entry in entries:
        listings = {name: entry.is_among(own) for name, own in placed.items()}
        where = f"coverage.extraneous[{len(extraneous)}]"
        if bench.keep(vote_on_listing("extraneous text", where, listings)):
            extraneous.append(entry.raw)
    return extraneous


def _place_extras(name: str, extras: tuple[Extra, ...], texts: Texts) -> list[Placed]:
    own = tokens(texts.summary)
    return [
        Placed(
            name,
            i,
            "extraneous",
            own.place(extra.text, None, texts.language),
            words.keywords(extra.text, texts.language),
            {"text": extra.text, "issue": extra.issue},
        )
        for i, extra in enumerate(extras)
        if not extra.dropped
    ]
