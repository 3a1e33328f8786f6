"""The regular forms of French and Dutch verbs, as far as a stemmer does not see them as one."""

from __future__ import annotations

import re

VOWELS = "aeiouy"
#: What follows the stem of nier, of perdre and of finir.
ER = ("e", "es", "ent", "ons", "ez", "ait", "aient", "é", "ée", "és", "ées", "era", "eront",
      "erait", "eraient", "ant", "a", "èrent")  # fmt: skip
RE = ("s", "", "ent", "ons", "ez", "ait", "aient", "u", "ue", "us", "ues", "ra", "ront", "rait",
      "raient", "ant", "it", "irent")  # fmt: skip
IR = ("i", "is", "it", "issent", "issons", "issait", "issaient", "ira", "iront", "irait",
      "iraient", "ie", "ies", "issant", "irent")  # fmt: skip
#: What a Dutch verb begins with that takes no "ge".
BOUND = ("be", "ge", "ver", "ont", "her", "er", "over", "onder")


def conjugate_french(verb: str) -> list[str]:
    """The verb and its forms."""
    if verb.endswith("re") and len(verb) > 4:
        return [verb, *(verb[:-2] + ending for ending in RE)]
    if verb.endswith("ir") and len(verb) > 4:
        return [verb, *(verb[:-2] + ending for ending in IR)]
    if verb.endswith("er") and len(verb) > 3:
        return [verb, *(verb[:-2] + ending for ending in ER)]
    return [verb]


def conjugate_dutch(verb: str) -> list[str]:
    """The verb and its weak forms: klagen, klaag, klaagt, klaagde, klaagden, geklaagd."""
    if not verb.endswith("en") or len(verb) < 5:
        return [verb]
    found = [verb]
    for stem in first_persons(verb[:-2]):
        found += [stem + end for end in ("", "t", "te", "ten", "de", "den", "d")]
        if not verb.startswith(BOUND):
            found += ["ge" + stem + end for end in ("t", "d", "de", "te")]
    return found


def first_persons(root: str) -> list[str]:
    """The forms that "ik" may take: klag is klaag, stopp is stop, gev is geef, reiz is reis.
    Whether the vowel is long (reageer, lever) no letter tells, so that both are given."""
    forms = [root]
    if len(root) > 1 and root[-1] == root[-2]:
        forms = [root[:-1]]
    elif re.search(rf"(?:^|[^{VOWELS}])[aeou][^{VOWELS}]$", root):
        forms = [root, root[:-1] + root[-2] + root[-1]]
    return [form[:-1] + {"v": "f", "z": "s"}.get(form[-1], form[-1]) for form in forms]
