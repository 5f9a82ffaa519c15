"""A board whose data or rules changed evaluates its entries anew, whatever was open before."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select

from grbcore.store import boards
from grbcore.store.marks import withdraw
from grbcore.store.queue import claim_cells
from grbcore.store.recovery import overdue, reap
from grbcore.store.tables import BoardRow, CellRow, Submission
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


def test_every_ranked_entry_gets_its_cells_under_the_new_protocol(
    world: World, tmp_path: Path
) -> None:
    attack, defense = world.ranked("attack", reference=True), world.ranked("defense")
    protocol = change(world, tmp_path)
    world.work(now=at(11))
    assert cells(world, protocol) == {(None, defense): "done", (attack, defense): "done"}
    assert [world.state(attack), world.state(defense)] == ["ranked", "ranked"]


def test_the_results_of_the_old_protocol_are_kept(world: World, tmp_path: Path) -> None:
    defense = world.ranked("defense")
    change(world, tmp_path)
    assert cells(world, PROTOCOL) == {(None, defense): "done"}


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


def test_a_cell_of_another_protocol_is_no_work(world: World) -> None:
    world.evaluating("defense")
    with world.sessions.writing() as session:
        session.get_one(BoardRow, world.board).protocol = "f" * 16
        assert claim_cells(session, OWNER, at(1)) is None
