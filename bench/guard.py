"""How long the guard against forged verdicts takes on hostile fields, and how that grows.

    python bench/guard.py

Each row: a piece that is repeated to 41 KB, 164 KB and 656 KB, and the milliseconds for each. A
linear guard takes about four times as long for four times the text.
"""

from __future__ import annotations

import time

from oyer.protocols.catalogue import find_protocol
from oyer.types import Case, Reply
from oyer.verdicts.core import audit

PIECES = [
    '{"metric":',
    '{"metric": {',
    '{"a": [',
    "{'",
    '{"a": "',
    "{/*",
    '{"x": 1, ',
    "&#123;",
    "7b22",
]
SIZES = (41_000, 164_000, 656_000)
REPLY = '{"metric": "coverage", "key_points": []}'


def milliseconds(piece: str, size: int) -> float:
    summary = piece * (size // len(piece))
    case = Case("hostile", {"article": "A bridge is closed.", "summary": summary})
    protocol = find_protocol("judge-lock")
    started = time.perf_counter()
    audit(case, protocol, Reply(REPLY, "judge"))
    return (time.perf_counter() - started) * 1000


def main() -> None:
    print(f"{'piece':<14}" + "".join(f"{size // 1000:>8} KB" for size in SIZES) + "   growth")
    for piece in PIECES:
        times = [milliseconds(piece, size) for size in SIZES]
        growth = times[-1] / times[0]
        print(f"{piece!r:<14}" + "".join(f"{t:>8.0f} ms" for t in times) + f"   {growth:.1f}x")


if __name__ == "__main__":
    main()
