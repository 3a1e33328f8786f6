"""`--dry-run`: calls, tokens and cost before anything is spent. An estimate, and it says of what.

Input tokens are counted as four characters each, Japanese as one. Output tokens are the mean of
the replies this store already has from the model, to the same protocol; else the most the prompt
allows: then the cost is an upper bound. A question that several verdicts share is counted once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from oyer.judges.names import counts_as_call, is_exam, parse_name, provider_of, without_exam
from oyer.judges.prices import Price
from oyer.judges.wire import TokenCount
from oyer.runs.candidates import prompt_for
from oyer.runs.models import NamedModel
from oyer.runs.plan import Plan, is_local
from oyer.runs.sources import WorkUnit
from oyer.store import open_store
from oyer.store.records import ReplyLength
from oyer.store.store import Store
from oyer.types import Ask, Case, Prompt
from oyer.verdicts.core import ruling_by_code

TEXT = 300  # tokens that a candidate's text is assumed to have
LETTERS = 4  # characters of a token
EXAM_CALLS = 4  # at most; an article's part is paid for once


@dataclass(slots=True)
class ModelEstimate:
    """What one model will be asked: to write, or to judge."""

    entry: NamedModel
    writes: bool
    price: Price | None
    mean: float | None = None  # output tokens of a reply, seen before
    calls: int = 0
    kept: int = 0  # replies already paid for
    input: int = 0
    most: int = 0  # output tokens at most

    @property
    def output(self) -> int:
        return self.most if self.mean is None else round(self.calls * self.mean)

    @property
    def is_bound(self) -> bool:
        return self.mean is None and self.most > 0

    @property
    def cost(self) -> float | None:
        if is_local(self.entry.model):
            return 0.0
        tokens = TokenCount(input=self.input, output=self.output)
        return None if self.price is None else self.price.cost(tokens)

    def as_json(self) -> dict[str, Any]:
        """For `--dry-run --json`; `bound`: output and cost are the most there can be."""
        return {
            "model": self.entry.name,
            "writes": self.writes,
            "calls": self.calls,
            "kept": self.kept,
            "input_tokens": self.input,
            "output_tokens": self.output,
            "bound": self.is_bound,
            "cost_usd": self.cost,
        }


def forecast(plans: Sequence[Plan], where: str | None) -> dict[str, Any]:
    """What the plans of a suite will ask for, and how many verdicts are there already."""
    file = where or "oyer.db"
    if "://" not in file and not Path(file).exists():
        return _forecast(plans, None)
    with open_store(where, create=False, write=False) as store:
        return _forecast(plans, store)


def _forecast(plans: Sequence[Plan], store: Store | None) -> dict[str, Any]:
    counter = _Counter(store, store.reply_lengths() if store is not None else ())
    for plan in plans:
        counter.count(plan)
    manifest = plans[0].manifest
    identities = {plan.manifest.identity for plan in plans}
    done = 0
    if store is not None:
        runs = [run for run in store.runs() if run.identity in identities]
        done = sum(sum(store.counts(run.id).values()) for run in runs)
    return {
        "suite": manifest.suite,
        "protocol": ", ".join(plan.manifest.protocol for plan in plans),
        "cases": manifest.cases,
        "prompt": own_prompt(plans[0]),
        "verdicts": sum(plan.manifest.tasks for plan in plans),
        "done": done,
        "models": [line.as_json() for line in counter.lines.values()],
    }


def own_prompt(plan: Plan) -> str:
    """How a prompt of the user's own is understood; "" without one, or with our headings."""
    template, how = plan.suite.asking.get("template"), plan.protocol.describe_template
    return how(template) if template is not None and how is not None else ""


@dataclass(slots=True)
class _Counter:
    """Adds up what will be asked, over the protocols of a suite."""

    store: Store | None
    lengths: Sequence[ReplyLength]
    lines: dict[tuple[str, bool], ModelEstimate] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)  # questions that are counted already

    def count(self, plan: Plan) -> None:
        for chunk in plan.chunks():
            asked = [question for unit in chunk for question in self._questions(plan, unit)]
            new = {question.ask: question for question in asked if question.ask not in self.seen}
            self.seen |= new.keys()
            kept = set() if self.store is None else self.store.find_answered(new)
            for question in new.values():
                self._take(question, question.ask in kept)

    def _take(self, question: _Question, is_kept: bool) -> None:
        line = question.line
        if not counts_as_call(line.entry.model):
            return
        if is_kept:
            line.kept += question.calls
            return
        line.calls += question.calls
        line.input += question.calls * question.tokens
        line.most += question.calls * question.most

    def _line(self, plan: Plan, entry: NamedModel, writes: bool) -> ModelEstimate:
        key = (entry.name, writes)
        if key not in self.lines:
            mean = _mean_length(self.lengths, entry.model, "" if writes else plan.protocol.id)
            self.lines[key] = ModelEstimate(entry, writes, price_of(plan, entry.model), mean)
        return self.lines[key]

    def _questions(self, plan: Plan, unit: WorkUnit) -> Iterator[_Question]:
        """Every question that a unit puts."""
        source, suite = unit.source, plan.suite
        if source.problem is not None:
            return
        case = source.case
        if unit.candidate is not None:
            entry = suite.candidate_models.find(unit.candidate)
            writing = plan.writing_of(entry)
            line = self._line(plan, entry, writes=True)
            prompt = prompt_for(case, writing)
            ask = plan.ask_writing(source.sha, unit.candidate, unit.answer)
            yield _Question(line, ask, _tokens(prompt), prompt.max_tokens)
            letters = round(LETTERS * (TEXT if line.mean is None else line.mean))
            case = replace(case, fields={**case.fields, writing.field: "x" * letters})
        for judge in suite.judges:
            seats = suite.judge_models.seats(judge)
            sizes = {seat.name: _size(plan, case, seat) for seat in seats}
            for repeat in range(suite.repeats):
                for seat, ask in zip(seats, plan.asks(unit, judge, repeat), strict=True):
                    line, size = self._line(plan, seat, writes=False), sizes[seat.name]
                    calls = EXAM_CALLS if is_exam(seat.model) else 1
                    if size is not None:
                        yield _Question(line, ask, *size, calls)


@dataclass(frozen=True, slots=True)
class _Question:
    line: ModelEstimate
    ask: str
    tokens: int  # of the prompt, about
    most: int
    calls: int = 1


def _mean_length(lengths: Sequence[ReplyLength], model: str, protocol: str) -> float | None:
    """Mean output tokens of a model's replies to a protocol ("": of the texts it wrote)."""
    mine = [length for length in lengths if length.judge == model]
    alike = [length for length in mine if protocol in length.asked_for]
    # A run in which the model did both says less than one in which it did only this.
    clear = [length for length in alike if len(length.asked_for) == 1] or alike
    count = sum(length.replies for length in clear)
    total = sum(length.replies * length.output_tokens for length in clear)
    return total / count if count else None


def _size(plan: Plan, case: Case, seat: NamedModel) -> tuple[int, int] | None:
    """About the tokens of the prompt, and of the longest answer; None: code alone decides."""
    protocol, asking = plan.protocol, plan.suite.asking
    written = bool(plan.suite.candidates)  # then the text is not there yet: only its length is
    if ruling_by_code(case, protocol, asked=written) is not None:
        return None
    if protocol.prompt is None or is_local(seat.model):
        return 0, 0
    ask_options = {k: asking[k] for k in ("language", "template", "with_arithmetic") if k in asking}
    if seat.prompt is not None:
        ask_options["template"] = seat.prompt
    prompt = protocol.prompt(case, Ask(nonce="0" * 16, **ask_options))
    most = seat.options.get("max_tokens", plan.suite.options.get("max_tokens"))
    return _tokens(prompt), most or prompt.max_tokens


def _tokens(prompt: Prompt) -> int:
    """Four letters a token; a Japanese character, three bytes long in UTF-8, is one."""
    text = prompt.system + prompt.user
    more = len(text.encode("utf-8", "replace")) - len(text)
    return len(text) // LETTERS + more * 3 // 8


def price_of(plan: Plan, name: str) -> Price | None:
    """What a model's tokens cost, None when nobody knows."""
    parsed = parse_name(without_exam(name))
    return provider_of(name).price(parsed, plan.suite.options.get("prices"))
