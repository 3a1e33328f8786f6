"""What `oyer run --dry-run` prints: calls, tokens and cost; nothing is spent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from oyer.cli.tables import draw
from oyer.report.tables import Sheet
from oyer.runs.estimate import forecast
from oyer.runs.plan import Plan
from oyer.text.printable import plain

HOW = (
    "input: four characters a token (Japanese: one); output: the mean of stored replies, or, "
    "after <, the most that is allowed."
)


def print_forecast(plans: Sequence[Plan], where: str | None, *, as_json: bool) -> None:
    """For people, or for programs."""
    forecasts = forecast(plans, where)
    if as_json:
        print(json.dumps(forecasts, ensure_ascii=False))
        return
    print(
        plain(
            f"suite {forecasts['suite']}: {forecasts['protocol']}, {forecasts['cases']:,} cases, "
            f"{forecasts['verdicts']:,} verdicts ({forecasts['done']:,} are there already); "
            "nothing is spent"
        )
    )
    if forecasts["prompt"]:
        print(f"prompt: {plain(forecasts['prompt'])}")
    print()
    draw(_sheet(forecasts["models"]))
    print()
    for line in _sums(forecasts["models"], plans[0]):
        print(line)


def _sheet(models: Sequence[dict[str, Any]]) -> Sheet:
    head = ("model", "calls", "kept", "input", "output", "cost")
    both = {model["model"] for model in models if model["writes"]}
    rows = []
    for model in models:
        name = model["model"]
        if both:
            name += " writes" if model["writes"] else " judges"
        bound = "<" if model["bound"] else ""
        counts = [f"{model[key]:,}" for key in ("calls", "kept", "input_tokens")]
        output = f"{bound}{model['output_tokens']:,}"
        rows.append((name, *counts, output, _dollars(model["cost_usd"])))
    return Sheet(head, tuple(rows))


def _sums(models: Sequence[dict[str, Any]], plan: Plan) -> list[str]:
    costs = [model["cost_usd"] for model in models]
    cost = None if None in costs else sum(costs)
    lines = [f"calls {sum(model['calls'] for model in models):,}, cost {_dollars(cost)}"]
    caps = {name: cap for name, cap in asdict(plan.suite.budget).items() if cap is not None}
    if caps:
        words = ", ".join(f"{name} {cap:,}" for name, cap in caps.items())
        lines.append(f"the budget stops at: {words}")
    return [*lines, HOW]


def _dollars(cost: float | None) -> str:
    return "unknown" if cost is None else f"${cost:,.4f}"
