"""Whether a judge declines in words: "I'm sorry, but I can't help with that."

Two things make a refusal: somebody says of himself that he cannot or will not, and what he will not
do is the task (help, judge, rate …). So "I cannot find the quotation" is none. The opening of a
reply is looked at, in English, French, Dutch and Japanese.
"""

from __future__ import annotations

import re
from typing import Final

OPENING: Final = 400  # characters: who declines does it at once
LONGEST: Final = 2_000  # characters: who says more has something to say
_CURLY = str.maketrans("’‘ʼ", "'''")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*|\n+")

_ENGLISH = r"""
    \bI\b (?: \s+ (?:really|simply|just|also|must|have\s+to|therefore) )*
    (?: \s+ (?:can\s?not|can't|could\s+not|couldn't|won't|will\s+not|decline\s+to|refuse\s+to)
      | (?:\s+am|'m) \s+ (?: (?:not\s+able|unable|not\s+(?:comfortable|willing|going|allowed
        |permitted|in\s+a\s+position)) \s* (?:to|with)? )
      | \s+ decline\b )
    (?: \s+ \w+ly )?
    (?: \s+ (?:help|assist|comply|fulfil?l?|do\s+(?:this|that|so|it)|provide|evaluat\w+|judg\w+
      |assess\w*|rat(?:e|ing)|scor(?:e|ing)|grad(?:e|ing)|review\w*|engag\w+|continue|answer
      |process|complete|respond|discuss|perform|participate|support|generate|produce|analy[sz]e
      |carry\s+out|proceed|take\s+part|this|that|your|the\s+request) \b
      | \s* [.,;:] )
"""
_FRENCH = r"""
    \b (?: je \s+ ne \s+ (?:peux|puis|pourrai|suis) \s+ (?:malheureusement\s+)? pas
           (?: \s+ (?:en\s+mesure|capable|autorisée?|habilitée?) )?
         | je \s+ (?:refuse|décline)
         | il \s+ m'est \s+ impossible )
    (?: \s+ (?:d'|de\b|vous\b|y\b|répondre|donner|à\b) )*
    \s* (?:d')?
    (?:aider|assister|évaluer|juger|noter|fournir|répondre|traiter|effectuer|satisfaire|continuer
      |participer|accéder|analyser|produire|générer|donner|suite|réaliser|poursuivre|faire|cette
      |votre|demande) \b
"""
_DUTCH = r"""
    \b (?: (?: ik \s+ (?:kan|mag|wil|zal) | (?:kan|mag|wil|zal) \s+ ik ) \b
           (?:\s+\w+){0,5}? \s+ (?:niet|geen)
         | ik \s+ ben \s+ (?:helaas\s+)? niet \s+ in \s+ staat
         | ik \s+ weiger )
    \b [^.!?\n]{0,60}?
    \b (?:helpen|beoordelen|voldoen|uitvoeren|geven|verstrekken|beantwoorden|meewerken|evalueren
      |ingaan|verwerken|toekennen|oordelen|assisteren|doorgaan|beoordeling|hulp|bijstand) \b
"""
_JAPANESE = r"""
    (?:お手伝い|お答え|回答|評価|採点|対応|判定|お応え|ご?要望|ご?依頼|リクエスト|ご?質問|この作業)
    [^。\n]{0,14}?
    (?:できません|できかねます|出来ません|いたしかねます|致しかねます|しかねます|かねます
      |お断り(?:します|いたします)|差し控え|遠慮)
"""
_REFUSAL = re.compile(
    f"(?:{_ENGLISH})|(?:{_FRENCH})|(?:{_DUTCH})|(?:{_JAPANESE})", re.IGNORECASE | re.VERBOSE
)


def find_refusal(text: str) -> str:
    """The sentence by which the text declines; "" when it does not."""
    text = text.strip()
    if len(text) > LONGEST:
        return ""
    opening = text[:OPENING].translate(_CURLY)
    for sentence in _SENTENCE.split(opening):
        if _REFUSAL.search(sentence):
            return sentence.strip()
    return ""
