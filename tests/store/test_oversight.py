"""What admins look through, and what they allow one user."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from grbcore.store import audit, oversight, quotas
from grbcore.store.allowances import Allowance, allow
from grbcore.store.blobs import Blobs
from grbcore.store.oversight import Uploader
from grbcore.store.tables import AuditRow
from tests.store.test_intake import send
from tests.store.test_quotas import FAULT, LIMITS, OTHER, used, validate
from tests.store.world import BOARD, START, World


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs((tmp_path / "blobs").as_uri())


def uploaders(world: World, **how: Any) -> list[Uploader]:
    how.setdefault("limit", 10)
    with world.sessions.reading() as session:
        return oversight.uploaders(session, START, LIMITS, **how)


def change(world: World, reason: str | None = "asked", **changes: Any) -> None:
    with world.sessions.writing() as session:
        allow(
            session, world.user, Allowance(**changes), by=None, via="cli", reason=reason, now=START
        )


def audited(world: World) -> list[AuditRow]:
    with world.sessions.reading() as session:
        return list(audit.entries(session, subject_kind="user", limit=10))


def test_users_are_listed_with_what_they_uploaded(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    bob = world.another_user("bob")
    send(world, blobs, tmp_path, b"bad", user=bob, limits=LIMITS)
    validate(world, FAULT)
    for content in (b"one", b"two"):
        send(world, blobs, tmp_path, content, limits=LIMITS, now=START + timedelta(minutes=1))
    found = {one.user.name: one for one in uploaders(world)}
    ann, bob_ = found["ann"], found["bob"]
    assert (ann.entries, ann.usage.boards, ann.usage.invalid, ann.usage.stored) == (
        2, {BOARD: 2}, 0, 6,
    )  # fmt: skip
    assert ann.last_upload_at == START + timedelta(minutes=1)
    assert (bob_.entries, bob_.usage.boards, bob_.usage.invalid) == (1, {}, 1)


def test_users_are_paged_and_found_by_a_part_of_their_name(world: World) -> None:
    for name in ("Anna", "bob", "50%"):
        world.another_user(name)
    first = uploaders(world, limit=2)
    rest = uploaders(world, limit=10, before=first[-1].user.id)
    assert {one.user.name for one in (*first, *rest)} == {"ann", "Anna", "bob", "50%"}
    assert len(first) == len(rest) == 2
    assert {one.user.name for one in uploaders(world, name="ann")} == {"ann", "Anna"}
    assert [one.user.name for one in uploaders(world, name="%")] == ["50%"]


def test_uploads_that_failed_are_listed_newest_first(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    def refuse(board: str | None) -> None:
        with world.sessions.writing() as session:
            quotas.refused(session, world.user, board, ["dtype", "order", "dtype"], 9, START)

    refuse(None)
    row, _ = send(world, blobs, tmp_path, b"bad")
    validate(world, FAULT)
    refuse(BOARD)

    def listed(**how: Any) -> list[oversight.FailedUpload]:
        with world.sessions.reading() as session:
            return oversight.failed_uploads(session, limit=10, **how)

    newest, rejected, oldest = listed()
    assert (newest.board_id, newest.codes, newest.is_submission) == (
        BOARD, ("dtype", "order"), False,
    )  # fmt: skip
    assert (rejected.id, rejected.codes, rejected.size) == (row.id, ("finite",), 3)
    assert (oldest.board_id, oldest.user.name) == (None, "ann")
    assert [one.id for one in listed(before=rejected.id)] == [oldest.id]
    assert [one.id for one in listed(board_id=BOARD)] == [newest.id, rejected.id]
    assert listed(user_id=world.another_user("bob")) == []


def test_entries_are_filtered(world: World) -> None:
    bob = world.another_user("bob")
    attack, defense = world.submit("attack"), world.submit("defense", user=bob)
    reference = world.submit("defense", reference=True)

    def listed(**how: Any) -> list[str]:
        with world.sessions.reading() as session:
            return [row.id for row in oversight.entries(session, limit=10, **how)]

    everything = sorted((reference, defense, attack), reverse=True)
    assert listed() == everything
    assert listed(side="attack") == [attack]
    assert listed(user_id=bob) == [defense]
    assert listed(mark="reference") == [reference]
    assert listed(mark="hidden") == listed(state="ranked") == listed(board_id=OTHER) == []
    assert set(listed(name="DEFENSE")) == {reference, defense}
    assert listed(before=everything[1]) == [everything[2]]


def test_an_allowance_is_kept_and_on_record(world: World) -> None:
    change(world, quota_per_day=50)
    (line,) = audited(world)
    assert (line.action, line.subject_id, line.reason) == ("user.quota", world.user, "asked")
    assert line.details == {"quota_per_day": {"was": None, "is": 50}}
    assert used(world).limits.per_day == 50
    assert used(world).limits.stored_bytes == LIMITS.stored_bytes


def test_what_changes_nothing_is_not_on_record(world: World) -> None:
    change(world, quota_per_day=None)
    assert audited(world) == []


def test_an_allowance_ends_with_null(world: World) -> None:
    change(world, quota_per_day=50, quota_bytes=7)
    change(world, quota_per_day=None)
    assert used(world).limits.per_day == LIMITS.per_day
    assert used(world).limits.stored_bytes == 7


def test_a_reset_frees_what_was_used_today(world: World, blobs: Blobs, tmp_path: Path) -> None:
    send(world, blobs, tmp_path, b"one", limits=LIMITS, now=START - timedelta(seconds=1))
    assert used(world).boards == {BOARD: 1}
    change(world, reset=True)
    assert used(world).boards == {}
    assert [line.details for line in audited(world)] == [{"reset": True}]


@pytest.mark.parametrize("wrong", [{"quota_per_day": -1}, {"quota_bytes": 2**60}, {"other": 1}])
def test_an_allowance_out_of_bounds_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        Allowance(**wrong)
