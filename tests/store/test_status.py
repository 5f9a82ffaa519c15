"""What the service says of itself, over both databases."""

from __future__ import annotations

from dataclasses import replace

from grbcore.store import workers
from grbcore.store.failures import Failures
from grbcore.store.line import place_of, waiters
from grbcore.store.marks import withdraw
from grbcore.store.queue import claim_validation
from grbcore.store.recovery import retry_cell, retry_validation
from grbcore.store.registration import fail_cell, finish_cell, finish_validation
from grbcore.store.status import Queue, Status, cells_by_state, status
from grbcore.store.tables import BoardRow, User
from grbcore.store.waiting import Place, in_turn
from grbcore.violations import Violation
from tests.store.world import BOARD, OWNER, RESULT, World, at

DAY = 24 * 3600
NOTHING = Queue(waiting=0, oldest=None, running=0, done=0, stopped=0)


def seen(world: World, seconds: float = 0) -> Status:
    with world.sessions.reading() as session:
        return status(session, at(seconds))


def worker(world: World, seconds: float = 0, owner: str = OWNER) -> None:
    identity = workers.Identity(owner, "cpu", {}, at(seconds))
    with world.sessions.writing() as session:
        workers.beat(session, identity, avoided={}, now=at(seconds))


def measure(world: World, cell_id: str, token: str, seconds: float, now: float = 0) -> None:
    with world.sessions.writing() as session:
        assert finish_cell(session, cell_id, token, replace(RESULT, seconds=seconds), at(now))


def test_a_service_at_rest_has_nothing_to_say(world: World) -> None:
    found = seen(world)
    assert (found.validations, found.cells, found.failures) == (NOTHING, NOTHING, [])
    assert (found.workers, found.alive, found.at_work) == ([], 0, {})


def test_queued_validations_are_counted_with_the_oldest(world: World) -> None:
    world.submit("attack", now=at(5))
    world.submit("defense", now=at(3))
    assert seen(world).validations == replace(NOTHING, waiting=2, oldest=at(3))


def test_a_validation_that_runs_is_no_longer_waiting_and_its_worker_is_at_it(world: World) -> None:
    submission_id = world.submit("attack")
    with world.sessions.writing() as session:
        claim_validation(session, OWNER, at(0))
    found = seen(world)
    assert found.validations == replace(NOTHING, running=1)
    work = found.at_work[OWNER]
    assert (work.kind, work.submission.id) == ("validation", submission_id)


def test_a_withdrawn_submission_waits_for_nothing(world: World) -> None:
    submission_id = world.submit("attack")
    with world.sessions.writing() as session:
        withdraw(session, session.get_one(type(world.submission(submission_id)), submission_id),
                 now=at(1))  # fmt: skip
    assert seen(world).validations.waiting == 0


def test_cells_are_counted_by_what_becomes_of_them(world: World) -> None:
    world.ranked("attack")
    world.ranked("attack")
    defense = world.evaluating("defense", now=at(7))
    assert seen(world, 8).cells == replace(NOTHING, waiting=3, oldest=at(7))
    batch = world.claim(now=at(8), limit=2)
    found = seen(world, 8)
    assert found.cells == replace(NOTHING, waiting=1, oldest=at(7), running=2)
    work = found.at_work[OWNER]
    assert (work.kind, work.submission.id, work.cells) == ("cells", defense, 2)
    world.finish(batch.cells[0].id, batch.token, now=at(9))
    assert seen(world, 9).cells.done == 1
    with world.sessions.reading() as session:
        assert cells_by_state(session) == {"done": 1, "queued": 1, "running": 1}


def test_what_was_done_more_than_a_day_ago_is_not_counted(world: World) -> None:
    world.ranked("defense")
    assert (seen(world, DAY).cells.done, seen(world, DAY).validations.done) == (1, 1)
    assert (seen(world, DAY + 1).cells.done, seen(world, DAY + 1).validations.done) == (0, 0)


def test_cells_of_an_older_protocol_are_not_in_the_queue(world: World) -> None:
    world.evaluating("defense")
    with world.sessions.writing() as session:
        session.get_one(BoardRow, BOARD).protocol = "f" * 16
    assert seen(world).cells == NOTHING


def test_failures_are_told_apart_by_whose_fault_they_are(world: World) -> None:
    rejected = world.submit("attack")
    with world.sessions.writing() as session:
        leased = claim_validation(session, OWNER, at(0))
        assert leased is not None and leased.entry.id == rejected
        fault = Violation("format", "full/0", "found", "allowed")
        finish_validation(session, rejected, leased.token, [fault], at(0))
    world.evaluating("defense")
    batch = world.claim()
    with world.sessions.writing() as session:
        cell = batch.cells[0].id
        fail_cell(session, cell, batch.token, code="time-limit", reason="slow", now=at(0))
    world.evaluating("defense")
    batch = world.claim()
    with world.sessions.writing() as session:
        cell = batch.cells[0].id
        retry_cell(session, cell, batch.token, code="blob", reason="away", now=at(0))
    assert seen(world).failures == [
        Failures("submission", "validation", "invalid-file", "rejected", 1),
        Failures("submission", "cells", "time-limit", "failed", 1),
        Failures("infrastructure", "cells", "blob", "retried", 1),
    ]


def test_a_dead_cell_is_a_failure_of_the_infrastructure_and_waits(world: World) -> None:
    world.evaluating("defense")
    for second in (0, 100):
        batch = world.claim(now=at(second))
        with world.sessions.writing() as session:
            cell = batch.cells[0].id
            retry_cell(
                session, cell, batch.token, code="died", reason="", killed=True, now=at(second)
            )
    found = seen(world, 100)
    assert found.failures == [Failures("infrastructure", "cells", "died", "dead", 1)]
    assert found.cells == replace(NOTHING, stopped=1)


def test_a_cell_done_at_the_second_try_is_told_as_recovered(world: World) -> None:
    world.evaluating("defense")
    batch = world.claim()
    with world.sessions.writing() as session:
        cell = batch.cells[0].id
        retry_cell(session, cell, batch.token, code="blob", reason="away", now=at(0))
    world.work(now=at(100))
    recovered = Failures("infrastructure", "cells", "any", "recovered", 1)
    assert seen(world, 100).failures == [recovered]


def test_a_validation_that_was_given_up_waits_for_an_admin(world: World) -> None:
    submission_id = world.submit("attack")
    for attempt in range(4):
        with world.sessions.writing() as session:
            leased = claim_validation(session, OWNER, at(60 * attempt))
            assert leased is not None
            retry_validation(session, submission_id, leased.token, reason="x", now=at(60 * attempt))
    found = seen(world, 200)
    assert found.validations == replace(NOTHING, stopped=1)
    assert found.failures == [Failures("infrastructure", "validation", "no-answer", "stopped", 1)]


def test_a_board_tells_its_median_and_what_a_newcomer_may_expect(world: World) -> None:
    worker(world)
    for _ in range(3):
        world.ranked("attack")
    world.evaluating("defense")
    batch = world.claim()
    for cell, seconds in zip(batch.cells, (1.0, 2.0, 4.0, 50.0), strict=True):
        measure(world, cell.id, batch.token, seconds)
    (board,) = seen(world).boards
    assert board.cell_seconds == 3.0
    assert board.counterparts == {"attack": 3, "defense": 1}
    assert board.expected == {"attack": 3.0, "defense": 4 * 3.0}


def test_without_history_nothing_is_expected(world: World) -> None:
    worker(world)
    (board,) = seen(world).boards
    assert (board.cell_seconds, board.expected) == (None, {"attack": None, "defense": None})


def test_what_waits_adds_to_the_expected_wait(world: World) -> None:
    worker(world)
    world.ranked("defense")  # 0.5 s
    world.submit("defense")
    (board,) = seen(world).boards
    assert board.expected == {"attack": 0.5 + 0.5, "defense": 0.5 + 0.5}


def test_the_line_is_the_order_in_which_validations_are_claimed(world: World) -> None:
    bob = world.another_user("bob")
    submitted = [world.submit("attack", now=at(second)) for second in (1, 2)]
    submitted.append(world.submit("attack", user=bob, now=at(3)))
    with world.sessions.reading() as session:
        line = [waiter.submission_id for waiter in in_turn(waiters(session))]
    claimed = []
    for second in range(3):
        with world.sessions.writing() as session:
            leased = claim_validation(session, OWNER, at(10 + second))
            assert leased is not None
            claimed.append(leased.entry.id)
    assert line == claimed == [submitted[0], submitted[2], submitted[1]]


def test_the_line_is_the_order_in_which_cells_are_claimed(world: World) -> None:
    bob = world.another_user("bob")
    newcomers = [world.evaluating("defense", now=at(second)) for second in (1, 2)]
    third = world.submit("defense", user=bob, now=at(3))
    assert world.validate(now=at(3)) == third
    with world.sessions.writing() as session:
        session.query(User).update({"served_at": None})
    with world.sessions.reading() as session:
        line = [waiter.submission_id for waiter in in_turn(waiters(session))]
    claimed = [world.claim(now=at(10 + second)).newcomer_id for second in range(3)]
    assert line == claimed == [newcomers[0], third, newcomers[1]]


def test_a_submission_knows_its_place(world: World) -> None:
    worker(world)
    ranked = world.ranked("defense")
    first = world.submit("defense", now=at(1))
    second = world.submit("defense", now=at(2))
    with world.sessions.reading() as session:
        assert place_of(session, first, at(3)) == Place(1, 2, 0.5)
        assert place_of(session, second, at(3)) == Place(2, 2, 1.0)
        assert place_of(session, ranked, at(3)) is None
