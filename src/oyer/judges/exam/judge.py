"""The exam as a judge: four calls to another judge in, one reply out."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Protocol as Interface
from typing import TypeAlias, TypeVar

from oyer.errors import OyerError, ProviderError, Unscored, UsageError
from oyer.judges.exam.steps import (
    Notes,
    Paper,
    Question,
    read_answers,
    read_notes,
    read_paper,
)
from oyer.judges.exam.to_reply import HeardText, Results, as_text, findings
from oyer.protocols.prompting import Template, fill, read_packaged, template
from oyer.text.fence import fresh_nonce, leaks
from oyer.text.seal import COMPOSED, request, seal_of, sealed_schema
from oyer.types import Ask, Case, JsonObject, Judge, Prompt, Reply, SummaryForm, Usage

ATTEMPTS = 3  # of each step
STEPS = {
    "article": frozenset({"ARTICLE"}),
    "reading": frozenset({"SUMMARY"}),
    "sitting": frozenset({"SUMMARY", "POINTS", "ASPECTS", "QUESTIONS"}),
    "checking": frozenset({"ARTICLE", "CLAIMS", "QUESTIONS"}),
}
S = TypeVar("S")
T = TypeVar("T")
#: The object of a reply that is the judge's own, given the texts that it saw and its seal; raises
#: `Unscored` when there is none, or nobody can tell whose it is.
ChooseObject: TypeAlias = Callable[[str, Mapping[str, str], str], JsonObject]


class ExamStore(Interface):
    """Where the articles' exams lie, by key: a run's store, so that each is paid for once."""

    async def get(self, key: str) -> str | None: ...

    async def put(self, key: str, reply: str) -> None: ...


@dataclass
class MemoryShelf:
    """A shelf for as long as the program runs."""

    papers: dict[str, str] = field(default_factory=dict)

    async def get(self, key: str) -> str | None:
        return self.papers.get(key)

    async def put(self, key: str, reply: str) -> None:
        self.papers[key] = reply


class _Unusable(OyerError):
    """A step that gave nothing usable in all its attempts."""


@dataclass
class _Sitting:
    """One case's calls: what was said and what it cost."""

    asked: Prompt  # the question that the whole exam answers
    calls: list[tuple[str, Reply]] = field(default_factory=list)
    lost: Usage = field(default_factory=Usage)  # by calls that brought no answer
    leaked: bool = False

    @property
    def spent(self) -> Usage:
        return sum((reply.usage for _, reply in self.calls), self.lost)

    def put(self, prompt: Prompt) -> Prompt:
        """The prompt of a step as a part of the whole question: its repeat, and its budget."""
        allow = self.asked.before_retry
        if allow is None:
            return replace(prompt, repeat=self.asked.repeat)
        spent = self.spent
        return replace(
            prompt,
            repeat=self.asked.repeat,
            before_retry=lambda usage: allow(spent + usage),
        )


def paper_key(judge: str, article: str) -> str:
    """The key of an article's exam: who set it, by which prompt, on which words."""
    parts = (judge, _template("article").sha, article)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


class Exam(Judge):
    """Asks `judge` in four isolated steps; `choose` finds its object in what it answers."""

    needs_prompt = False  # it writes its own prompts from the case

    def __init__(
        self,
        judge: Judge,
        choose: ChooseObject,
        shelf: ExamStore | None = None,
        nonce: Callable[[], str] = fresh_nonce,
        attempts: int = ATTEMPTS,
    ) -> None:
        self._judge = judge
        self._choose = choose
        self._attempts = attempts
        self._shelf: ExamStore = shelf if shelf is not None else MemoryShelf()
        self._nonce = nonce
        self._locks: dict[str, asyncio.Lock] = {}

    @property
    def name(self) -> str:
        return f"exam:{self._judge.name}"

    async def ask(self, prompt: Prompt) -> Reply:
        """The whole exam of one case."""
        case, protocol = prompt.case, prompt.asked_by
        form = protocol.summary if protocol is not None else None
        if case is None or form is None:
            named = protocol.id if protocol is not None else "this"
            raise UsageError(f"exam mode is for protocols that judge summaries, not for {named}")
        sitting = _Sitting(prompt)
        # `final`: every step was asked again by itself, so the whole exam is not.
        about: dict[str, object] = {"mode": "exam", "prompt": prompt_sha(), "final": True}
        about[COMPOSED] = True
        try:
            objects = await self._examine(case, form, sitting, about)
            text = as_text(objects)
        except _Unusable as why:
            text = about["exam_failed"] = str(why)
        except ProviderError as failure:  # the steps that were answered are paid for all the same
            failure.usage = sitting.spent
            raise
        if sitting.leaked:
            about["fence"] = "leaked"
        return Reply(_transcript(sitting.calls) + text, self.name, sitting.spent, about)

    async def _examine(
        self, case: Case, form: SummaryForm, sitting: _Sitting, about: dict[str, object]
    ) -> list[dict[str, object]]:
        article = case.text("article")
        summary = case.text("summary")
        paper, notes = await _both(
            self._paper(article, sitting, about), self._notes(summary, sitting)
        )
        if not form.questions:
            paper = replace(paper, questions=())
            notes = replace(notes, questions=())
        answers, checks = await _both(
            self._sit(summary, paper, sitting), self._check(article, notes, sitting)
        )
        results = Results(
            paper, notes, answers, checks, HeardText.of(article), HeardText.of(summary)
        )
        return form.compose(findings(results))

    async def _paper(self, article: str, sitting: _Sitting, about: dict[str, object]) -> Paper:
        """The article's exam: from the shelf, or set now and put there."""
        key = paper_key(self._judge.name, article)
        about["exam"] = key
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:  # summaries of one article that come at once pay once
            stored = await self._shelf.get(key)
            if stored is not None:  # it was told from the article when it was put there
                return read_paper(self._choose(stored, {}, ""), article)[0]
            answers: list[JsonObject] = []

            def read(given: JsonObject) -> tuple[Paper, list[str]]:
                answers.append(given)
                return read_paper(given, article)

            paper = await self._step("article", {"ARTICLE": article}, read, sitting)
            await self._shelf.put(key, json.dumps(answers[-1], ensure_ascii=False))
        self._locks.pop(key, None)
        if not paper.questions or not paper.points:
            raise _Unusable("the exam on the article has no usable question or point")
        return paper

    async def _notes(self, summary: str, sitting: _Sitting) -> Notes:
        return await self._step("reading", {"SUMMARY": summary}, read_notes, sitting)

    async def _sit(self, summary: str, paper: Paper, sitting: _Sitting) -> JsonObject:
        texts = {
            "SUMMARY": summary,
            "POINTS": _list(paper.points),
            "ASPECTS": "\n".join(f"{k}: {v}" for k, v in paper.aspects.items()),
            "QUESTIONS": _question_list(paper.questions),
        }
        wanted = {"answers": len(paper.questions), "points": len(paper.points)}
        return await self._step("sitting", texts, lambda g: (g, read_answers(g, wanted)), sitting)

    async def _check(self, article: str, notes: Notes, sitting: _Sitting) -> JsonObject:
        texts = {
            "ARTICLE": article,
            "CLAIMS": _list([claim for claim, _ in notes.claims]),
            "QUESTIONS": _question_list(notes.questions),
        }
        wanted = {"claims": len(notes.claims), "answers": len(notes.questions)}
        return await self._step("checking", texts, lambda g: (g, read_answers(g, wanted)), sitting)

    async def _step(
        self,
        step: str,
        texts: Mapping[str, str],
        read: Callable[[JsonObject], tuple[T, list[str]]],
        sitting: _Sitting,
    ) -> T:
        """One call, asked again while it has faults; the last readable one stands as it is."""
        best: T | None = None
        ask = Ask("")
        for _ in range(self._attempts):
            prompt = step_prompt(step, texts, replace(ask, nonce=self._nonce()))
            reply = await self._answer(prompt, sitting)
            sitting.calls.append((step, reply))
            sitting.leaked = sitting.leaked or leaks(reply.text, prompt.nonce)
            try:
                best, faults = read(self._choose(reply.text, texts, seal_of(prompt.nonce)))
            except Unscored as why:
                faults = [why.detail]
            else:
                if not faults:
                    return best
            ask = self._again(ask, reply, faults)
        if best is None:
            raise _Unusable(f"exam step '{step}': no readable answer in {self._attempts} attempts")
        return best

    def _again(self, ask: Ask, reply: Reply, faults: list[str]) -> Ask:
        """The same with the answer before and what is wrong with it; a cut one has more room."""
        cut = reply.about.get("stop") == "length"
        return replace(
            ask,
            complaint="; ".join(faults)[:400],
            previous=reply.text,
            room=ask.room * (2 if cut else 1),
        )

    async def _answer(self, prompt: Prompt, sitting: _Sitting) -> Reply:
        try:
            return await self._judge.ask(sitting.put(prompt))
        except ProviderError as failure:
            sitting.lost += failure.usage or Usage()
            raise


async def _both(
    first_task: Coroutine[object, object, S], second_task: Coroutine[object, object, T]
) -> tuple[S, T]:
    """Both at once; when one fails the other is still waited for, so that its cost is counted."""
    first = asyncio.ensure_future(first_task)
    second = asyncio.ensure_future(second_task)
    await asyncio.gather(first, second, return_exceptions=True)
    return first.result(), second.result()


def step_prompt(step: str, texts: Mapping[str, str], ask: Ask) -> Prompt:
    """The prompt of one step, with nothing in it but the texts it may see."""
    chosen = _template(step)
    system, user = fill(chosen, texts, ask)
    user = f"{user}\n\n{request(seal_of(ask.nonce), 'the object')}"
    schema = sealed_schema(_schemas()[step])
    return Prompt(system, user, schema, ask.nonce, chosen.sha, max_tokens=2048 * ask.room)


def prompt_sha() -> str:
    """One hash for the four templates."""
    joined = "".join(_template(step).sha for step in STEPS)
    return hashlib.sha256(joined.encode()).hexdigest()


def _template(step: str) -> Template:
    return template(__package__, f"{step}.md", STEPS[step])


@cache
def _schemas() -> Mapping[str, JsonObject]:
    loaded: Mapping[str, JsonObject] = json.loads(read_packaged(__package__, "schemas.json"))
    return loaded


def _list(items: Sequence[str]) -> str:
    """Numbered, one a line; an item keeps to its line so that it cannot pose as another."""
    lines = [f"{n}. {' '.join(item.split())}" for n, item in enumerate(items, 1)]
    return "\n".join(lines) or "(none)"


def _question_list(questions: Sequence[Question]) -> str:
    return _list([question.text for question in questions])


def _transcript(calls: Sequence[tuple[str, Reply]]) -> str:
    """Every call's raw answer, as JSON strings before the result: stored, read by nobody."""
    order = list(STEPS)
    lines = [
        json.dumps({"exam_step": step, "said": reply.text}, ensure_ascii=False)
        for step, reply in sorted(calls, key=lambda call: order.index(call[0]))
    ]
    return "\n".join(lines) + "\n\n" if lines else ""
