"""A suite that is wrong is said: the file, the field, what to do; before anything is spent."""

from __future__ import annotations

from pathlib import Path

import pytest

from oyer.errors import InputError, UsageError
from oyer.runs.plan import make_plan
from oyer.runs.suite import read_suite

GOOD = 'protocol = "toy"\ncases = "c.jsonl"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("protocol = ", "not TOML"),
        ('\n\n protocol = "toy" x', "s.toml:3: not TOML"),
        ('\ufeffcases = "c.jsonl"', "field 'protocol': is missing: add protocol"),
        ('protocol = 3\ncases = "c"', "s.toml:1: field 'protocol': must be a text"),
        ('protocol = "toy"', "either cases"),
        (GOOD + 'tasks = "folder"', "either cases"),
        (GOOD + "repeats = 0", "'repeats': must be a whole number"),
        (GOOD + "repeats = true", "'repeats'"),
        (GOOD + 'concurrency = "many"', "'concurrency'"),
        (GOOD + "judge = 'embedded'", "did you mean 'judges'"),
        (GOOD + "judges = [1]", "'judges': must be a text"),
        (GOOD + 'judges = ["embedded", "embedded"]', "names one model twice"),
        (GOOD + "[budget]\ncall = 3", "'budget.call': is not a setting of a suite; did you mean"),
        (GOOD + "[budget]\ncalls = -3", "'budget.calls': must be more than 0"),
        (GOOD + "[budget]\ncalls = 2.5", "s.toml:4: field 'budget.calls': must be a whole number"),
        (GOOD + "budget = {calls = 0}", "s.toml:3: field 'budget.calls': must be more than 0"),
        (GOOD + "[budget]\ndollars = nan", "s.toml:4: field 'budget.dollars': must be more than 0"),
        (GOOD + "[options]\n\ntimeout = -1", "s.toml:5: field 'options.timeout': must be more"),
        (GOOD + "[options]\nretries = -1", "'options.retries': must be 0 or more"),
        (GOOD + "[asking]\nattempts = 0", "'asking.attempts': must be more than 0"),
        (GOOD + '[asking]\nwith_arithmetic = "no"', "must be true or false"),
        (GOOD + "budget = 3", "'budget': must be a table"),
        (GOOD + '[weights]\nmarks = "much"', "'weights.marks': must be a number"),
        (GOOD + "[weights]\nmarks = nan", "'weights.marks': must be a number"),
        (GOOD + '[asking]\ntemplate = "missing.md"', "missing.md cannot be read"),
        (GOOD + '[options]\napi_key = "sk-x"', "'options.api_key': is not a setting"),
    ],
)
def test_a_wrong_suite(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "s.toml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        read_suite(file)
    assert says in str(caught.value)
    assert "s.toml" in str(caught.value)


def test_a_suite_that_is_not_there() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_suite("/no/such/suite.toml")


@pytest.mark.parametrize(
    ("more", "rows", "error", "says"),
    [
        ("", "", InputError, "no case to judge"),
        ("[weights]\nnothing = 2.0", '{"text": "x"}', InputError, "no weight of that name"),
        ('candidates = ["ollama:x"]', '{"text": "x"}', UsageError, "[writing]"),
        ('cases = "elsewhere.jsonl"', "", InputError, "no such file"),
    ],
)
def test_a_suite_that_does_not_fit_its_protocol(
    tmp_path: Path, more: str, rows: str, error: type[Exception], says: str
) -> None:
    toy = Path(__file__).parent / "toy"
    cases = "" if "cases =" in more else 'cases = "c.jsonl"\n'
    (tmp_path / "c.jsonl").write_text(rows + "\n")
    file = tmp_path / "s.toml"
    file.write_text(f'protocol = "toy"\nprotocol_path = "{toy}"\n{cases}{more}\n')
    with pytest.raises(error) as caught:
        make_plan(read_suite(file))
    assert says in str(caught.value)
