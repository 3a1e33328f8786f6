"""A rubric file is read by its headings; what breaks the format is refused with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from oyer.errors import FormatError
from oyer.protocols.rubric.document import parse_rubric, read_rubric
from oyer.protocols.rubric.rules import AXES
from tests.rubric.rubric_cases import said as graded

ENGLISH = """## Task: A bridge notice
## task_type: fact

## Facts for the judge (for you only)
The bridge closes on Monday.

### Sources
The harbour office.

## Critical Fail Conditions (never do this)
- **CF-1**: names another bridge
- `CF-2` - invents a reason

## Criteria

### Logic & Fact (0-60)
Right facts.

### Constraint Adherence (0 - 30)
Two sentences.

### 3. Helpfulness and Creativity: 0–10 points
Useful.
"""


def test_an_english_rubric_is_read_whole() -> None:
    rubric = parse_rubric(ENGLISH)
    assert rubric.task == "A bridge notice"
    assert rubric.task_type == "fact"
    assert dict(rubric.weights_for("fact")) == dict(zip(AXES, (60, 30, 10), strict=True))
    assert rubric.facts == ("The bridge closes on Monday.\n\n### Sources\nThe harbour office.")
    assert rubric.conditions == {
        "CF-1": "names another bridge", "CF-2": "invents a reason"
    }  # fmt: skip
    assert rubric.constraints == ()


NONE = [
    ("none", "English"),
    ("None.", "with a stop"),
    ("なし", "Japanese"),
    ("なし。", "with its stop"),
    ("> **なし**", "quoted and bold"),
]


@pytest.mark.parametrize(("said", "why"), NONE)
def test_a_rubric_may_say_that_nothing_is_a_critical_fail(said: str, why: str) -> None:
    text = f"## タスク: 試し\n## Critical Fail Conditions\n\n{said}\n\n---\n"
    assert parse_rubric(text).conditions == {}, why


AXES_BELOW = [
    ("### ", "an axis one level down"),
    ("#### ", "two levels"),
    ("### Criteria\n#### ", "under a heading of their own"),
]


@pytest.mark.parametrize(("level", "why"), AXES_BELOW)
def test_axes_below_a_section_are_no_part_of_it(level: str, why: str) -> None:
    axes = f"{level}1. Logic & Fact（0〜60点）\n- LF-1: right\n\n"
    axes += "#### 2. Constraint Adherence（0〜30点）\n30 to 0\n"
    axes += "#### 3. Helpfulness & Creativity（0〜10点）\n10 to 0\n"
    head = "## タスク: 試し\n## task_type: fact\n"
    none = parse_rubric(f"{head}## Critical Fail Conditions\n\nなし\n\n{axes}")
    assert none.conditions == {}, why
    some = parse_rubric(f"{head}## Critical Fail Conditions\n- CF-1: a\n\n{axes}")
    assert some.conditions == {"CF-1": "a"}, f"a criterion is no condition: {why}"
    told = parse_rubric(f"{head}## Facts for the judge\nIt rains.\n### Source\nx\n{axes}")
    assert told.facts == "It rains.\n### Source\nx", why


def test_conditions_beside_an_axis_under_one_heading_are_kept() -> None:
    text = "## Critical Fail Conditions\n### All\n- CF-1: a\n#### Logic & Fact (0-60)\n- L-1: b\n"
    text += "#### Constraint Adherence (0-30)\n#### Helpfulness & Creativity (0-10)\n"
    assert parse_rubric(text).conditions == {"CF-1": "a"}


def test_none_with_other_words_below_is_refused_still() -> None:
    text = "## Critical Fail Conditions\nnone\n### But\nnever name another bridge\n"
    with pytest.raises(FormatError, match="nor 'none'"):
        parse_rubric(text)


def test_without_the_section_there_are_no_conditions_whatever_the_prose_says() -> None:
    text = "## Task: x\n\n> The Critical Fail Conditions are CF-1 and CF-2.\n"
    assert parse_rubric(text).conditions == {}


def test_a_table_without_ids_beside_the_conditions_is_prose() -> None:
    text = "## Critical Fail Conditions\n|ID|x|\n|-|-|\n|**CF-1**|a \\| b|\n"
    text += "\n|e.g.|y|\n|-|-|\n|1|2|\n"
    assert parse_rubric(text).conditions == {"CF-1": "a \\| b"}


def test_headings_inside_a_code_block_are_text() -> None:
    text = "## Task: x\n```md\n## task_type: fact\n## task_type: nonsense\n```\n"
    assert parse_rubric(text).task_type is None


def test_weights_without_a_type_come_from_the_axis_headings() -> None:
    text = "## Task: x\n## Logic & Fact (0-50)\n## Constraint Adherence (0-25)\n"
    text += "## Helpfulness & Creativity (0-25)\n"
    assert parse_rubric(text).weights == dict(zip(AXES, (50, 25, 25), strict=True))


def test_own_weights_win_over_the_types() -> None:
    weights = "logic_and_fact=10、constraint_adherence = 20, helpfulness_and_creativity=70"
    head = "\ufeff## タスク： x\r\n## task_type： creative"
    rubric = parse_rubric(f"{head}\r\n## weights: {weights}")
    assert dict(rubric.weights_for("creative")) == dict(zip(AXES, (10, 20, 70), strict=True))


GOOD_WEIGHTS = "logic_and_fact=60, constraint_adherence=30, helpfulness_and_creativity=10"

AXES_3 = (
    "## Logic & Fact (0-60)\n## Constraint Adherence (0-30)\n## Helpfulness & Creativity (0-10)\n"
)

#: rubric, line, what the message names
REFUSED: list[tuple[str, int, str]] = [
    ("just some prose", 1, "no rubric"),
    ("## Task: x\n## task_type: poetry", 2, "poetry"),
    ("## Task: x\n## task_type:", 2, "unknown task_type"),
    ("## Task: x\n\n## task_type: fact\n## task_type: fact", 4, "second heading"),
    ("## Task: x\n# task_type: fact", 2, "with '## '"),
    ("## Task: x\n## weights: logic_and_fact=100", 2, "missing"),
    (f"## Task: x\n## weights: {GOOD_WEIGHTS.replace('60', '61')}", 2, "sum to 101"),
    (f"## Task: x\n## weights: {GOOD_WEIGHTS.replace('60', '60.0')}", 2, "whole number"),
    (f"## Task: x\n## weights: {GOOD_WEIGHTS.replace('60', '-60')}", 2, "whole number"),
    (f"## Task: x\n## weights: {GOOD_WEIGHTS}, logic_and_fact=60", 2, "twice"),
    (f"## Task: x\n## weights: {GOOD_WEIGHTS}, style=0", 2, "style=0"),
    ("## Task: x\n## weights: 60/30/10", 2, "60/30/10"),
    ("## Task: x\n## task_type: fact\n\n### Logic & Fact (0-40)", 4, "its weight is 60"),
    (f"## weights: {GOOD_WEIGHTS}\n## Constraint Adherence（0〜20点）", 2, "its weight is 30"),
    (f"{AXES_3}".replace("(0-30)", ""), 2, "lacks its maximum"),
    (f"{AXES_3}## Logic & Fact (0-60)", 4, "second section"),
    ("## Logic & Fact (0-60)\n## Constraint Adherence (0-30)", 2, "no section for helpfulness"),
    ("## Task: x\n## Critical Fail Condition\n- CF-1: a", 2, "mean '## Critical Fail Conditions'"),
    ("## Task: x\n## Critical Failure Conditions\n- CF-1: a", 2, "mean '## Critical Fail Cond"),
    ("## Task: x\n##task_type: fact", 2, "an ordinary blank"),
    ("## Task: x\n##　task_type: fact", 2, "an ordinary blank"),
    ("## Task: x\n＃＃ task_type: fact", 2, "an ordinary blank"),
    ("## Task: x\n## task-type: fact", 2, "mean '## task_type'"),
    ("## Task: x\n## Logic & Facts (0-60)", 2, "mean '## Logic & Fact'"),
    ("## Task: x\n## check\n[[check]]\njson = true", 2, "mean '## checks'"),
    ("## Task: x\n## 採点者向け事実情報の一覧", 2, "採点者向け事実情報"),
    ("## Task: x\n## task_type: factt", 2, "did you mean 'fact'"),
    ("## Task: x\n## task_type: holistic", 2, "no weights of its own"),
    ("## Critical Fail Conditions\n- CF-1: a\n- and this one", 3, "without an id"),
    ("## Critical Fail Conditions\n|ID|x|\n|-|-|\n|CF-1|a|\n\n|the next|b|", 6, "without an id"),
    ("## Critical Fail Conditions\n- CF-1: a\n- CF-2: b\n- CF-1: c", 4, "CF-1 stands twice"),
    ("## Critical Fail Conditions\n- CF-1: a\n- cf-1: c", 3, "cf-1 stands twice"),
    ("## Critical Fail Conditions\n|ID|x|\n|-|-|\n|CF-1|a|\n|CF-1|b|", 5, "stands twice"),
    ("## Critical Fail Conditions\n|ID|x|\n|-|-|\n|CF-1|a|\n|the next|b|", 5, "without an id"),
    ("## Critical Fail Conditions\n|ID|x|\n|-|-|\n|the first|a|", 1, "neither"),
    ("## Critical Fail Conditions\nIf it is bad.", 1, "neither"),
    ("## Critical Fail Conditions\n\n## Logic & Fact (0-60)", 1, "neither"),
]


@pytest.mark.parametrize(("text", "line", "named"), REFUSED)
def test_a_broken_rubric_is_refused_with_its_line(text: str, line: int, named: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_rubric(text)
    assert refused.value.text_line == line
    assert named in str(refused.value)


def test_both_generations_of_real_rubrics_are_read(shared: Path) -> None:
    """Early ones without conditions say so in prose only; late ones say なし."""
    none = {"04", "05", "06", "09", "10", "11"}
    files = sorted((shared / "data/rubric").glob("rubrics-*/*.md"))
    assert len(files) == 20
    for file in files:
        rubric = parse_rubric(file.read_text("utf-8"))
        assert rubric.task
        assert rubric.task_type in ("fact", "creative", "speculative")
        assert rubric.weights is not None
        assert (rubric.conditions == {}) is (file.stem in none), file
        assert all(name.startswith("CF-") and text for name, text in rubric.conditions.items())


def test_real_facts_are_found_where_they_are_headed_so(shared: Path) -> None:
    folder = shared / "data/rubric"
    with_facts = {
        f"{file.parent.name}/{file.stem}"
        for file in folder.glob("rubrics-*/*.md")
        if parse_rubric(file.read_text("utf-8")).facts
    }
    assert with_facts == {
        "rubrics-early/08", "rubrics-late/02", "rubrics-late/03", "rubrics-late/08",
        "rubrics-late/09", "rubrics-late/10",
        # headed 採点者向け前提
        "rubrics-late/01", "rubrics-late/04", "rubrics-late/05", "rubrics-late/11",
    }  # fmt: skip


def test_a_row_behind_a_blank_line_is_still_a_condition() -> None:
    text = "## Critical Fail Conditions\n|ID|x|\n|-|-|\n|CF-1|a|\n\n|CF-2|b|\n"
    assert parse_rubric(text).conditions == {"CF-1": "a", "CF-2": "b"}


def test_headings_in_a_comment_are_not_read_and_that_is_said() -> None:
    text = "## Task: x\n<!--\n## task_type: nonsense\n## weights: 1\n-->\n## task_type: fact\n"
    rubric, problems = read_rubric(text)
    assert rubric.task_type == "fact"
    assert [(p.line, p.severity) for p in problems.found] == [(3, "warning"), (4, "warning")]


def test_axes_without_maxima_get_those_of_the_inferred_type() -> None:
    text = "## Task: x\n### Logic & Fact\n### Constraint Adherence\n### Helpfulness & Creativity\n"
    rubric = parse_rubric(text)
    assert rubric.weights is None
    assert dict(rubric.weights_for("creative")) == dict(zip(AXES, (30, 30, 40), strict=True))


def test_holistic_has_the_weights_of_its_rubric() -> None:
    rubric = parse_rubric(f"## Task: x\n## task_type: holistic\n{AXES_3}")
    assert rubric.task_type == "holistic"
    assert dict(rubric.weights_for("holistic")) == dict(zip(AXES, (60, 30, 10), strict=True))


def test_everything_wrong_is_told_at_once() -> None:
    text = "## Task: x\n## task-type: fact\n## weights: a=1, b=2\n## Logic & Fact (0-60)\n"
    text += "## Critical Fail Conditions\n- CF-1: a\n- CF-1: b\n## checks\n```toml\n[[check]]\n"
    text += "max_char = 3\n[[check]]\ncontains = []\n```\n"
    _, problems = read_rubric(text)
    assert sorted({p.line for p in problems.errors if p.line}) == [2, 3, 4, 7, 10, 12]


def test_no_real_rubric_has_a_problem(shared: Path) -> None:
    for file in sorted((shared / "data/rubric").glob("rubrics-*/*.md")):
        _, problems = read_rubric(file.read_text("utf-8"))
        assert problems.found == [], file


CHECKS = "## Task: x\n## Critical Fail Conditions\n- CF-1: a\n\n## checks\n```toml\n{}\n```\n"

BAD_CHECKS: list[tuple[str, int, str]] = [
    ("[[check]]\nmax_chars = ", 8, "not TOML"),
    ("max_chars = 3", 7, "[[check]]"),
    ("[[check]]\nmax_chars = 3\n[[check]]\nmax_char = 3", 9, "did you mean 'max_chars'"),
    ("[[check]]\nmax_chars = 3\nmin_chars = 4", 7, "nothing passes"),
    ("[[check]]\ncontains = []", 7, "list of texts"),
    ("[[check]]\nany_of = ['a', ' ']", 7, "none of them empty"),
    ("[[check]]\noccurs = 'a'", 7, "needs min_times or max_times"),
    ("[[check]]\nmin_times = 2", 7, "need occurs"),
    ("[[check]]\nnot_matches = '('", 7, "not closed"),
    ("[[check]]\nmax_chars = 3\nsegmenter = 'sudachi'", 7, "goes with"),
    ("[[check]]\njson = true\n```\n\n```toml\n[[check]]\njson = true", 11, "second block"),
    ("[[check]]\nid = 'a'", 7, "one kind"),
    ("[[check]]\nmax_chars = 3\nmax_words = 3", 7, "one kind"),
    ("[[check]]\nmax_chars = 3.5", 7, "whole number"),
    ("[[check]]\nmax_chars = true", 7, "whole number"),
    ("[[check]]\ncontains = [1]", 7, "list of texts"),
    ("[[check]]\ncontains = ''", 7, "list of texts"),
    ("[[check]]\njson = false", 7, "json = true"),
    ("[[check]]\nlanguage = 'xx'", 7, "language must be"),
    ("[[check]]\nmatches = '(a)\\1'", 7, "linear time"),
    ("[[check]]\nmatches = '(?=a)'", 7, "look-around"),
    ("[[check]]\nmatches = '(a'", 7, "not closed"),
    ("[[check]]\nschema = {type = 'nonsense'}", 7, "schema"),
    ("[[check]]\nschema = {'$ref' = 'http://x.test/y'}", 7, "outside the schema"),
    ("[[check]]\nschema = {pattern = '(a+)+$'}", 7, "no patterns"),
    ("[[check]]\njson = true\naxis = 'style'\npoints = 3", 7, "unknown axis"),
    ("[[check]]\njson = true\naxis = 'logic_and_fact'", 7, "go together"),
    ("[[check]]\njson = true\npoints = 3", 7, "go together"),
    ("[[check]]\njson = true\naxis = 'logic_and_fact'\npoints = -3", 7, "go together"),
    ("[[check]]\njson = true\ncritical = 'CF-9'", 7, "CF-9"),
    ("[[check]]\nid = 'a'\njson = true\n[[check]]\nid = 'a'\njson = true", 10, "twice"),
]


@pytest.mark.parametrize(("toml", "line", "named"), BAD_CHECKS)
def test_a_broken_check_is_refused_with_its_line(toml: str, line: int, named: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_rubric(CHECKS.replace("{}", toml))
    assert refused.value.text_line == line
    assert named in str(refused.value)


def test_a_checks_section_without_a_block_is_refused() -> None:
    for body in ("", "```toml\n[[check]]\n"):
        with pytest.raises(FormatError, match="no TOML block") as refused:
            parse_rubric(f"## Task: x\n## checks\n{body}")
        assert refused.value.text_line == 2


def test_points_above_the_maximum_of_an_axis_are_refused() -> None:
    head = CHECKS.replace("## Task: x\n", "## Task: x\n## task_type: fact\n")
    toml = "[[check]]\njson = true\naxis = 'helpfulness_and_creativity'\npoints = 11"
    with pytest.raises(FormatError, match="at most 10"):
        parse_rubric(head.replace("{}", toml))


def checked(toml: str) -> tuple[Any, ...]:
    return parse_rubric(CHECKS.replace("{}", toml)).constraints


def test_a_check_knows_what_it_costs() -> None:
    costly, fatal, plain = checked(
        "[[check]]\nid = 'short'\nmax_chars = 40\naxis = 'constraint_adherence'\npoints = 5\n"
        "[[check]]\njson = true\ncritical = 'cf-1'\n[[check]]\ncontains = 'word'\n"
    )
    assert (costly.id, costly.axis, costly.points) == ("short", "constraint_adherence", 5)
    assert (fatal.id, fatal.critical, fatal.points) == ("check-2", "CF-1", 0)
    assert (plain.id, plain.axis, plain.critical) == ("check-3", None, None)


def test_the_command_takes_none_before_axes_one_level_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rubric = "## タスク: 試し\n## task_type: fact\n\n## Critical Fail Conditions\nなし\n"
    rubric += "### 1. Logic & Fact（0〜60点）\n### 2. Constraint Adherence（0〜30点）\n"
    rubric += "### 3. Helpfulness & Creativity（0〜10点）\n"
    row = {"id": "1", "prompt": "p", "response": "r", "rubric": rubric, "reply": graded(50, 20, 5)}
    (tmp_path / "c.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert main(["audit", "rubric", str(tmp_path / "c.jsonl"), "--json"]) == 0
    told = capsys.readouterr()
    assert "Critical Fail" not in told.err
    assert json.loads(told.out)["total"] == 75
