"""Seasons, snapshots, hold-outs, deletions and cells go on beside each other: all lock the board
first, so that none waits for another that waits for it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import select

from grbcore import catalog
from grbcore.store import holdout_queue, holdouts, seasons, snapshots
from grbcore.store.blobs import Blobs
from grbcore.store.deletion import delete_submission
from grbcore.store.queue import claim_cells
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import BoardRow, HoldoutCell, Season, SnapshotRow, Submission
from tests.store.test_holdouts import made
from tests.store.world import BOARD, OWNER, PROTOCOL, RESULT, World, at

ROUNDS = 4


def test_nobody_waits_for_who_waits_for_him(world: World, tmp_path: Path) -> None:
    """On PostgreSQL a deadlock ends one of the two with an error, which would end its thread."""
    blobs = Blobs((tmp_path / "blobs").as_uri())
    world.ranked("attack", reference=True)
    reference = world.ranked("defense", reference=True)
    leaving = [world.ranked("defense") for _ in range(ROUNDS)]
    newcomers = [world.evaluating("attack") for _ in range(ROUNDS)]
    files = [(tmp_path / str(number)) for number in range(ROUNDS)]
    for folder in files:
        folder.mkdir()
    with world.sessions.writing() as session:
        session.get_one(BoardRow, BOARD).facts = {"targets": {"full": 10}}
        session.get_one(Submission, reference).adversarially_trained = True
        for entry in leaving:
            session.get_one(Submission, entry).holdouts_asked_at = at(0)

    def season(_: int) -> None:
        with world.sessions.writing() as session:
            found = seasons.propose(
                session, catalog.board(BOARD), user_id=None, via="cli", now=at(0)
            ).id
        with world.sessions.writing() as session:
            seasons.accept(session, found, reason="now", user_id=None, via="cli", now=at(0))

    def snapshot(_: int) -> None:
        snapshots.make(
            world.sessions,
            blobs,
            catalog.board(BOARD),
            user_id=None,
            via="cli",
            reason=None,
            now=at(0),
        )

    def delete(number: int) -> None:
        with world.sessions.writing() as session:
            delete_submission(
                session, leaving[number], user_id=None, via="cli", reason=None, now=at(0)
            )

    def hold_out(number: int) -> None:
        found = made(files[number], word=str(number))
        with world.sessions.writing() as session:
            holdouts.place(
                session, blobs, BOARD, found,
                protocol=PROTOCOL, user_id=None, via="cli", now=at(0),
            )  # fmt: skip
        with world.sessions.writing() as session:
            batch = holdout_queue.claim(session, at(0))
        if batch is not None:
            with world.sessions.writing() as session:
                holdout_queue.release(session, batch.token)
        for _ in range(2):
            with world.sessions.writing() as session:
                batch = holdout_queue.claim(session, at(0))
            for cell in batch.cells if batch else ():
                with world.sessions.writing() as session:
                    holdout_queue.finish(session, cell.id, batch.token, RESULT, at(0))  # type: ignore[union-attr]

    def evaluate(_: int) -> None:
        with world.sessions.writing() as session:
            batch = claim_cells(session, OWNER, at(0))
        for cell in batch.cells if batch else ():
            world.finish(cell.id, batch.token)  # type: ignore[union-attr]

    def again(act: Callable[[int], None]) -> int:
        done = 0
        for number in range(ROUNDS):
            try:
                act(number)
                done += 1
            except NotPossible:
                pass  # what another did meanwhile is in its way
        return done

    with ThreadPoolExecutor(5) as threads:
        done = list(threads.map(again, (season, snapshot, delete, hold_out, evaluate)))
    assert done[2:] == [ROUNDS] * 3 and min(done) > 0
    world.work()
    assert {world.state(entry) for entry in newcomers} == {"ranked"}
    with world.sessions.reading() as session:
        assert len(session.scalars(select(SnapshotRow)).all()) == done[1]
        assert session.scalar(select(Season).where(Season.state == "current")) is not None
        gone = select(HoldoutCell).where(HoldoutCell.defense_id.in_(leaving))
        assert not session.scalars(gone).all(), "a deleted defense has none"
