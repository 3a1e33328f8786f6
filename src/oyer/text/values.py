"""Numbers, booleans, labels and names as judges write them: each has one defined reading.

A reading never raises and never guesses: what cannot be read has `value` None and a `flaw` that
says why; what a strict reader would have refused but is unmistakable ("8,5", "8/10") has both.
The table of readings is in docs/replies.md.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")

#: Longer strings are no numbers; bigger exponents are never worked out.
MAX_CHARS = 64
MAX_EXPONENT = 300

_NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>\d*)(?:(?P<mark>[.,])(?P<part>\d*))?(?:[eE](?P<exponent>[+-]?\d+))?"
)
_SHARE = re.compile(r"(?P<top>.+?)\s*(?:/|\bout of\b)\s*(?P<of>[\d.,]+)", re.IGNORECASE)
_UNIT = re.compile(r"\s*(?:点|points?|pts?\.?)$", re.IGNORECASE)
_JOINTS = re.compile(r"[\s\-_&\u2010-\u2015\u2212]+")  # typographic dashes too


class Read(NamedTuple, Generic[T]):
    """A value as it was read (None: cannot be read) and what was wrong with it, if anything."""

    value: T | None
    flaw: str | None = None


Scalar = Read[Fraction]
Flag = Read[bool]
Label = Read[str]


def number(value: Any, out_of: int = 10) -> Scalar:
    """A number as a judge states it, exactly: 8.5, "8.5", "8,5", "8/10", "85%".

    A share ("8/10", "4/5", "85%") is a share of the scale `out_of`: on a scale of 10 "4/5" is 8,
    on a scale of 1 it is 0.8. Booleans, NaN, infinities and what is too big are no numbers.
    """
    if isinstance(value, bool):
        return Read(None, "a boolean is not a number")
    if isinstance(value, int):
        return Read(Fraction(value))
    if isinstance(value, float):
        return Read(_exact(value)) if math.isfinite(value) else Read(None, "not finite")
    if isinstance(value, str):
        return _read_text(value, out_of)
    return Read(None, "missing" if value is None else "not a number")


@lru_cache(maxsize=4096)  # judges grade in steps, so that few numbers recur; parsing one is slow
def _exact(value: float) -> Fraction:
    """The decimal that the judge wrote: 0.1 is 1/10, not the nearest binary fraction."""
    return Fraction(repr(value))


def _read_text(text: str, out_of: int) -> Scalar:
    if len(text) > MAX_CHARS:
        return Read(None, "not a number")
    plain = _UNIT.sub("", unicodedata.normalize("NFKC", text).replace("−", "-").strip())
    if plain.endswith("%"):
        part = _decimal(plain[:-1].rstrip())
        return part if part.value is None else Read(part.value / 100 * out_of, "a percentage")
    if share := _SHARE.fullmatch(plain):
        return _share(share["top"], share["of"], out_of)
    part = _decimal(plain)
    return part if part.value is None else Read(part.value, part.flaw or "a number in a string")


def _share(top: str, of: str, out_of: int) -> Scalar:
    part, whole = _decimal(top), _decimal(of)
    if part.value is None or whole.value is None:
        return Read(None, "not a number")
    if whole.value <= 0:
        return Read(None, "a share of nothing")
    return Read(part.value / whole.value * out_of, f"a share out of {of}")


def _decimal(text: str) -> Scalar:
    """Digits with a decimal point or comma; "1,234" could be either and is not read."""
    match = _NUMBER.fullmatch(text)
    if match is None or not text.isascii() or not (match["whole"] or match["part"]):
        return Read(None, "not a number")
    exponent = int(match["exponent"] or 0)
    if abs(exponent) > MAX_EXPONENT:
        return Read(None, "too big a number")
    whole, part = match["whole"], match["part"] or ""
    comma = match["mark"] == ","
    if comma and len(part) == 3 and whole.strip("0"):
        return Read(None, "a comma that may be a decimal or a thousands mark")
    size = Fraction(int(whole + part or 0), 10 ** len(part)) * Fraction(10) ** exponent
    return Read(-size if match["sign"] == "-" else size, "a decimal comma" if comma else None)


_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def flag(value: Any) -> Flag:
    """A boolean: true, "true", "False", "yes", "no", 1, 0; nothing else is one."""
    if isinstance(value, bool):
        return Read(value)
    if isinstance(value, int) and value in (0, 1):
        return Read(bool(value), "a 0 or 1")
    if isinstance(value, str) and len(value) <= MAX_CHARS:
        known = _FLAGS.get(value.strip().casefold())
        return Read(known, "not a boolean" if known is None else "a boolean in a string")
    return Read(None, "missing" if value is None else "not a boolean")


def label(value: Any, allowed: Sequence[str], aliases: Mapping[str, str] | None = None) -> Label:
    """One of the allowed labels, whatever its case, blanks and hyphens; aliases are folded too."""
    if not isinstance(value, str):
        return Read(None, "missing" if value is None else "not a label")
    if value in allowed:
        return Read(value)
    folded = metric_name(value)
    for name in allowed:
        if metric_name(name) == folded:
            return Read(name, "another spelling")
    for alias, name in (aliases or {}).items():
        if metric_name(alias) == folded:
            return Read(name, "another name")
    return Read(None, "an unknown label")


def metric_name(value: Any) -> str:
    """A name with case, `-`, `_`, `&` and blanks folded: "Bias-Toxicity" is "bias_toxicity"."""
    if not isinstance(value, str) or len(value) > MAX_CHARS:
        return ""
    return _JOINTS.sub("_", value.casefold()).strip("_")
