"""Fences around untrusted text: where a judge's orders end and what is judged begins.

A fence is a pair of tags whose name ends in a nonce that the text's author cannot know:

    <SUMMARY-5f1c…>
    the text, every character of it, with look-alike tags made harmless
    </SUMMARY-5f1c…>

Look-alikes are broken by one zero-width space after their first character. JL-FOLD removes
zero-width characters, so a quote of the disarmed copy is still found in the original text.
"""

from __future__ import annotations

import re
import secrets

#: Breaks a tag for every tokenizer and parser; folds away when a quote is looked up (JL-FOLD).
BREAK = "\u200b"

#: What opens a tag, in ASCII or dressed up: <x  </x  <|x  <<<x
_OPENERS = "<＜﹤〈⟨‹"
_TAG = re.compile(rf"[{_OPENERS}]{{1,3}}(?=\s*[/／!?|｜\\-]*\s*[\w|｜])")
#: Other marks that models or template engines obey: the text that announces one, and its form.
_MARKS = (  # each pattern begins with one character, which is found quickly
    ("[", re.compile(r"\[(?=[/／]?\s*(?i:INST|SYS|SYSTEM|ASSISTANT|USER)\b)")),
    ("{{", re.compile(r"\{(?=\{)")),
    ("{%", re.compile(r"\{(?=%)")),
    ("---", re.compile(r"-(?<!\w-)(?=-{2,}\s*(?i:BEGIN|END|SYSTEM|USER|ASSISTANT)\b)")),
    (
        "##",
        re.compile(r"#(?<!##)(?=#{1,5}\s*(?i:SYSTEM|INSTRUCTIONS?|ASSISTANT|USER|HUMAN)\b)"),
    ),
)
#: Turn markers at the start of a line ("Human:", "System:"): some servers cut turns there.
_TURNS = ("human", "assistant", "system", "user", "developer")
_GAP = 20  # blanks between a name and its colon; more of them may hide one
_TURN = re.compile(rf"(?im)^([ \t]*)(?=(?:{'|'.join(_TURNS)})[ \t]*[:：])")

#: Invisible copies of ASCII (the Unicode tag block): no reader sees them, some models read them.
_INVISIBLE = re.compile("[\U000e0000-\U000e007f]")


def fresh_nonce() -> str:
    """Sixteen hexadecimal characters nobody can guess before the prompt is made."""
    return secrets.token_hex(8)


def disarm(text: str, nonce: str = "") -> str:
    """The text with look-alike tags, turn markers and the nonce itself made harmless."""
    ascii_only = text.isascii()
    if not ascii_only:
        text = _INVISIBLE.sub("", text)
    low = text.casefold()
    if nonce and nonce.casefold() in low:
        # Cannot happen with a fresh nonce; a user who fixes the nonce is guarded all the same.
        text = re.sub(re.escape(nonce), _break, text, flags=re.IGNORECASE)
    # Looking for single characters and words first is much faster than a pattern, and most texts
    # have none of them.
    if any(opener in text for opener in _OPENERS):
        text = _TAG.sub(_break, text)
    for announced, mark in _MARKS:
        if announced[0] in text and announced in text:
            text = mark.sub(_break, text)
    if _has_turn(low):
        text = _TURN.sub(lambda m: m[1] + BREAK, text)
    return text


def _has_turn(low: str) -> bool:
    """Whether a turn's name stands before a colon, anywhere in the lines of a casefolded text."""
    if ":" not in low and "：" not in low:
        return False
    for turn in _TURNS:
        at = low.find(turn)
        while at >= 0:
            at += len(turn)
            if low[at : at + _GAP].lstrip(" \t")[:1] in (":", "：", ""):
                return True
            at = low.find(turn, at)
    return False


def _break(mark: re.Match[str]) -> str:
    """One zero-width space after the first character."""
    return mark[0][0] + BREAK + mark[0][1:]


def fence(name: str, text: str, nonce: str) -> str:
    """The text between tags that only the prompt's maker could have written."""
    if not nonce:
        raise ValueError("a fence needs a nonce")
    tag = f"{name.upper()}-{nonce}"
    return f"<{tag}>\n{disarm(text, nonce)}\n</{tag}>"


def leaks(reply: str, nonce: str) -> bool:
    """Whether a reply carries the nonce: no answer ever needs it, forged fences do."""
    return bool(nonce) and nonce.casefold() in reply.casefold()
