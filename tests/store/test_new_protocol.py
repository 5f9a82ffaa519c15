"""A board whose data or rules changed: at once where nothing is ranked, else when an admin says."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from grbcore import catalog
from grbcore.store import application, boards, reevaluation
from grbcore.store.marks import withdraw
from grbcore.store.queue import claim_cells
from grbcore.store.recovery import overdue, reap, requeue, retry_cell
from grbcore.store.registration import fail_cell, start_over
from grbcore.store.selection import Selection
from grbcore.store.tables import BoardRow, CellRow, Reevaluation, Submission
from tests.store.world import OWNER, PROTOCOL, World, at


def change(world: World, folder: Path) -> str:
    """Take up the protocol of the digits that are here; it is not the world's."""
    with world.sessions.writing() as session:
        boards.sync(session, folder, at(10))
        protocol = session.get_one(BoardRow, world.board).protocol
    assert protocol not in (None, PROTOCOL)
    return str(protocol)


def cells(world: World, protocol: str) -> dict[tuple[str | None, str], str]:
    with world.sessions.reading() as session:
        rows = session.scalars(select(CellRow).where(CellRow.protocol == protocol)).all()
    return {(row.attack_id, row.defense_id): row.state for row in rows}


def test_no_cell_of_the_old_protocol_is_claimed_again(world: World, tmp_path: Path) -> None:
    world.evaluating("defense")
    protocol = change(world, tmp_path)
    assert world.claim(now=at(11)).protocol == protocol
    assert cells(world, PROTOCOL) == {}


def test_a_newcomer_with_open_cells_is_ranked_under_the_new_protocol(
    world: World, tmp_path: Path
) -> None:
    defense = world.evaluating("defense")
    protocol = change(world, tmp_path)
    world.work(now=at(11))
    assert world.state(defense) == "ranked"
    assert cells(world, protocol) == {(None, defense): "done"}


def test_a_result_under_the_old_protocol_that_comes_late_is_dropped(
    world: World, tmp_path: Path
) -> None:
    world.evaluating("defense")
    batch = world.claim()
    cell_id = world.begin(batch)
    change(world, tmp_path)
    assert not world.finish(cell_id, batch.token, now=at(11))


def proposed(world: World, folder: Path) -> Reevaluation:
    """The re-evaluation that is suggested once the digits that are here are found."""
    with world.sessions.writing() as session:
        boards.sync(session, folder, at(10))
        (job,) = reevaluation.jobs(session, board_id=world.board, states=["proposed"], limit=10)
    return job


def begin(world: World, job: Reevaluation) -> None:
    with world.sessions.writing() as session:
        reevaluation.start(session, job.id, user_id=None, via="cli", now=at(11))


def apply(world: World, job: Reevaluation) -> None:
    with world.sessions.writing() as session:
        application.apply(
            session,
            catalog.board(world.board),
            job.id,
            revision=world.revision(),
            user_id=None,
            via="cli",
            now=at(20),
        )


def test_a_board_with_a_ranking_stays_as_it_is_until_the_proposal_is_applied(
    world: World, tmp_path: Path
) -> None:
    attack, defense = world.ranked("attack", reference=True), world.ranked("defense")
    revision = world.revision()
    job = proposed(world, tmp_path)
    assert (job.state, job.cells) == ("proposed", 2)
    begin(world, job)
    world.work(now=at(12))
    assert world.revision() == revision
    assert [world.state(attack), world.state(defense)] == ["ranked", "ranked"]
    assert cells(world, PROTOCOL) == {(None, defense): "done", (attack, defense): "done"}
    apply(world, job)
    with world.sessions.reading() as session:
        assert session.get_one(BoardRow, world.board).protocol == job.protocol
    assert world.revision() == revision + 1
    assert cells(world, job.protocol) == {(None, defense): "done", (attack, defense): "done"}
    assert [world.state(attack), world.state(defense)] == ["ranked", "ranked"]


def test_the_results_of_the_old_protocol_are_kept(world: World, tmp_path: Path) -> None:
    defense = world.ranked("defense")
    job = proposed(world, tmp_path)
    begin(world, job)
    world.work(now=at(12))
    apply(world, job)
    assert cells(world, PROTOCOL) == {(None, defense): "done"}


def test_a_newcomer_waits_for_the_new_protocol_and_is_ranked_then(
    world: World, tmp_path: Path
) -> None:
    defense = world.ranked("defense")
    job = proposed(world, tmp_path)
    newcomer = world.evaluating("attack", now=at(11))
    begin(world, job)
    with world.sessions.writing() as session:
        batch = claim_cells(session, OWNER, at(12), excluding={PROTOCOL})
    assert batch is not None
    assert (batch.protocol, batch.shadow) == (job.protocol, True)
    assert world.finish(batch.cells[0].id, batch.token, now=at(13))
    apply(world, job)
    assert world.state(newcomer) == "evaluating"
    assert cells(world, PROTOCOL) == {(None, defense): "done"}
    world.work(now=at(21))
    assert world.state(newcomer) == "ranked"
    assert cells(world, job.protocol) == {(None, defense): "done", (newcomer, defense): "done"}


def test_what_is_applied_under_the_board_s_protocol_keeps_the_move_to_another(
    world: World, tmp_path: Path
) -> None:
    defense = world.ranked("defense")
    with world.sessions.writing() as session:
        again = reevaluation.create(
            session,
            world.board,
            Selection(),
            reason="a new kernel",
            author_id=world.user,
            via="api",
            now=at(9),
        )
    world.work(now=at(9))
    job = proposed(world, tmp_path)
    begin(world, job)
    world.work(now=at(12))
    apply(world, again)
    with world.sessions.reading() as session:
        assert session.get_one(Reevaluation, job.id).state == "ready"
    apply(world, job)
    assert cells(world, job.protocol) == {(None, defense): "done"}


def test_an_entry_without_all_of_its_cells_is_evaluating_until_it_has_them(
    world: World, tmp_path: Path
) -> None:
    attack, defense = world.ranked("attack", reference=True), world.ranked("defense")
    other = world.ranked("defense")
    job = proposed(world, tmp_path)
    begin(world, job)
    killed = None
    for _ in range(2):
        batch = world.claim(now=at(12))
        for cell in batch.cells:
            if killed is None and cell.attack is not None:
                killed = cell
                continue
            assert world.finish(cell.id, batch.token, now=at(13))
        if killed in batch.cells:
            dead = killed.id
            with world.sessions.writing() as session:
                row = session.get_one(CellRow, dead)
                row.attempts = row.max_attempts - 1
                retry_cell(session, dead, batch.token, code="blob", reason="gone", now=at(13))
    assert killed is not None
    apply(world, job)
    with world.sessions.reading() as session:
        row = session.get_one(CellRow, killed.id)
    waiting = row.newcomer_id
    assert (row.place, row.state) == ("current", "dead")
    assert world.state(waiting) == "evaluating"
    assert "gone" in str(world.submission(waiting).reason)
    for entry in {attack, defense, other} - {waiting}:
        assert world.state(entry) == "ranked"
    with world.sessions.writing() as session:
        assert requeue(session, killed.id, at(30))
    world.work(now=at(31))
    assert world.state(waiting) == "ranked"


def test_data_as_before_takes_the_proposal_back(world: World, tmp_path: Path) -> None:
    world.ranked("defense")
    job = proposed(world, tmp_path)
    with world.sessions.writing() as session:
        session.get_one(BoardRow, world.board).protocol = job.protocol
        boards.sync(session, tmp_path, at(12))
        assert reevaluation.find(session, job.id).state == "cancelled"  # type: ignore[union-attr]


def test_hosts_with_other_data_leave_each_others_proposals_alone(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One has the board's data, the others have two kinds of other data."""
    world.ranked("defense")
    protocols = {"same": PROTOCOL, "one": "1" * 16, "two": "2" * 16}
    for host in ("one", "two", "same") * 2:
        monkeypatch.setattr(catalog.Board, "protocol", lambda *_, p=protocols[host]: p)
        with world.sessions.writing() as session:
            boards.sync(session, tmp_path, at(10), host=host)
    with world.sessions.reading() as session:
        found = reevaluation.jobs(session, board_id=world.board, limit=100)
        assert {(job.host, job.protocol, job.state) for job in found} == {
            ("one", "1" * 16, "proposed"),
            ("two", "2" * 16, "proposed"),
        }
        assert len(found) == 2
    monkeypatch.setattr(catalog.Board, "protocol", lambda *_: PROTOCOL)
    with world.sessions.writing() as session:
        boards.sync(session, tmp_path, at(11), host="one")
        states = {job.host: job.state for job in reevaluation.jobs(session, limit=100)}
    assert states == {"one": "cancelled", "two": "proposed"}


def test_looking_twice_proposes_once(world: World, tmp_path: Path) -> None:
    world.ranked("defense")
    assert proposed(world, tmp_path).id == proposed(world, tmp_path).id


def test_a_dead_cell_of_the_old_protocol_no_longer_keeps_its_newcomer_out(
    world: World, tmp_path: Path
) -> None:
    defense = world.evaluating("defense")
    cell_id = world.begin(world.claim())
    with world.sessions.writing() as session:
        row = session.get_one(CellRow, cell_id)
        row.state, row.finished_at = "dead", at(1)
        row.lease_owner = row.lease_token = row.lease_until = None
    change(world, tmp_path)
    world.work(now=at(11))
    assert world.state(defense) == "ranked"


def test_a_withdrawn_entry_stays_as_it_is(world: World, tmp_path: Path) -> None:
    defense = world.ranked("defense")
    with world.sessions.writing() as session:
        withdraw(session, session.get_one(Submission, defense), now=at(1))
    protocol = change(world, tmp_path)
    assert world.state(defense) == "ranked"
    assert cells(world, protocol) == {}


def test_the_reaper_settles_who_has_open_cells_of_another_protocol_only(
    world: World, tmp_path: Path
) -> None:
    """As if a process that knows nothing of protocols had left them."""
    defense = world.evaluating("defense")
    with world.sessions.writing() as session:
        session.get_one(BoardRow, world.board).protocol = "f" * 16
    with world.sessions.reading() as session:
        assert overdue(session, at(1))
    with world.sessions.writing() as session:
        assert reap(session, at(1)) == 1
    assert cells(world, "f" * 16) == {(None, defense): "queued"}


def test_what_failed_under_a_protocol_is_computed_again_when_it_comes_back(
    world: World, tmp_path: Path
) -> None:
    """The attack fails, succeeds under other data, and then the first data is there again."""
    defense, attack = world.ranked("defense"), world.evaluating("attack")
    batch = world.claim()
    cell = world.begin(batch)
    with world.sessions.writing() as session:
        assert fail_cell(session, cell, batch.token, code="time-limit", reason="slow", now=at(1))
        session.get_one(Submission, attack).state = "evaluating"
        row = session.get_one(BoardRow, world.board)
        row.protocol = "f" * 16
        session.flush()
        start_over(session, row, at(2))
    world.work(now=at(3))
    assert world.state(attack) == "ranked"
    with world.sessions.writing() as session:
        row = session.get_one(BoardRow, world.board)
        row.protocol = PROTOCOL
        session.flush()
        start_over(session, row, at(4))
    with world.sessions.reading() as session:
        assert not overdue(session, at(4))
    assert cells(world, PROTOCOL)[attack, defense] == "queued"
    world.work(now=at(5))
    assert world.state(attack) == "ranked"


def test_a_cell_of_another_protocol_is_no_work(world: World) -> None:
    world.evaluating("defense")
    with world.sessions.writing() as session:
        session.get_one(BoardRow, world.board).protocol = "f" * 16
        assert claim_cells(session, OWNER, at(1)) is None
