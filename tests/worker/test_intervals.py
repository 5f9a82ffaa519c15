"""Intervals are computed beside evaluation, once for each change, by one worker at a time."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import numpy as np
import pytest

from grbcore import catalog
from grbcore.scoring import pack
from grbcore.settings import Settings
from grbcore.store import intervals
from grbcore.store.blobs import Blobs
from grbcore.store.registration import CellResult
from grbcore.store.session import Sessions, now
from grbcore.store.tables import IntervalRow, IntervalTurn
from tests.store.world import BOARD, START, World, at
from worker.interval_job import compute
from worker.intervals import Intervals

TARGETS, RIGHT = 40, (10, 20, 30)
LATER = START + timedelta(hours=1)


@pytest.fixture
def blobs(settings: Settings) -> Blobs:
    return Blobs(settings.blob_url)


@pytest.fixture
def world(sessions: Sessions, blobs: Blobs) -> World:
    """A reference of each side, every cell 10, 20 and 30 of 40 at full."""
    made = World(sessions)
    hits = np.array([np.arange(TARGETS) < right for right in RIGHT])
    made.result = CellResult(  # type: ignore[attr-defined]
        correct={"full": list(RIGHT)},
        total={"full": TARGETS},
        not_finite={"full": [0, 0, 0]},
        hits_sha256=blobs.put_bytes(pack({"full": hits})),
        device="cpu",
        seconds=0.1,
        versions={},
    )
    for side in ("defense", "attack"):
        add(made, side, reference=True)
    return made


def add(world: World, side: str, *, reference: bool = False) -> str:
    entry = world.evaluating(side, reference=reference)  # type: ignore[arg-type]
    world.work(result=world.result)  # type: ignore[attr-defined]
    return entry


def rows(sessions: Sessions, side: str) -> list[IntervalRow]:
    with sessions.reading() as session:
        query = session.query(IntervalRow).filter_by(side=side, view="reference")
        return query.order_by(IntervalRow.difficulty).all()


def due(sessions: Sessions) -> list[tuple[str, str]]:
    with sessions.reading() as session:
        return [*intervals.due(session, LATER)]


def test_a_change_makes_both_views_due_once_it_has_settled(
    sessions: Sessions, blobs: Blobs, world: World
) -> None:
    with sessions.reading() as session:
        assert intervals.due(session, at(4)) == []
    assert due(sessions) == [(BOARD, "reference"), (BOARD, "all")]
    for view in ("reference", "all"):
        compute(sessions, blobs, BOARD, view)  # type: ignore[arg-type]
    assert due(sessions) == []
    add(world, "defense")
    assert due(sessions) == [(BOARD, "reference"), (BOARD, "all")]


def test_an_entry_has_an_interval_around_its_score(
    sessions: Sessions, blobs: Blobs, world: World
) -> None:
    """The attack leaves 10, 20 and 30 of 40, on average a half; its draws are of repeats too."""
    compute(sessions, blobs, BOARD, "reference")
    full = next(row for row in rows(sessions, "attack") if row.difficulty == "full")
    (attack, one), *_ = intervals.unpacked(full).items()
    place = one.places["average"]
    assert (full.draws, one.repeated) == (2000, True)
    assert place.low < 0.5 < place.high
    # of three repeats alone: 0.5 +- 4.303 x 0.25 / sqrt(3) = 0.5 +- 0.62
    assert (place.low, place.high) == (0.0, 1.0)
    assert (place.ranks, place.first, place.group) == ((1, 1), 1.0, 1)
    assert attack != "clean"
    # without an attack there are the same hits: nothing is broken
    assert one.breaks is not None
    assert (one.breaks.broken, one.breaks.of) == (0, 1)


def test_only_what_a_newcomer_changed_is_computed_anew(
    sessions: Sessions, blobs: Blobs, world: World
) -> None:
    compute(sessions, blobs, BOARD, "reference")
    before = {side: rows(sessions, side)[1] for side in ("attack", "defense")}
    add(world, "attack")
    compute(sessions, blobs, BOARD, "reference")
    after = {side: rows(sessions, side)[1] for side in ("attack", "defense")}
    assert after["attack"].computed_at > before["attack"].computed_at
    assert after["defense"].computed_at == before["defense"].computed_at
    assert after["defense"].revision == after["attack"].revision > before["attack"].revision


def test_hits_that_are_gone_leave_out_whom_they_concern(
    sessions: Sessions, blobs: Blobs, world: World
) -> None:
    lost = world.evaluating("defense")
    world.work()  # with hits that nobody stored
    compute(sessions, blobs, BOARD, "reference")
    full = next(row for row in rows(sessions, "defense") if row.difficulty == "full")
    assert len(full.found) == 1
    assert lost not in full.found


def test_one_worker_at_a_time_has_the_turn(sessions: Sessions, world: World) -> None:
    def take(owner: str, seconds: float) -> bool:
        with sessions.writing() as session:
            return intervals.take_turn(session, BOARD, "all", owner, at(seconds))

    assert take("first", 0)
    assert not take("second", 599)
    assert take("second", 601)
    with sessions.writing() as session:
        intervals.end_turn(session, BOARD, "all", "second", at(602))
    assert take("first", 603)
    assert renew(sessions, "first", 1000)
    assert not take("second", 1599)
    assert take("second", 1601)
    assert not renew(sessions, "first", 1602)  # it is another's by now


def renew(sessions: Sessions, owner: str, seconds: float) -> bool:
    with sessions.writing() as session:
        return intervals.renew_turn(session, BOARD, "all", owner, at(seconds))


def test_of_too_many_cells_nothing_is_computed_nor_due(
    sessions: Sessions, blobs: Blobs, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One attack and the row without one against one defense, counted once for both sides."""
    with sessions.reading() as session:
        planned = intervals.plan(session, catalog.board(BOARD), "all", LATER)
    assert planned is not None
    repeats = planned.arena.repeats
    assert intervals.memory(planned.arena) == 2 * 4 * (512 * repeats + 256)
    monkeypatch.setattr(intervals, "ROOM", intervals.memory(planned.arena) - 1)
    for view in ("reference", "all"):
        compute(sessions, blobs, BOARD, view)
    assert [(row.draws, row.found) for row in rows(sessions, "attack")] == [(0, {})] * 4
    assert due(sessions) == []
    monkeypatch.undo()
    compute(sessions, blobs, BOARD, "reference")
    assert {row.draws for row in rows(sessions, "attack")} == {2000}


def test_who_lost_the_turn_ends_its_process(
    settings: Settings, sessions: Sessions, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process would sleep for a minute; another worker has the turn meanwhile."""
    monkeypatch.setattr(
        "worker.intervals._COMMAND", (sys.executable, "-c", "import time; time.sleep(60)")
    )
    monkeypatch.setattr(intervals, "TURN", timedelta(seconds=1))
    work = Intervals(settings, sessions, "first", Event())
    with ThreadPoolExecutor(1) as threads:
        looking = threads.submit(work.look)
        while not looking.done():
            with sessions.writing() as session:
                for row in session.query(IntervalTurn).filter_by(owner="first"):
                    row.owner, row.until = "second", LATER + timedelta(days=36500)
        looking.result()
    with sessions.reading() as session:
        assert {row.owner for row in session.query(IntervalTurn)} == {"second"}


def test_a_worker_computes_in_a_process_of_its_own(
    settings: Settings, sessions: Sessions, world: World
) -> None:
    work = Intervals(settings, sessions, "worker", Event())
    work.look()
    assert due(sessions) == []
    with sessions.reading() as session:
        assert session.query(IntervalRow).count() == 16


def test_a_failed_attempt_is_not_repeated_at_once(
    settings: Settings, sessions: Sessions, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    settings.blob_url = "s3://nowhere/at-all?endpoint=http://127.0.0.1:1"
    Intervals(settings, sessions, "worker", Event()).look()
    assert "intervals of digits/injection@1, reference:" in caplog.text
    with sessions.reading() as session:
        assert intervals.due(session, now() + timedelta(seconds=30)) == []
        assert intervals.due(session, now() + timedelta(seconds=90)) != []
