"""What a word means in French that its neighbours decide: above all, what is denied."""

from __future__ import annotations

from oyer.judges.embedded.languages import Language
from oyer.judges.embedded.languages.token import Token, clause, contrasted, is_alone

REACH = 7  # words within which the second half of a denial stands
#: The second halves; "ne" itself is read as the denial, since it stands before what is denied.
HALVES = {"pas": "not", "plus": "not", "jamais": "never", "rien": "not", "personne": "not",
          "ni": "not", "guère": "hardly", "nullement": "not"}  # fmt: skip
#: Subjects that deny by themselves: "Aucune plainte n'a été reçue".
SUBJECTS = {"aucun": "no", "aucune": "no", "rien": "nothing", "personne": "nobody", "nul": "no",
            "nulle": "no", "ni": "neither", "jamais": "never"}  # fmt: skip
#: Halves that stand before what there is none of.
NONE = frozenset(("aucun", "aucune", "nul", "nulle"))
ALONE = frozenset(["peut", "pouvait", "saurait", "cesse", "ose", "sais", "puisse", "pourrait"])
STEPS = frozenset(
    ["un", "le", "ce", "premier", "grand", "au", "du", "petit", "chaque", "les", "des", "faux"]
)
IDLE, SAID = "do", "any"  # stop words for what is left of a denial


def amend_french(text: str, tokens: list[Token], language: Language) -> None:
    for at, token in enumerate(tokens):
        if token.low in ("ne", "n"):
            _deny(text, tokens, at)
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else token
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.low == "non" and is_alone(text, tokens, at):
            token.norm = IDLE
        elif token.low == "pas" and token.norm == "not" and before.low in STEPS:
            token.norm = "step"
        elif token.low == "peu" and token.norm == "few" and after and after.low not in ("de", "d"):
            token.norm = "hardly"  # peu grave
        elif token.low == "s" and after and after.low in ("il", "ils"):
            token.norm = "if"
        elif token.low in ("de", "d") and before.norm in ("refuse", "avoid", "fail"):
            token.norm = "to"


def _deny(text: str, tokens: list[Token], at: int) -> None:
    """Reads one "ne": as the denial, unless its subject denies, or "que" follows: only."""
    low, high = clause(text, tokens, at)
    tokens[at].norm = IDLE
    for earlier in reversed(tokens[max(low, at - REACH) : at]):
        if earlier.low in SUBJECTS:
            earlier.norm = SUBJECTS[earlier.low]
            return
    for place in range(at + 1, min(high, at + 1 + REACH)):
        other = tokens[place]
        if other.low in ("que", "qu") and place > at + 1:
            other.norm = "only"
            return
        if other.low in NONE:
            other.norm = "no"
            return
        if other.low in HALVES and contrasted(tokens, place):
            other.norm = HALVES[other.low]
            return
        if other.low in HALVES:
            tokens[at].norm, other.norm = HALVES[other.low], SAID
            return
    if at + 1 < high and tokens[at + 1].low in ALONE:
        tokens[at].norm = "not"
