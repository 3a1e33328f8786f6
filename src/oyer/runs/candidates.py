"""Candidates write the texts that are judged: an article's summary, an answer to a prompt."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from oyer.records import ANSWER, CANDIDATE_MODEL
from oyer.runs.models import NamedModel
from oyer.types import Case, Prompt, Reply, Writing

_FIELD = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")


def prompt_for(case: Case, writing: Writing, answer: int = 0) -> Prompt:
    """What a candidate is asked. The case's text is put in once: braces in it mean nothing.

    Another `answer` is asked for like a repeat: with another seed.
    """
    values: dict[str, Any] = {**case.meta, **case.fields}
    user = _FIELD.sub(lambda m: _as_text(values.get(m[1], m[0])), writing.template)
    return Prompt(writing.system, user, max_tokens=writing.max_tokens, case=case, repeat=answer)


def _as_text(value: Any) -> str:
    """A field as a candidate reads it: the texts of a list one below the other, else JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return "\n\n".join(value)
    return json.dumps(value, ensure_ascii=False)


def with_candidate(case: Case, candidate: NamedModel, answer: int | None = None) -> Case:
    """The case as one that the candidate writes; `answer` says which of several texts."""
    meta = dict(case.meta)
    if candidate.label:
        meta[CANDIDATE_MODEL] = candidate.model
    if answer is not None:
        meta[ANSWER] = answer + 1
    return replace(case, candidate=candidate.name, meta=meta)


def with_text(case: Case, writing: Writing, reply: Reply) -> Case:
    """The case with the candidate's text in its place."""
    return replace(case, fields={**case.fields, writing.field: reply.text.strip()})
