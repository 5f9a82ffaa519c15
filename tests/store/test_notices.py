"""Notices: written with the change that they tell of, each delivered by one deliverer at a time."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import select

from grbcore.store import addresses, notices, recovery
from grbcore.store.locks import lock_board
from grbcore.store.notices import LeasedNotice
from grbcore.store.queue import claim_validation
from grbcore.store.registration import fail_cell, finish_validation, rejoin, settle
from grbcore.store.tables import CellRow, NoticeRow, Submission, User
from grbcore.violations import Violation
from tests.store.world import OWNER, World, at

URL = "https://lab.org/grb"


def webhook(world: World, user: str | None = None) -> str:
    """Tell this user, or the first one, by webhook; the secret."""
    with world.sessions.writing() as session:
        owner = addresses.locked(session, user or world.user)
        secret = addresses.set_webhook(session, owner, URL)
    assert secret is not None
    return secret


def mail(world: World, *, confirmed: bool = True) -> str:
    """Tell the first user by mail; the token that confirms the address."""
    with world.sessions.writing() as session:
        owner = addresses.locked(session, world.user)
        token = addresses.set_email(session, owner, "ann@lab.org")
        if confirmed:
            addresses.confirm(session, token, at(0))
    return token


def rows(world: World) -> list[NoticeRow]:
    with world.sessions.reading() as session:
        return list(session.scalars(select(NoticeRow).order_by(NoticeRow.id)))


def written(world: World) -> list[tuple[str, str]]:
    return sorted((row.event, row.channel) for row in rows(world))


def claim(world: World, seconds: float = 0) -> LeasedNotice | None:
    with world.sessions.writing() as session:
        return notices.claim(session, at(seconds))


def claimed(world: World, seconds: float = 0) -> LeasedNotice:
    found = claim(world, seconds)
    assert found is not None
    return found


def reject(world: World) -> str:
    submission = world.submit("defense")
    with world.sessions.writing() as session:
        leased = claim_validation(session, OWNER, at(0))
    assert leased is not None
    fault = Violation("format", "file", "nothing", "something")
    with world.sessions.writing() as session:
        assert finish_validation(session, submission, leased.token, [fault], at(0))
    return submission


# What is written


def test_nothing_is_written_for_a_user_without_an_address(world: World) -> None:
    world.ranked("defense")
    reject(world)
    assert rows(world) == []


def test_a_ranked_entry_is_told_on_each_channel(world: World) -> None:
    webhook(world)
    mail(world)
    entry = world.ranked("defense")
    assert written(world) == [("submission.ranked", "mail"), ("submission.ranked", "webhook")]
    payload = rows(world)[0].payload
    assert (payload["id"], payload["state"]) == (entry, "ranked")


def test_an_address_that_is_not_confirmed_is_told_nothing(world: World) -> None:
    mail(world, confirmed=False)
    world.ranked("defense")
    assert rows(world) == []


def test_a_rejected_file_is_told_with_the_reason(world: World) -> None:
    webhook(world)
    reject(world)
    assert written(world) == [("submission.rejected", "webhook")]
    assert "1 violation" in rows(world)[0].payload["reason"]


def test_a_failed_entry_is_told_with_the_reason(world: World) -> None:
    webhook(world)
    world.evaluating("defense")
    batch = world.claim()
    cell = world.begin(batch)
    with world.sessions.writing() as session:
        assert fail_cell(session, cell, batch.token, code="nan", reason="no logits", now=at(1))
    assert written(world) == [("submission.failed", "webhook")]
    assert rows(world)[0].payload["reason"] == "no logits"


def test_an_entry_that_waits_for_an_admin_is_told_once(world: World) -> None:
    webhook(world)
    world.evaluating("defense")
    for turn in range(2):  # put aside, queued again by an admin, put aside again
        with world.sessions.writing() as session:
            cell = session.scalars(select(CellRow)).one()
            cell.max_attempts = 1
            if turn:
                assert recovery.requeue(session, cell.id, at(2))
        batch = world.claim(now=at(3))
        with world.sessions.writing() as session:
            assert recovery.retry_cell(
                session, batch.cells[0].id, batch.token, code="x", reason="disk", now=at(3)
            )
    assert written(world) == [("submission.stuck", "webhook")]


def test_a_validation_that_waits_for_an_admin_is_told(world: World) -> None:
    webhook(world)
    submission = world.submit("defense")
    for turn in range(4):
        moment = at(1000 * turn)
        with world.sessions.writing() as session:
            leased = claim_validation(session, OWNER, moment)
            assert leased is not None
        with world.sessions.writing() as session:
            recovery.retry_validation(session, submission, leased.token, reason="x", now=moment)
    assert written(world) == [("submission.stuck", "webhook")]


def test_an_entry_that_is_ranked_again_is_not_told_again(world: World) -> None:
    webhook(world)
    entry = world.ranked("defense")
    with world.sessions.writing() as session:  # hidden, and meanwhile an attack was ranked
        session.get_one(Submission, entry).hidden_at = at(1)
    world.ranked("attack", now=at(2))
    with world.sessions.writing() as session:
        session.get_one(Submission, entry).hidden_at = None
        session.flush()
        rejoin(session, entry, at(3))
    assert world.state(entry) == "evaluating"
    world.work(now=at(3))
    assert world.state(entry) == "ranked"
    told = [row.payload["id"] for row in rows(world)]
    assert told.count(entry) == 1


def test_a_notice_is_undone_with_the_change_that_it_tells_of(world: World) -> None:
    webhook(world)
    entry = world.evaluating("defense")
    with pytest.raises(RuntimeError), world.sessions.writing() as session:
        lock_board(session, world.board)
        cell = session.scalars(select(CellRow)).one()
        cell.state, cell.finished_at, cell.correct, cell.total = "done", at(1), {}, {}
        session.flush()
        assert settle(session, entry, at(1))
        assert session.scalars(select(NoticeRow)).one().event == notices.RANKED
        raise RuntimeError("the transaction ends here")
    assert rows(world) == []
    assert world.state(entry) == "evaluating"


# Delivering


def test_a_notice_is_leased_with_its_address_and_secret(world: World) -> None:
    secret = webhook(world)
    world.ranked("defense")
    found = claimed(world)
    assert (found.channel, found.address, found.secret) == ("webhook", URL, secret)
    assert claim(world) is None


def test_a_notice_that_arrived_is_over(world: World) -> None:
    webhook(world)
    world.ranked("defense")
    found = claimed(world)
    with world.sessions.writing() as session:
        assert notices.sent(session, found, at(1))
    row = rows(world)[0]
    assert (row.state, row.attempts, row.sent_at, row.lease_token) == ("sent", 1, at(1), None)
    assert claim(world, 1e6) is None


def test_a_notice_is_tried_again_after_growing_pauses_and_given_up(world: World) -> None:
    webhook(world)
    world.ranked("defense")
    moment = 0
    for pause in (10, 60, 300, 1800, 7200):
        found = claimed(world, moment)
        with world.sessions.writing() as session:
            assert notices.not_sent(session, found, "found 500", at(moment))
        assert claim(world, moment + pause - 1) is None
        moment += pause
    last = claimed(world, moment)
    with world.sessions.writing() as session:
        assert notices.not_sent(session, last, "found 503", at(moment))
    row = rows(world)[0]
    assert (row.state, row.attempts, row.problem) == ("failed", 6, "found 503")
    assert claim(world, 1e6) is None


def test_the_id_of_a_notice_stays_the_same(world: World) -> None:
    webhook(world)
    world.ranked("defense")
    first = claimed(world)
    with world.sessions.writing() as session:
        notices.not_sent(session, first, "found 500", at(0))
    assert claimed(world, 10).id == first.id


def test_who_lost_the_lease_says_nothing_of_how_it_ended(world: World) -> None:
    webhook(world)
    world.ranked("defense")
    late = claimed(world)
    second = claimed(world, 121)
    assert second.id == late.id
    with world.sessions.writing() as session:
        assert not notices.not_sent(session, late, "found 500", at(122))
        assert not notices.sent(session, late, at(122))
        assert notices.sent(session, second, at(123))


def test_of_one_user_one_notice_is_on_its_way_at_a_time(world: World) -> None:
    bob = world.another_user("bob")
    webhook(world)
    webhook(world, bob)
    world.ranked("defense")
    world.ranked("attack")
    theirs = world.submit("defense", user=bob)
    world.validate()
    world.work()
    first, second = claimed(world, 1), claimed(world, 1)
    assert second.payload["id"] == theirs
    assert claim(world, 1) is None
    with world.sessions.writing() as session:
        assert notices.sent(session, first, at(2))
    assert claimed(world, 2).payload["id"] not in (theirs, first.payload["id"])


def test_what_waits_for_a_channel_that_is_gone_is_given_up(world: World) -> None:
    webhook(world)
    world.ranked("defense")
    with world.sessions.writing() as session:
        addresses.end_webhook(session, addresses.locked(session, world.user))
    assert claim(world) is None
    row = rows(world)[0]
    assert (row.state, row.problem) == ("failed", "the user has no webhook any more")


def test_many_deliverers_claim_each_notice_once(world: World) -> None:
    for number in range(6):
        user = world.another_user(f"user {number}")
        webhook(world, user)
        world.submit("defense", user=user)
        world.validate()
    world.work()
    got: list[str] = []
    together = threading.Barrier(4)

    def deliver() -> None:
        together.wait(20)
        while True:
            found = claim(world, 1)
            if found is None:
                return
            got.append(found.id)
            with world.sessions.writing() as session:
                assert notices.sent(session, found, at(1))

    threads = [threading.Thread(target=deliver) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    left = [found for found in iter(lambda: claim(world, 1), None)]
    assert left == []
    assert sorted(got) == sorted(row.id for row in rows(world))
    assert len(got) == len(set(got)) == 6


def test_a_deleted_submission_leaves_nothing_in_its_notices(world: World) -> None:
    webhook(world)
    entry = world.ranked("defense")
    claimed(world)
    with world.sessions.writing() as session:
        notices.forget(session, entry)
    row = rows(world)[0]
    assert (row.payload, row.state, row.lease_token) == ({}, "failed", None)
    assert row.problem is not None and "deleted" in row.problem


def test_waiting_and_failed_notices_are_counted(world: World) -> None:
    webhook(world)
    world.ranked("defense")
    world.ranked("attack")
    with world.sessions.writing() as session:
        assert notices.counts(session, at(1)) == notices.Counts(waiting=2, failed=0)
        session.scalars(select(NoticeRow)).first().state = "failed"  # type: ignore[union-attr]
        session.flush()
        assert notices.counts(session, at(1)) == notices.Counts(waiting=1, failed=1)
        assert notices.counts(session, at(90_000)) == notices.Counts(waiting=1, failed=0)


# Addresses


def test_another_webhook_has_another_secret_and_the_same_one_keeps_it(world: World) -> None:
    first = webhook(world)
    with world.sessions.writing() as session:
        owner = addresses.locked(session, world.user)
        assert addresses.set_webhook(session, owner, URL) is None
        assert owner.webhook_secret == first
        rotated = addresses.set_webhook(session, owner, URL, rotate=True)
        moved = addresses.set_webhook(session, owner, f"{URL}/2")
    assert len({first, rotated, moved}) == 3


def test_a_newer_link_replaces_an_older_one(world: World) -> None:
    old = mail(world, confirmed=False)
    new = mail(world, confirmed=False)
    with world.sessions.writing() as session:
        assert addresses.confirm(session, old, at(0)) is None
        assert addresses.confirm(session, "", at(0)) is None
        assert addresses.confirm(session, new, at(0)) is not None
    with world.sessions.reading() as session:
        assert session.get_one(User, world.user).email_confirmed_at == at(0)
