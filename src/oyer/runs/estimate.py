"""`--dry-run`: calls, tokens and cost before anything is spent. An estimate, and it says of what.

Input tokens are counted as four characters each, Japanese as one. Output tokens are the mean of
the replies this store already has from the judge, else the most the prompt allows: then the cost is
an upper bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from oyer.judges.names import is_exam, members, parse_name, provider_of, without_exam
from oyer.judges.prices import Price
from oyer.judges.wire import TokenCount
from oyer.runs.candidates import prompt_for
from oyer.runs.plan import Plan, is_local
from oyer.runs.sources import WorkUnit
from oyer.store import open_store
from oyer.store.store import Store
from oyer.types import Ask, Case, Prompt

TEXT = 1200  # characters a candidate's text is assumed to have


@dataclass(slots=True)
class ModelEstimate:
    """What one model will be asked."""

    name: str
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
        if is_local(self.name):
            return 0.0
        tokens = TokenCount(input=self.input, output=self.output)
        return None if self.price is None else self.price.cost(tokens)


def estimate(plan: Plan, where: str | None) -> str:
    """The table that `--dry-run` prints."""
    return _table(plan, *_counted(plan, where))


def forecast(plan: Plan, where: str | None) -> dict[str, Any]:
    """The same for programs; `bound`: output and cost are the most there can be."""
    lines, done = _counted(plan, where)
    manifest = plan.manifest
    models = [
        {"model": line.name, "calls": line.calls, "kept": line.kept, "input_tokens": line.input,
         "output_tokens": line.output, "bound": line.is_bound, "cost_usd": line.cost}
        for line in lines.values()
    ]  # fmt: skip
    head = {"suite": manifest.suite, "protocol": manifest.protocol, "cases": manifest.cases}
    return {**head, "prompt": own_prompt(plan), "verdicts": manifest.tasks, "done": done,
            "models": models}  # fmt: skip


def own_prompt(plan: Plan) -> str:
    """How a prompt of the user's own is understood; "" without one, or with our headings."""
    template, how = plan.suite.asking.get("template"), plan.protocol.describe_template
    return how(template) if template is not None and how is not None else ""


def _counted(plan: Plan, where: str | None) -> tuple[dict[str, ModelEstimate], int]:
    """What each model will be asked, and how many verdicts are there already."""
    file = where or "oyer.db"
    if "://" not in file and not Path(file).exists():
        return _lines(plan, None), 0
    with open_store(where, create=False, write=False) as store:
        lines = _lines(plan, store)
        known = [run for run in store.runs() if run.identity == plan.manifest.identity]
        return lines, sum(sum(store.counts(run.id).values()) for run in known)


def _lines(plan: Plan, store: Store | None) -> dict[str, ModelEstimate]:
    suite = plan.suite
    names = [*suite.candidates, *(one for judge in suite.judges for one in members(judge))]
    means = {} if store is None else store.output_means()
    lines = {name: ModelEstimate(name, price_of(plan, name), means.get(name)) for name in names}
    for chunk in plan.chunks():
        asked = [question for unit in chunk for question in _questions(plan, unit)]
        kept = set() if store is None else store.asked(question.ask for question in asked)
        for question in asked:
            line = lines[question.name]
            if question.ask in kept:
                line.kept += 1
                continue
            line.calls += 1
            if not is_local(line.name):
                line.input += question.tokens
                line.most += question.most
    return lines


@dataclass(frozen=True, slots=True)
class _Question:
    name: str
    ask: str
    tokens: int  # of the prompt, about
    most: int


def _questions(plan: Plan, unit: WorkUnit) -> Iterator[_Question]:
    """Every call a unit may need, asked once each."""
    source, suite = unit.source, plan.suite
    if source.problem is not None:
        return
    case = source.case
    if unit.candidate is not None and plan.writing is not None:
        prompt = prompt_for(case, plan.writing)
        ask = plan.ask_writing(source.sha, unit.candidate)
        yield _Question(unit.candidate, ask, _tokens(prompt), prompt.max_tokens)
        case = replace(case, fields={**case.fields, plan.writing.field: "x" * TEXT})
    size, most = _size(plan, case)
    for judge in suite.judges:
        for repeat in range(suite.repeats):
            for name, ask in zip(members(judge), plan.asks(unit, judge, repeat), strict=True):
                # An exam is four calls at most: an article's part is paid for once (shelf.py).
                for _ in range(4 if is_exam(name) else 1):
                    yield _Question(name, ask, size, most)


def _size(plan: Plan, case: Case) -> tuple[int, int]:
    protocol, asking = plan.protocol, plan.suite.asking
    if protocol.prompt is None or (protocol.settle is not None and protocol.settle(case)):
        return 0, 0
    told = {k: asking[k] for k in ("language", "template", "with_arithmetic") if k in asking}
    prompt = protocol.prompt(case, Ask(nonce="0" * 16, **told))
    return _tokens(prompt), prompt.max_tokens


def _tokens(prompt: Prompt) -> int:
    """Four letters a token; a Japanese character, three bytes long in UTF-8, is one."""
    text = prompt.system + prompt.user
    more = len(text.encode("utf-8", "replace")) - len(text)
    return len(text) // 4 + more * 3 // 8


def price_of(plan: Plan, name: str) -> Price | None:
    """What a model's tokens cost, None when nobody knows."""
    parsed = parse_name(without_exam(name))
    return provider_of(name).price(parsed, plan.suite.options.get("prices"))


def _table(plan: Plan, lines: dict[str, ModelEstimate], done: int) -> str:
    manifest = plan.manifest
    wide = max(40, *(len(name) for name in lines))
    shown = [
        f"suite {manifest.suite}: {manifest.protocol}, {manifest.cases:,} cases, "
        f"{manifest.tasks:,} verdicts ({done:,} are there already); nothing is spent",
        *(f"prompt: {how}" for how in [own_prompt(plan)] if how),
        "",
        f"{'model':<{wide}} {'calls':>9} {'kept':>9} {'input':>12} {'output':>12} {'cost':>11}",
    ]
    costs = []
    for line in lines.values():
        cost = "unknown" if line.cost is None else f"${line.cost:,.4f}"
        bound = "<" if line.is_bound else " "
        shown.append(
            f"{line.name:<{wide}} {line.calls:>9,} {line.kept:>9,} {line.input:>12,}"
            f" {bound + format(line.output, ','):>12} {cost:>11}"
        )
        costs.append(line.cost)
    sum_ = "unknown" if None in costs else f"${sum(cost or 0.0 for cost in costs):,.4f}"
    shown += ["", f"calls {sum(line.calls for line in lines.values()):,}, cost {sum_}"]
    caps = plan.suite.budget
    told = [f"{name} {value:,}" for name in ("calls", "tokens", "dollars")
            if (value := getattr(caps, name)) is not None]  # fmt: skip
    if told:
        shown.append(f"the budget stops at: {', '.join(told)}")
    shown.append("input: four characters a token (Japanese: one); '<' is the most that is allowed.")
    return "\n".join(shown)
