"""Files with the slips that authors make, and words of the message that each of them gets."""

from __future__ import annotations

from dataclasses import dataclass

WEIGHTS = "logic_and_fact=60, constraint_adherence=30, helpfulness_and_creativity=10"
AXES = (
    "## Logic & Fact (0-60)\n## Constraint Adherence (0-30)\n## Helpfulness & Creativity (0-10)\n"
)
SUITE = 'protocol = "judge-lock"\ncases = "cases.jsonl"\n'
CASES = '{"article": "The bridge closed on Monday.", "summary": "It closed."}\n'
CF = "## Critical Fail Conditions\n- CF-1: a\n"


@dataclass(frozen=True)
class Broken:
    """A file, where the fault is, and what its author is told."""

    name: str  # the file that is checked
    text: str
    line: int | None
    says: str


def rubric(text: str, line: int, says: str) -> Broken:
    return Broken("rubric.md", text, line, says)


def checks(toml: str, line: int, says: str) -> Broken:
    return rubric(f"## Task: x\n{CF}## checks\n```toml\n{toml}\n```\n", line, says)


def suite(text: str, line: int | None, says: str) -> Broken:
    return Broken("suite.toml", text, line, says)


def cases(text: str, line: int | None, says: str, name: str = "cases.jsonl") -> Broken:
    return Broken(name, text, line, says)


def protocol(text: str, says: str) -> Broken:
    return Broken("own/__init__.py", text, None, says)


BROKEN: tuple[Broken, ...] = (
    # ── rubrics ──
    rubric("just some prose", 1, "no rubric"),
    rubric("## Task: x\n## task_type: poetry", 2, "use fact, creative, speculative, holistic"),
    rubric("## Task: x\n## task_type: factual", 2, "did you mean 'fact'"),
    rubric("## Task: x\n## task-type: fact", 2, "did you mean '## task_type'"),
    rubric("## Task: x\n##task_type: fact", 2, "an ordinary blank"),
    rubric("## Task: x\n##　task_type: fact", 2, "an ordinary blank"),
    rubric("## Task: x\n＃＃ weights: 1", 2, "an ordinary blank"),
    rubric("## Task: x\n# task_type: fact", 2, "must begin with '## '"),
    rubric("## Task: x\n## task_type: fact\n## task_type: fact", 3, "second heading"),
    rubric("## Task: x\n## task_type: holistic", 2, "no weights of its own"),
    rubric("## Task: x\n**task_type**: fact", 2, "write '## task_type: …'"),
    rubric("## Task: x\n- weights: 60, 30, 10", 2, "write '## weights: …'"),
    rubric("## Task: x\n<!-- not yet\n## task_type: fact", 2, "never closed"),
    rubric("## Task: x\n## 失格条件\n- CF-1: a", 2, "did you mean '## Critical Fail Conditions'"),
    rubric("## Task: x\n## weights: logic_and_fact=100", 2, "missing"),
    rubric(f"## Task: x\n## weights: {WEIGHTS.replace('60', '61')}", 2, "sum to 101"),
    rubric(f"## Task: x\n## weights: {WEIGHTS.replace('60', '60.5')}", 2, "whole number"),
    rubric("## Task: x\n## weights: 60/30/10", 2, "<axis>=<points>"),
    rubric("## Task: x\n## weights: logic_and_facts=60", 2, "did you mean 'logic_and_fact'"),
    rubric("## Task: x\n## Critical Fail Condition\n- CF-1: a", 2, "'## Critical Fail Conditions'"),
    rubric("## Task: x\n## Critical Failure Conditions\n- CF-1: a", 2, "'## Critical Fail Cond"),
    rubric("## Critical Fail Conditions\nIf it is bad.", 1, "neither a table or list"),
    rubric(f"{CF}- CF-1: b", 3, "stands twice"),
    rubric(f"{CF}- and this one too", 3, "without an id"),
    rubric("## Critical Fail Conditions\n|ID|x|\n|-|-|\n|CF-1|a|\n\n|next|b|", 6, "without an id"),
    rubric("## Task: x\n## Logic & Facts (0-60)", 2, "did you mean '## Logic & Fact'"),
    rubric("## Logic & Fact (0-60)\n## Constraint Adherence (0-30)", 2, "no section for helpful"),
    rubric(AXES.replace("(0-30)", ""), 2, "add what is left of 100"),
    rubric(AXES.replace("0-60", "0-50"), 3, "sum to 90, not to 100; change one of 50 + 30 + 10"),
    rubric(f"## task_type: creative\n{AXES}", 2, "its weight is 30; write (0-30)"),
    rubric("## Task: x\n## check\n[[check]]\njson = true", 2, "did you mean '## checks'"),
    rubric("## Task: x\n## checks\nbe short", 3, "not TOML"),
    checks("[[check]]\nmax_char = 3", 6, "did you mean 'max_chars'"),
    checks("[[check]]\nmin_chars = 9\nmax_chars = 3", 6, "nothing passes"),
    checks("[[check]]\ncontains = []", 6, "list of texts"),
    checks("[[check]]\nmax_chars = 3\ncontains = 'a'", 6, "one kind"),
    checks("[[check]]\njson = true\naxis = 'style'\npoints = 3", 6, "unknown axis"),
    checks("[[check]]\njson = true\naxis = 'logic_and_fact'", 6, "go together"),
    checks("[[check]]\njson = true\ncritical = 'CF-9'", 6, "not an id of the Critical Fail"),
    checks("[[check]]\nmatches = '(a'", 6, "not closed"),
    checks("[[check]]\nlanguage = 'xx'", 6, "language must be one of"),
    checks("[[check]]\njson = true\n```\n```toml\n[[check]]\njson = true", 9, "second block"),
    # ── suites ──
    suite("protocol = judge-lock", 1, "not TOML"),
    suite('cases = "cases.jsonl"', None, "'protocol' is missing: add protocol = \"NAME\""),
    suite(SUITE.replace("judge-lock", "judge-lok"), None, "judge-lock"),
    suite('protocol = "judge-lock"', None, "cases = "),
    suite(f"{SUITE}repeat = 3", 3, "did you mean 'repeats'"),
    suite(f"{SUITE}repeats = 0", 3, "whole number from 1"),
    suite(f"{SUITE}repeats = '3'", 3, "whole number from 1"),
    suite(f"{SUITE}judges = ['openai:gpt-5', 'openai:gpt-5']", 3, "names one model twice"),
    suite(f"{SUITE}judges = ['opnai:gpt-5']", None, "openai"),
    suite(f"{SUITE}judges = ['openai:gpt-5']", None, "OPENAI_API_KEY"),
    suite(f"{SUITE}[budget]\ndollar = 3", 4, "did you mean 'dollars'"),
    suite(f"{SUITE}[budget]\ndollars = -3", 4, "more than 0"),
    suite(f"{SUITE}[asking]\ntemplate = 'none.md'", 4, "cannot be read"),
    suite(f"{SUITE}[map]\narticel = 'document'", None, "did you mean 'article'"),
    suite(SUITE.replace("cases.jsonl", "case.jsonl"), None, "did you mean 'cases.jsonl'"),
    suite('protocol = "rubric"\ntasks = "tasks"', None, "there is no such folder"),
    # ── cases ──
    cases('{"document": "a", "highlights": "b"}\n', None, "--map article=document,summary=high"),
    cases('{"doc": {"text": "a"}, "out": [{"text": "b"}]}\n', None, "doc.text, out.0.text"),
    cases('{"article": "a"}\n', 1, "'summary' missing"),
    cases(f'{CASES}{{"article": "a", "summary": 3}}\n', 2, "must be text, not a number"),
    cases(f"{CASES}not json\n", 2, "not JSON"),
    cases(f'{CASES}["a", "b"]\n', 2, "a case is a JSON object"),
    cases("", None, "there is no row in it"),
    cases("article,article\na,b\n", 1, "twice", "cases.csv"),
    cases('article,summary\n"a,b\n', None, "its quotation marks do not match", "cases.csv"),
    cases("PK\x03\x04", None, "unknown kind of file", "cases.xlsx"),
    # ── protocols ──
    protocol("PROTOCOL = 3", "Protocol"),
    protocol("import nowhere_at_all", "nowhere_at_all"),
    protocol("def f(:\n", "own"),
    protocol("x = 1\n", "defines no PROTOCOL"),
    Broken("own.py", "x = 1\n", None, "a protocol is a folder with __init__.py"),
)
