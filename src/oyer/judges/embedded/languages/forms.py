"""The regular forms of French and Dutch verbs, as far as a stemmer does not see them as one."""

from __future__ import annotations

import re

VOWELS = "aeiouy"
#: What follows the stem of perdre and of finir.
RE = ("s", "", "ent", "ons", "ez", "ait", "aient", "u", "ue", "us", "ues", "ra", "ront", "rait",
      "raient", "ant", "it", "irent")  # fmt: skip
IR = ("i", "is", "it", "issent", "issons", "issait", "issaient", "ira", "iront", "irait",
      "iraient", "ie", "ies", "issant", "irent")  # fmt: skip
#: What a Dutch verb begins with that takes no "ge".
BOUND = ("be", "ge", "ver", "ont", "her", "er", "over", "onder")


def conjugate_french(verb: str) -> list[str]:
    """The verb and its forms; those in -er have one stem in all."""
    if verb.endswith("re") and len(verb) > 4:
        return [verb, *(verb[:-2] + ending for ending in RE)]
    if verb.endswith("ir") and len(verb) > 4:
        return [verb, *(verb[:-2] + ending for ending in IR)]
    return [verb]


def conjugate_dutch(verb: str) -> list[str]:
    """The verb and its weak forms: klagen, klaag, klaagt, klaagde, klaagden, geklaagd."""
    if not verb.endswith("en") or len(verb) < 5:
        return [verb]
    stem = first_person(verb[:-2])
    weak = [stem + end for end in ("", "t", "te", "ten", "de", "den", "d")]
    took = [] if verb.startswith(BOUND) else ["ge" + stem + end for end in ("t", "d", "de", "te")]
    return [verb, *weak, *took]


def first_person(root: str) -> str:
    """The form that "ik" takes: klag is klaag, stopp is stop, gev is geef, reiz is reis."""
    if len(root) > 1 and root[-1] == root[-2]:
        root = root[:-1]
    elif re.search(rf"(?:^|[^{VOWELS}])[aeou][^{VOWELS}]$", root) and not root.endswith(
        ("er", "el", "en", "ig", "em")
    ):
        root = root[:-1] + root[-2] + root[-1]
    elif root in ("nem", "lez", "gev", "breng"):
        root = root[:-1] + root[-2] + root[-1]
    return root[:-1] + {"v": "f", "z": "s"}.get(root[-1:], root[-1:])
