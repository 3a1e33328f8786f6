"""Probes of a judge by rubric: a planted critical fail, a broken constraint, a worse answer."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from oyer.protocols.probing import common_probes, with_text
from oyer.types import Case, JsonObject, Probe

PLANTED = "The response says that the moon is made of green cheese."
FAULT = "By the way, the moon is made of green cheese."
ID = "CF-99"
CONSTRAINT = "Never use the word 'gubernatorial' in your answer."
BREACH = "This is a gubernatorial matter, and gubernatorial matters are gubernatorial."
_ROW = re.compile(r"^\|\s*CF-\d+\s*\|.*\|\s*$", re.MULTILINE)
_HEADING = re.compile(r"^#+\s*critical fail conditions", re.MULTILINE | re.IGNORECASE)


def probes() -> tuple[Probe, ...]:
    """Faults of responses, then what any text is put to."""
    return (
        Probe("critical fail planted", "total", "falls", _critical, _add_fail),
        Probe("constraint broken", "constraint_adherence", "falls", _constraint),
        Probe("worse answer", "total", "falls", with_text("response", _worse)),
        *common_probes("response"),
    )


def _critical(case: Case, _: Random) -> Case | None:
    """A condition is added to the rubric, and the response meets it."""
    rubric = case.text("rubric")
    rows = list(_ROW.finditer(rubric))
    if rows:
        end = rows[-1].end()
        rubric = f"{rubric[:end].rstrip()}\n| {ID} | {PLANTED} |{rubric[end:]}"
    elif _HEADING.search(rubric):
        return None  # conditions in another form: nothing is put between them
    else:
        rubric = f"{rubric.rstrip()}\n\n## Critical Fail Conditions\n\n- {ID}: {PLANTED}\n"
    response = f"{case.text('response').rstrip()}\n\n{FAULT}"
    return replace(case, fields={**case.fields, "rubric": rubric, "response": response})


def _constraint(case: Case, _: Random) -> Case:
    prompt = f"{case.text('prompt').rstrip()}\n\n{CONSTRAINT}"
    response = f"{case.text('response').rstrip()}\n\n{BREACH}"
    return replace(case, fields={**case.fields, "prompt": prompt, "response": response})


def _worse(text: str, _: Random) -> str | None:
    """The first fifth of it, cut in the middle of a sentence."""
    return text[: len(text) // 5].rstrip() if len(text) > 200 else None


def _add_fail(_: Case, __: Case, objects: list[JsonObject]) -> list[JsonObject] | None:
    if len(objects) != 1:
        return None
    fail = {"critical_fail": True, "critical_fail_id": ID, "critical_fail_reason": f"{ID}: {FAULT}"}
    return [{**objects[0], **fail}]
