"""What is kept comes back, from either database, in pages, from any thread."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.errors import StoreBusy, StoreError, UsageError
from oyer.store import case_sha, open_store
from oyer.store import reading as reading_module
from oyer.store.codec import loss_row
from oyer.store.writer import LIMIT
from oyer.types import Usage
from oyer.verdicts import as_json, record
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import ProviderServer
from tests.store.made import HOSTILE, case, manifest, reply, task, verdict


def test_what_is_kept_comes_back(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())
        given, answer, made = case(), reply(), verdict()
        store.keep_cases([given]).result()
        store.keep_reply(task(run.id), 0, answer).result()
        store.keep_verdict(task(run.id), case_sha(given), made, 1).result()
        store.end_run(run, "done")
    with open_store(where, write=False, create=False) as store:
        run = store.find_run("latest")
        assert (run.state, run.manifest) == ("done", manifest())
        assert store.cases([case_sha(given)])[case_sha(given)].case == given
        assert [k.reply for k in store.replies(["ask0"])["ask0"]] == [answer]
        kept = next(store.verdicts(run.id))
        assert kept.record == record(made)
        assert as_json(kept.record) == as_json(made), "printed as it was made, byte for byte"
        (outcome,) = store.outcomes(run.id)
        assert outcome.scores == {"marks": 7.25}
        assert outcome.violations == {"a.b": 2}
        assert outcome.facts == {"critical_fail": False}
        assert outcome.usage == made.usage
        assert store.counts(run.id) == {("j", None): 1}
        assert store.spent(run.id) == answer.usage
        assert store.verdict("0000").record["id"] == "0" * 16


@pytest.mark.parametrize("kind", HOSTILE)
def test_any_text_survives(where: str, kind: str) -> None:
    text = HOSTILE[kind]
    with open_store(where) as store:
        run = store.begin_run(manifest(suite=text or "s"))
        given = replace(case(text=text), id=text, candidate=text)
        answer = replace(reply(text), judge=text, about={text: text})
        made = verdict(case=text, candidate=text, judge=text)
        store.keep_cases([given]).result()
        store.keep_reply(task(run.id), 0, answer).result()
        store.keep_verdict(task(run.id), case_sha(given), made, 1).result()
        assert store.cases([case_sha(given)])[case_sha(given)].case == given
        assert store.replies(["ask0"])["ask0"][0].reply == answer
        assert next(store.verdicts(run.id)).record == record(made)
        assert len(list(store.outcomes(run.id))) == 1


def test_an_unknown_price_is_not_zero(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())
        store.keep_reply(task(run.id, 1), 0, reply()).result()
        unknown = replace(reply(), usage=Usage(1, 1, None, 1, 0.1))
        store.keep_reply(task(run.id, 2), 0, unknown).result()
        assert store.spent(run.id).cost_usd is None
        assert store.spent(run.id).calls == 2


def test_failed_calls_count_as_spent(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())
        store.keep_rows([loss_row(task(run.id), Usage(9, 0, 0.5, 3))], []).result()
        assert store.spent(run.id) == Usage(9, 0, 0.5, 3)
        assert not store.find_answered(["ask0"])
        assert not store.replies(["ask0"]), "a failed call is no reply"


def test_a_task_has_one_verdict_the_newest(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())
        failed = verdict(status="unscored", error="provider", scores=None, total=None)
        store.keep_verdict(task(run.id), "sha", failed, 0).result()
        store.keep_verdict(task(run.id), "sha", verdict(total=3.0), 1).result()
        assert [o.total for o in store.outcomes(run.id)] == [3.0]
        assert store.done(run.id, ["key0", "key9"]) == {"key0": None}


def test_a_reply_is_kept_once(where: str) -> None:
    """Two who asked the same keep the first answer: verdicts and rescoring read the same one."""
    with open_store(where) as store:
        run = store.begin_run(manifest())
        store.keep_reply(task(run.id), 0, reply("first")).result()
        store.keep_reply(task(run.id), 0, reply("second")).result()
        store.keep_reply(task(run.id), 1, reply("asked again")).result()
        assert [k.reply.text for k in store.replies(["ask0"])["ask0"]] == ["first", "asked again"]


def test_more_than_a_page_streams_in_order(where: str) -> None:
    count = reading_module._PAGE + 7
    with open_store(where) as store:
        run, other = store.begin_run(manifest()), store.begin_run(manifest("other"))
        from oyer.store.codec import verdict_row

        rows = [verdict_row(task(run.id, i), "sha", verdict(i), 1) for i in range(count)]
        store.keep_verdicts(rows)
        store.keep_verdict(task(other.id), "sha", verdict(), 1).result()
        assert [o.seq for o in store.outcomes(run.id)] == list(range(count))
        low, high = store.span(run.id)
        halves = [(low - 1, low + 99), (low + 99, high)]
        rows_seen = [k.row for half in halves for k in store.verdicts(run.id, *half)]
        assert rows_seen == sorted(set(rows_seen))
        assert len(rows_seen) == count


def test_many_threads_one_writer(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())

        def bring(part: int) -> None:
            for i in range(50):
                store.keep_reply(task(run.id, part * 1000 + i), 0, reply()).result()

        threads = [threading.Thread(target=bring, args=(part,)) for part in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.spent(run.id).calls == 300


def test_never_more_than_the_limit_is_uncommitted(where: str) -> None:
    """A bringer who does not wait is made to wait: by then all but LIMIT are on the disk."""
    with open_store(where) as store, open_store(where, write=False) as eye:
        run = store.begin_run(manifest())
        for i in range(4 * LIMIT):
            store.keep_reply(task(run.id, i), 0, reply())
            assert i + 1 - eye.spent(run.id).calls <= LIMIT


def test_closing_commits_what_waits(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())
        for i in range(20):
            store.keep_reply(task(run.id, i), 0, reply())
    with open_store(where, write=False) as store:
        assert store.spent(run.id).calls == 20


def test_the_same_manifest_is_the_same_run(where: str) -> None:
    with open_store(where) as store:
        first = store.begin_run(manifest())
        store.end_run(first, "stopped")
        assert store.begin_run(manifest(code="9.9")).id == first.id, "newer code resumes"
        assert store.begin_run(manifest(cases_sha="other")).id != first.id
        assert len(store.runs()) == 2


_HOLD = """
import sys
sys.path.insert(0, {root!r})
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import ProviderServer
from tests.store.made import manifest
from oyer.store import open_store
with open_store({where!r}) as store:
    store.begin_run(manifest())
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_is_refused_until_the_first_dies(where: str) -> None:
    script = _HOLD.format(root=str(Path(__file__).parents[2]), where=where)
    holder = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with open_store(where) as store:
        with pytest.raises(StoreBusy, match="another process"):
            store.begin_run(manifest())
        store.begin_run(manifest("another suite"))  # other runs are free
        holder.kill()  # -9: it cannot clean up
        holder.wait()
        for _ in range(6000):  # PostgreSQL notices a dead client a moment later
            try:
                assert store.begin_run(manifest()).name == "s"
                break
            except StoreBusy:
                threading.Event().wait(0.02)
        else:
            pytest.fail("the dead process still holds the run")
    holder.communicate()


def test_what_a_user_may_call_a_run(where: str) -> None:
    with open_store(where) as store:
        one, two = store.begin_run(manifest("a")), store.begin_run(manifest("a", cases=9))
        assert store.find_run("1").id == one.id
        assert store.find_run("a").id == two.id, "the newest of that name"
        assert store.find_run("latest").id == two.id
        for wrong in ("7", "nothing", ""):
            with pytest.raises(StoreError, match="oyer runs"):
                store.find_run(wrong)


def test_states_are_kept_and_replaced(where: str) -> None:
    with open_store(where) as store:
        assert store.state("exam", "x") is None
        store.keep_state("exam", "x", b"\x00one").result()
        store.keep_state("exam", "x", b"two").result()
        assert store.state("exam", "x") == b"two"


def test_an_id_that_begins_several_verdicts_is_refused(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())
        for i in range(2):
            store.keep_verdict(task(run.id, i), "sha", verdict(i), 1).result()
        with pytest.raises(StoreError, match="several"):
            store.verdict("0")
        assert store.verdict("0000000000000001").record["case"] == "c1"
        with pytest.raises(StoreError, match="no verdict"):
            store.verdict("f")


def test_a_store_opened_for_reading_refuses_to_write(where: str) -> None:
    open_store(where).close()
    with (
        open_store(where, write=False) as store,
        pytest.raises(StoreError, match="reading only"),
    ):
        store.begin_run(manifest())


def test_older_stores_are_migrated_and_newer_ones_refused(where: str) -> None:
    import sqlalchemy as sa

    from oyer.store import schema
    from oyer.store.engine import connect
    from oyer.store.migrations import MIGRATIONS, read_applied

    names = list(MIGRATIONS)
    database = connect(where, create=True, write=True)
    with database.engine.begin() as connection:  # a store as the first release left it
        schema.migrations.create(connection)
        MIGRATIONS[names[0]](connection)
        connection.execute(schema.migrations.insert().values(name=names[0], applied="then"))
    with open_store(where, create=False, write=False) as store:
        assert store.runs() == [], "a command that only reads brings it up to date as well"
    with open_store(where) as store:
        store.keep_state("exam", "x", b"1").result()
    with database.engine.begin() as connection:
        assert read_applied(connection) == sorted(names)
        connection.execute(schema.migrations.insert().values(name="9999-later", applied="x"))
    with pytest.raises(StoreError, match="newer Oyer"):
        open_store(where)
    with database.engine.begin() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(schema.states)).scalar()
    database.engine.dispose()


@pytest.mark.parametrize(
    ("address", "error", "says"),
    [
        ("mysql://host/x", UsageError, "SQLite file or postgresql"),
        (":memory:", UsageError, "not kept in memory"),
        ("/no/such/folder/oyer.db", StoreError, "folder"),
        ("postgresql://nobody:secret@127.0.0.1:1/x", StoreError, "127.0.0.1"),
    ],
)
def test_what_is_no_store_is_said(address: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says) as caught:
        open_store(address)
    assert "secret" not in str(caught.value)


def test_reading_a_store_that_is_not_there_makes_none(tmp_path: Path) -> None:
    path = tmp_path / "oyer.db"
    with pytest.raises(StoreError, match="no store"):
        open_store(str(path), create=False)
    assert not path.exists()


def test_importing_the_store_is_light() -> None:
    code = "import sys, oyer.store; sys.exit('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_equal_cases_have_equal_names() -> None:
    one = case(1)
    same = replace(one, fields=dict(reversed(list(one.fields.items()))))
    assert case_sha(one) == case_sha(same)
    others = [
        replace(one, id="x"),
        replace(one, candidate="x"),
        replace(one, reply="x"),
        replace(one, judge="x"),
    ]
    shas = {case_sha(other) for other in others}
    assert len(shas | {case_sha(one)}) == 5
    for a, b in itertools.combinations(shas, 2):
        assert a != b


def test_a_whole_run_on_either_database(where: str, tmp_path: Path) -> None:
    """Stopped by its budget, resumed, rescored, exported, looked at: all from the same store."""
    with ProviderServer(reply=marks, key=None) as server:
        bed = Bed(tmp_path, server, where)
        bed.cases(12)
        bed.write("[budget]\ncalls = 5", repeats=2)
        assert bed.run().state == "budget"
        bed.write(repeats=2)
        done = bed.run()
        assert (done.state, bed.asked) == ("done", 24)
        assert len(bed.outcomes(done.run)) == 24
    told = ["--store", where]
    target = tmp_path / "out.jsonl"
    assert main(["rescore", "1", "--protocol-path", str(TOY), "--save", *told]) == 0
    assert main(["export", "2", "--to", str(target), *told]) == 0
    assert len(target.read_text().splitlines()) == 24
    assert main(["doctor", *told]) == 0
    assert main(["runs", *told]) == 0


@pytest.mark.parametrize(
    "name",
    [
        "notes#1.db",
        "what?.db",
        "x%41.db",
        "a b.db",
        "日本.db",
        "q'uote.db",
        "file:x.db",
        "a&b=c.db",
    ],
)
def test_a_path_is_a_path(tmp_path: Path, name: str) -> None:
    with open_store(str(tmp_path / name)) as store:
        store.begin_run(manifest())
    names = {path.name for path in tmp_path.iterdir()}
    assert names <= {name, f"{name}-mark"}
    assert name in names


def test_a_link_leads_to_the_one_lock(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "oyer.db")
    with (
        open_store(str(tmp_path / "oyer.db")) as store,
        open_store(str(tmp_path / "link.db")) as other,
    ):
        store.begin_run(manifest())
        with pytest.raises(StoreBusy):
            other.begin_run(manifest())


@pytest.mark.parametrize("name", ["loop.db", "nul\0.db"])
def test_a_name_that_leads_nowhere_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop.db").symlink_to(tmp_path / "loop.db")
    with pytest.raises(UsageError, match="not the name of a store"):
        open_store(str(tmp_path / name))


def test_a_password_is_never_shown() -> None:
    store = "postgresql://me:s3cret@127.0.0.1:1/db?password=s3cret"
    with pytest.raises(StoreError) as refused:
        open_store(store)
    assert "s3cret" not in str(refused.value)
