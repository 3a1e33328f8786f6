"""Who may ask: this page and the address bar, with the cookie; nobody else, on any route."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from oyer.web.safety import HEADERS
from oyer.web.server import ANSWERS, PAGES
from tests.web.serving import TOKEN, Served, serving

ROUTES = [
    *(path.replace("{run}", "1").replace("{queue}", "1") for path in PAGES),
    "/static/oyer.css",
    "/api/live",
]
FORGED = [
    ("Host", "evil.example", 400),  # DNS rebinding: the name is theirs, the address ours
    ("Host", "127.0.0.1.evil.example:80", 400),
    ("Host", "localhost:1", 400),
    ("Host", "", 400),
    ("Sec-Fetch-Site", "cross-site", 403),
    ("Sec-Fetch-Site", "same-site", 403),
    ("Cookie", "", 403),
    ("Cookie", "oyer-0=guess", 403),
]


@pytest.mark.parametrize("path", ROUTES)
def test_every_route_refuses_strangers(served: Served, path: str) -> None:
    for name, value, status in FORGED:
        assert served.ask(path, headers={name: value})[0] == status, (name, value)


@pytest.mark.parametrize("path", list(ANSWERS))
def test_writes_take_json_of_this_page_only(served: Served, path: str) -> None:
    for name, value, status in [*FORGED, ("Sec-Fetch-Site", "none", 403),
                                ("Origin", "http://evil.example", 403), ("Origin", "null", 403),
                                ("Content-Type", "text/plain", 415)]:  # fmt: skip
        assert served.ask(path, "POST", {name: value}, body={})[0] == status, (name, value)
    assert served.ask(path)[0] == 405  # reading does nothing
    assert served.ask(path, "DELETE")[0] == 405
    assert served.ask(path, "POST", body=[1])[0] == 400


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(
    served: Served,
) -> None:
    status, headers, _ = served.ask(f"/runs/1?order=worst&token={TOKEN}", headers={"Cookie": ""})
    assert (status, headers["Location"]) == (303, "/runs/1?order=worst")
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN not in cookie
    assert served.ask("/?token=guess", headers={"Cookie": ""})[0] == 403
    _, headers, _ = served.ask(f"//evil.example/?token={TOKEN}", headers={"Cookie": ""})
    assert headers.get("Location", "/").startswith("/")
    assert "//" not in headers.get("Location", "/")


def test_every_answer_forbids_everything_but_our_own_files(served: Served) -> None:
    for path in ("/", "/runs/1", "/nowhere", "/static/oyer.css"):
        _, headers, _ = served.ask(path)
        for name, value in HEADERS.items():
            assert headers[name] == value
    _, headers, _ = served.ask("/", headers={"Cookie": ""})
    assert headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]


def test_nothing_outside_the_static_files_is_served(served: Served) -> None:
    for name in ("../safety.py", "%2e%2e/safety.py", "nothing.js", "oyer.css/"):
        assert served.ask(f"/static/{name}")[0] == 404


def test_a_page_that_is_not_there_says_so(served: Served) -> None:
    for path in ("/runs/99", "/runs/x", "/runs/1/case?id=nobody", "/review/9", "/protocols/none"):
        status, _, text = served.ask(path)
        assert status == 404, path
        assert "<h1>" in text
    assert served.ask("/runs/1?at=after~x")[0] == 400


def test_beyond_loopback_a_password_is_needed(judged: Path) -> None:
    command = [sys.executable, "-m", "oyer", "view", "--no-open", "--host", "0.0.0.0"]
    refused = subprocess.run(
        [*command, "--store", str(judged)], capture_output=True, text=True, timeout=30, check=False
    )
    assert refused.returncode == 2
    assert "OYER_VIEW_PASSWORD" in refused.stderr


def test_with_a_password_the_token_opens_nothing(judged: Path) -> None:
    password = "correct horse battery"
    with serving(judged, "--host", "0.0.0.0", OYER_VIEW_PASSWORD=password) as served:
        assert served.cookie == ""
        status, headers, _ = served.ask("/runs/1")
        assert (status, headers["Location"]) == (303, "/login")
        assert served.ask("/login")[0] == 200
        assert served.ask("/api/label", "POST", body={})[0] == 403
        assert served.ask("/login", "POST", body={"password": "guess"})[0] == 403
        assert served.ask("/", headers={"Host": "evil.example"})[0] == 400
        _, headers, _ = served.ask("/login", "POST", body={"password": password})
        cookie = headers["Set-Cookie"].partition(";")[0]
        assert served.ask("/runs/1", headers={"Cookie": cookie})[0] == 200


def test_a_store_that_is_not_there_is_said(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "oyer", "view", "--no-open", "--store", str(tmp_path / "x.db")]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert refused.returncode == 2
    assert "there is no store" in refused.stderr
