"""Candidates write the texts that are judged: an article's summary, an answer to a prompt."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from oyer.types import Case, Prompt, Reply, Writing

_FIELD = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")


def prompt_for(case: Case, writing: Writing) -> Prompt:
    """What a candidate is asked. The case's text is put in once: braces in it mean nothing."""
    values: dict[str, Any] = {**case.meta, **case.fields}
    user = _FIELD.sub(lambda m: str(values.get(m[1], m[0])), writing.template)
    return Prompt(writing.system, user, max_tokens=writing.max_tokens, case=case)


def written(case: Case, writing: Writing, candidate: str, reply: Reply) -> Case:
    """The case with the candidate's text in its place."""
    fields = {**case.fields, writing.field: reply.text.strip()}
    return replace(case, fields=fields, candidate=candidate)
