"""A worker computes what is run again when nothing new waits."""

from __future__ import annotations

from sqlalchemy import select, update

from grbcore import catalog
from grbcore.store import application, reevaluation
from grbcore.store.selection import Selection
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, CellRow, Reevaluation
from tests.worker.fixtures import Arena, Double, wait_for
from worker.supervisor import Supervisor


def begin(arena: Arena) -> str:
    with arena.sessions.writing() as session:
        return reevaluation.create(
            session,
            arena.board,
            Selection(),
            reason="again",
            author_id=arena.user,
            via="cli",
            now=now(),
        ).id


def job(arena: Arena, job_id: str) -> Reevaluation:
    with arena.sessions.reading() as session:
        return session.get_one(Reevaluation, job_id)


def finished(arena: Arena) -> list[CellRow]:
    """Every cell that is done, in the order in which they were."""
    with arena.sessions.reading() as session:
        query = select(CellRow).where(CellRow.state == "done").order_by(CellRow.finished_at)
        return list(session.scalars(query))


def apply(arena: Arena, job_id: str) -> None:
    with arena.sessions.writing() as session:
        revision = session.get_one(BoardRow, arena.board).revision
        board = catalog.board(arena.board)
        application.apply(
            session, board, job_id, revision=revision, user_id=None, via="cli", now=now()
        )


def test_what_was_measured_wrongly_is_put_right(arena: Arena, supervisor: Supervisor) -> None:
    arena.newcomer("attack", b"attack")
    defense = arena.newcomer("defense", b"defense 3")
    supervisor.start()
    wait_for(lambda: arena.state(defense) == "ranked")
    right = [row.correct for row in arena.cell_rows()]
    with arena.sessions.writing() as session:
        session.execute(update(CellRow).values(correct={"full": [1, 1, 1]}))
    job_id = begin(arena)
    wait_for(lambda: job(arena, job_id).state == "ready")
    apply(arena, job_id)
    current = [row for row in arena.cell_rows() if row.place == "current"]
    assert [row.correct for row in current] == right
    assert {row.reevaluation_id for row in current} == {job_id}


def test_new_work_is_taken_between_two_cells_that_are_run_again(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    for number in range(4):
        arena.newcomer("attack", f"attack {number}".encode())
    defense = arena.newcomer("defense", b"defense 3")
    supervisor.start()
    wait_for(lambda: arena.state(defense) == "ranked")
    before = len(finished(arena))
    double.plan("slow", "slow", "slow")
    job_id = begin(arena)
    wait_for(lambda: len(finished(arena)) > before)
    newcomer = arena.newcomer("attack", b"newcomer")
    wait_for(lambda: job(arena, job_id).state == "ready")
    order = [row.attack_id == newcomer for row in finished(arena)[before:]]
    assert order.index(True) in (1, 2), "the newcomer waits for no more than the cell at hand"
    assert arena.state(newcomer) == "ranked"
    assert {row.attempts for row in arena.cell_rows()} == {0}


def test_either_side_is_to_blame_when_all_are_run_again(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    attack = arena.newcomer("attack", b"attack")
    defense = arena.newcomer("defense", b"defense 3")
    supervisor.start()
    wait_for(lambda: arena.state(defense) == "ranked")
    double.plan("answer", "attack")
    job_id = begin(arena)
    wait_for(lambda: job(arena, job_id).state == "ready")
    assert (arena.state(attack), arena.state(defense)) == ("ranked", "ranked")
    apply(arena, job_id)
    assert (arena.state(attack), arena.state(defense)) == ("failed", "ranked")


def test_cells_of_a_protocol_that_this_host_has_not_are_left_and_the_board_is_not(
    arena: Arena, supervisor: Supervisor
) -> None:
    arena.newcomer("defense", b"defense 3")
    arena.work(now=now())
    job_id = begin(arena)
    with arena.sessions.writing() as session:
        session.execute(update(CellRow).where(CellRow.place == "shadow").values(protocol="f" * 16))
        session.get_one(Reevaluation, job_id).protocol = "f" * 16
    newcomer = arena.newcomer("attack", b"attack")
    supervisor.start()
    wait_for(lambda: "f" * 16 in supervisor.avoided())
    wait_for(lambda: arena.state(newcomer) == "ranked")
