"""Numbers and names of a claim that its article has in no form: such a claim is never Supported."""

from __future__ import annotations

from itertools import groupby

from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import Words, is_content

FEW = 3  # what a claim may count by itself: "the two men"
ROOT = 4  # letters that the forms of a name have in common: Norway, Norwegian


def is_strange(source: SourceText, claim: str, words: Words) -> bool:
    return bool(find_strange(source, claim, words))


def find_strange(source: SourceText, claim: str, words: Words) -> list[int]:
    """The places of such words in a claim."""
    return find_strange_numbers(source, claim, words) + find_strange_names(source, words)


def find_strange_numbers(source: SourceText, claim: str, words: Words) -> list[int]:
    """Numbers in digits, or larger ones in words: a small one may be counted by the claim itself.
    (Where one of four or more in words is missing, people call 55 of 57 claims wrong.)"""
    numbers = [at for at, start in enumerate(words.starts) if claim[start].isdigit()]
    numbers += [at for at, norm in enumerate(words.norms) if norm.isdecimal() and int(norm) > FEW]
    return [at for at in numbers if words.stems[at] not in source.places]


def find_strange_names(source: SourceText, words: Words) -> list[int]:
    """Names and days. The first word is a capital anyway, and so are all of a heading."""
    content = [at for at, norm in enumerate(words.norms) if is_content(norm)]
    if all(words.capital[at] for at in content):
        return []
    names = [at for at in content if at and words.capital[at]]
    unknown = [at for at in names if words.stems[at] not in source.places]
    return [
        at
        for at in unknown
        if not _has_form(source, words.norms[at]) and not _is_abbreviated(source, words, at)
    ]


def _has_form(source: SourceText, norm: str) -> bool:
    """Whether the article has the name in another form, or written out: World Bank for WB."""
    return norm[:ROOT] in source.roots or norm in source.initials


def _is_abbreviated(source: SourceText, words: Words, at: int) -> bool:
    """Whether the article has the initials of the capitalised words that it stands among."""
    runs = groupby(range(len(words)), key=lambda i: words.capital[i])
    own = next(run for _, group in runs if at in (run := list(group)))
    # one letter is no abbreviation: the word "a" would vouch for "August"
    return len(own) > 1 and "".join(words.norms[i][0] for i in own) in source.places
