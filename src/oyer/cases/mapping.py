"""`--map article=document,id=meta.key`: which column or nested value of a row is which field."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from oyer.errors import InputError, UsageError
from oyer.types import AnyProtocol, JsonObject

#: Keys that every case may have besides the fields of its protocol.
COMMON = ("id", "candidate", "reply", "judge", "repeat")
#: Stands in a suggestion for a column that only the user knows.
UNKNOWN = "COLUMN"
#: What other data sets call our fields. Only a suggestion is made of it, never a guess.
_OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "article": ("document", "source", "text", "context", "input", "doc", "story", "dialogue"),
    "summary": ("highlights", "abstract", "output", "generated", "prediction", "response", "tldr"),
    "prompt": ("question", "instruction", "input", "query", "task"),
    "response": ("answer", "output", "completion", "prediction", "generated", "reply"),
    "sourceText": ("text", "decision", "document", "source"),
    "decisionId": ("id", "ecli", "decision_id"),
    "proceduralLanguage": ("language", "lang"),
    "extracted": ("provisions", "output", "extraction"),
    "candidate": ("model", "system", "generator", "model_name", "model_id"),
    "id": ("key", "uid", "index", "doc_id"),
}


#: A column with one of these words says something about a text; it does not hold it.
_ABOUT = frozenset((
    "id", "key", "url", "link", "title", "name", "date", "language", "lang", "length", "len",
    "words", "count", "score", "type",
))  # fmt: skip
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Mapper:
    """Our name -> the path of the value in a row: `highlights`, `choices.0.text`."""

    paths: Mapping[str, str] = field(default_factory=dict)

    def apply(self, row: JsonObject, optional: frozenset[str] = frozenset()) -> dict[str, object]:
        """The row with our names; raises InputError naming the path that it lacks."""
        if not self.paths:
            return dict(row)
        used = {path.partition(".")[0] for path in self.paths.values() if path not in self.paths}
        mapped = {key: value for key, value in row.items() if key not in used}
        for name, path in self.paths.items():
            found = _look_up(row, path)
            if found is _MISSING and name in optional:
                continue
            if found is _MISSING:
                known = ", ".join(paths_of(row)[:12])
                message = f"is mapped to '{path}', which the row does not have; it has {known}"
                raise InputError(message, field=name)
            mapped[name] = found
        return mapped


def parse_map(given: Iterable[str], protocol: AnyProtocol) -> Mapper:
    """`article=document,summary=highlights`, once or several times; UsageError for a wrong one."""
    pairs: dict[str, str] = {}
    for part in ",".join(given).split(","):
        if not part.strip():
            continue
        name, sign, path = (piece.strip() for piece in part.partition("="))
        if not sign or not name or not path:
            raise UsageError(f"--map takes FIELD=COLUMN, not '{part.strip()}'")
        pairs[name] = path
    return make_mapper(pairs, protocol)


def make_mapper(pairs: Mapping[str, str], protocol: AnyProtocol) -> Mapper:
    """A mapper to the protocol's fields; UsageError for a name that is none."""
    known = (*(f.name for f in protocol.fields), *COMMON)
    for name in pairs:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(known)}"
            raise UsageError(f"map: {protocol.id} has no field '{name}'{hint}")
    return Mapper(dict(pairs))


def paths_of(row: JsonObject) -> list[str]:
    """The columns of a row as --map names them: those with values inside by their paths."""
    found: list[str] = []
    for name, value in row.items():
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, Mapping) and inner:
            inside = f"{name}.0" if isinstance(value, list) else name
            found += [f"{inside}.{key}" for key in inner]
        else:
            found.append(name)
    return found


def suggest_map(columns: Sequence[str], protocol: AnyProtocol, missing: Sequence[str]) -> str:
    """What to type for a file whose columns have other names, with COLUMN for each field to which
    none comes to mind; "" where there are too few other columns for them."""
    taken = {*COMMON, *(field.name for field in protocol.fields)}
    free = [column for column in columns if column not in taken]
    if not missing or len(free) < len(missing):
        return ""
    found = dict.fromkeys(missing, UNKNOWN)
    for name in missing:
        column = _likely(name, free)
        if column is not None and "," not in column:  # --map parts its pairs there
            free.remove(column)
            found[name] = column
    if author := likely_candidate(columns, free):
        found["candidate"] = author
    typed = shlex.quote(",".join(f"{name}={column}" for name, column in found.items()))
    named = f", with the name of a column for each {UNKNOWN}" if is_unsure(typed) else ""
    return f"--map {typed}{named}"


def is_unsure(suggestion: str) -> bool:
    """Whether a suggestion leaves a column to the user."""
    return f"={UNKNOWN}" in suggestion


def likely_candidate(columns: Sequence[str], free: Sequence[str]) -> str | None:
    """The column that seems to say who wrote the judged text, where none is called so."""
    if "candidate" in columns:
        return None
    names = _OTHER_NAMES["candidate"]
    return next((column for column in free if column.casefold() in names), None)


def _likely(name: str, columns: Sequence[str]) -> str | None:
    folded = {column.casefold(): column for column in columns}
    for column in columns:  # a nested value goes by its last name, if that is free
        folded.setdefault(column.rpartition(".")[2].casefold(), column)
    names = (name.casefold(), *_OTHER_NAMES.get(name, ()))
    for other in names:
        if other in folded:
            return folded[other]
    texts = {column: words for column in columns if not (words := _words(column)) & _ABOUT}
    for other in names:  # "AI summary (v2)", "source_text": if there is no second one
        holding = [column for column, words in texts.items() if other in words]
        if holding:
            return holding[0] if len(holding) == 1 else None
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.75)
    return folded[near[0]] if near and folded[near[0]] in texts else None


def _words(column: str) -> frozenset[str]:
    """The words that a name is made of: `articleBody`, `article_body`, `Article body`."""
    return frozenset(_WORD.findall(_HUMP.sub(" ", column).casefold()))


_MISSING = object()


def _look_up(row: object, path: str) -> object:
    """The value at a path; a key that has a dot in its name is found too."""
    if isinstance(row, Mapping) and path in row:
        return row[path]
    head, _, rest = path.partition(".")
    value = _MISSING
    if isinstance(row, Mapping):
        value = row.get(head, _MISSING)
    elif isinstance(row, list) and _is_index(head) and int(head) < len(row):
        value = row[int(head)]
    return _look_up(value, rest) if rest and value is not _MISSING else value


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
