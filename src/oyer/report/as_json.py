"""A leaderboard as one JSON object: everything that the tables show, as numbers and names."""

from __future__ import annotations

import math
from dataclasses import asdict

from oyer.report.costs import costs_of
from oyer.report.judges import as_json, side_by_side
from oyer.report.open_run import Opened, digest_of, figures_of, panels_of, reasons_of, trust_of
from oyer.report.panels import MemberStats, PanelStats
from oyer.report.protocols import protocol_rows
from oyer.report.standings import Standing
from oyer.report.tables import Sheet, parts


def answer(opened: Opened, rows: list[Standing]) -> dict[str, object]:
    """What `oyer leaderboard --json` prints."""
    gathered, run = opened.gathered, opened.run
    side = side_by_side(gathered)
    return {
        "run": run.id,
        "name": run.name,
        "protocol": opened.protocol.name,
        "state": run.state,
        "tasks": run.manifest.tasks,
        "verdicts": gathered.verdicts,
        "cases": len(gathered.cases),
        "judges": dict(gathered.judges),
        "errors": dict(gathered.kinds),
        "reasons": reasons_of(opened),
        "trust": trust_of(opened),
        "standings": [_finite(asdict(row)) for row in rows],
        "costs": asdict(costs_of(opened, rows)),
        "protocols": [asdict(row) for row in protocol_rows(opened)],
        "side_by_side": None if side is None else as_json(side),
        "panels": {name: _panel(panel) for name, panel in panels_of(opened).items()},
        "figures": figures_of(opened),
        "digest": [_part(part) for part in parts(digest_of(opened) or "")],
    }


def _finite(value: object) -> object:
    """JSON has no NaN: a mean of nothing is null."""
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value


def _panel(panel: PanelStats) -> dict[str, object]:
    kinds = panel.concord.kinds.items()
    return {
        "judges": [{"judge": judge, **_seat(seat)} for judge, seat in panel.seats.items()],
        "agreement": {
            name: {"findings": kind.n, "agree": kind.agree, "ties": kind.ties,
                   "alpha": None if kind.alpha.value is None else float(kind.alpha.value)}
            for name, kind in kinds
        },
    }  # fmt: skip


def _seat(seat: MemberStats) -> dict[str, object]:
    return {
        "asked": seat.asked,
        "scored": seat.scored,
        "total": seat.total / seat.scored if seat.scored else None,
        "apart": seat.apart / seat.both if seat.both else None,
        "self_judging": seat.own,
        "violations": seat.violations,
    }


def _part(part: Sheet | str) -> object:
    """A line of the protocol's own report, or a table of it."""
    return part if isinstance(part, str) else {"header": part.header, "rows": part.rows}
