"""A first, crude engine behind the public contract; the pipeline replaces it."""

from __future__ import annotations

import re

from oyer.cite.model import Act, Citation, Language

_ARTICLE = re.compile(
    r"\b(?:artikel(?:en)?|articles?|artt?\.?)\s+((?:[IVXLCDM]+\.)?\d+(?:[./]\d+)*"
    r"(?:bis|ter|quater|quinquies|sexies|septies|octies|novies|decies|undecies)?)",
    re.IGNORECASE,
)
_NAMES = {
    "code judiciaire": ("code-judiciaire", "CODE"),
    "gerechtelijk wetboek": ("code-judiciaire", "WETBOEK"),
    "ger.w.": ("code-judiciaire", "WETBOEK"),
    "code civil": ("code-civil", "CODE"),
    "burgerlijk wetboek": ("code-civil", "WETBOEK"),
    "constitution": ("constitution", "CONSTITUTION"),
    "grondwet": ("constitution", "GRONDWET"),
}


def cite(text: str, language: Language | None = None) -> tuple[Citation, ...]:
    """Every provision that `text` cites, in its order; `language` None: detect it."""
    found = []
    for number, match in enumerate(_ARTICLE.finditer(text)):
        act = resolve(text[match.end() : match.end() + 40].split(",", maxsplit=1)[0])
        known = act.id is not None
        found.append(
            Citation(
                match[0],
                match.start(),
                match.end(),
                match[1].lower(),
                (),
                act if known else Act(None, "", None, None),
                "single",
                False,
                known,
                number,
            )
        )
    return tuple(found)


def resolve(
    name: str,
    *,
    type: str | None = None,
    date: str | None = None,
    language: Language | None = None,
) -> Act:
    """The act that `name` means, as an extractor or a decision wrote it."""
    low = name.casefold()
    for known, (id_, kind) in _NAMES.items():
        if known in low:
            return Act(id_, name.strip(), kind, date)
    return Act(None, name.strip(), type, date)


def article(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Key and path of a provision number such as "article 31, § 2, alinéa 1er"."""
    match = _ARTICLE.search(text)
    return (match[1].lower(), ()) if match else None
