"""Words: tokens (JL-TOKEN), keywords (JL-STEM), and which language a text is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Set
from functools import lru_cache

from oyer.text.fold import DROPPED, fold, folded
from oyer.text.kept import keep
from oyer.text.stopwords import STOP_WORDS

ENGLISH, JAPANESE = "en", "ja"
LANGUAGES = (*STOP_WORDS, JAPANESE)
SAMPLE = 1200  # characters by which a text's language is told
_ANY_STOP_WORD = frozenset().union(*STOP_WORDS.values())

_HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd々〆"
_HIRAGANA = "\u3041-\u3096\u309d-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9d"
_CJK_MARKS = "\u3001-\u3004\u3008-\u3020\u3030\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff65"
_UNSPACED = re.compile(f"[{_HAN}{_HIRAGANA}{_KATAKANA}]")
_ODD = re.compile(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{''.join(sorted(DROPPED))}]")
#: A token where no blanks are written: a stem and the kana that lean on it (図書館を, 開いた).
_PHRASE = re.compile(
    f"(?:[{_HAN}]{{1,4}}|[{_KATAKANA}]+|[^\\s{_HAN}{_HIRAGANA}{_KATAKANA}{_CJK_MARKS}]+)"
    f"[{_HIRAGANA}]*|[{_HIRAGANA}]+"
)
#: What carries meaning there: runs of Han and of katakana, and words in other scripts.
_STEMLIKE = re.compile(f"[{_HAN}]+|[{_KATAKANA}]{{2,}}|[^\\W{_HAN}{_HIRAGANA}{_KATAKANA}]+")
_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\S+")
#: ASCII in lower case, blanks for what is outside `\w`: splitting is much faster than a regex.
_BARE = bytes(ord(chr(c).lower() if chr(c).isalnum() or chr(c) == "_" else " ") for c in range(128))
_BARE += bytes(range(128, 256))


def count(text: str, most: int = -1) -> int:
    """How many tokens the text has (JL-TOKEN); beyond `most` they need not be counted."""
    if text.isascii() or not _ODD.search(text):
        return len(text.split(None, most))
    return len(spans(text))


def count_folded(text: str) -> int:
    """The same of a folded text (JL-FOLD), in which single blanks part the tokens."""
    return text.count(" ") + 1 if text and text.isascii() else count(text)


def spans(text: str) -> list[tuple[int, int]]:
    """Where each token starts and ends (JL-TOKEN): a word between white space.

    In scripts that write no blanks a token is a stem with the kana that lean on it, so that
    "4 to 12 words" means about as much there as elsewhere.
    """
    found = [m.span() for m in _TOKEN.finditer(text)]
    if text.isascii() or not _ODD.search(text):
        return found
    if not DROPPED.isdisjoint(text):
        found = [(a, b) for a, b in found if not DROPPED.issuperset(text[a:b])]
    if not _UNSPACED.search(text):
        return found
    split: list[tuple[int, int]] = []
    for start, end in found:
        if _UNSPACED.search(text, start, end):
            split += [m.span() for m in _PHRASE.finditer(text, start, end)]
        else:
            split.append((start, end))
    return split


def keywords(text: str, language: str = ENGLISH) -> frozenset[str]:
    """JL-STEM: the stems of a text's words, without stop words and one-letter words."""
    # folding changes the white space of an ASCII text, and so none of its words
    return frozenset(_stems(_words_of(text if text.isascii() else fold(text)), language))


@keep
def kept_keywords(text: str, language: str) -> Set[str]:
    """The same of a long text, kept for a while."""
    plain = text if text.isascii() else folded(text).folded  # quotes are looked up there, too
    # it repeats its words: those that differ are looked up once
    return _stems(set(_words_of(plain)), language)


def keywords_within(text: str, places: Iterable[tuple[int, int]], language: str) -> list[Set[str]]:
    """The keywords of each text[start:end]."""
    if not text.isascii():
        return [keywords(text[start:end], language) for start, end in places]
    bare = _bare(text)
    return [_stems(bare[start:end].split(), language) for start, end in places]


def _words_of(plain: str) -> Iterable[str]:
    """The words of a folded text; of those written without blanks, the pieces."""
    words = plain_words(plain.casefold())
    if plain.isascii():
        return words
    unspaced = {word for word in words if not word.isascii() and _UNSPACED.search(word)}
    return {word for word in words if word not in unspaced}.union(*map(_pieces, unspaced))


def _stems(words: Iterable[str], language: str) -> Set[str]:
    stems = set(map(_known_stems(language).__getitem__, words))
    stems.discard("")  # of words that carry no meaning
    return stems


def plain_words(text: str) -> list[str]:
    """The `\\w+` words of a text that is in lower case; of ASCII, whatever its case."""
    return _bare(text).split() if text.isascii() else _WORD.findall(text)


def _bare(text: str) -> str:
    """An ASCII text in lower case with nothing but words and blanks."""
    return text.encode("ascii").translate(_BARE).decode("ascii")


def _pieces(word: str) -> list[str]:
    """The meaning-bearing pieces of a stretch without blanks; long Han runs as their pairs."""
    pieces: list[str] = []
    for piece in _STEMLIKE.findall(word):
        if len(piece) > 2 and "\u3400" <= piece[0] <= "\u9fff":
            pieces += [piece[i : i + 2] for i in range(len(piece) - 1)]
        else:
            pieces.append(piece)
    return pieces


@keep
def detect(text: str) -> str:
    """The language with the most stop words in the text's beginning; English when in doubt."""
    sample = text[:SAMPLE]
    return JAPANESE if _is_unspaced(sample) else _most(_stop_words(_words(sample)))


def tongues(text: str, otherwise: str) -> tuple[str, ...]:
    """The language of the text's own words; when unsure, what it may be: `otherwise`, English."""
    sample = text[:SAMPLE]
    return (JAPANESE,) if _is_unspaced(sample) else tongues_of(_words(sample), otherwise)


def tongues_of(sample: Iterable[str], otherwise: str) -> tuple[str, ...]:
    """The same by the words of a text's beginning."""
    hits = _stop_words(sample)
    own, (most, second, *_) = _most(hits), sorted(hits.values(), reverse=True)
    sure = most >= 3 and most >= 2 * second
    return (own,) if sure else tuple(dict.fromkeys((own, otherwise, ENGLISH)))


def _is_unspaced(sample: str) -> bool:
    if sample.isascii():
        return False
    # each such character is three bytes or more: few bytes beyond the characters, few of them
    beyond = len(sample.encode("utf-8", "surrogatepass")) - len(sample)
    return beyond * 2 > len(sample) and len(_UNSPACED.findall(sample)) * 4 > len(sample)


def _words(sample: str) -> list[str]:
    return plain_words(sample if sample.isascii() else sample.casefold())


def _stop_words(sample: Iterable[str]) -> dict[str, int]:
    """How many different stop words of each language there are."""
    words = _ANY_STOP_WORD.intersection(sample)
    return {language: len(stop & words) for language, stop in STOP_WORDS.items()}


def _most(hits: Mapping[str, int]) -> str:
    best = max(hits, key=hits.__getitem__)  # the first, English, when equal
    return best if hits[best] >= 2 else ENGLISH


def known(told: object) -> str | None:
    """The language that a case tells (fr, FR, fr-FR, fr_BE), if it is one of LANGUAGES."""
    if not isinstance(told, str):
        return None
    code = told.strip().casefold().replace("_", "-").partition("-")[0]
    return code if code in LANGUAGES else None


class _Stems(dict[str, str]):
    """Words and their stems, as they come; nothing for stop words and one-letter words."""

    def __init__(self, stop: frozenset[str], stem: Callable[[str], str]) -> None:
        self._stop, self._stem = stop, stem

    def __missing__(self, word: str) -> str:
        if len(self) > 50_000:
            self.clear()
        idle = (len(word) < 2 and word < "\u3400") or word in self._stop  # one Han is a word
        stem = self[word] = "" if idle else self._stem(word)
        return stem


@lru_cache(maxsize=8)
def _known_stems(language: str) -> _Stems:
    if language == JAPANESE:
        return _Stems(STOP_WORDS[ENGLISH], str)
    import Stemmer  # here, so that `import oyer` needs nothing installed

    names = {"en": "english", "fr": "french", "nl": "dutch", "de": "german", "es": "spanish"}
    stemmer = Stemmer.Stemmer(names.get(language, "english"))
    return _Stems(STOP_WORDS.get(language, STOP_WORDS[ENGLISH]), stemmer.stemWord)
