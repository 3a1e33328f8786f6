"""Names in the place of "I" and "you": a claim says "Clara has signed" of Clara's "I have signed".

The encoder learnt from sentences that tell of people by name. Who "I" is stands in a label at best,
and it does not look there: every "I have signed" bears out to it that whoever has signed.
"""

from __future__ import annotations

import re

from oyer.judges.embedded import tables
from oyer.judges.embedded.mails import CAPITAL

TITLES = tables.words("titles")
BODIES = tables.words("bodies")
ROLES = tables.words("roles")
SHORTEST = 3  # letters of a first name; fewer are initials
CLOSE = 80  # characters
AGREED = {
    "am": "is", "are": "is", "aren't": "isn't", "have": "has", "haven't": "hasn't",
    "havent": "hasn't", "do": "does", "don't": "doesn't", "dont": "doesn't",
}  # fmt: skip
WERE = {"were": "was", "weren't": "wasn't"}
CLIPPED = {"m": "is", "re": "is", "ve": "has", "ll": "will", "d": "would"}
MANY = {"m": "am", "re": "are", "ve": "have"}  # after "Tom and I"
VERBS = "|".join(tables.listed("present"))
#: What stands between "I" and its verb.
ADVERB = (
    r"(?:\w{2,}ly|also|still|just|always|never|often|now|already|even|sometimes|too|then|rather|"
    r"almost|both|ever|myself|yourself)\ "
)
#: Before "you" as an object, or before the subject of a question: no verb after it changes.
ASKING = (
    r"(?:do|does|did|will|would|can|could|shall|should|may|might|must|had|was|is)(?:n['’]t)?|"
    r"can['’]t|won['’]t|cannot|let|lets|letting|makes?|made|making|helps?|helped|helping|gives?|"
    r"gave|given|giving|sends?|sent|offer(?:s|ed)?|gets?|got|brings?|brought|owes?|pa(?:ys?|id)|"
    r"to|for|with|of|at|by"
)
INVERTED = r"am|are|were|have|do|(?:are|were|have|do)n['’]t"
PERSON = re.compile(
    r"(?<![\w'’@./-])(?:"
    rf"(?:(?P<turned>{INVERTED}|(?i:{INVERTED}))\ |(?P<asking>(?i:{ASKING}))\ )?"
    r"(?P<who>I(?![\w&/]|[-.]\w|\))|i(?=['’](?:m|ve|ll|d)\b|\ [a-z])|(?i:you)(?![\w-])|"
    r"(?:[Ii](?=m\b|ve\b)|(?i:you)(?=re\b|ve\b|ll\b)))"
    r"(?:['’]?(?P<clip>m|re|ve|ll|d)\b(?!['’])"
    rf"|(?P<gap>\ (?:{ADVERB}){{0,2}})(?P<verb>{INVERTED}|dont|havent|{VERBS})\b"
    r"(?!['’-]|(?<=need)\ not\b))?"
    r"|(?P<own>[Mm]y|[Mm]ine|(?i:yours?))(?![\w-]|['’]\w)"
    r"|(?P<object>[Mm]e|[Mm]yself|[Yy]ourself)(?![\w-]|['’]\w))",
    re.VERBOSE,
)
#: "World War I", "Charles I".
NUMERAL = re.compile(
    r"\b(?:War|Type|Phase|Part|Act|Chapter|Class|Category|Level|Stage|Volume|Vol\.|Grade|Section|"
    r"Title|Division|Tier|Group|Unit|Appendix|Annex|Schedule|Figure|Table|"
    r"(?:Elizabeth|Charles|George|James|William|Napoleon|Francis|Frederick|Wilhelm|Leopold|"
    r"Nicholas|Alexander|(?:King|Queen|Pope|Emperor) \w+))\s$"
)
#: Two who do something, "my wife and I", at the beginning of a clause.
TOGETHER = re.compile(
    r"(?:^|[.,;:!?(–—-]\s*|\b(?:that|when|if|because|so|as|where|while|what|which|but|both)\s)"
    r"(?!(?:Yes|No|OK|Okay|True|Sure|Good|Right|Fine|Well|Thanks)\b)"
    rf"(?:(?i:my|the|our|his|her|your)\s(?:[\w'’-]+\s)?[\w'’-]+|(?:{CAPITAL}\s)?{CAPITAL}|you|s?he)"
    r"\sand\s$"
)
SUBJECT = re.compile(r"\b(?:I|we|they|he|she|it|you)(?:['’]\w+)?\s$", re.I)
SEVERAL = re.compile(
    r"\byou (?:two|three|all|both|guys|lot|folks|people|lads|girls|boys|ladies|others)\b|"
    r"\b(?:all|both|each|some|most|many|one|two|none|any|either|neither|rest) of you\b|"
    r"\byourselves\b", re.I,
)  # fmt: skip
HAD = re.compile(
    r"(?:\s(?:already|never|just|always|ever|only|not))?\s(?:better\b|"
    r"(?!(?:need|feed|speed|proceed|succeed|bleed|breed|heed)\b)\w+ed\b|"
    r"(?:been|had|gone|done|seen|taken|given|known|said|told|made|got|come to|left|lost|forgotten|"
    r"written|heard|thought|bought|brought|found|kept|met|paid|sent|spent|won|begun|chosen)\b)"
)
#: Set words, in which "you" and "your" are nobody's.
FIXED = re.compile(
    r"(?i:\b(?:thank|bless|mind) you|^\W*see you|don['’]t you dare"
    r"|\byou(?: know|['’]re welcome|(?: |['’]ll )see)(?=,)"
    r"|\bi mean(?=,)|\byours(?=,?\s*$| (?:sincerely|truly|faithfully|ever)\b)"
    r"|\b(?:oh my|my (?:god|goodness|dear|lord|word))\b"
    r"|\byour (?:honou?r|majesty|excellency|worship|lordship)|\b(?:excuse|dear) me\b)"
)
#: "a copy of mine" and "that is mine", not a mine.
MINE = re.compile(
    r"(?:^|[,;:.!?]\s|\b(?:of|is|was|are|were|be|isn['’]t|wasn['’]t|than|like|with|to|and|or|not|"
    rf"from|for|took|got|had|{VERBS})\s|['’]s\s)$"
)
#: Before "myself" as an object; elsewhere it is "in person".
TOWARDS = re.compile(
    rf"\b(?:{VERBS}|\w+ed|\w+ing|to|for|of|with|by|at|on|about|from|than|like|and|or|before|after|"
    r"(?:be|make|let|cut|hurt|put|set|find|calm|introduce|describe)s?|"
    r"bought|brought|caught|felt|found|gave|got|kept|lost|made|saw|taught|threw|told|took)\s$"
)
QUOTES = re.compile(
    r"[“«„][^”»]*(?:[”»]|$)|\"[^\"]*(?:\"|$)|"
    r"(?<![\w'’])['‘](?=\w)(?!(?:em|til|cause|tis|twas|n)\b)[^'’]*(?:(?<=\w)['’](?=\w)[^'’]*)*['’](?!\w)"
)
OPENED, CLOSED = "“«„", "”»"


def call(name: str) -> str:
    """What somebody is called in a sentence whose label has the whole name: "Clara"; with a title,
    or of a body, the whole; of a role, "the caller"."""
    name = name.title() if name.isupper() and len(name) >= SHORTEST else name
    words = name.split()
    if name.endswith(("'s", "’s")):  # "Dr Abegunde's practice"
        return ""
    if name.lower() in ROLES:
        return f"the {name.lower()}"
    whole = {word.lower() for word in words}
    first = words[0] if words else ""
    if whole & (BODIES | TITLES | ROLES) or len(first) < SHORTEST or first.endswith("."):
        return name
    return first


def name_persons(words: str, me: str, you: str, quoted: bool = False) -> str:
    """A sentence with names for "I" and "you", outside of quotation marks; a name that is empty is
    not known. A sentence may begin `quoted`."""
    spans = [*_quotations(words, quoted), *(fixed.span() for fixed in FIXED.finditer(words))]
    if SEVERAL.search(words):
        you = ""

    def write(found: re.Match[str]) -> str:
        at = found.start(found.lastgroup or 0) if found["who"] is None else found.start("who")
        mine = (found["who"] or found["own"] or found["object"])[0] in "IiMm"
        name = me if mine else you
        if not name or any(start <= at < end for start, end in spans):
            return found.group()
        before = _before(words, found.start()).rstrip()
        told = _tell_subject(found, name) if found["who"] else _tell_other(found, name)
        begins = not before or before[-1] in ".!?"
        return told[:1].upper() + told[1:] if begins else told

    return PERSON.sub(write, words)


def _tell_subject(found: re.Match[str], name: str) -> str:
    words, before = found.string, _before(found.string, found.start("who"))
    head = words[found.start() : found.start("who")]
    if found["who"] == "I" and NUMERAL.search(before):
        return found.group()
    several = bool(TOGETHER.search(before))
    if found["clip"]:
        clip = (MANY if several else CLIPPED).get(found["clip"]) or CLIPPED[found["clip"]]
        clip = "had" if found["clip"] == "d" and HAD.match(words, found.end()) else clip
        return f"{head}{name} {clip}"
    several = several or words.startswith(" and ", found.end("who"))
    turned, tail = found["turned"], words[found.end("who") : found.end()]
    if turned and not several and not SUBJECT.search(_before(words, found.start())):
        return f"{_agree(turned, found)} {name}{tail}"
    if found["verb"] and not (turned or found["asking"] or several):
        tail = f"{found['gap']}{_agree(found['verb'], found)}"
    return f"{head}{name}{tail}"


def _before(words: str, at: int) -> str:
    """What stands close before a place: of a long line the whole would be read for each "I"."""
    return words[max(0, at - CLOSE) : at]


def _tell_other(found: re.Match[str], name: str) -> str:
    word, before = found.group(), _before(found.string, found.start())
    if found["own"]:
        return word if word.lower() == "mine" and not MINE.search(before) else f"{name}'s"
    emphatic = word.endswith("self") and not TOWARDS.search(before)
    return "personally" if emphatic else name


def _agree(verb: str, found: re.Match[str]) -> str:
    """The form of a verb that goes with a name; "if I were" stays."""
    plain = verb.lower().replace("’", "'")
    were = WERE.get(plain, plain) if found["who"] not in ("I", "i") else plain
    told = AGREED.get(plain) or (were if plain in WERE else _third(plain))
    return told.capitalize() if verb[0].isupper() else told


def _third(verb: str) -> str:
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


def is_quoted(words: str) -> bool:
    """Whether words end within quotation marks."""
    opened = sum(words.count(mark) for mark in OPENED) - sum(words.count(mark) for mark in CLOSED)
    return opened > 0 or words.count('"') % 2 == 1


def _quotations(words: str, quoted: bool) -> list[tuple[int, int]]:
    """The stretches of a sentence that are another's words."""
    first = 0
    if quoted:
        closed = re.search(r"[”»\"]", words)
        first = closed.end() if closed else len(words)
    return [(0, first), *(found.span() for found in QUOTES.finditer(words, first))]
