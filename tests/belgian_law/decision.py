"""An invented French decision with every provision it cites, and perfect extractions of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from oyer.types import Case

DECISION = "ECLI:BE:CTLIE:2024:ARR.20240312.4"

TEXT = """# COUR DU TRAVAIL DE LIÈGE, arrêt du 12 mars 2024

Vu la loi du 15 juin 1935 concernant l'emploi des langues en matière judiciaire.

Madame Y. invoque les articles 10 et 11 de la Constitution. L'appel, introduit dans le délai de
l'article 1051 du Code judiciaire, est recevable. Les articles 700 à 705 du Code judiciaire ont été
respectés, de même que l'article 747, § 2, du Code judiciaire et l'article 1385undecies du Code
judiciaire. Quant au règlement collectif, l'article 1675/13 du Code judiciaire n'est pas
en cause.

La demande se fonde sur l'article 31, § 2, alinéa 1er, de la loi du 10 mai 2007 tendant à lutter
contre certaines formes de discrimination. L'exclusion repose sur l'article 7, § 1er, 3°, de
l'arrêté royal du 25 novembre 1991 portant réglementation du chômage.

L'article 1er du Protocole n° 1 à la Convention de sauvegarde des droits de l'homme et des libertés
fondamentales protège le droit aux biens. L'article XX.99 du Code de droit économique ne
s'applique pas. Les parties sont liées par un contrat au sens de l'article 2, alinéas 1er et 2, de
la loi du 3 juillet 1978 relative aux contrats de travail.

Aux termes de l'article 1134 du Code civil, les conventions tiennent lieu de loi. La transaction est
régie par l'article 2044 du Livre III, Titre XV, du Code civil. L'article 17 du Code pénal n'ajoute
rien. L'article 6.1 du Règlement (UE) 2016/679 n'est pas invoqué utilement. Enfin,
l'article 580, 2°, du Code judiciaire fonde la compétence de la cour.
"""

LAW_2007 = (
    "loi du 10 mai 2007 tendant à lutter contre certaines formes de discrimination",
    "LOI",
    "2007-05-10",
)
LAW_1978 = ("loi du 3 juillet 1978 relative aux contrats de travail", "LOI", "1978-07-03")
DECREE = (
    "arrêté royal du 25 novembre 1991 portant réglementation du chômage",
    "ARRETE_ROYAL",
    "1991-11-25",
)
JUDICIAL = ("Code judiciaire", "CODE", None)
CIVIL = ("Code civil", "CODE", None)
PROTOCOL_1 = (
    "Protocole n° 1 à la Convention de sauvegarde des droits de l'homme et des libertés "
    "fondamentales",
    "TRAITE",
    None,
)

Act = tuple[str, str, str | None]
#: Each cited provision: provisionNumber, provisionNumberKey, its act.
PROVISIONS: list[tuple[str, str, Act]] = [
    ("article 10", "10", ("Constitution", "CONSTITUTION", None)),
    ("article 11", "11", ("Constitution", "CONSTITUTION", None)),
    ("article 1051", "1051", JUDICIAL),
    *((f"article {n}", str(n), JUDICIAL) for n in range(700, 706)),
    ("article 747, § 2", "747", JUDICIAL),
    ("article 1385undecies", "1385undecies", JUDICIAL),
    ("article 1675/13", "1675/13", JUDICIAL),
    ("article 31, § 2, alinéa 1er", "31", LAW_2007),
    ("article 7, § 1er, 3°", "7", DECREE),
    ("article 1er", "1", PROTOCOL_1),
    ("article XX.99", "XX.99", ("Code de droit économique", "CODE", None)),
    ("article 2, alinéa 1er", "2", LAW_1978),
    ("article 2, alinéa 2", "2", LAW_1978),
    ("article 1134", "1134", CIVIL),
    ("article 2044", "2044", ("Livre III, Titre XV, du Code civil", "CODE", None)),
    ("article 17", "17", ("Code pénal", "CODE", None)),
    ("article 6.1", "6.1", ("Règlement (UE) 2016/679", "REGLEMENT_UE", None)),
    ("article 580, 2°", "580", JUDICIAL),
]
#: Both are the Code civil: one act, one id.
_SAME = {"Livre III, Titre XV, du Code civil": "Code civil"}

Item = dict[str, Any]


def perfect(
    provisions: Iterable[tuple[str, str, Act]] = tuple(PROVISIONS), decision: str = DECISION
) -> list[Item]:
    """An extraction without a fault."""
    acts: dict[str, int] = {}
    items = []
    for n, (number, key, (name, kind, date)) in enumerate(provisions, 1):
        act = acts.setdefault(_SAME.get(name, name), len(acts) + 1)
        items.append(
            {
                "internalProvisionId": f"ART-{decision}-{n:03}",
                "internalParentActId": f"ACT-{decision}-{act:03}",
                "provisionNumber": number,
                "provisionNumberKey": key,
                "parentActType": kind,
                "parentActName": name,
                "parentActDate": date,
            }
        )
    return items


def at(items: list[Item], number: str) -> Item:
    """The item with that provisionNumber."""
    return next(item for item in items if item["provisionNumber"] == number)


def added(items: list[Item], number: str, key: str, act: Act, act_id: str | None = None) -> Item:
    """A new item at the end, with ids that fit."""
    known = {i["parentActName"]: i["internalParentActId"] for i in items}
    new = f"ACT-{DECISION}-{len(set(known.values())) + 1:03}"
    item = {
        "internalProvisionId": f"ART-{DECISION}-{len(items) + 1:03}",
        "internalParentActId": act_id or known.get(act[0], new),
        "provisionNumber": number,
        "provisionNumberKey": key,
        "parentActType": act[1],
        "parentActName": act[0],
        "parentActDate": act[2],
    }
    items.append(item)
    return item


def case(items: Any, text: str = TEXT, language: str = "FR", decision: str = DECISION) -> Case:
    fields = {
        "decisionId": decision,
        "proceduralLanguage": language,
        "sourceText": text,
        "extracted": {"citedProvisions": items},
    }
    return Case("one", fields)
