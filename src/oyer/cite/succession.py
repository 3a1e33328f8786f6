"""BL-ALIAS: a name that passed from one act to the next means the act of the decision's time.

"Werkloosheidsbesluit" is the royal decree of 1991, but in a decision of 1985 that of 1963. A name
with its year ("Werkloosheidsbesluit 1991") or one that says new or old is always the same act.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from oyer.cite import lexicon

_ECLI: Final = re.compile(r"ECLI:[A-Z]{2}:[A-Z0-9]{1,12}:(\d{4}):")
_FIXED: Final = re.compile(r"\d|\b(?:nouve|nieuw|ancien|oud|new)", re.IGNORECASE)


@cache
def _eras() -> dict[str, list[tuple[str, str, str]]]:
    """Act id -> (side, date, other act), the oldest date first."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for id_, side, date, other in lexicon.rows("eras.tsv", 4):
        found.setdefault(id_, []).append((side, date, other))
    return {id_: sorted(rows, key=lambda row: row[1]) for id_, rows in found.items()}


def act_at(id_: str | None, name: str, when: str | None) -> str | None:
    """The act that `name` meant on the day `when` (yyyy-mm-dd); without a day, `id_` itself."""
    if id_ is None or when is None or id_ not in _eras() or _FIXED.search(name):
        return id_
    for side, date, other in _eras()[id_]:
        if side == "before" and when < date:
            return other
    for side, date, other in reversed(_eras()[id_]):
        if side == "from" and when >= date:
            return other
    return id_


def day_of_decision(decision_id: str | None) -> str | None:
    """The day of a decision, from its ECLI: the date in it, else the end of its year."""
    match = _ECLI.search(decision_id or "")
    if not match:
        return None
    dated = re.search(rf"\.({match[1]})(0[1-9]|1[0-2])([0-3]\d)(?!\d)", match.string)
    return "-".join(dated.groups()) if dated else f"{match[1]}-12-31"
