"""What is sent is the body, whichever parts of it were encoded before."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oyer.judges.wire import Constant, encode_body

FORM = {"type": "json_schema", "json_schema": {"name": "é", "schema": {"a": [1, None]}}}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"model": "m", "messages": [{"content": 'é"\\ \u2028'}]}, "nothing is constant"),
        ({"model": "m", "form": Constant(FORM), "seed": 0}, "the constant part in the middle"),
        ({"m": 1, "a": Constant(FORM), "b": Constant({"x": "}"})}, "two of them"),
    ],
)
def test_a_body_is_sent_as_it_is(body: dict[str, Any], why: str) -> None:
    for _ in range(2):  # the second time, the constant part's JSON is there already
        assert json.loads(encode_body(body)) == body, why
