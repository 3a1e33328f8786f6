"""The pictures of docs/view.md: the example suite, judged, as the page shows it.

python bench/pictures.py        # writes docs/pictures/*.png
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from oyer.cli import main as oyer  # noqa: E402
from tests.web.serving import TOKEN, Served, serving  # noqa: E402

OUT = ROOT / "docs/pictures"
WIDE, TALL = {"width": 1280, "height": 800}, {"width": 1280, "height": 1080}
PHONE = {"width": 390, "height": 800}
#: name -> path, size, theme, key pressed first
SHOTS: dict[str, tuple[str, dict[str, int], str, str]] = {
    "run": ("/runs/1", WIDE, "light", ""),
    "case": ("/runs/1/case?id=bridge", TALL, "light", "j"),
    "review": ("/review/1?as=ann", WIDE, "light", ""),
    "phone": ("/runs/1/case?id=bridge", PHONE, "light", "j"),
}


def judge(folder: Path) -> Path:
    """The example suite, and a queue of it."""
    store = folder / "demo.db"
    oyer(["run", str(ROOT / "examples/suite/suite.toml"), "--store", str(store)])
    oyer(["label", "1", "--n", "6", "--seed", "2", "--no-open", "--store", str(store)])
    return store


def take(browser: Any, served: Served, name: str) -> None:
    path, size, theme, key = SHOTS[name]
    page = browser.new_page(viewport=size, color_scheme=theme)
    page.goto(f"{served.url}/?token={TOKEN}")
    page.goto(served.url + path)
    page.wait_for_load_state("load")
    if key:
        page.keyboard.press(key)
    page.screenshot(path=OUT / f"{name}.png", scale="css")
    page.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = judge(Path(folder))
        from playwright.sync_api import sync_playwright

        OUT.mkdir(exist_ok=True)
        with serving(store) as served, sync_playwright() as playwright:
            chromium = shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for name in SHOTS:
                take(browser, served, name)
            browser.close()
    for file in sorted(OUT.glob("*.png")):
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
