"""Leases: who may work on what, and what happens when a worker is gone."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update

from grbcore.store.leases import LEASE
from grbcore.store.queue import (
    NEW,
    claim_cells,
    claim_validation,
    heartbeat,
    pending,
    release,
)
from grbcore.store.recovery import (
    overdue,
    reap,
    release_predecessors,
    requeue,
    retry_cell,
    retry_validation,
    revalidate,
    time_out_cell,
)
from grbcore.store.registration import fail_cell, finish_validation
from grbcore.store.session import Sessions, connect
from grbcore.store.tables import CellRow
from tests.store import databases
from tests.store.world import OWNER, START, World, at

AFTER = LEASE.total_seconds() + 1


def test_a_batch_holds_the_clean_cell_first_and_then_every_counterpart(world: World) -> None:
    attacks = [world.ranked("attack") for _ in range(3)]
    world.evaluating("defense")
    batch = world.claim()
    order = [cell.attack and cell.attack.id for cell in batch.cells]
    assert order[0] is None
    assert set(order[1:]) == set(attacks)


def test_a_batch_holds_cells_of_one_newcomer_only(world: World) -> None:
    first = world.evaluating("defense")
    second = world.evaluating("defense", now=at(1))
    assert [world.claim(now=at(2)).newcomer_id for _ in range(2)] == [first, second]


def test_a_batch_holds_no_more_cells_than_asked_for(world: World) -> None:
    for _ in range(3):
        world.ranked("attack")
    world.evaluating("defense")
    assert len(world.claim(limit=2).cells) == 2
    assert len(world.claim(limit=9).cells) == 2


def test_an_expired_lease_is_queued_again_with_one_more_attempt(world: World) -> None:
    world.evaluating("defense")
    cell_id = world.begin(world.claim())
    with world.sessions.writing() as session:
        assert reap(session, at(AFTER)) == 1
    cell = world.cell(cell_id)
    assert (cell.state, cell.attempts, cell.lease_token) == ("queued", 1, None)


def test_a_lease_that_has_not_expired_is_left_alone(world: World) -> None:
    world.evaluating("defense")
    cell_id = world.begin(world.claim())
    with world.sessions.writing() as session:
        assert not overdue(session, at(AFTER - 2))
        assert reap(session, at(AFTER - 2)) == 0
    assert world.cell(cell_id).state == "running"


def test_an_expired_cell_whose_computation_had_not_begun_is_not_charged(world: World) -> None:
    world.ranked("attack")
    world.evaluating("defense")
    batch = world.claim()
    world.begin(batch)
    with world.sessions.writing() as session:
        reap(session, at(AFTER))
    assert [world.cell(cell.id).attempts for cell in batch.cells] == [1, 0]


def test_a_cell_is_dead_after_its_last_attempt_and_its_submission_says_why(world: World) -> None:
    newcomer = world.evaluating("defense")
    for attempt in range(4):
        now = at(attempt * 2 * AFTER)
        cell_id = world.begin(world.claim(now=now), now=now)
        with world.sessions.writing() as session:
            reap(session, at((attempt * 2 + 1) * AFTER))
    cell = world.cell(cell_id)
    assert (cell.state, cell.attempts) == ("dead", 4)
    assert world.state(newcomer) == "evaluating"
    assert cell_id in (world.submission(newcomer).reason or "")


def test_a_heartbeat_extends_every_cell_of_a_lease(world: World) -> None:
    world.ranked("attack")
    world.evaluating("defense")
    batch = world.claim()
    with world.sessions.writing() as session:
        assert heartbeat(session, [batch.token], at(30)) == {batch.token}
    with world.sessions.writing() as session:
        assert reap(session, at(AFTER)) == 0
        assert reap(session, at(30 + AFTER)) == 2


def test_a_heartbeat_extends_a_validation(world: World) -> None:
    world.submit("attack")
    with world.sessions.writing() as session:
        leased = claim_validation(session, OWNER, START)
        assert leased is not None
    with world.sessions.writing() as session:
        assert heartbeat(session, [leased.token], at(30)) == {leased.token}
        assert reap(session, at(AFTER)) == 0


def test_a_heartbeat_tells_that_a_lease_is_lost(world: World) -> None:
    world.evaluating("defense")
    batch = world.claim()
    with world.sessions.writing() as session:
        reap(session, at(AFTER))
    with world.sessions.writing() as session:
        assert heartbeat(session, [batch.token], at(AFTER)) == set()


def test_a_result_with_an_old_token_is_dropped(world: World) -> None:
    newcomer = world.evaluating("defense")
    old = world.claim()
    with world.sessions.writing() as session:
        reap(session, at(AFTER))
    new = world.claim(now=at(AFTER))
    assert not world.finish(old.cells[0].id, old.token)
    assert world.cell(old.cells[0].id).state == "running"
    assert world.state(newcomer) == "evaluating"
    assert world.finish(new.cells[0].id, new.token)


def test_a_failure_with_an_old_token_is_dropped(world: World) -> None:
    newcomer = world.evaluating("defense")
    old = world.claim()
    cell_id = old.cells[0].id
    with world.sessions.writing() as session:
        reap(session, at(AFTER))
    with world.sessions.writing() as session:
        assert not fail_cell(session, cell_id, old.token, code="x", reason="x", now=at(AFTER))
        assert not retry_cell(session, cell_id, old.token, code="x", reason="x", now=at(AFTER))
        assert not time_out_cell(session, cell_id, old.token, seconds=60, now=at(AFTER))
    assert (world.cell(cell_id).state, world.state(newcomer)) == ("queued", "evaluating")


def test_a_verdict_with_an_old_token_is_dropped(world: World) -> None:
    submission_id = world.submit("attack")
    with world.sessions.writing() as session:
        old = claim_validation(session, OWNER, START)
        assert old is not None
    with world.sessions.writing() as session:
        assert reap(session, at(AFTER)) == 1
    with world.sessions.writing() as session:
        assert not finish_validation(session, submission_id, old.token, [], at(AFTER))
        assert not retry_validation(session, submission_id, old.token, reason="x", now=at(AFTER))
    assert world.state(submission_id) == "received"


def test_many_threads_claim_each_cell_once(world: World) -> None:
    for _ in range(12):
        world.ranked("attack")
    world.evaluating("defense")
    claimed: Counter[str] = Counter()

    def claim(number: int) -> None:
        while True:
            with world.sessions.reading() as session:
                if not pending(session, START):
                    return
            with world.sessions.writing() as session:
                batch = claim_cells(session, f"host/{number}/x", START, limit=2)
            claimed.update(cell.id for cell in batch.cells) if batch else None

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(claim, range(8)))
    assert len(claimed) == 13
    assert set(claimed.values()) == {1}


def test_many_threads_claim_a_validation_once(world: World) -> None:
    world.submit("attack")

    def claim(number: int) -> bool:
        with world.sessions.writing() as session:
            return claim_validation(session, f"host/{number}/x", START) is not None

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(claim, range(16))) == 1


def test_a_released_lease_is_queued_again_uncharged(world: World) -> None:
    world.ranked("attack")
    world.evaluating("defense")
    batch = world.claim()
    world.begin(batch)
    with world.sessions.writing() as session:
        assert release(session, batch.token, at(1)) == 2
    assert world.states() == {"queued": 2}
    assert world.cell(batch.cells[0].id).attempts == 0


def test_a_released_validation_waits_again(world: World) -> None:
    submission_id = world.submit("attack")
    with world.sessions.writing() as session:
        leased = claim_validation(session, OWNER, START)
        assert leased is not None
    with world.sessions.writing() as session:
        assert release(session, leased.token, at(1)) == 1
    row = world.submission(submission_id)
    assert (row.state, row.attempts) == ("received", 0)


def test_a_dead_predecessor_on_this_host_is_released_at_once(world: World) -> None:
    world.evaluating("defense")
    cell_id = world.begin(world.claim(owner="host/1/first"))
    with world.sessions.writing() as session:
        assert release_predecessors(session, "host", lambda owner: False, at(1)) == 1
    cell = world.cell(cell_id)
    assert (cell.state, cell.attempts) == ("queued", 1)
    assert cell.queued_at <= at(1)


def test_a_living_worker_and_another_host_keep_their_leases(world: World) -> None:
    for _ in range(3):
        world.evaluating("defense")
    world.claim(owner="host/1/alive")
    world.claim(owner="host2/2/elsewhere")
    world.claim(owner="h_st/2/elsewhere")
    with world.sessions.writing() as session:
        assert release_predecessors(session, "host", lambda owner: "/1/" in owner, at(1)) == 0
        assert release_predecessors(session, "h_st", lambda owner: False, at(1)) == 1


def test_a_lease_that_another_worker_took_meanwhile_is_not_stolen(postgres_url: str) -> None:
    """Between the look-up and the locks; SQLite's one writer leaves no such moment."""
    databases.empty(postgres_url)
    world = World(Sessions(connect(postgres_url)))
    world.evaluating("defense")
    first = world.claim(owner="host/1/first")

    def dead(owner: str) -> bool:
        with world.sessions.writing() as session:
            release(session, first.token, at(1))
        world.begin(world.claim(owner="host/2/second", now=at(1)))
        return False

    with world.sessions.writing() as session:
        assert release_predecessors(session, "host", dead, at(1)) == 0
    assert world.cell(first.cells[0].id).lease_owner == "host/2/second"
    world.sessions.engine.dispose()


def test_a_dead_predecessors_validation_waits_again(world: World) -> None:
    submission_id = world.submit("attack")
    with world.sessions.writing() as session:
        claim_validation(session, "host/1/first", START)
    with world.sessions.writing() as session:
        assert release_predecessors(session, "host", lambda owner: False, at(1)) == 1
    row = world.submission(submission_id)
    assert (row.state, row.attempts) == ("received", 1)


def test_a_retried_cell_waits_longer_each_time(world: World) -> None:
    world.evaluating("defense")
    now = START
    waits = []
    for _ in range(3):
        batch = world.claim(now=now)
        cell_id = world.begin(batch, now=now)
        with world.sessions.writing() as session:
            assert retry_cell(session, cell_id, batch.token, code="disk", reason="full", now=now)
        waits.append((world.cell(cell_id).queued_at - now).total_seconds())
        now = world.cell(cell_id).queued_at
    assert waits == [5, 15, 45]


def test_a_cell_that_waits_is_not_pending(world: World) -> None:
    world.evaluating("defense")
    batch = world.claim()
    with world.sessions.writing() as session:
        retry_cell(session, batch.cells[0].id, batch.token, code="x", reason="x", now=START)
    with world.sessions.reading() as session:
        assert not pending(session, at(4))
        assert pending(session, at(5))


@pytest.mark.parametrize("validated", [True, False])
def test_what_the_same_user_sent_beside_a_submission_is_no_reason_to_end_its_turn(
    world: World, validated: bool
) -> None:
    add = world.evaluating if validated else world.submit
    first = world.evaluating("defense")
    world.claim()
    add("defense")
    others = []
    for user in (None, world.another_user("bob")):
        if user is not None:
            add("defense", user=user)
        with world.sessions.reading() as session:
            assert pending(session, at(1))
            others.append(pending(session, at(1), priority=NEW, beside=first))
    assert others == [False, True]


def test_a_cell_that_killed_two_evaluators_is_put_aside(world: World) -> None:
    newcomer = world.evaluating("defense")
    for now in (START, at(100)):
        batch = world.claim(now=now)
        cell_id = world.begin(batch, now=now)
        with world.sessions.writing() as session:
            retry_cell(
                session,
                cell_id,
                batch.token,
                code="killed",
                reason="signal 9",
                killed=True,
                now=now,
            )
    cell = world.cell(cell_id)
    assert (cell.state, cell.infra_failures) == ("dead", 2)
    assert "signal 9" in (cell.reason or "")
    assert world.state(newcomer) == "evaluating"


def test_a_cell_that_exceeds_its_time_twice_fails_its_newcomer(world: World) -> None:
    newcomer = world.evaluating("defense")
    states = []
    for now in (START, at(100)):
        batch = world.claim(now=now)
        cell_id = world.begin(batch, now=now)
        with world.sessions.writing() as session:
            assert time_out_cell(session, cell_id, batch.token, seconds=60, now=now)
        states.append((world.cell(cell_id).state, world.state(newcomer)))
    assert states == [("queued", "evaluating"), ("failed", "failed")]


def test_a_dead_cell_that_is_requeued_starts_afresh_and_completes_its_submission(
    world: World,
) -> None:
    newcomer = world.evaluating("defense")
    for now in (START, at(100)):
        batch = world.claim(now=now)
        cell_id = world.begin(batch, now=now)
        with world.sessions.writing() as session:
            retry_cell(session, cell_id, batch.token, code="k", reason="k", killed=True, now=now)
    with world.sessions.writing() as session:
        assert requeue(session, cell_id, at(200))
        assert not requeue(session, cell_id, at(200))
    cell = world.cell(cell_id)
    assert (cell.state, cell.attempts, cell.infra_failures) == ("queued", 0, 0)
    assert world.submission(newcomer).reason is None
    world.work(now=at(200))
    assert world.state(newcomer) == "ranked"


def test_a_validation_without_an_answer_stops_after_four_attempts_until_an_admin_acts(
    world: World,
) -> None:
    submission_id = world.submit("attack")
    for attempt in range(4):
        with world.sessions.writing() as session:
            leased = claim_validation(session, OWNER, at(60 * attempt))
            assert leased is not None
            retry_validation(
                session, submission_id, leased.token, reason="killed", now=at(60 * attempt)
            )
    with world.sessions.writing() as session:
        assert claim_validation(session, OWNER, at(9999)) is None
        assert not pending(session, at(9999))
        assert revalidate(session, submission_id)
        assert pending(session, START)


def test_a_spoiled_validation_waits_5_15_and_45_seconds(world: World) -> None:
    submission_id = world.submit("attack")
    moment = 0.0
    for pause in (5, 15, 45):
        with world.sessions.writing() as session:
            leased = claim_validation(session, OWNER, at(moment))
            assert leased is not None
            retry_validation(session, submission_id, leased.token, reason="killed", now=at(moment))
        with world.sessions.reading() as session:
            assert not pending(session, at(moment + pause - 1))
            assert pending(session, at(moment + pause))
        moment += pause


def test_users_take_turns_with_validations(world: World) -> None:
    bob = world.another_user("bob")
    of_ann = [world.submit("attack", now=at(i)) for i in range(3)]
    of_bob = [world.submit("attack", user=bob, now=at(10 + i)) for i in range(2)]
    order = [world.validate(now=at(20 + i)) for i in range(5)]
    assert order == [of_ann[0], of_bob[0], of_ann[1], of_bob[1], of_ann[2]]


def test_users_take_turns_with_cells(world: World) -> None:
    bob = world.another_user("bob")
    of_ann = [world.submit("defense", now=at(i)) for i in range(3)]
    of_bob = world.submit("defense", user=bob, now=at(10))
    for i in range(4):
        world.validate(now=at(20 + i))
    order = [world.claim(now=at(30 + i)).newcomer_id for i in range(4)]
    assert order.index(of_bob) <= 1
    assert [one for one in order if one != of_bob] == of_ann


def test_an_urgent_cell_goes_before_anybodys_turn(world: World) -> None:
    bob = world.another_user("bob")
    world.submit("defense", now=at(0))
    bulk = world.submit("defense", user=bob, now=at(1))
    for i in range(2):
        world.validate(now=at(2 + i))
    with world.sessions.writing() as session:
        session.execute(update(CellRow).where(CellRow.newcomer_id == bulk).values(priority=9))
    order = [world.claim(now=at(4 + i)).newcomer_id for i in range(2)]
    assert order[1] == bulk


def test_nothing_is_pending_on_an_idle_board(world: World) -> None:
    world.ranked("attack")
    with world.sessions.reading() as session:
        assert not pending(session, at(9))
        assert not overdue(session, at(9))


def test_work_on_an_excluded_board_is_left_to_others(world: World) -> None:
    world.evaluating("defense")
    world.submit("attack")
    with world.sessions.writing() as session:
        assert not pending(session, START, excluding={world.board})
        assert claim_cells(session, OWNER, START, excluding={world.board}) is None
        assert claim_validation(session, OWNER, START, excluding={world.board}) is None


def test_cells_are_leased_only_while_they_run(sessions: Sessions, world: World) -> None:
    world.ranked("attack")
    world.evaluating("defense")
    world.claim(limit=1)
    with sessions.reading() as session:
        rows = session.scalars(select(CellRow)).all()
    assert all((row.lease_token is not None) == (row.state == "running") for row in rows)
