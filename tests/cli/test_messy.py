"""What a new user's files, pipes and keys are like: each is told in a sentence, nothing crashes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from oyer.cli import main

ROOT = Path(__file__).resolve().parents[2]
ROW = json.dumps({"id": "1", "article": "a b c", "summary": "a b", "reply": "no"})
Said = pytest.CaptureFixture[str]


def write(file: Path, raw: bytes) -> str:
    file.write_bytes(raw)
    return str(file)


@pytest.mark.parametrize(
    ("name", "raw", "told"),
    [
        # PowerShell's `>` and Notepad's "Unicode"
        ("c.jsonl", f"{ROW}\n".encode("utf-16"), "c.jsonl: is UTF-16 text; save it as UTF-8"),
        ("c.csv", "article,summary\na,b\n".encode("utf-16"), "c.csv: is UTF-16 text"),
        # a document under the wrong name
        ("c.jsonl", json.dumps(json.loads(ROW), indent=1).encode(), "that ends in .json"),
        # kinds of values in the words of JSON, not of Python
        ("c.json", b'{"article": null, "summary": "b"}', "field 'article': must be text, not null"),
        ("c.json", b'{"article": 5, "summary": "b"}', "must be text, not a number"),
        ("c.json", b"[[1]]", "a case is a JSON object, not a list"),
        ("c.jsonl", '{"article": "é", "summary": "b"}'.encode("latin-1"), "is not valid UTF-8"),
        ("c.jsonl", b"\n\n", "there was no case to judge"),
        ("c.txt", b"x", "unknown kind of file; cases come as .json"),
    ],
)
def test_files_that_cannot_be_used(
    name: str, raw: bytes, told: str, tmp_path: Path, capsys: Said
) -> None:
    assert main(["judge", "judge-lock", write(tmp_path / name, raw), "--json"]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("length", [1, 500])
def test_a_text_in_the_place_of_its_file_is_told(length: int, tmp_path: Path, capsys: Said) -> None:
    file, text = write(tmp_path / "a.txt", b"a b c"), "The council closes the bridge. " * length
    assert main(["judge", "judge-lock", "--article", file, "--summary", text]) == 2
    told = capsys.readouterr().err
    assert told == "oyer: --summary takes the name of a file, not the text; - is standard input\n"


def test_texts_in_the_place_of_cases_are_told(tmp_path: Path, capsys: Said) -> None:
    files = [write(tmp_path / name, b"a b c") for name in ("a.txt", "s.md")]
    assert main(["judge", "twin-lock", *files]) == 2
    told = capsys.readouterr().err
    assert "a.txt: unknown kind of file" in told
    assert told.endswith("for one case of texts, type --article FILE --summary FILE\n")


def test_cases_in_the_place_of_a_suite_are_told(tmp_path: Path, capsys: Said) -> None:
    cases = write(tmp_path / "cases.jsonl", f"{ROW}\n".encode())
    assert main(["run", cases]) == 2
    assert f"to judge cases: oyer judge PROTOCOL {cases}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbf" + ROW.encode() + b"\r\n\r\n" + ROW.encode() + b"\r\n",
        b"\n  \n" + ROW.encode() + b"\n\n" + ROW.encode(),
    ],
)
def test_files_that_can(raw: bytes, tmp_path: Path, capsys: Said) -> None:
    """A byte order mark, Windows' line ends, blank lines, no line end at the end."""
    assert main(["audit", "judge-lock", write(tmp_path / "c.jsonl", raw), "--json"]) == 3
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("judge judge-lock --article {latin} --summary {latin}", "is not UTF-8 text; save it as"),
        ("judge judge-lock --article {wide} --summary {latin}", "is UTF-16 text; save it as UTF-8"),
        ("judge judge-lock --article {folder} --summary {latin}", "Is a directory"),
        ("judge judge-lock {fifo}", "is no plain file; give -"),
        ("explain {folder}", "is a folder; name a file of verdicts"),
        ("explain {latin}", "latin.txt:1: not JSON"),
        ("leaderboard --store {folder}", "is a folder; a store is a file"),
        ("run {folder}", "Is a directory"),
        ("cite {folder}", "is not UTF-8 text"),
    ],
)
def test_the_wrong_thing_is_named(words: str, told: str, tmp_path: Path, capsys: Said) -> None:
    files = {
        "latin": write(tmp_path / "latin.txt", "é".encode("latin-1")),
        "wide": write(tmp_path / "wide.txt", "é".encode("utf-16")),
        "folder": str(tmp_path),
        "fifo": str(tmp_path / "fifo"),
    }
    os.mkfifo(files["fifo"])
    assert main(words.format(**files).split()) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1, "one sentence"


def test_verdicts_saved_with_a_byte_order_mark_are_explained(tmp_path: Path, capsys: Said) -> None:
    main(["audit", "judge-lock", write(tmp_path / "c.jsonl", ROW.encode()), "--json"])
    made = capsys.readouterr().out.encode()
    assert main(["explain", write(tmp_path / "v.jsonl", b"\xef\xbb\xbf" + made)]) == 0
    assert "No score: the judge's reply could not be used" in capsys.readouterr().out


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[bytes]]:
    def started(*args: str, **streams: object) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "oyer", *args],
            stderr=subprocess.PIPE, cwd=tmp_path, start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")}, **streams,  # type: ignore[call-overload]
        )  # fmt: skip

    return started


@pytest.mark.parametrize(
    "words", ["protocols judge-lock", "protocols", "judges", "audit judge-lock c.jsonl --json"]
)
def test_a_reader_who_leaves_is_no_failure(
    words: str, tmp_path: Path, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    """`oyer … | head`: its end of the pipe is closed before anything is written."""
    write(tmp_path / "c.jsonl", f"{ROW}\n".encode() * 300)
    reading, writing = os.pipe()
    os.close(reading)
    done = start(*words.split(), stdout=writing)
    os.close(writing)
    said = done.communicate()[1].decode()
    assert (done.returncode, said) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="LOUD: there is no /dev/full here")
@pytest.mark.parametrize("words", ["protocols", "audit judge-lock c.jsonl --json"])
def test_a_full_disk_is_a_sentence(
    words: str, tmp_path: Path, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    write(tmp_path / "c.jsonl", f"{ROW}\n".encode() * 300)
    with open("/dev/full", "wb") as full:
        done = start(*words.split(), stdout=full)
        said = done.communicate()[1].decode()
    assert (done.returncode, said) == (2, "oyer: standard output: No space left on device\n")


def test_ctrl_c_ends_an_audit_and_its_workers(
    tmp_path: Path, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    """As a terminal sends it: to the command and to every worker. It once hung for good."""
    args = ["audit", "judge-lock", "-", "--json", "--workers", "2"]
    done = start(*args, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert done.stdin is not None
    assert done.stdout is not None
    began = threading.Event()

    def read(out: IO[bytes]) -> None:
        for _ in out:
            began.set()
        began.set()

    reader = threading.Thread(target=read, args=[done.stdout])
    reader.start()
    done.stdin.write(f"{ROW}\n".encode() * 3000)
    done.stdin.flush()
    began.wait()  # the workers are at work, and the command waits for more rows
    os.killpg(done.pid, signal.SIGINT)
    assert done.wait(300) == 130, "it hangs"
    reader.join()
    assert done.stderr is not None
    assert done.stderr.read() == b"oyer: stopped\n"
