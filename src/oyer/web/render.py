"""Templates and their filters. Autoescape is on: what a model or a case says is text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined

from oyer.records import JsonObject

HEATS = 10


@dataclass(frozen=True, slots=True)
class Page:
    """What a page's `show` gives: a template and what goes in."""

    template: str
    values: JsonObject = field(default_factory=dict)
    status: int = 200
    location: str = ""  # go there instead


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The environment, made once."""
    environment = Environment(
        loader=PackageLoader("oyer.web"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        score=score,
        count=count,
        money=money,
        share=share,
        when=when,
        spell=spell,
        heat=heat,
        fixed=two_places,
    )
    environment.globals.update(link=link, asset=asset)
    return environment


def render(page: Page, template_values: JsonObject) -> str:
    """The page as HTML."""
    return templates().get_template(page.template).render(**template_values, **page.values)


def link(path: str, **params: object) -> str:
    """An address of this server; parameters that are empty are left out."""
    used = {name: _text(value) for name, value in params.items() if value not in (None, "", False)}
    return f"{path}?{urlencode(used)}" if used else path


def _text(value: object) -> str:
    return "1" if value is True else str(value).encode("utf-8", "backslashreplace").decode()


@lru_cache(maxsize=64)
def asset(name: str) -> str:
    """A static file's address; it changes with its content, so that a browser may keep it."""
    return f"/static/{name}?v={hashlib.sha256(read_asset(name)).hexdigest()[:12]}"


@lru_cache(maxsize=64)
def read_asset(name: str) -> bytes:
    """A static file."""
    return resources.files("oyer.web").joinpath("static", name).read_bytes()


def score(value: object) -> str:
    """A score to two places at most; none: a dash."""
    if value is None:
        return "—"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def two_places(value: float | None) -> str:
    """A score with two places, for columns of them; none: a dash."""
    return "—" if value is None else f"{value:.2f}"


def count(value: int) -> str:
    """1,234."""
    return f"{value:,}"


def money(value: float | None) -> str:
    """A price; None is unknown, never free."""
    if value is None:
        return "unknown"
    return f"${value:,.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def share(value: float | None) -> str:
    """A share in per cent; little is never shown as nothing, nor almost all as all."""
    if value is None:
        return "—"
    if 0 < value < 0.01:
        return "<1 %"
    if 0.99 < value < 1:
        return ">99 %"
    return f"{value:.0%}".replace("%", " %")


def when(stamp: str) -> str:
    """2026-11-16T03:18:40+00:00 -> 2026-11-16 03:18; the page makes it local."""
    return stamp[:16].replace("T", " ")


def spell(name: str) -> str:
    """A key as words: bias_toxicity -> bias toxicity."""
    return name.replace("_", " ")


def heat(value: float | None, scale: tuple[float, float]) -> str:
    """The class of a coloured cell: h0 (worst) to h10 (best); hx: no score."""
    if value is None:
        return "hx"
    low, high = scale
    part = (value - low) / (high - low) if high > low else 1.0
    return f"h{round(HEATS * min(1.0, max(0.0, part)))}"
