"""Prompt templates: files a user can read, diff and replace, filled in one pass.

A template is Markdown with two parts, `# System` and `# User`. Placeholders are `{{NAME}}`;
`{{?name}} … {{/name}}` stands only when an option is on. Untrusted texts may stand only in the
user part, where they are fenced; what they contain is never read as a placeholder.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from oyer.errors import UsageError
from oyer.text.fence import fence
from oyer.text.seal import request, seal_of, sealed_schema
from oyer.types import Ask, Case, Prompt

_PARTS = re.compile(r"(?m)^# (System|User)[ \t]*\n")
_OPTION = re.compile(r"\{\{\?(\w+)\}\}\n?(.*?)\{\{/\1\}\}\n?", re.DOTALL)
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)

COMPLAINT = "COMPLAINT"
SEAL_SLOT = "SEAL"


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt's text in its two parts, and the hash that verdicts carry."""

    system: str
    user: str
    sha: str


def parse(text: str, *, slots: frozenset[str], name: str = "the prompt") -> Template:
    """Read a template; `slots` are the untrusted texts that it must show to the judge."""
    pieces = _PARTS.split(_COMMENT.sub("", text))
    parts = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    if set(parts) != {"System", "User"} or pieces[0].strip():
        raise UsageError(f"{name}: needs two parts, headed '# System' and '# User'")
    known = slots | {COMPLAINT, "NONCE", SEAL_SLOT}
    for part, body in parts.items():
        for slot in _SLOT.findall(body):
            if slot not in known:
                options = ", ".join(sorted(known))
                raise UsageError(f"{name}: unknown placeholder {{{{{slot}}}}}; known: {options}")
            if part == "System":
                raise UsageError(f"{name}: {{{{{slot}}}}} may stand only in the '# User' part")
    if missing := slots - set(_SLOT.findall(parts["User"])):
        raise UsageError(f"{name}: never shows {{{{{min(missing)}}}}} to the judge")
    sha = hashlib.sha256(text.encode()).hexdigest()
    return Template(parts["System"].strip(), parts["User"].strip(), sha)


@cache
def packaged(package: str, file: str) -> str:
    """A file that lies beside the code."""
    return resources.files(package).joinpath(file).read_text(encoding="utf-8")


@cache
def schema(package: str, file: str = "schema.json") -> Mapping[str, Any]:
    """A JSON schema for servers that support structured output."""
    loaded: Mapping[str, Any] = json.loads(packaged(package, file))
    return loaded


@cache
def reply_schema(package: str) -> Mapping[str, Any]:
    """The schema of a protocol's replies, whose verdict objects carry the prompt's seal."""
    return sealed_schema(schema(package))


@cache
def template(package: str, file: str, slots: frozenset[str]) -> Template:
    """One of our own templates, read once."""
    return parse(packaged(package, file), slots=slots, name=file)


@lru_cache(maxsize=8)
def own_template(text: str, slots: frozenset[str]) -> Template:
    """A template of the user's, parsed once for all cases."""
    return parse(text, slots=slots)


@cache
def chosen_parts(chosen: Template, arithmetic: bool, complaint: bool) -> tuple[str, str]:
    """The template with only the optional passages that stand; the same for every case."""
    options = {"arithmetic": arithmetic, "complaint": complaint}

    def part(body: str) -> str:
        return _OPTION.sub(lambda m: m[2] if options.get(m[1]) else "", body).strip()

    return part(chosen.system), part(chosen.user)


def fill(chosen: Template, texts: Mapping[str, str], ask: Ask) -> tuple[str, str]:
    """The two parts with every placeholder filled in one pass: no text is filled twice."""
    slots = {name: fence(name, text, ask.nonce) for name, text in texts.items()}
    slots["NONCE"] = ask.nonce
    slots[SEAL_SLOT] = seal_of(ask.nonce)
    # A complaint quotes the reply that it is about, so it is as untrusted as the reply.
    slots[COMPLAINT] = fence(COMPLAINT, ask.complaint, ask.nonce) if ask.complaint else ""
    system, user = chosen_parts(chosen, ask.with_arithmetic, ask.complaint is not None)
    return system, _SLOT.sub(lambda m: slots[m[1]], user)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Which file a protocol asks with, which texts it shows, which schema the reply has."""

    package: str
    slots: frozenset[str]
    max_tokens: int = 4096

    def is_ours(self, sha: str, file: str = "prompt.md") -> bool:
        """Whether a reply answers today's prompt of ours, by the hash on its record."""
        return sha == template(self.package, file, self.slots).sha

    def prompt(self, case: Case, ask: Ask, texts: Mapping[str, str], file: str) -> Prompt:
        """The prompt of one case: our file, or the user's own template in its place."""
        if ask.template is None:
            chosen = template(self.package, file, self.slots)
        else:
            chosen = own_template(ask.template, self.slots)
        system, user = fill(chosen, texts, ask)
        seal = seal_of(ask.nonce)
        if f"{{{{{SEAL_SLOT}}}}}" not in chosen.user:
            user = f"{user}\n\n{request(seal)}"
        form = None if ask.with_arithmetic else reply_schema(self.package)
        return Prompt(
            system, user, form, ask.nonce, chosen.sha, self.max_tokens, case=case, seal=seal
        )
