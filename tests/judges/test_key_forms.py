"""Keys in every form that a server may send them back in; keys and addresses that are refused."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.errors import UsageError
from oyer.judges.names import parse_name
from oyer.judges.open_judges import JudgePool
from oyer.judges.secrets import HIDDEN, Secret
from oyer.store import shown_store

KEY = "sk-proj-A1b2/C3d4+E5f6_G7h8"


def escaped(key: str) -> str:
    return "".join(f"\\u{ord(letter):04x}" for letter in key)


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


FORMS = {
    "as it is": KEY,
    "JSON escapes": escaped(KEY),
    "half of it escaped": KEY[:9] + escaped(KEY[9:]),
    "escaped twice": escaped(KEY).replace("\\", "\\\\"),
    "hex escapes": "".join(f"\\x{ord(letter):02x}" for letter in KEY),
    "escaped slash": json.dumps(KEY).replace("/", "\\/"),
    "base64": coded(KEY),
    "base64 of the header": coded(f"Bearer {KEY}"),
    "base64 of the whole line": coded(f"Authorization: Bearer {KEY}"),
    "base64 of user and key": coded(f"user:{KEY}"),
    "base64 for URLs": base64.urlsafe_b64encode(KEY.encode()).decode(),
    "hexadecimal": KEY.encode().hex(),
    "hexadecimal in capitals": KEY.encode().hex().upper(),
    "hexadecimal with blanks": KEY.encode().hex(" "),
    "in a URL": quote(KEY, safe=""),
    "all of it in percent signs": "".join(f"%{ord(letter):02x}" for letter in KEY),
    "entities": html.escape(KEY),
    "decimal entities": "".join(f"&#{ord(letter)};" for letter in KEY),
    "hexadecimal entities": "".join(f"&#x{ord(letter):X};" for letter in KEY),
    "split by zero-width spaces": "\u200b".join(KEY),
    "split by soft hyphens": "\u00ad".join(KEY),
    "split by word joiners": "\u2060".join(KEY),
    "backwards": KEY[::-1],
}


@pytest.mark.parametrize("form", FORMS)
def test_a_key_that_comes_back_is_removed(form: str) -> None:
    secret = Secret(KEY, "OPENAI_API_KEY")
    text = f'{{"error": "bad key {FORMS[form]} given"}}'
    for hidden in (secret.hide(text), secret.hide_bytes(text.encode()).decode()):
        assert HIDDEN in hidden
        assert FORMS[form] not in hidden
        assert KEY[4:] not in hidden


@given(st.text())
def test_other_text_stays_as_it_is(text: str) -> None:
    secret = Secret(KEY, "OPENAI_API_KEY")
    assert secret.hide(text) == text
    raw = text.encode("utf-8", "surrogatepass")
    assert secret.hide_bytes(raw) == raw


@given(st.binary())
def test_any_bytes_stay_as_they_are(body: bytes) -> None:
    assert Secret(KEY, "OPENAI_API_KEY").hide_bytes(body) == body


PLACEHOLDERS = [
    "your-api-key",
    "YOUR_API_KEY_HERE",
    "sk-your-key-here",
    "<your key>",
    "<OPENAI_API_KEY>",
    "${OPENAI_API_KEY}",
    "sk-...",
    "sk-xxxxxxxxxxxxxxxx",
    "xxxxxxxxxxxx",
    "changeme",
    "dummy",
    "none",
    "x",
    "EMPTY",
    "placeholder",
    "insert-key-here",
]


@pytest.mark.parametrize("value", PLACEHOLDERS)
def test_a_placeholder_is_refused_by_its_variables_name(value: str) -> None:
    pool = JudgePool(environ={"OPENAI_API_KEY": value})
    with pytest.raises(UsageError, match="OPENAI_API_KEY is a placeholder"):
        pool.open("openai:gpt-5")
    # A server of the user's own may want nothing, or anything.
    assert pool.open("openai:m@http://127.0.0.1:1/v1").name


@pytest.mark.parametrize("value", ["sk-proj-" + "aB3" * 20, "k" * 20, "AIza" + "x1Y" * 12])
def test_a_key_is_no_placeholder(value: str) -> None:
    assert JudgePool(environ={"OPENAI_API_KEY": value}).open("openai:gpt-5").name


@pytest.mark.parametrize("value", ["sk-one\nsk-two", "sk-one\r", "sk-\x00one", "clé-secrète"])
def test_a_key_that_no_header_can_carry_is_refused_by_name(value: str) -> None:
    pool = JudgePool(environ={"OPENAI_API_KEY": f"{value}x"})
    with pytest.raises(UsageError) as caught:
        pool.open("openai:gpt-5")
    assert "OPENAI_API_KEY" in str(caught.value)
    assert "sk-" not in str(caught.value)


SCHEMES = [
    "file:///etc/passwd",
    "ftp://h/v1",
    "ws://h",
    "gopher://h",
    "FILE:///x",
    "unix://s",
    "javascript://x",
]


@pytest.mark.parametrize("address", SCHEMES)
@pytest.mark.parametrize("kind", ["openai", "anthropic", "gemini", "ollama"])
def test_an_unknown_scheme_is_refused(kind: str, address: str) -> None:
    """It went to the public API, with the key, as part of the model's name."""
    with pytest.raises(UsageError, match="http:// or https://"):
        parse_name(f"{kind}:m@{address}")


@pytest.mark.parametrize("port", ["notaport", "99999", "-1", "1:2"])
def test_a_bad_port_is_refused(port: str) -> None:
    with pytest.raises(UsageError):
        parse_name(f"openai:m@http://127.0.0.1:{port}/v1")


STORES = {
    "postgresql://me:hunter2@db/oyer": "postgresql://me@db/oyer",
    "postgresql://me:hun@ter2@db:5432/oyer?sslmode=require": "postgresql://me@db:5432/oyer?sslmode=require",
    "postgresql://db/oyer?user=me&password=hunter2": "postgresql://db/oyer?user=me",
    "postgresql+psycopg://me:hunter2@db/oyer?sslpassword=hunter2": "postgresql+psycopg://me@db/oyer",
    "notes#1.db": "notes#1.db",
    "sqlite:///a.db": "sqlite:///a.db",
}  # fmt: skip


@pytest.mark.parametrize("where", STORES)
def test_a_stores_password_is_never_shown(where: str) -> None:
    assert shown_store(where) == STORES[where]
