"""The Belgian citation engine: text in, cited provisions out. Pure Python, no model, no network.

clean -> scan -> parse -> expand -> acts        tables/ is data

>>> from oyer.cite import cite
>>> [c.key for c in cite("les articles 10 à 12 du Code judiciaire")]
['10', '11', '12']
"""

from oyer.cite.dates import dates_in
from oyer.cite.engine import article, cite, is_german, resolve
from oyer.cite.lexicon import add_acts
from oyer.cite.model import TYPES, Act, Citation, Language, Via, distinct, record
from oyer.cite.references import Reference, references
from oyer.cite.succession import day_of_decision
from oyer.cite.works import Work, describe, work

__all__ = [
    "TYPES",
    "Act",
    "Citation",
    "Language",
    "Reference",
    "Via",
    "Work",
    "add_acts",
    "article",
    "cite",
    "dates_in",
    "day_of_decision",
    "describe",
    "distinct",
    "is_german",
    "record",
    "references",
    "resolve",
    "work",
]
