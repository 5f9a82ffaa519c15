"""Registration: when an entry counts, and that no pair is ever left out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import event, update

from grbcore.store import marks
from grbcore.store.queue import claim_validation, pending
from grbcore.store.recovery import overdue, reap
from grbcore.store.reevaluation import NotPossible
from grbcore.store.registration import fail_cell, finish_cell, finish_validation
from grbcore.store.tables import CellRow, Submission
from grbcore.violations import Violation
from tests.store.world import OWNER, RESULT, START, World, at


def test_a_defense_without_counterparts_needs_its_clean_cell_only(world: World) -> None:
    defense = world.evaluating("defense")
    assert world.cells() == {(None, defense): "queued"}
    world.work()
    assert world.state(defense) == "ranked"


def test_an_attack_without_counterparts_is_registered_when_it_is_valid(world: World) -> None:
    attack = world.evaluating("attack")
    assert (world.state(attack), world.cells()) == ("ranked", {})


def test_an_entry_is_registered_with_its_last_cell_and_not_before(world: World) -> None:
    world.ranked("attack")
    defense = world.evaluating("defense")
    batch = world.claim()
    states = []
    for cell in batch.cells:
        world.finish(cell.id, batch.token, now=at(1))
        states.append(world.state(defense))
    assert states == ["evaluating", "ranked"]
    assert world.submission(defense).registered_at == at(1)


def test_registering_raises_the_revision_by_one(world: World) -> None:
    before = world.revision()
    world.ranked("defense")
    assert world.revision() == before + 1


def test_a_result_is_stored_with_the_state(world: World) -> None:
    world.ranked("defense")
    (row,) = [world.cell(cell_id) for cell_id in _ids(world)]
    assert (row.state, row.correct, row.total) == ("done", {"full": [7, 8, 9]}, {"full": 10})
    assert row.not_finite == {"full": [0, 1, 0]}
    assert (row.hits_sha256, row.device, row.seconds) == ("a" * 64, "cpu", 0.5)


def test_result_state_and_registration_are_one_transaction(world: World) -> None:
    """Whatever statement fails, either all of it is stored or nothing is."""
    world.ranked("attack")
    for stop in range(1, 30):
        defense = world.evaluating("defense")
        batch = world.claim()
        world.finish(batch.cells[0].id, batch.token)
        last = batch.cells[1].id
        revision = world.revision()
        if _fails_at(stop, world, lambda cell=last, token=batch.token: world.finish(cell, token)):
            assert (world.cell(last).state, world.state(defense)) == ("running", "evaluating")
            assert world.revision() == revision
            assert world.finish(last, batch.token)
        assert (world.cell(last).state, world.state(defense)) == ("done", "ranked")
        assert world.revision() == revision + 1
        if stop > 12:
            break


def test_an_invalid_submission_is_rejected_with_every_violation(world: World) -> None:
    submission_id = world.submit("attack")
    fault = Violation("node-range", "hard/3/edges[1842]", "node 2709", "0..2699")
    with world.sessions.writing() as session:
        leased = claim_validation(session, OWNER, START)
        assert leased is not None
        assert finish_validation(session, submission_id, leased.token, [fault], START)
    row = world.submission(submission_id)
    assert (row.state, row.violations) == ("rejected", [fault.as_dict()])
    assert world.cells() == {}


def test_a_failed_cell_fails_the_newcomer_and_nobody_else(world: World) -> None:
    attacks = [world.ranked("attack") for _ in range(2)]
    defense = world.evaluating("defense")
    batch = world.claim(limit=2)
    with world.sessions.writing() as session:
        reason = "the logits have 3 columns"
        assert fail_cell(
            session, batch.cells[1].id, batch.token, code="shape", reason=reason, now=at(1)
        )
    assert (world.state(defense), world.submission(defense).reason) == ("failed", reason)
    assert [world.state(attack) for attack in attacks] == ["ranked", "ranked"]


def test_the_open_cells_of_a_failed_submission_are_removed(world: World) -> None:
    for _ in range(3):
        world.ranked("attack")
    world.evaluating("defense")
    batch = world.claim(limit=2)
    world.finish(batch.cells[0].id, batch.token)
    with world.sessions.writing() as session:
        fail_cell(session, batch.cells[1].id, batch.token, code="x", reason="x", now=at(1))
    assert world.states() == {"done": 1, "failed": 1}
    with world.sessions.reading() as session:
        assert not pending(session, at(99))


def test_a_newcomer_is_evaluated_against_who_was_registered_before_it(world: World) -> None:
    attack = world.ranked("attack")
    failed = world.evaluating("attack")
    with world.sessions.writing() as session:
        session.execute(update(Submission).where(Submission.id == failed).values(state="failed"))
    world.evaluating("attack")
    defense = world.evaluating("defense")
    assert (attack, defense) in world.cells()
    assert (failed, defense) not in world.cells()


def test_a_newcomer_gets_the_cell_of_who_is_registered_while_it_is_evaluated(
    world: World,
) -> None:
    first = world.ranked("defense")
    attack = world.evaluating("attack")
    defense = world.evaluating("defense")
    attacks, defenses = world.claim(), world.claim()
    assert (attacks.newcomer_id, defenses.newcomer_id) == (attack, defense)
    world.finish(attacks.cells[0].id, attacks.token)
    assert world.state(attack) == "ranked"
    assert world.cells()[(attack, defense)] == "queued"
    world.finish(defenses.cells[0].id, defenses.token)
    assert world.state(defense) == "evaluating"
    world.work()
    assert world.state(defense) == "ranked"
    assert set(world.cells()) == {
        (None, first), (None, defense), (attack, first), (attack, defense),
    }  # fmt: skip


@pytest.mark.parametrize("attempt", range(8))
def test_two_newcomers_on_opposite_sides_always_meet(world: World, attempt: int) -> None:
    world.ranked("defense")
    world.ranked("attack")
    attack = world.evaluating("attack")
    defense = world.evaluating("defense")
    batches = [world.claim(), world.claim()]
    with world.sessions.writing() as session:  # all but the last cell of each
        for batch in batches:
            for cell in batch.cells[:-1]:
                finish_cell(session, cell.id, batch.token, RESULT, at(1))
    start = Barrier(2)

    def finish(index: int) -> bool:
        batch = batches[index]
        start.wait()
        return world.finish(batch.cells[-1].id, batch.token, now=at(2))

    with ThreadPoolExecutor(2) as threads:
        assert all(threads.map(finish, [attempt % 2, 1 - attempt % 2]))
    assert sorted([world.state(attack), world.state(defense)]) == ["evaluating", "ranked"]
    world.work(now=at(3))
    assert [world.state(attack), world.state(defense)] == ["ranked", "ranked"]
    assert world.cells()[(attack, defense)] == "done"


def test_two_valid_newcomers_settle_at_once_without_a_deadlock(world: World) -> None:
    world.ranked("attack")
    leases = []
    for side in ("attack", "defense") * 4:
        world.submit(side)  # type: ignore[arg-type]
        with world.sessions.writing() as session:
            leased = claim_validation(session, OWNER, START)
            assert leased is not None
            leases.append(leased)
    start = Barrier(len(leases))

    def finish(index: int) -> bool:
        start.wait()
        with world.sessions.writing() as session:
            entry = leases[index].entry
            return finish_validation(session, entry.id, leases[index].token, [], at(1))

    with ThreadPoolExecutor(len(leases)) as threads:
        assert all(threads.map(finish, range(len(leases))))
    world.work(now=at(2))
    ids = {
        side: [x.entry.id for x in leases if x.entry.side == side] for side in ("attack", "defense")
    }
    cells = world.cells()
    assert all((a, d) in cells for a in ids["attack"] for d in ids["defense"])
    assert set(cells.values()) == {"done"}


def test_a_dead_cell_keeps_the_newcomer_out_and_nobody_else(world: World) -> None:
    world.ranked("attack")
    stuck = world.evaluating("defense")
    batch = world.claim(limit=1)
    with world.sessions.writing() as session:
        session.execute(
            update(CellRow)
            .where(CellRow.id == batch.cells[0].id)
            .values(state="dead", lease_owner=None, lease_token=None, lease_until=None)
        )
    world.work()
    assert world.state(stuck) == "evaluating"
    assert world.state(world.ranked("defense")) == "ranked"
    assert world.state(world.ranked("attack")) == "ranked"


def test_withdrawing_an_entry_frees_newcomers_that_waited_for_it(world: World) -> None:
    attack = world.ranked("attack")
    defense = world.evaluating("defense")
    batch = world.claim(limit=1)
    world.finish(batch.cells[0].id, batch.token)
    assert world.state(defense) == "evaluating"
    _mark(world, "withdraw", attack)
    assert world.state(defense) == "ranked"
    assert world.cells() == {(None, defense): "done"}


def test_a_withdrawn_entry_is_no_counterpart(world: World) -> None:
    attack = world.ranked("attack")
    before = world.revision()
    _mark(world, "withdraw", attack)
    assert world.revision() == before + 1
    defense = world.evaluating("defense")
    assert (attack, defense) not in world.cells()


def test_a_withdrawn_newcomer_is_worked_on_no_more(world: World) -> None:
    world.submit("attack")
    defense = world.submit("defense", now=at(-1))
    world.validate()
    for submission_id in (defense, _other(world, defense)):
        _mark(world, "withdraw", submission_id)
    with world.sessions.reading() as session:
        assert not pending(session, at(99))
        assert not overdue(session, at(99))


def test_a_hidden_reference_is_still_a_counterpart(world: World) -> None:
    attack = world.ranked("attack", reference=True)
    _mark(world, "hide", attack)
    defense = world.evaluating("defense")
    assert (attack, defense) in world.cells()


def test_a_reference_can_not_be_withdrawn(world: World) -> None:
    attack = world.ranked("attack", reference=True)
    with pytest.raises(NotPossible):
        _mark(world, "withdraw", attack)


def test_an_entry_that_is_shown_again_catches_up_before_it_is_ranked(world: World) -> None:
    attack = world.ranked("attack")
    _mark(world, "hide", attack)
    defense = world.ranked("defense")
    _mark(world, "show", attack)
    assert world.state(attack) == "evaluating"
    assert world.cells()[(attack, defense)] == "queued"
    world.work(now=at(6))
    assert world.state(attack) == "ranked"


def test_an_entry_that_missed_nothing_is_ranked_as_soon_as_it_is_shown(world: World) -> None:
    attack = world.ranked("attack")
    registered = world.submission(attack).registered_at
    _mark(world, "hide", attack)
    defense = world.evaluating("defense")
    _mark(world, "show", attack)
    row = world.submission(attack)
    assert (row.state, row.registered_at) == ("ranked", registered)
    assert world.cells()[(attack, defense)] == "queued"


def test_the_reaper_settles_what_was_left_unsettled(world: World) -> None:
    defense = world.ranked("defense")
    with world.sessions.writing() as session:
        changed = update(Submission).where(Submission.id == defense)
        session.execute(changed.values(state="evaluating", registered_at=None))
    with world.sessions.writing() as session:
        assert overdue(session, at(1))
        reap(session, at(1))
    assert world.state(defense) == "ranked"


def _ids(world: World) -> list[str]:
    with world.sessions.reading() as session:
        return [row.id for row in session.query(CellRow)]


def _other(world: World, submission_id: str) -> str:
    with world.sessions.reading() as session:
        return next(row.id for row in session.query(Submission) if row.id != submission_id)


def _mark(world: World, name: str, submission_id: str) -> None:
    with world.sessions.writing() as session:
        row = session.get_one(Submission, submission_id)
        getattr(marks, name)(session, row, now=at(5))


def _fails_at(statement: int, world: World, act: object) -> bool:
    """Do ``act`` with the database failing at this statement; whether it did."""
    seen = 0

    def fail(*_arguments: object) -> None:
        nonlocal seen
        seen += 1
        if seen == statement:
            raise ConnectionError("the database went away")

    event.listen(world.sessions.engine, "before_cursor_execute", fail)
    try:
        act()  # type: ignore[operator]
    except ConnectionError:
        return True
    finally:
        event.remove(world.sessions.engine, "before_cursor_execute", fail)
    return False
