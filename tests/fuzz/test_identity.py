"""A reply is worth the same bytes in every process, under every hash seed and Python version."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.fuzz.identity import MUTANTS
from tests.injection.attacked_cases import ATTACKED

#: Other interpreters: OYER_PYTHONS="python3.12:python3.13"; else those of pyenv.
PLACES = (Path.home() / ".pyenv/versions").glob("3.1[123].*/bin/python")
NAMED = os.environ.get("OYER_PYTHONS")
PYTHONS = [sys.executable, *map(str, NAMED.split(":") if NAMED else sorted(PLACES))]
VERSIONS = ["3.11", "3.12", "3.13"]


def printed(python: str, seed: str, *names: str) -> bytes:
    done = subprocess.run(
        [python, "-m", "tests.fuzz.identity", *names],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'src'}", "PYTHONHASHSEED": seed, "PATH": os.environ["PATH"]},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return done.stdout


def interpreter(version: str, module: str) -> str:
    """A Python of that version that has the module; skips, loudly, where there is none."""
    asked = f"import sys, {module}; print('%d.%d' % sys.version_info[:2])"
    for python in PYTHONS:
        told = [python, "-c", asked]
        found = subprocess.run(told, capture_output=True, text=True, check=False, env={})
        if found.returncode == 0 and found.stdout.strip() == version:
            return python
    pytest.skip(f"LOUD: no Python {version} with {module} here; name one in OYER_PYTHONS")


@pytest.fixture(scope="module")
def here() -> bytes:
    return printed(sys.executable, "0")


def test_the_set_is_worth_comparing(here: bytes) -> None:
    verdicts = [json.loads(line) for line in here.decode().splitlines()]
    assert len(verdicts) == len(ATTACKED) * (MUTANTS + 1)
    assert {verdict["status"] for verdict in verdicts} == {"scored", "unscored"}
    shas = [verdict["sha"] for verdict in verdicts]
    assert len(set(shas)) > len(shas) * 0.9
    assert all(len(sha) == 64 for sha in shas)


@pytest.mark.parametrize("seed", ["1", "4294967295", "random"])
def test_other_processes_and_hash_seeds_print_the_same_bytes(here: bytes, seed: str) -> None:
    assert printed(sys.executable, seed) == here


@pytest.mark.parametrize("version", VERSIONS)
def test_other_versions_of_python_print_the_same_bytes(here: bytes, version: str) -> None:
    assert printed(interpreter(version, "Stemmer"), "7") == here


@pytest.mark.parametrize("version", VERSIONS)
def test_what_needs_no_stemmer_is_compared_on_a_bare_python_too(version: str) -> None:
    names = ("rubric", "belgian-law")
    bare = interpreter(version, "json")
    assert printed(bare, "7", *names) == printed(sys.executable, "0", *names)
