"""One judged store, one server and one browser for the tests that only read."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from tests.web.serving import EXAMPLES, TOKEN, Served, serving


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example suite, judged."""
    folder = tmp_path_factory.mktemp("judged")
    for name in ("cases.jsonl", "suite.toml"):
        shutil.copy(EXAMPLES / "suite" / name, folder / name)
    suite = folder / "suite.toml"
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace('["embedded"]', '["embedded:light"]'), encoding="utf-8")
    store = folder / "oyer.db"
    assert main(["run", str(suite), "--store", str(store)]) in (0, 3)
    return store


@pytest.fixture
def store(judged: Path, tmp_path: Path) -> Path:
    """A copy to write in."""
    for file in judged.parent.glob("oyer.db*"):
        shutil.copy(file, tmp_path / file.name)
    return tmp_path / "oyer.db"


@pytest.fixture(scope="session")
def served(judged: Path) -> Iterator[Served]:
    with serving(judged) as running:
        yield running


@pytest.fixture(scope="module")  # Playwright has an event loop that no other test may meet
def browser() -> Iterator[Any]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("LOUD: no chromium on this machine; .ci/tools installs it")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        opened = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield opened
        opened.close()


@pytest.fixture
def new_page(browser: Any) -> Iterator[Any]:
    """Opens pages of a server; any script error or refused content fails the test."""
    contexts: list[Any] = []
    wrongs: list[str] = []

    def open_page(running: Served, path: str = "/", **options: Any) -> Any:
        context = browser.new_context(viewport={"width": 1400, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8000)
        page.set_default_navigation_timeout(30_000)  # the first page of a server imports a lot
        page.on("pageerror", lambda error: wrongs.append(str(error)))
        page.on("console", lambda said: wrongs.extend([said.text] if _is_wrong(said) else []))
        page.goto(f"{running.url}/?token={TOKEN}")
        if path != "/":
            page.goto(running.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrongs


def _is_wrong(said: Any) -> bool:
    """A server that a test kills, a page that is not there: not the script's fault."""
    return said.type == "error" and not any(part in said.text for part in ("net::ERR_", "404"))
