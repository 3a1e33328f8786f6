"""Prompt templates: files a user can read, diff and replace, filled in one pass.

A template is Markdown with two parts, `# System` and `# User`. Placeholders are `{{NAME}}`;
`{{?name}} … {{/name}}` stands only when an option is on. Untrusted texts may stand only in the
user part, where they are fenced; what they contain is never read as a placeholder.

Options: `arithmetic` (the judge's own sums are asked for), `document` (they are not, and a schema
demands one JSON object), `first` (the first time), `complaint` (asked again), and of these `parts`
(some objects are wanted, {{WANTED}}) or `whole` (the entire answer).
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources

from oyer.errors import UsageError
from oyer.protocols.own_prompts import adapt, describe
from oyer.text.fence import fence
from oyer.text.seal import request, seal_of, sealed_schema
from oyer.types import Ask, Case, JsonObject, Prompt

_PARTS = re.compile(r"(?m)^# (System|User)[ \t]*\n")
_OPTION = re.compile(r"\{\{\?(\w+)\}\}\n?(.*?)\{\{/\1\}\}\n?", re.DOTALL)
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)

COMPLAINT = "COMPLAINT"
PREVIOUS = "PREVIOUS"
SEAL_SLOT = "SEAL"
_ALWAYS = frozenset({COMPLAINT, PREVIOUS, "WANTED", "NONCE", SEAL_SLOT})

#: What is shown of a previous answer at most: its beginning and its end, in characters.
_HEAD, _TAIL = 8000, 1000
_OLD_SEAL = re.compile(r'"seal"\s*:\s*"[^"]*"\s*,?\s*')


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt's text in its two parts, and the hash that verdicts carry."""

    system: str
    user: str
    sha: str
    plain: bool = False  # a prompt as people have it: its reply has a form of its own


def parse(text: str, *, slots: frozenset[str], name: str = "the prompt") -> Template:
    """Read a template; `slots` are the untrusted texts that it must show to the judge."""
    pieces = _PARTS.split(_COMMENT.sub("", text))
    parts = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    if set(parts) != {"System", "User"} or pieces[0].strip():
        raise UsageError(f"{name}: needs two parts, headed '# System' and '# User'")
    known = slots | _ALWAYS
    for part, body in parts.items():
        for slot in _SLOT.findall(body):
            if slot not in known:
                raise UsageError(
                    f"{name}: unknown placeholder {{{{{slot}}}}}; {_nearest(slot, known)}"
                )
            if part == "System":
                raise UsageError(f"{name}: {{{{{slot}}}}} may stand only in the '# User' part")
    if missing := slots - set(_SLOT.findall(parts["User"])):
        raise UsageError(f"{name}: never shows {{{{{min(missing)}}}}} to the judge")
    sha = hashlib.sha256(text.encode()).hexdigest()
    return Template(parts["System"].strip(), parts["User"].strip(), sha)


def _nearest(slot: str, known: frozenset[str]) -> str:
    near = difflib.get_close_matches(slot, sorted(known), n=1)
    if near:
        return f"did you mean {{{{{near[0]}}}}}?"
    return f"known: {', '.join(sorted(known))}"


@cache
def read_packaged(package: str, file: str) -> str:
    """A file that lies beside the code."""
    return resources.files(package).joinpath(file).read_text(encoding="utf-8")


@cache
def schema(package: str, file: str = "schema.json") -> JsonObject:
    """A JSON schema for servers that support structured output."""
    loaded: JsonObject = json.loads(read_packaged(package, file))
    return loaded


@cache
def reply_schema(package: str) -> JsonObject:
    """The schema of a protocol's replies, whose verdict objects carry the prompt's seal."""
    return sealed_schema(schema(package))


@cache
def known_hashes(package: str) -> frozenset[str]:
    """The hashes of a protocol's own prompts, in `prompt_hashes.txt` beside them."""
    lines = read_packaged(package, "prompt_hashes.txt").splitlines()
    return frozenset(line.split()[0] for line in lines if line and not line.startswith("#"))


@cache
def with_arithmetic_sha(sha: str) -> str:
    """The hash of the same template when it also asks for the judge's own sums."""
    return hashlib.sha256(f"{sha} with arithmetic".encode()).hexdigest()


@cache
def template(package: str, file: str, slots: frozenset[str]) -> Template:
    """One of our own templates, read once."""
    return parse(read_packaged(package, file), slots=slots, name=file)


def is_headed(text: str) -> bool:
    """Whether a template has our headings; without, it is a prompt as people have it."""
    return _PARTS.search(_COMMENT.sub("", text)) is not None


@lru_cache(maxsize=8)
def own_template(text: str, sheet: PromptSheet) -> Template:
    """A template of the user's, parsed once for all cases."""
    if is_headed(text):
        return parse(text, slots=sheet.slots)
    adapted = adapt(text, dict(sheet.names))
    sha = hashlib.sha256(text.encode()).hexdigest()
    return Template(adapted.system.strip(), adapted.user.strip(), sha, plain=True)


@cache
def keep_options(chosen: Template, options: frozenset[str]) -> tuple[str, str]:
    """The template with only the optional passages that stand; the same for every case."""

    def part(body: str) -> str:
        before = ""
        while before != body:  # options may stand within options
            before = body
            body = _OPTION.sub(lambda m: m[2] if m[1] in options else "", body)
        return body.strip()

    return part(chosen.system), part(chosen.user)


def options_of(ask: Ask) -> frozenset[str]:
    """Which optional passages stand."""
    options = {"arithmetic" if ask.with_arithmetic else "document"}
    if ask.complaint is None:
        options.add("first")
    else:
        options |= {"complaint", "parts" if ask.wanted else "whole"}
    return frozenset(options)


def fill(chosen: Template, texts: Mapping[str, str], ask: Ask) -> tuple[str, str]:
    """The two parts with every placeholder filled in one pass: no text is filled twice."""
    slots = {name: fence(name, text, ask.nonce) for name, text in texts.items()}
    slots["NONCE"] = ask.nonce
    slots[SEAL_SLOT] = seal_of(ask.nonce)
    slots["WANTED"] = ", ".join(ask.wanted)
    # A complaint quotes the reply that it is about, so it is as untrusted as the reply.
    slots[COMPLAINT] = fence(COMPLAINT, ask.complaint, ask.nonce) if ask.complaint else ""
    previous = _excerpt(ask.previous) or "(an empty answer)"
    slots[PREVIOUS] = fence(PREVIOUS, previous, ask.nonce)
    system, user = keep_options(chosen, options_of(ask))
    return system, _SLOT.sub(lambda m: slots.get(m[1], m[0]), user)


def _excerpt(previous: str) -> str:
    """A previous answer without its seal, which is no longer the right one."""
    text = _OLD_SEAL.sub("", previous)
    if len(text) <= _HEAD + _TAIL:
        return text
    return f"{text[:_HEAD]}\n[…]\n{text[-_TAIL:]}"


@dataclass(frozen=True, slots=True)
class PromptSheet:
    """Which file a protocol asks with, which texts it shows, which schema the reply has."""

    package: str
    slots: frozenset[str]
    max_tokens: int = 4096
    #: What people call these texts in prompts of their own; a slot without a name is ours alone.
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def is_ours(self, sha: str) -> bool:
        """Whether a reply answers a prompt of ours, of today or before, by its record's hash."""
        ours = known_hashes(self.package)
        return sha in ours or any(sha == with_arithmetic_sha(known) for known in ours)

    def describe(self, text: str) -> str:
        """How a template of the user's is understood; "" for one with our headings."""
        if is_headed(text):
            parse(text, slots=self.slots)
            return ""
        return describe(text, dict(self.names))

    def prompt(self, case: Case, ask: Ask, texts: Mapping[str, str], file: str) -> Prompt:
        """The prompt of one case: our file, or the user's own template in its place."""
        if ask.template is None:
            chosen = template(self.package, file, self.slots)
        else:
            chosen = own_template(ask.template, self)
            if "{{WANTED}}" not in chosen.user:  # it cannot say which: all are asked for again
                ask = replace(ask, wanted=())
        system, user = fill(chosen, texts, ask)
        seal = seal_of(ask.nonce)
        if f"{{{{{SEAL_SLOT}}}}}" not in chosen.user:
            user = f"{user}\n\n{request(seal)}"
        form = None if ask.with_arithmetic or chosen.plain else self._form(ask.wanted)
        tokens = self.max_tokens * ask.room
        sha = with_arithmetic_sha(chosen.sha) if ask.with_arithmetic else chosen.sha
        filled = Prompt(system, user, form, ask.nonce, sha, tokens, case=case, seal=seal)
        return replace(filled, wanted=ask.wanted)

    def _form(self, wanted: tuple[str, ...]) -> JsonObject:
        """The schema of the reply, or of the objects that are asked for again."""
        whole = reply_schema(self.package)
        if not wanted:
            return whole
        members = {name: whole["properties"][name] for name in wanted}
        return {**whole, "properties": members, "required": [*members]}
