"""Cards as files: one self-contained page with plots, or Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from oyer.errors import UsageError
from oyer.report import tables
from oyer.trust.best_value import best_value
from oyer.trust.card import Card
from oyer.trust.card_facts import facts_sheet
from oyer.trust.card_sheets import sheets_of
from oyer.trust.measures import Measure

WIDE, HIGH, EDGE = 260, 200, 30  # a plot, and what its axes take


@dataclass(frozen=True, slots=True)
class Curve:
    """A reliability curve as places on a plot: what the judge says across, what people say up."""

    title: str
    points: tuple[tuple[float, float, float, str], ...]  # x, y, radius, in words


@dataclass(frozen=True, slots=True)
class Bar:
    """One corrected estimate as places on a line from the lowest to the highest."""

    name: str
    judge: float
    value: float
    low: float
    high: float
    text: str


def markdown(cards: Sequence[Card]) -> str:
    """For a pull request or a wiki."""
    lines = [f"- {tables.cell(card.plain_words)}" for card in cards]
    if value := best_value(cards):
        lines.append(f"- {tables.cell(value)}")
    lines += ["", tables.markdown(facts_sheet(cards)).rstrip()]
    for titled in sheets_of(cards):
        lines += ["", f"### {titled.title}", "", tables.markdown(titled.sheet).rstrip()]
    return "\n".join([_title(cards), "", *lines]) + "\n"


def html(cards: Sequence[Card]) -> str:
    """One page that loads nothing; names come from models and are escaped."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError:
        raise UsageError("A card needs Jinja2: pip install 'oyer[report]'") from None
    environment = Environment(
        loader=PackageLoader("oyer.trust", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    css = resources.files("oyer.report").joinpath("templates/report.css").read_text("utf-8")
    page: str = environment.get_template("card.html").render(
        title=_title(cards).removeprefix("# "),
        css=Markup(css),  # our own file
        sentences=[card.plain_words for card in cards],
        value=best_value(cards),
        facts=facts_sheet(cards),
        sheets=sheets_of(cards),
        curves=_curves(cards),
        bars=_bars(cards),
        wide=WIDE,
        high=HIGH,
        edge=EDGE,
    )
    return page


def _title(cards: Sequence[Card]) -> str:
    if not cards:
        return "# Judge card"
    first = cards[0]
    return f"# Judge card: run {first.run}, {tables.cell(first.run_name)}, {first.protocol}"


def _curves(cards: Sequence[Card]) -> list[Curve]:
    curves = []
    for card in cards:
        for measure in card.measures:
            if len(measure.curve) > 1:
                curves.append(_curve(card, measure))
    return curves


def _curve(card: Card, measure: Measure) -> Curve:
    most = max(step.n for step in measure.curve)
    points = []
    for step in measure.curve:
        x = EDGE + step.judge * (WIDE - 2 * EDGE)
        y = HIGH - EDGE - step.people * (HIGH - 2 * EDGE)
        words = f"judge {step.judge:.0%}, people {step.people:.0%}, {step.n} labels"
        points.append((round(x, 1), round(y, 1), round(2 + 6 * (step.n / most) ** 0.5, 1), words))
    return Curve(f"{card.judge} · {measure.metric}", tuple(points))


def _bars(cards: Sequence[Card]) -> list[Bar]:
    bars = []
    for card in cards:
        for measure in card.measures:
            for estimate in measure.corrected[:1]:
                if estimate.low is None or estimate.high is None:
                    continue
                top = 1.0 if measure.choices else 10.0 ** len(f"{int(max(estimate.high, 1)) - 1}")
                places = (estimate.judge, estimate.value, estimate.low, estimate.high)
                judge, value, low, high = (
                    round(EDGE + place / top * (WIDE - 2 * EDGE), 1) for place in places
                )
                name = f"{card.judge} · {measure.metric}"
                bars.append(Bar(name, judge, value, low, high, estimate.text))
    return bars
