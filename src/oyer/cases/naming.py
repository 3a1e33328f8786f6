"""Rows without an id: texts of several candidates on one source are one case.

A row without an id is called by its number. A table of candidates' texts (article, model, summary)
has a row for each text: called by their numbers alone, no two candidates would share a case, and
nothing could be paired. So such a row has the number of the first row with the same source.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace

from oyer.cases.rows import BadRow, Row
from oyer.types import Case, Protocol


def name_rows(rows: Iterable[Row], protocol: Protocol[object]) -> Iterator[Row]:
    """The rows in order; one without an id has that of its source's first row."""
    judged = protocol.judged
    names = _Names(judged)
    for row in rows:
        if isinstance(row, BadRow) or not judged or not row.numbered or row.candidate is None:
            yield row
        else:
            yield names.name(row)


class _Names:
    def __init__(self, judged: str) -> None:
        self._judged = judged
        self._firsts: dict[bytes, str] = {}  # source -> the number of its first row
        self._texts: dict[tuple[str, str], bytes] = {}  # (case, candidate) -> its text

    def name(self, case: Case) -> Case:
        """The case under its source's name. A candidate's second text on it is a case of its own;
        the same text again, too, unless another judge's reply comes with it."""
        source = {name: value for name, value in case.fields.items() if name != self._judged}
        first = self._firsts.setdefault(_hash(source), case.id)
        text = _hash(case.fields.get(self._judged))
        place = (first, str(case.candidate))
        before = self._texts.get(place)
        if before is None:
            self._texts[place] = text
        if before is None or (before == text and case.reply is not None):
            return replace(case, id=first)
        return case


def _hash(value: object) -> bytes:
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=12).digest()
