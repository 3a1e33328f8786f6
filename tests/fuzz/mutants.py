"""Replies gone wrong: mutations of good ones, as trees and as text, and plain noise."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

HOSTILE: list[Any] = [
    None, True, False, 0, -1, 11, 1e308, -1e308, 5e-324, 10**30, -(10**300), 0.1, 9.995, "",
    " ", "NaN", "Infinity", "-inf", "1e999999999", "8/10", "8,5", "85%", "1/0", "٣", "½", "null",
    "true", "x" * 3000, "\x00", "\ud800", "\u202e", "<script>", "{", '"', "\\", "🙂" * 20, [], {},
    [[]], [{}], {"": {}}, {"metric": "coverage"}, {"score": {}}, ["a"] * 50, [None] * 9,
    {"error": "no"}, [1, "a", None, {"b": []}],
]  # fmt: skip
NUMBERS = ["NaN", "-Infinity", "1e999", "-1e999", "9" * 5000, "0.1e-400", "1_000", "007", "8/10"]
SHELLS = [
    "```json\n{}\n```", "<think>{}</think>", "<think>hm</think>{}", "[{}]", '{{"results": [{}]}}',
    "Here: {}\nDone.", "{}{}", "{}\n\n{{", "/* {} */", "'{}'", "{},", "</think>{}", "<think>{}",
    '{{"a": {{"b": {}}}}}',
]  # fmt: skip
NOISE = "{}[]\":,'\\/*# \n\t0123456789.-+eE truefalsnu<>think\u00e9\u3042\ufeff\ud83d"


def mutant(rng: random.Random, objects: list[dict[str, Any]]) -> str:
    """One reply, at one to three removes from a good one."""
    made = copy.deepcopy(objects)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        _bend(rng, made)
    text = _written(rng, made)
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        text = rng.choice(_TEXTUAL)(rng, text)
    return text


def noise(rng: random.Random) -> str:
    """Characters that mean something to a parser, or any bytes at all."""
    size = rng.choice((0, 1, 5, 40, 300))
    if rng.random() < 0.5:
        return "".join(rng.choice(NOISE) for _ in range(size))
    return rng.randbytes(size).decode("utf-8", rng.choice(("replace", "surrogateescape")))


def _bend(rng: random.Random, objects: list[Any]) -> None:
    """Change one node somewhere in the tree: replace, delete, double, rename, reorder."""
    node: Any = objects
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = rng.choice(keys)
        child = node[key]
        if isinstance(child, dict | list) and child and rng.random() < 0.75:
            node = child
            continue
        break
    act = rng.randrange(6)
    if act <= 2:
        node[key] = copy.deepcopy(rng.choice(HOSTILE))
    elif act == 3:
        del node[key]
    elif act == 4 and isinstance(node, list):
        node.append(copy.deepcopy(rng.choice(node)))
        rng.shuffle(node)
    elif isinstance(node, dict):
        node[rng.choice((f"{key} ", str(key).upper(), "metric", "score", ""))] = node.pop(key)


def _written(rng: random.Random, objects: list[Any]) -> str:
    form = rng.randrange(5)
    if form == 0:
        return json.dumps(objects, ensure_ascii=rng.random() < 0.5)
    if form == 1:
        return "\n".join(repr(one) for one in objects)
    indent = rng.choice((None, 2))
    return "\n\n".join(json.dumps(one, ensure_ascii=False, indent=indent) for one in objects)


def _cut(rng: random.Random, text: str) -> str:
    return text[: rng.randint(0, len(text))]


def _drop(rng: random.Random, text: str) -> str:
    start = rng.randint(0, len(text))
    return text[:start] + text[start + rng.choice((1, 1, 2, 10, 200)) :]


def _insert(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    piece = rng.choice((rng.choice(NOISE), noise(rng), '"', "{", "}", ",", "\n", '{"metric":'))
    return text[:at] + piece + text[at:]


def _repeat(rng: random.Random, text: str) -> str:
    start = rng.randint(0, len(text))
    part = text[start : start + rng.choice((5, 50, 500))]
    at = rng.randint(0, len(text))
    return text[:at] + part * rng.choice((1, 1, 3)) + text[at:]


def _number(rng: random.Random, text: str) -> str:
    places = [i for i, char in enumerate(text) if char.isdigit()]
    if not places:
        return text
    at = rng.choice(places)
    return text[:at] + rng.choice(NUMBERS) + text[at + 1 :]


def _shell(rng: random.Random, text: str) -> str:
    return rng.choice(SHELLS).replace("{{", "\x01").replace("}}", "\x02").replace(
        "{}", text).replace("\x01", "{").replace("\x02", "}")  # fmt: skip


def _nest(rng: random.Random, text: str) -> str:
    depth = rng.choice((3, 90, 101, 2000))
    return '{"a":' * depth + text + "}" * rng.choice((0, depth))


_TEXTUAL: list[Callable[[random.Random, str], str]] = [
    _cut, _cut, _drop, _insert, _insert, _repeat, _number, _number, _shell, _nest,
]  # fmt: skip
