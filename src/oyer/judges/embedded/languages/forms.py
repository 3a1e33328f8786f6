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
#: Of verbs in -er whose stem changes before a silent e: espère, achète, rejette, emploie.
SILENT = ("e", "es", "ent", "era", "eront", "erait", "eraient")
#: French verbs that go like others: what they end in, and what their forms end in instead.
MODELS = (
    ("venir", "viens vient viennent venait venaient venu venue venus venues viendra viendront "
     "viendrait viendraient vint vinrent venant vienne"),
    ("tenir", "tiens tient tiennent tenait tenaient tenu tenue tenus tenues tiendra tiendront "
     "tiendrait tiendraient tint tinrent tenant tienne"),
    ("prendre", "prends prend prennent prenait prenaient pris prise prises prendra prendront "
     "prendrait prit prirent prenant prenne"),
    ("mettre", "mets met mettent mettait mettaient mis mise mises mettra mettront mettrait mit "
     "mirent mettant mette"),
    ("duire", "duis duit duite duits duites duisent duisait duisaient duira duiront duirait "
     "duisit duisirent duisant duise"),
    ("truire", "truis truit truite truits truites truisent truisait truira truiront truirait "
     "truisit truisant truise"),
    ("indre", "ins int inte ints intes ignent ignait ignaient indra indront indrait ignit ignant"),
    ("cevoir", "çois çoit çoivent cevait cevaient çu çue çus çues cevra cevront cevrait çut "
     "cevant çoive"),
    ("ouvrir", "ouvre ouvrent ouvrait ouvert ouverte ouverts ouvertes ouvrira ouvriront ouvrit "
     "ouvrant"),
    ("ffrir", "ffre ffrent ffrait ffert fferte fferts ffertes ffrira ffriront ffrit ffrant"),
    ("scrire", "scris scrit scrite scrits scrites scrivent scrivait scrira scriront scrivant"),
    ("dormir", "dors dort dorment dormait dormaient dormi dormira dormiront dormant"),
    ("partir", "pars part partent partait partaient parti partis partira partiront partant"),
    ("sortir", "sors sort sortent sortait sortaient sorti sortie sortis sortira sortiront"),
    ("sentir", "sens sent sentent sentait sentaient senti sentie sentira sentiront"),
    ("servir", "sers sert servent servait servaient servi servie servis servira serviront"),
    ("naître", "nais naît naissent naissait nu nue nus naîtra naîtront"),
    ("raître", "rais raît raissent raissait ru rue rus raîtra raîtront"),
)  # fmt: skip
#: What a Dutch verb begins with that takes no "ge".
BOUND = ("be", "ge", "ver", "ont", "her", "er", "over", "onder")


def conjugate_french(verb: str) -> list[str]:
    """The verb and its forms."""
    for ending, forms in MODELS:
        if verb.endswith(ending):
            return [verb, *(verb.removesuffix(ending) + form for form in forms.split())]
    if verb.endswith("re") and len(verb) > 4:
        return [verb, *(verb[:-2] + ending for ending in RE)]
    if verb.endswith("ir") and len(verb) > 4:
        return [verb, *(verb[:-2] + ending for ending in IR)]
    if verb.endswith("er") and len(verb) > 3:
        stem = verb[:-2]
        silent = [other + ending for other in open_stems(stem) for ending in SILENT]
        return [verb, *(_soft(stem, ending) + ending for ending in ER), *silent]
    return [verb]


def _soft(stem: str, ending: str) -> str:
    """The stem with its c or g kept soft before a and o: lança, changeait."""
    if ending[:1] not in ("a", "o"):
        return stem
    return stem[:-1] + "ç" if stem.endswith("c") else stem + "e" if stem.endswith("g") else stem


def open_stems(stem: str) -> list[str]:
    """What the stem of a verb in -er becomes before a silent e: espèr, achèt and achett, emploi."""
    accented = re.sub(r"[eé]([bcdfglmnpqrstvz]|ch|br|gl|gn|gu|tr|vr)$", r"è\1", stem)
    found = [accented] if accented != stem else []
    if re.search(r"e[lt]$", stem):
        found.append(stem + stem[-1])
    return [*found, stem[:-1] + "i"] if stem.endswith("y") else found


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
