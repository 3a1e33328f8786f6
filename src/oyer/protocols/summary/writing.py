"""How candidates write summaries, unless the suite's [writing] says otherwise."""

from __future__ import annotations

from oyer.types import Writing

WRITING = Writing(
    "summary",
    "Summarise the following article in one paragraph. Use only what the article says, in the "
    "article's language. Answer with the summary alone.\n\n{{article}}",
)
