"""Quotas: a day on each board, invalid files, bytes; who is charged and who gets it back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grbcore.scenario import Side
from grbcore.store import marks, quotas
from grbcore.store.blobs import Blobs
from grbcore.store.queue import MAX_VALIDATIONS, claim_validation
from grbcore.store.quotas import Limits, QuotaExceeded, Usage
from grbcore.store.recovery import retry_cell, retry_validation
from grbcore.store.registration import fail_cell, finish_validation
from grbcore.store.tables import BoardRow, Submission, User
from grbcore.violations import Violation
from tests.store.test_intake import send as send_any
from tests.store.world import BOARD, OWNER, START, World

LIMITS = Limits(per_day=3, invalid_per_day=2, stored_bytes=100)
OTHER = "digits/modification@1"
MIDNIGHT = datetime(START.year, START.month, START.day, tzinfo=START.tzinfo) + timedelta(days=1)
FAULT = Violation("finite", "w", "nan", "finite weights")


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs((tmp_path / "blobs").as_uri())


@pytest.fixture
def send(world: World, blobs: Blobs, tmp_path: Path) -> Any:
    """Submits bytes as ann, under `LIMITS`."""

    def submit(content: bytes, **how: Any) -> tuple[Submission, bool]:
        how.setdefault("limits", LIMITS)
        return send_any(world, blobs, tmp_path, content, **how)

    return submit


def used(world: World, user: str | None = None, now: datetime = START) -> Usage:
    with world.sessions.reading() as session:
        return quotas.usage(session, user or world.user, now, LIMITS)


def validate(world: World, *faults: Violation, now: datetime = START) -> None:
    """Let a worker judge the submission that waits."""
    with world.sessions.writing() as session:
        leased = claim_validation(session, OWNER, now)
        assert leased is not None
        assert finish_validation(session, leased.entry.id, leased.token, faults, now)


def allow(world: World, user: str, **columns: Any) -> None:
    with world.sessions.writing() as session:
        row = session.get_one(User, user)
        for name, value in columns.items():
            setattr(row, name, value)


def test_a_days_uploads_to_a_board_are_limited(world: World, send: Any) -> None:
    for content in (b"a", b"b", b"c"):
        send(content)
    with pytest.raises(QuotaExceeded) as refused:
        send(b"d")
    error = refused.value
    assert (error.code, error.frees_at) == ("quota", MIDNIGHT)
    assert str(error) == (
        f"{BOARD}, today: found 3 uploads, allowed: 3 a day; the next from 2026-01-02 00:00 UTC"
    )
    assert used(world).boards == {BOARD: 3}


def test_both_sides_of_a_board_share_its_uploads(world: World, send: Any) -> None:
    sides: tuple[Side, ...] = ("attack", "defense", "attack")
    for number, side in enumerate(sides):
        send(bytes([number]), side=side)
    with pytest.raises(QuotaExceeded):
        send(b"d")


def test_a_refused_upload_leaves_no_submission_and_takes_no_place(world: World, send: Any) -> None:
    for content in (b"a", b"b", b"c"):
        send(content)
    for _ in range(3):
        with pytest.raises(QuotaExceeded):
            send(b"d")
    row, created = send(b"d", now=MIDNIGHT)
    assert (created, row.attempt) == (True, 4)


def test_of_many_at_once_no_more_than_allowed_get_a_place(world: World, send: Any) -> None:
    def one(number: int) -> bool:
        try:
            return bool(send(bytes([number]))[1])
        except QuotaExceeded:
            return False

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(one, range(16))) == LIMITS.per_day
    assert used(world).boards == {BOARD: LIMITS.per_day}


def test_the_next_day_begins_at_midnight_in_utc(world: World, send: Any) -> None:
    for content in (b"a", b"b", b"c"):
        send(content, now=MIDNIGHT - timedelta(seconds=1))
    assert send(b"d", now=MIDNIGHT)[1]
    assert used(world, now=MIDNIGHT).boards == {BOARD: 1}


def test_the_same_bytes_cost_nothing(world: World, send: Any) -> None:
    for content in (b"a", b"b", b"c"):
        send(content)
    first, created = send(b"a")
    assert not created
    assert used(world).boards == {BOARD: 3}
    assert first.charged_at == START


def test_other_users_and_other_boards_are_counted_apart(world: World, send: Any) -> None:
    with world.sessions.writing() as session:
        session.add(BoardRow(id=OTHER, state="ready", protocol="0"))
        session.flush()
        quotas.reserve(session, world.user, OTHER, 1, START, LIMITS)
    bob = world.another_user("bob")
    for content in (b"a", b"b", b"c"):
        send(content)
        send(content, user=bob)
    assert used(world).boards == used(world, bob).boards == {BOARD: 3}


def test_references_and_admins_are_exempt(world: World, send: Any) -> None:
    admin = world.another_user("root")
    allow(world, admin, role="admin")
    for number in range(5):
        row, _ = send(bytes([number]), user=admin)
        assert row.charged_at is None
    for side in ("attack", "defense"):
        send(side.encode(), side=side, reference=True, limits=Limits(1, 1, 1))
    assert used(world).boards == {}
    assert used(world).stored == 0


def test_zero_is_no_limit(world: World, send: Any) -> None:
    for number in range(5):
        send(bytes([number]), limits=Limits(0, 0, 0))
    assert used(world).boards == {BOARD: 5}


def test_an_admin_may_allow_a_user_more_or_less(world: World, send: Any) -> None:
    allow(world, world.user, quota_per_day=1, quota_bytes=2)
    send(b"a")
    with pytest.raises(QuotaExceeded, match="allowed: 1 a day"):
        send(b"b")
    allow(world, world.user, quota_per_day=0)
    send(b"b")
    with pytest.raises(QuotaExceeded, match="allowed: 2 bytes"):
        send(b"c")


def test_after_a_reset_only_what_comes_later_counts(world: World, send: Any) -> None:
    for content in (b"a", b"b", b"c"):
        send(content)
    later = START + timedelta(minutes=1)
    allow(world, world.user, quota_reset_at=later)
    assert send(b"d", now=later)[1]
    assert used(world, now=later).boards == {BOARD: 1}


# who gets it back


def test_a_rejected_file_costs_nothing_and_counts_as_invalid(world: World, send: Any) -> None:
    send(b"a")
    assert used(world).boards == {BOARD: 1}
    validate(world, FAULT)
    assert (used(world).boards, used(world).invalid) == ({}, 1)


def test_a_valid_file_is_charged(world: World, send: Any) -> None:
    send(b"a")
    validate(world)
    assert (used(world).boards, used(world).invalid) == ({BOARD: 1}, 0)


def test_too_many_invalid_files_are_refused_until_midnight(world: World, send: Any) -> None:
    send(b"a")
    validate(world, FAULT)
    with world.sessions.writing() as session:
        quotas.refused(session, world.user, BOARD, ["dtype", "shape", "dtype"], 10, START)
    with pytest.raises(QuotaExceeded) as refused:
        send(b"b")
    assert (refused.value.code, refused.value.frees_at) == ("quota-invalid", MIDNIGHT)
    assert send(b"b", now=MIDNIGHT)[1]


def test_a_validation_that_infrastructure_stopped_gives_the_place_back(
    world: World, send: Any
) -> None:
    send(b"a")
    for number in range(MAX_VALIDATIONS):
        assert used(world).boards == {BOARD: 1}
        moment = START + timedelta(minutes=number)
        with world.sessions.writing() as session:
            leased = claim_validation(session, OWNER, moment)
            assert leased is not None
            retry_validation(session, leased.entry.id, leased.token, reason="disk", now=moment)
    assert used(world).boards == {}


def test_a_dead_cell_gives_the_place_back(world: World, send: Any) -> None:
    send(b"a")
    validate(world)
    for number in range(2):
        moment = START + timedelta(minutes=number)
        assert used(world).boards == {BOARD: 1}
        batch = world.claim(now=moment)
        cell = world.begin(batch, now=moment)
        with world.sessions.writing() as session:
            retry_cell(session, cell, batch.token, code="oom", reason="r", killed=True, now=moment)
    assert world.states() == {"dead": 1}
    assert used(world).boards == {}


def test_a_cell_that_fails_by_its_own_fault_gives_nothing_back(world: World, send: Any) -> None:
    row, _ = send(b"a")
    validate(world)
    batch = world.claim()
    cell = world.begin(batch)
    with world.sessions.writing() as session:
        fail_cell(session, cell, batch.token, code="c", reason="r", now=START)
    assert world.state(row.id) == "failed"
    assert used(world).boards == {BOARD: 1}


@pytest.mark.parametrize("validated", [False, True])
def test_an_entry_withdrawn_before_it_began_gives_the_place_back(
    world: World, send: Any, validated: bool
) -> None:
    row, _ = send(b"a")
    if validated:
        validate(world)
    with world.sessions.writing() as session:
        assert marks.withdraw(session, session.get_one(Submission, row.id), now=START)
    assert used(world).boards == {}


@pytest.mark.parametrize("given_up", [False, True])
def test_an_entry_withdrawn_after_a_cell_began_stays_charged(
    world: World, send: Any, given_up: bool
) -> None:
    """A cell that waits for its next try has begun as well."""
    row, _ = send(b"a")
    validate(world)
    batch = world.claim()
    cell = world.begin(batch)
    with world.sessions.writing() as session:
        if given_up:
            retry_cell(session, cell, batch.token, code="c", reason="r", now=START)
        assert marks.withdraw(session, session.get_one(Submission, row.id), now=START)
    assert used(world).boards == {BOARD: 1}


# bytes


def test_files_that_are_kept_take_room(world: World, send: Any) -> None:
    send(b"x" * 60)
    with pytest.raises(QuotaExceeded) as refused:
        send(b"y" * 41)
    error = refused.value
    assert (error.code, error.frees_at) == ("quota-bytes", None)
    assert str(error) == "stored files: found 60 bytes stored and 41 more, allowed: 100 bytes"
    send(b"y" * 40)
    assert used(world).stored == 100


def test_the_same_bytes_are_found_though_no_room_is_left(world: World, send: Any) -> None:
    first, _ = send(b"x" * 100)
    again, created = send(b"x" * 100)
    assert (again.id, created) == (first.id, False)


def test_what_was_refused_is_forgotten_after_some_time(world: World) -> None:
    with world.sessions.writing() as session:
        quotas.refused(session, world.user, None, ["size"], 5, START)
    late = START + quotas.MEMORY
    with world.sessions.writing() as session:
        quotas.forget_refused(session, late)
    assert used(world).invalid == 1
    with world.sessions.writing() as session:
        quotas.forget_refused(session, late + timedelta(seconds=1))
    assert used(world).invalid == 0
