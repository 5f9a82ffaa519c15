"""The worker's loop with an evaluator that fails in every way a child can."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from grbcore import catalog
from grbcore.datasets import Dataset
from grbcore.settings import Settings
from grbcore.store import orphans
from grbcore.store.blobs import Blobs
from grbcore.store.deletion import delete_submission
from grbcore.store.recovery import requeue
from grbcore.store.session import now
from grbcore.store.workers import Identity, beat
from tests.store.databases import SERVER
from tests.store.world import BOARD
from tests.worker.fixtures import Arena, Double, wait_for
from worker import evaluation, hosts
from worker import supervisor as supervisor_module
from worker.supervisor import Supervisor

DEFENSE, ATTACK = b"defense 3", b"attack"  # the double predicts class 9, the byte "3" modulo 10


def expected(dataset: Dataset, difficulty: str, label: int = ord("3") % 10) -> int:
    """How many targets have this class."""
    targets = dataset.targets[difficulty]  # type: ignore[index]
    return int(np.count_nonzero(dataset.labels[targets] == label))


@pytest.mark.on_postgres
def test_a_newcomer_is_evaluated_against_every_counterpart_and_ranked(
    arena: Arena, supervisor: Supervisor, digits: Dataset
) -> None:
    attack = arena.newcomer("attack", ATTACK)
    defense = arena.newcomer("defense", DEFENSE)
    supervisor.start()
    wait_for(lambda: arena.state(defense) == "ranked")
    clean, attacked = arena.cell_rows()
    assert clean.correct == {
        name: [expected(digits, name)] for name in ("easy", "medium", "hard", "full")
    }
    assert clean.total == {name: len(targets) for name, targets in digits.targets.items()}
    assert attacked.attack_id == attack
    assert attacked.correct == {"full": [expected(digits, "full")] * 3}


@pytest.mark.parametrize(
    ("seconds", "order"),
    [pytest.param(0.0, "ABABAB", marks=pytest.mark.on_postgres), (600.0, "AAABBB")],
)
def test_users_take_turns_within_their_submissions_cells_once_a_turn_is_long(
    arena: Arena, settings: Settings, seconds: float, order: str
) -> None:
    for content in (b"attack 1", b"attack 2"):
        arena.newcomer("attack", content)
    first = arena.newcomer("defense", b"defense 3")
    other = arena.newcomer("defense", b"defense 4", user=arena.another_user("bob"))
    made = Supervisor(settings, poll=0.1, turn_seconds=seconds)
    made.start()
    try:
        wait_for(lambda: {arena.state(one) for one in (first, other)} == {"ranked"}, 60)
    finally:
        made.stop()
        assert made.join(10)
    cells = sorted(arena.cell_rows(), key=lambda row: row.finished_at or now())
    assert "".join("A" if row.newcomer_id == first else "B" for row in cells) == order
    assert {row.attempts for row in cells} == {0}


def test_a_cell_says_where_its_numbers_come_from(
    arena: Arena, supervisor: Supervisor, settings: Settings
) -> None:
    defense = arena.newcomer("defense", DEFENSE)
    supervisor.start()
    wait_for(lambda: arena.state(defense) == "ranked")
    (cell,) = arena.cell_rows()
    assert (cell.device, cell.seconds, cell.versions) == ("cpu", 0.25, {"torch": "0.0"})
    assert cell.hits_sha256 is not None
    assert Blobs(settings.blob_url).read(cell.hits_sha256)


def test_targets_without_finite_logits_are_counted_as_such_and_never_as_hits(
    arena: Arena, supervisor: Supervisor, double: Double, digits: Dataset
) -> None:
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("not-finite")
    supervisor.start()
    wait_for(lambda: arena.state(defense) == "ranked")
    (cell,) = arena.cell_rows()
    assert cell.not_finite == {name: [2] for name in ("easy", "medium", "hard", "full")}
    labels = digits.labels[digits.targets["full"][2:]]
    assert cell.correct is not None
    assert cell.correct["full"] == [int((labels == DEFENSE[-1] % 10).sum())]


def test_an_evaluator_that_dies_in_a_cell_is_replaced_and_the_cell_computed_again(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("die")
    supervisor.start()
    wait_for(lambda: arena.cell_rows()[0].attempts == 1)
    (cell,) = arena.cell_rows()
    assert (cell.state, cell.infra_failures) == ("queued", 1)
    assert cell.reason == "the evaluator was ended by signal 9"
    arena.hurry()
    wait_for(lambda: arena.state(defense) == "ranked")


def test_only_the_cell_in_progress_is_charged_when_an_evaluator_dies(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    for number in range(3):
        arena.newcomer("attack", ATTACK + bytes([number]))
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("answer", "die")
    supervisor.start()
    wait_for(lambda: sorted(row.state for row in arena.cell_rows())[:3] == ["done"] * 3)
    assert sorted(row.attempts for row in arena.cell_rows()) == [0, 0, 0, 1]
    arena.hurry()
    wait_for(lambda: arena.state(defense) == "ranked")


@pytest.mark.on_postgres
def test_a_cell_that_ends_two_evaluators_is_put_aside_until_an_admin_requeues_it(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("die", "exit")
    supervisor.start()
    wait_for(lambda: arena.cell_rows()[0].attempts == 1)
    arena.hurry()
    wait_for(lambda: arena.cell_rows()[0].state == "dead")
    assert "exit code 1" in (arena.submission(defense).reason or "")
    with arena.sessions.writing() as session:
        requeue(session, arena.cell_rows()[0].id, now())
    wait_for(lambda: arena.state(defense) == "ranked")


def test_the_submissions_fault_fails_it_and_not_its_counterpart(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    attack = arena.newcomer("attack", ATTACK)
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("answer", "defense")
    supervisor.start()
    wait_for(lambda: arena.state(defense) == "failed")
    assert arena.submission(defense).reason == "3 of 7"
    assert arena.state(attack) == "ranked"


def test_trouble_with_a_counterparts_file_is_no_fault_of_the_newcomer(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    arena.newcomer("attack", ATTACK)
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("answer", "attack")
    supervisor.start()
    wait_for(lambda: arena.cell_rows()[1].attempts == 1)
    assert (arena.cell_rows()[1].state, arena.state(defense)) == ("queued", "evaluating")


def test_an_evaluators_own_trouble_is_no_fault_of_the_submission(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("infra")
    supervisor.start()
    wait_for(lambda: arena.cell_rows()[0].attempts == 1)
    (cell,) = arena.cell_rows()
    assert (cell.error_code, cell.reason) == ("cuda", "no device")
    arena.hurry()
    wait_for(lambda: arena.state(defense) == "ranked")


@pytest.mark.parametrize(
    "word", ["chatter", "flood", "other-cell", "no-file", "link", "pickle", "wrong-shape"]
)
def test_an_answer_that_breaks_the_protocol_is_tried_again(
    arena: Arena, supervisor: Supervisor, double: Double, word: str
) -> None:
    defense = arena.newcomer("defense", DEFENSE)
    double.plan(word)
    supervisor.start()
    wait_for(lambda: arena.cell_rows()[0].attempts == 1)
    (cell,) = arena.cell_rows()
    assert (cell.state, cell.error_code, cell.infra_failures) == ("queued", "evaluator-answer", 0)
    arena.hurry()
    wait_for(lambda: arena.state(defense) == "ranked")


def test_a_cell_that_exceeds_the_time_limit_twice_fails_its_submission(
    arena: Arena, supervisor: Supervisor, double: Double, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = catalog.board(BOARD)
    limits = board.limits.model_copy(update={"cell_seconds": 0.5})
    short = board.model_copy(update={"limits": limits})
    monkeypatch.setattr(catalog, "board", lambda _: short)
    monkeypatch.setattr(evaluation, "LOADING_SECONDS", 2.0)
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("hang", "hang")
    supervisor.start()
    wait_for(lambda: arena.cell_rows()[0].attempts == 1)
    assert arena.state(defense) == "evaluating"
    arena.hurry()
    wait_for(lambda: arena.state(defense) == "failed")
    assert "0.5 s" in (arena.submission(defense).reason or "")


def test_everything_that_a_child_started_is_ended_with_it(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    arena.newcomer("defense", DEFENSE)
    double.plan("spawn")
    supervisor.start()
    wait_for(lambda: double.pid() is not None)
    child, grandchild = double.pid(), double.pid("grandchild")
    assert child is not None
    assert grandchild is not None
    assert hosts.running(grandchild)
    supervisor.stop()
    assert supervisor.join(10)
    wait_for(lambda: not hosts.running(grandchild) and not hosts.running(child))


@pytest.mark.on_postgres
def test_stopping_gives_the_lease_back_uncharged_within_ten_seconds(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    arena.newcomer("attack", ATTACK)
    arena.newcomer("defense", DEFENSE)
    double.plan("hang")
    supervisor.start()
    wait_for(lambda: double.pid() is not None)
    begun = time.monotonic()
    supervisor.stop()
    assert supervisor.join(10)
    assert time.monotonic() - begun < 10
    assert [(row.state, row.attempts) for row in arena.cell_rows()] == [("queued", 0)] * 2


@pytest.mark.on_postgres
def test_a_worker_that_lost_its_lease_ends_its_child_and_takes_the_next_work(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("hang")
    supervisor.start()
    wait_for(lambda: double.pid() is not None)
    child = double.pid()
    assert child is not None
    with arena.sessions.writing() as session:
        row = session.get_one(type(arena.cell_rows()[0]), arena.cell_rows()[0].id)
        row.state = "queued"
        row.lease_owner = row.lease_token = row.lease_until = None
    wait_for(lambda: not hosts.running(child))
    wait_for(lambda: arena.state(defense) == "ranked")
    assert arena.cell_rows()[0].attempts == 0


@pytest.mark.on_postgres
def test_an_entry_that_is_deleted_while_it_is_computed_ends_its_child_and_holds_up_nobody(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    defense, other = arena.newcomer("defense", DEFENSE), arena.newcomer("defense", b"other")
    double.plan("hang")
    supervisor.start()
    wait_for(lambda: double.pid() is not None)
    child = double.pid()
    assert child is not None
    _delete(arena, defense)
    wait_for(lambda: not hosts.running(child))
    wait_for(lambda: arena.state(other) == "ranked")
    assert [(row.defense_id, row.attempts) for row in arena.cell_rows()] == [(other, 0)]
    assert supervisor.avoided() == {}


def _delete(arena: Arena, submission_id: str) -> None:
    with arena.sessions.writing() as session:
        left = delete_submission(
            session, submission_id, user_id=None, via="cli", reason="asked to", now=now()
        )
    orphans.remove(arena.sessions, arena.blobs, left)


@pytest.mark.on_postgres
def test_a_worker_leaves_its_siblings_their_leases_and_takes_over_those_of_its_predecessor(
    arena: Arena, settings: Settings, double: Double
) -> None:
    """All have this process's id; only the one that is no sibling is dead."""
    arena.newcomer("defense", DEFENSE)
    double.plan("hang")
    owners = [hosts.new_owner(), hosts.new_owner()]
    first, second = (
        Supervisor(settings, owner=owner, siblings=owners, poll=0.1) for owner in owners
    )
    first.start()
    wait_for(lambda: double.pid() is not None)
    arena.newcomer("defense", DEFENSE + b"4")
    left = arena.claim(owner=hosts.new_owner(), now=now())
    second.start()
    wait_for(lambda: arena.state(left.newcomer_id) == "ranked")
    (held,) = (row for row in arena.cell_rows() if row.state == "running")
    assert (held.lease_owner, held.attempts) == (owners[0], 0)
    for one in (first, second):
        one.stop()
    assert first.join(10) and second.join(10)


@pytest.mark.on_postgres
def test_a_busy_worker_keeps_its_lease_alive(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    arena.newcomer("defense", DEFENSE)
    double.plan("hang")
    supervisor.start()
    wait_for(lambda: double.pid() is not None)
    before = arena.cell_rows()[0].lease_until
    assert before is not None
    wait_for(lambda: (arena.cell_rows()[0].lease_until or before) > before)


def test_a_damaged_file_is_tried_again_and_named(
    arena: Arena, supervisor: Supervisor, settings: Settings
) -> None:
    defense = arena.newcomer("defense", DEFENSE)
    digest = arena.submission(defense).sha256
    path = Path(settings.blob_url.removeprefix("file://")) / digest[:2] / digest
    path.write_bytes(b"other bytes")
    supervisor.start()
    wait_for(lambda: arena.cell_rows()[0].attempts == 1)
    (cell,) = arena.cell_rows()
    assert (cell.state, cell.error_code) == ("queued", "blob")
    assert digest in (cell.reason or "")
    path.write_bytes(DEFENSE)
    arena.hurry()
    wait_for(lambda: arena.state(defense) == "ranked")


def test_children_see_no_address_and_no_credential(
    arena: Arena, supervisor: Supervisor, double: Double, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GRB_DATABASE_URL", "GRB_BROKER_URL", "GRB_BLOB_URL", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("PGPASSWORD", "secret")
    arena.newcomer("defense", DEFENSE)
    supervisor.start()
    wait_for(lambda: (double.folder / "environment").exists() and bool(double.environment()))
    seen = double.environment()
    assert "secret" not in seen.values()
    assert not {name for name in seen if name.startswith(("AWS", "PG"))}
    assert {name for name in seen if name.startswith("GRB")} <= {"GRB_VAR_DIR", "GRB_DATA_DIR"}


def test_scratch_folders_are_gone_when_a_worker_has_stopped(
    arena: Arena, supervisor: Supervisor, settings: Settings
) -> None:
    defense = arena.newcomer("defense", DEFENSE)
    supervisor.start()
    wait_for(lambda: arena.state(defense) == "ranked")
    supervisor.stop()
    assert supervisor.join(10)
    assert list(settings.scratch_dir.iterdir()) == []


def test_a_starting_worker_removes_the_scratch_folders_of_dead_ones_only(
    supervisor: Supervisor, settings: Settings
) -> None:
    dead = settings.scratch_dir / f"{hosts.HOST}-4194304-x"  # above the greatest process id
    alive = settings.scratch_dir / f"{hosts.HOST}-{os.getppid()}-x"
    for folder in (dead, alive):
        folder.mkdir(parents=True)
    supervisor.start()
    wait_for(lambda: not dead.exists())
    assert alive.exists()


def test_what_a_worker_of_another_name_left_behind_goes_after_a_day(
    arena: Arena, supervisor: Supervisor, settings: Settings
) -> None:
    """Three containers had this folder: one is gone, one works, one has just been ended.

    An import of a board was killed there, too.
    """
    gone, works, fresh = (settings.scratch_dir / f"c-{n}:1:2-7-x" for n in ("1", "2", "3"))
    for folder in (gone, works, fresh):
        (folder / "work").mkdir(parents=True)
        if folder != fresh:
            os.utime(folder, (time.time() - 25 * 3600,) * 2)
    imported = settings.scratch_dir / "import-x"  # a file, of `grb board import`
    imported.write_bytes(b"half")
    os.utime(imported, (time.time() - 25 * 3600,) * 2)
    with arena.sessions.writing() as session:
        beat(session, Identity("c-2:1:2/7/uuid", "cpu", {}, now()), avoided={}, now=now())
    supervisor.start()
    wait_for(lambda: not gone.exists() and not imported.exists())
    assert works.exists() and fresh.exists()


def test_a_board_under_another_protocol_is_left_to_other_hosts(
    arena: Arena, supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = catalog.board(BOARD).model_copy(update={"repeats": 4})
    monkeypatch.setattr(catalog, "board", lambda _: changed)
    arena.newcomer("defense", DEFENSE)
    supervisor.start()
    wait_for(lambda: bool(supervisor.avoided()))
    wait_for(lambda: arena.cell_rows()[0].state == "queued")
    assert arena.cell_rows()[0].attempts == 0


def test_a_host_that_spoils_work_of_two_submissions_leaves_the_board_to_others(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    for last in b"12345":
        arena.newcomer("defense", b"defense " + bytes([last]))
    double.plan(*["infra"] * 20)
    supervisor.start()
    wait_for(lambda: supervisor.avoided().keys() == {BOARD})
    arena.hurry()
    time.sleep(1)
    assert sorted(cell.attempts for cell in arena.cell_rows()) == [0, 0, 0, 1, 1]


def test_a_blob_store_that_is_away_charges_nobody(
    arena: Arena, supervisor: Supervisor, settings: Settings
) -> None:
    defense = arena.newcomer("defense", DEFENSE)
    attack = arena.submit("attack", sha256=arena.blobs.put_bytes(ATTACK))
    folder = Path(settings.blob_url.removeprefix("file://"))
    away = folder.rename(folder.with_name("away"))
    supervisor.start()
    wait_for(lambda: supervisor.avoided().keys() == {BOARD})
    assert arena.submission(attack).attempts == 0
    assert all(cell.attempts == 0 for cell in arena.cell_rows())
    away.rename(folder)
    assert arena.state(defense) == "evaluating"


def test_a_blob_store_that_can_not_be_written_charges_nobody_and_the_cell_is_done_later(
    arena: Arena, supervisor: Supervisor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the hits would go, there is a file: what is read is there, nothing can be added."""
    monkeypatch.setattr(supervisor_module, "RESPITE", 0.5)
    defense = arena.newcomer("defense", DEFENSE)
    folder = Path(settings.blob_url.removeprefix("file://"))
    own = {path.name for path in folder.iterdir()}
    blocked = [folder / f"{n:02x}" for n in range(256) if f"{n:02x}" not in own]
    for path in blocked:
        path.write_bytes(b"")
    supervisor.start()
    wait_for(lambda: set(supervisor.avoided()) == {BOARD})
    [cell] = arena.cell_rows()
    assert (cell.attempts, arena.state(defense)) == (0, "evaluating")
    for path in blocked:
        path.unlink()
    wait_for(lambda: arena.state(defense) == "ranked")
    [cell] = arena.cell_rows()
    assert len(arena.blobs.read(cell.hits_sha256 or "")) > 0


def test_a_file_that_breaks_the_rules_is_rejected_by_the_validator(
    arena: Arena, supervisor: Supervisor
) -> None:
    content = b"no zip archive"
    digest = arena.blobs.put_bytes(content)
    attack = arena.submit("attack", sha256=digest)
    supervisor.start()
    wait_for(lambda: arena.state(attack) == "rejected")
    assert arena.submission(attack).violations[0]["code"] in ("format", "damaged")


@pytest.mark.on_postgres
def test_a_validator_that_dies_charges_nobody_but_counts(arena: Arena, settings: Settings) -> None:
    digest = arena.blobs.put_bytes(ATTACK)
    attack = arena.submit("attack", sha256=digest)
    dying = settings.model_copy(update={"validator": ("false",)})
    supervisor = Supervisor(dying, poll=0.1)
    supervisor.start()
    for attempt in range(1, 5):
        wait_for(lambda attempt=attempt: arena.submission(attack).attempts == attempt)
        arena.hurry()
    supervisor.stop()
    assert supervisor.join(10)
    row = arena.submission(attack)
    assert row.state == "received"
    assert "exit code 1" in (row.reason or "")


def test_a_killed_standby_evaluator_costs_nothing(
    arena: Arena, supervisor: Supervisor, settings: Settings
) -> None:
    supervisor.start()
    wait_for(lambda: supervisor.standing_by() is not None)
    os.kill(supervisor.standing_by() or 0, signal.SIGKILL)
    defense = arena.newcomer("defense", DEFENSE)
    wait_for(lambda: arena.state(defense) == "ranked")
    assert arena.cell_rows()[0].attempts == 0


@pytest.mark.on_postgres
def test_a_database_that_goes_away_in_a_cell_loses_nothing(
    arena: Arena, supervisor: Supervisor, double: Double, settings: Settings
) -> None:
    if settings.database_url.startswith("sqlite"):
        # a file does not go away; the lock of another writer does the same
        away = sqlite_locked(settings.database_url)
    else:
        away = postgres_refusing(settings.database_url)
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("slow")
    supervisor.start()
    wait_for(lambda: double.asked() == ["slow"])
    with away:
        time.sleep(2)
    wait_for(lambda: arena.state(defense) == "ranked", 30)
    assert double.asked() == ["slow"]


@contextmanager
def sqlite_locked(url: str) -> Iterator[None]:
    """Another writer holds the file for longer than a writer waits."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield
    time.sleep(10)
    connection.execute("ROLLBACK")
    connection.close()


@contextmanager
def postgres_refusing(url: str) -> Iterator[None]:
    """The server ends every connection to this database and takes no new one."""
    server = create_engine(SERVER, isolation_level="AUTOCOMMIT")
    name = make_url(url).database
    with server.connect() as connection:
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"
        connection.execute(text(ended), {"name": name})
        yield
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
    server.dispose()
