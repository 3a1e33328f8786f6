"""One article of our own, a faithful summary of it, and the variants that can run here."""

from __future__ import annotations

from importlib.util import find_spec
from typing import get_args

import oyer
from oyer.judges.embedded import Embedded, has_full
from oyer.judges.embedded.assess import Variant
from oyer.types import Case, Verdict

ARTICLE = """The city council of Harlow voted on Tuesday to close the old Bridge Street library.
The library, built in 1931, needs repairs that would cost 2.4 million pounds, an engineer reported.
Councillor Maria Jensen said the money was better spent on the new branch at Mill Lane.
The new branch will open in September and will hold 60,000 books.
Residents collected 3,200 signatures against the closure, and some wept in the public gallery.
"We were never asked," said Tom Okafor, who leads the Friends of Bridge Street.
The council promised that the reading room for children would move to Mill Lane unchanged.
Staff at Bridge Street will not lose their jobs, the council's chief executive, Ada Lind, said.
The old building will be sold, and its stained glass windows will go to the town museum."""
GOOD = """The Harlow city council voted on Tuesday to close the old Bridge Street library.
Repairs to the library, built in 1931, would cost 2.4 million pounds.
The new branch at Mill Lane will open in September and will hold 60,000 books.
Residents collected 3,200 signatures against the closure.
Staff at Bridge Street will not lose their jobs."""

_READY = has_full() and find_spec("onnxruntime") and find_spec("tokenizers")
VARIANTS: tuple[Variant, ...] = get_args(Variant) if _READY else ("light",)


def verdict(
    protocol: str, summary: str, article: str = ARTICLE, *, variant: Variant = "light"
) -> Verdict:
    """The way of one case: the judge's reply through the same audit as any other."""
    case = Case("1", {"article": article, "summary": summary})
    return oyer.audit(protocol, case, Embedded(variant).reply(protocol, case))
