"""A damaged store says so. It never hands out a changed score or silently forgets a paid reply."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from oyer.errors import StoreDamaged, StoreError
from oyer.store import case_sha, open_store
from oyer.store.doctor import examine
from tests.store.made import case, manifest, reply, task, verdict

COUNT = 40


def fill(path: Path, count: int = COUNT) -> None:
    with open_store(str(path)) as store:
        run = store.begin_run(manifest())
        for i in range(count):
            given = case(i, f"text {i}")
            store.keep_cases([given]).result()
            store.keep_reply(task(run.id, i), 0, reply(f"reply {i}")).result()
            store.keep_verdict(task(run.id, i), case_sha(given), verdict(i, i / 4), 1).result()
        store.end_run(run, "done")


def contents(path: Path) -> list[object]:
    """All that a reader can see; StoreError is allowed to come instead."""
    with open_store(str(path), create=False) as store:
        run = store.find_run("latest")
        outcomes = list(store.outcomes(run.id))
        kept = list(store.verdicts(run.id))
        replies = store.replies([k.task.ask for k in kept])
        cases = store.cases([k.case_sha for k in kept])
        missing = [k.row for k in kept if k.task.ask not in replies or k.case_sha not in cases]
        if missing:
            raise StoreError("a verdict without its reply or case")  # what doctor reports
        return [run.manifest, outcomes, kept, sorted(replies.items()), sorted(cases)]


def well(path: Path) -> bool:
    try:
        return all(finding.well for finding in examine(str(path)))
    except StoreError:
        return False


def damaged_copy(source: Path, folder: Path, suffix: str, at: int, flip: int | None) -> Path:
    """A copy with one byte of one file changed (`flip`), or the file cut there (None)."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file in source.parent.glob(source.name + "*"):
        shutil.copy(file, folder / file.name)
    target = folder / (source.name + suffix)
    raw = bytearray(target.read_bytes())
    if flip is None:
        del raw[at:]
    else:
        raw[at] ^= flip
    target.write_bytes(raw)
    (folder / (source.name + "-shm")).unlink(missing_ok=True)
    return folder / source.name


def test_a_flipped_byte_in_the_file_is_never_read_as_another_value(tmp_path: Path) -> None:
    path = tmp_path / "whole" / "oyer.db"
    path.parent.mkdir()
    fill(path)
    true = contents(path)
    chance = random.Random(7)
    size, caught = path.stat().st_size, 0
    for _ in range(120):
        at = chance.randrange(size)
        copy = damaged_copy(path, tmp_path / "bad", "", at, 1 << chance.randrange(8))
        try:
            seen = contents(copy)
        except StoreError:
            caught += 1
            continue
        # What reads, reads true; free space and indexes may differ, and then doctor may know.
        assert seen == true, f"byte {at} changed what is read"
    assert caught > 10, "the flips hit nothing: this test shows nothing"


@pytest.fixture
def with_log(tmp_path: Path) -> Path:
    """A store whose last commits are still in the -wal file, as after kill -9."""
    path = tmp_path / "live" / "oyer.db"
    path.parent.mkdir()
    root = Path(__file__).parents[2]
    script = (
        f"import os, sys; sys.path.insert(0, {str(root)!r})\n"
        "from pathlib import Path\n"
        "from tests.store.test_damage import fill\n"
        f"fill(Path({str(path)!r}), 10)\n"
        "import sqlite3\n"
        "from oyer.store import open_store\n"
        "from tests.store.made import *\n"
        f"store = open_store({str(path)!r})\n"
        "run = store.begin_run(manifest())\n"
        "for i in range(10, 30):\n"
        "    store.keep_reply(task(run.id, i), 0, reply(f'reply {i}')).result()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -9
    assert Path(f"{path}-wal").stat().st_size > 30_000
    return path


def test_a_torn_or_flipped_log_is_detected(with_log: Path, tmp_path: Path) -> None:
    def replies_of(path: Path) -> int:
        with open_store(str(path), create=False) as store:
            asks = [f"ask{i}" for i in range(30)]
            return len(store.replies(asks))

    whole = damaged_copy(with_log, tmp_path / "same", "-wal", 0, 0)
    assert replies_of(whole) == 30, "an undamaged log is simply read"
    size = Path(f"{with_log}-wal").stat().st_size
    chance, detected = random.Random(3), 0
    spots = [(chance.randrange(size), 1 << chance.randrange(8)) for _ in range(30)]
    cuts = [(chance.randrange(size), None) for _ in range(20)]
    for at, flip in [*spots, *cuts]:
        copy = damaged_copy(with_log, tmp_path / "bad", "-wal", at, flip)
        try:
            seen = replies_of(copy)
        except StoreError as said:
            detected += 1
            if "lost its last" in str(said):
                assert not well(copy), "doctor sees it too"
        else:
            assert seen == 30, f"byte {at} of the log: replies vanished without a word"
    assert detected > 30


def test_a_lost_log_can_be_accepted_and_the_run_goes_on(with_log: Path, tmp_path: Path) -> None:
    copy = damaged_copy(with_log, tmp_path / "bad", "-wal", 0, None)
    with pytest.raises(StoreError, match="accept-loss"):
        open_store(str(copy))
    with pytest.raises(StoreError, match="accept-loss"):
        open_store(str(copy), write=False)
    findings = list(examine(str(copy), accept_loss=True))
    assert all(finding.well for finding in findings), findings
    with open_store(str(copy)) as store:
        run = store.begin_run(manifest())
        store.keep_reply(task(run.id, 99), 0, reply()).result()


def last_commit(log: bytes) -> int:
    """Where the last commit of a write-ahead log begins (SQLite's file format, section 4)."""
    frame = 24 + int.from_bytes(log[8:12], "big")
    ends = [at + frame for at in range(32, len(log), frame) if any(log[at + 4 : at + 8])]
    return ends[-2]


def test_a_damaged_log_is_seen_without_the_mark_too(with_log: Path, tmp_path: Path) -> None:
    """A copy of oyer.db and oyer.db-wal alone: all but the last commit can still be vouched for."""
    log = Path(f"{with_log}-wal").read_bytes()
    last, chance = last_commit(log), random.Random(5)
    for at in [0, 9, 17, 30, last - 1, *(chance.randrange(len(log)) for _ in range(30))]:
        copy = damaged_copy(with_log, tmp_path / "bad", "-wal", at, 1 << chance.randrange(8))
        Path(f"{copy}-mark").unlink()
        with contextlib.suppress(StoreError), open_store(str(copy), create=False) as store:
            seen = len(store.replies([f"ask{i}" for i in range(30)]))
            assert seen == 30 or at >= last, "damage within the last commit alone may look undone"
    copy = damaged_copy(with_log, tmp_path / "bad", "-wal", 40, 1)
    Path(f"{copy}-mark").unlink()
    assert not well(copy)
    assert all(f.well for f in examine(str(copy), accept_loss=True))
    assert well(copy)


def test_a_sound_log_without_its_mark_is_simply_read(with_log: Path, tmp_path: Path) -> None:
    copy = damaged_copy(with_log, tmp_path / "same", "-wal", 0, 0)
    Path(f"{copy}-mark").unlink()
    with open_store(str(copy), create=False) as store:
        assert len(store.replies([f"ask{i}" for i in range(30)])) == 30


def test_a_killed_writer_leaves_a_store_that_can_be_read_at_once(with_log: Path) -> None:
    with open_store(str(with_log), create=False, write=False) as store:
        assert len(store.replies([f"ask{i}" for i in range(30)])) == 30


def test_looking_while_another_process_writes_is_no_false_alarm(tmp_path: Path) -> None:
    path = str(tmp_path / "oyer.db")
    with open_store(path) as store:
        run = store.begin_run(manifest())
        over = threading.Event()

        def write() -> None:
            for i in itertools.count():
                store.keep_reply(task(run.id, i), 0, reply()).result()
                if over.is_set():
                    return

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for _ in range(60):
                open_store(path, create=False, write=False).close()
                assert all(f.well for f in examine(path) if f.what == "commits")
        finally:
            over.set()
            writer.join()


def test_doctor_names_a_changed_score(tmp_path: Path) -> None:
    path = tmp_path / "oyer.db"
    fill(path)
    assert well(path)
    with sqlite3.connect(path) as connection:  # a change that SQLite itself cannot see
        connection.execute("UPDATE oyer_verdicts SET total = 10 WHERE seq = 3")
    findings = {f.what: f for f in examine(str(path))}
    assert not findings["verdicts"].well
    assert "0000000000000003" in findings["verdicts"].detail
    assert findings["file"].well
    assert findings["replies"].well
    with open_store(str(path)) as store, pytest.raises(StoreError, match="damaged"):
        list(store.outcomes(1))


def test_doctor_says_that_a_file_was_cut_short(tmp_path: Path) -> None:
    """It used to send its reader to `oyer doctor`."""
    path = tmp_path / "oyer.db"
    fill(path)
    (tmp_path / "half.db").write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    findings = list(examine(str(tmp_path / "half.db")))
    assert any(f.what == "file" and not f.well for f in findings)


@pytest.mark.parametrize("raw", [b"x" * 5000, b"SQLite format 3\x00" + b"\0" * 20])
def test_damage_is_told_by_its_kind_not_by_a_word(tmp_path: Path, raw: bytes) -> None:
    """A file that is no store and is called `damaged.db` is no damaged store."""
    path = tmp_path / "damaged.db"
    path.write_bytes(raw)
    with pytest.raises(StoreError, match="not an Oyer store") as told:
        list(examine(str(path)))
    assert not isinstance(told.value, StoreDamaged)


def test_a_damaged_row_is_an_error_of_its_own_kind(tmp_path: Path) -> None:
    path = tmp_path / "oyer.db"
    fill(path, 3)
    with contextlib.closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE oyer_verdicts SET total = 9.75 WHERE id = 2")
    with open_store(str(path), write=False) as store, pytest.raises(StoreDamaged) as told:
        list(store.outcomes(1))
    assert told.value.what.startswith("verdict ")


def test_doctor_misses_no_missing_rows(tmp_path: Path) -> None:
    path = tmp_path / "oyer.db"
    fill(path)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM oyer_cases WHERE rowid = 2")
        connection.execute("DELETE FROM oyer_replies WHERE id = 5")
    findings = {f.what: f for f in examine(str(path))}
    assert "1 verdicts without their case, 1 without" in findings["references"].detail
    assert not findings["references"].well


@pytest.mark.parametrize("raw", [b"not a database at all, but long enough to be one" * 50, b"\x00"])
def test_what_is_not_a_store_is_said(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "oyer.db"
    path.write_bytes(raw)
    with pytest.raises(StoreError, match=r"oyer\.db"):
        open_store(str(path))
    assert path.read_bytes() == raw, "somebody's file is left alone"


_WRITE_UNTIL_FULL = """
import resource, sys
sys.path.insert(0, {root!r})
from oyer.errors import StoreDamaged, StoreError
from oyer.store import open_store
from tests.store.made import manifest, reply, task
store = open_store({path!r})
run = store.begin_run(manifest())
for i in range(20):
    store.keep_reply(task(run.id, i), 0, reply()).result()
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
kept = 20
try:
    for i in range(20, 5000):
        store.keep_reply(task(run.id, i), 0, reply(str(i) * 2000)).result()
        kept = i + 1
except StoreError as said:
    print(kept, said)
else:
    print(kept, "was never full")
try:
    store.keep_reply(task(run.id, 9999), 0, reply())
except StoreError as said:
    print("still", said)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="LOUD: needs resource limits")
def test_a_full_disk_is_a_clean_error_and_nothing_is_torn(tmp_path: Path) -> None:
    """The kernel refuses to let any file grow: what was acknowledged stays, the rest is said."""
    path = tmp_path / "oyer.db"
    root = str(Path(__file__).parents[2])
    script = _WRITE_UNTIL_FULL.format(root=root, path=str(path), limit=400_000)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    first, second = done.stdout.strip().splitlines()[:2]
    assert "disk" in first, (first, done.stderr)
    assert second.startswith("still"), "after a failure nothing more is taken"
    kept = int(first.split()[0])
    with open_store(str(path)) as store:
        assert len(store.replies([f"ask{i}" for i in range(5000)])) >= kept
    assert well(path)


_AS_NOBODY = """
import os, sys
sys.path.insert(0, {root!r})
from oyer.errors import OyerError
from oyer.store import open_store
open_store({other!r}).close()  # all modules are loaded while we may read them
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    with open_store({path!r}) as store:
        print("opened for writing")
except OyerError as said:
    print("refused:", said)
with open_store({path!r}, create=False, write=False) as store:
    print(sum(1 for _ in store.outcomes(1)), "read")
"""


def test_a_read_only_store_can_be_read_and_refuses_writing(tmp_path: Path) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as open_to_all:  # pytest's own folders are for us alone
        folder = Path(open_to_all)
        path = folder / "oyer.db"
        fill(path)
        path.chmod(0o444)
        os.chmod(folder, 0o555)
        script = _AS_NOBODY.format(
            root=str(Path(__file__).parents[2]), path=str(path), other=str(tmp_path / "other.db")
        )
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=False
        )
        os.chmod(folder, 0o755)
    assert done.stdout.startswith("refused:"), (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    assert f"{COUNT} read" in done.stdout


def test_a_log_left_behind_before_the_first_checkpoint_is_noticed(
    with_log: Path, tmp_path: Path
) -> None:
    """The file alone looks like an empty database; its mark knows better."""
    copy = tmp_path / "copy" / "oyer.db"
    copy.parent.mkdir()
    copy.touch()
    Path(f"{copy}-mark").write_bytes(Path(f"{with_log}-mark").read_bytes())
    for write in (True, False):
        with pytest.raises(StoreError, match="left behind"):
            open_store(str(copy), create=False, write=write)
    assert not well(copy)
    assert all(finding.well for finding in examine(str(copy), accept_loss=True))
    with open_store(str(copy)) as store:
        assert store.runs() == []


def test_a_store_removed_by_its_owner_is_made_anew(with_log: Path) -> None:
    with_log.unlink()
    Path(f"{with_log}-wal").unlink()
    Path(f"{with_log}-shm").unlink(missing_ok=True)
    with open_store(str(with_log)) as store:
        assert store.runs() == []
