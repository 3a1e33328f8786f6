"""A judge that sits the exam by the book: it answers from a table, keeps all it was shown."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from oyer.text.seal import SEAL, seal_of
from oyer.types import Case, Judge, Prompt, Reply, Usage

ARTICLE = (
    "The city council of Harwick voted on Tuesday to close the old harbour bridge for two years. "
    "Engineers had found cracks in four of its nine pillars during an inspection in March. "
    "The repair will cost 38 million euros, paid by the region and the port authority. "
    "Ferries will carry commuters across the river every ten minutes from June. "
    "Shop owners near the bridge fear that they will lose customers, mayor Ilse Brandt said."
)
SUMMARY = (
    "Harwick closes its old harbour bridge for two years after engineers found cracks in four "
    "pillars. Repairs will cost 38 million euros, and ferries will run every ten minutes from June."
)
CASE = Case("harwick", {"article": ARTICLE, "summary": SUMMARY})

PAPER: dict[str, Any] = {
    "theme": "closure and repair of the harbour bridge in Harwick",
    "intent": "to inform",
    "stance": "balanced",
    "tone": "factual",
    "key_points": [
        {
            "point": "the council voted to close the harbour bridge",
            "evidence": "voted on Tuesday to close the old harbour bridge",
        },
        {
            "point": "engineers found cracks in four of the pillars",
            "evidence": "Engineers had found cracks in four of its nine pillars",
        },
        {
            "point": "the repair will cost 38 million euros",
            "evidence": "The repair will cost 38 million euros",
        },
        {
            "point": "ferries will carry commuters from June on",
            "evidence": "Ferries will carry commuters across the river",
        },
    ],
    "questions": [
        {
            "question": "How long is the bridge closed?",
            "answer": "two years",
            "evidence": "close the old harbour bridge for two years",
        },
        {
            "question": "How many pillars have cracks?",
            "answer": "four",
            "evidence": "found cracks in four of its nine pillars",
        },
        {
            "question": "What does the repair cost?",
            "answer": "38 million euros",
            "evidence": "The repair will cost 38 million euros",
        },
        {
            "question": "How often do ferries run?",
            "answer": "every ten minutes",
            "evidence": "across the river every ten minutes from June",
        },
        {
            "question": "Who pays?",
            "answer": "the region and the port authority",
            "evidence": "paid by the region and the port authority",
        },
        {
            "question": "When was the inspection?",
            "answer": "in March",
            "evidence": "during an inspection in March",
        },
    ],
}
NOTES: dict[str, Any] = {
    "claims": [
        {
            "claim": "Harwick closes its harbour bridge for two years.",
            "span": "Harwick closes its old harbour bridge for two years",
        },
        {"claim": "Repairs cost 38 million euros.", "span": "Repairs will cost 38 million euros"},
    ],
    "questions": [
        {"question": "Which bridge is closed?", "answer": "the old harbour bridge"},
        {"question": "How long?", "answer": "two years"},
        {"question": "What was found?", "answer": "cracks in four pillars"},
        {"question": "What do repairs cost?", "answer": "38 million euros"},
        {"question": "How often do ferries run?", "answer": "every ten minutes"},
        {"question": "From when on?", "answer": "June"},
    ],
    "tone": "neutral",
    "issues_found": [],
    "bias_score": 10,
    "tox_score": 10,
}
SITTING: dict[str, Any] = {
    "answers": [
        {"n": 1, "answer": "2 years", "evidence": "closes its old harbour bridge for two years"},
        {"n": 2, "answer": "four pillars", "evidence": "engineers found cracks in four pillars"},
        {"n": 3, "answer": "38 million euros", "evidence": "Repairs will cost 38 million euros"},
        {"n": 4, "answer": "every ten minutes", "evidence": "ferries will run every ten minutes"},
        {"n": 5, "answer": "", "evidence": ""},
        {"n": 6, "answer": "in April", "evidence": "after engineers found cracks in four pillars"},
    ],
    "points": [
        {"n": 1, "coverage": "Partial", "evidence": "Harwick closes its old harbour bridge"},
        {"n": 2, "coverage": "Fully", "evidence": "engineers found cracks in four pillars"},
        {"n": 3, "coverage": "Fully", "evidence": "Repairs will cost 38 million euros"},
        {"n": 4, "coverage": "Partial", "evidence": "ferries will run every ten minutes"},
    ],
    "deviations": [],
    "alignment": 9,
}
CHECKING: dict[str, Any] = {
    "claims": [
        {"n": 1, "status": "Supported", "evidence": "close the old harbour bridge for two years"},
        {"n": 2, "status": "Supported", "evidence": "The repair will cost 38 million euros"},
    ],
    "answers": [
        {
            "n": 1,
            "answer": "the old harbour bridge",
            "evidence": "voted on Tuesday to close the old harbour bridge",
        },
        {"n": 2, "answer": "two years", "evidence": "the old harbour bridge for two years"},
        {
            "n": 3,
            "answer": "cracks in four of its nine pillars",
            "evidence": "found cracks in four of its nine pillars",
        },
        {"n": 4, "answer": "38 million euros", "evidence": "The repair will cost 38 million euros"},
        {"n": 5, "answer": "every ten minutes", "evidence": "across the river every ten minutes"},
        {"n": 6, "answer": "from June", "evidence": "every ten minutes from June"},
    ],
}


def step_of(prompt: Prompt) -> str:
    """Which step of the exam a prompt is, told by the texts it shows."""
    shown = set(re.findall(r"(?m)^<([A-Z]+)-[0-9a-f]+>$", prompt.user)) - {"COMPLAINT", "PREVIOUS"}
    return {
        frozenset({"ARTICLE"}): "article",
        frozenset({"SUMMARY"}): "reading",
        frozenset({"SUMMARY", "POINTS", "ASPECTS", "QUESTIONS"}): "sitting",
        frozenset({"ARTICLE", "CLAIMS", "QUESTIONS"}): "checking",
    }[frozenset(shown)]


@dataclass
class ExamJudge(Judge):
    """Answers each step from its table; a list of answers is given one after another."""

    name: str = "examinee"
    answers: dict[str, Any] = field(
        default_factory=lambda: {
            "article": PAPER,
            "reading": NOTES,
            "sitting": SITTING,
            "checking": CHECKING,
        }
    )
    asked: list[tuple[str, Prompt]] = field(default_factory=list)
    seals: frozenset[str] = frozenset()  # the steps that it puts its seal on

    def steps(self) -> list[str]:
        return sorted(step for step, _ in self.asked)

    async def ask(self, prompt: Prompt) -> Reply:
        step = step_of(prompt)
        before = sum(s == step for s, _ in self.asked)
        self.asked.append((step, prompt))
        answer = self.answers[step]
        if isinstance(answer, list):
            answer = answer[min(before, len(answer) - 1)]
        if step in self.seals and isinstance(answer, dict):
            answer = {SEAL: seal_of(prompt.nonce), **answer}
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return Reply(text, self.name, Usage(100, 50, 0.25, 1, 0.1))
