"""Files of rejected entries go after some days; the entries stay."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from grbcore.store import orphans
from grbcore.store.blobs import Blobs
from grbcore.store.rejected import sweep
from tests.store.test_intake import send
from tests.store.test_quotas import FAULT, used, validate
from tests.store.world import START, World

DAYS = 7
LATE = START + timedelta(days=DAYS, seconds=1)


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs((tmp_path / "blobs").as_uri())


def test_the_file_of_a_rejected_entry_goes_after_some_days(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    row, _ = send(world, blobs, tmp_path, b"bad")
    validate(world, FAULT)
    assert sweep(world.sessions, blobs, DAYS, START + timedelta(days=DAYS)) == 0
    assert blobs.exists(row.sha256) and used(world).stored == 3
    assert sweep(world.sessions, blobs, DAYS, LATE) == 1
    assert not blobs.exists(row.sha256) and used(world).stored == 0
    kept = world.submission(row.id)
    assert (kept.state, kept.sha256, kept.file_removed_at) == ("rejected", row.sha256, LATE)
    assert kept.violations == [FAULT.as_dict()]
    assert sweep(world.sessions, blobs, DAYS, LATE) == 0


def test_files_of_other_entries_stay(world: World, blobs: Blobs, tmp_path: Path) -> None:
    row, _ = send(world, blobs, tmp_path, b"good")
    validate(world)
    assert sweep(world.sessions, blobs, DAYS, LATE) == 0
    assert blobs.exists(row.sha256)


def test_a_file_that_another_entry_has_too_stays(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    row, _ = send(world, blobs, tmp_path, b"same")
    validate(world, FAULT)
    send(world, blobs, tmp_path, b"same", user=world.another_user("bob"))
    assert sweep(world.sessions, blobs, DAYS, LATE) == 1
    assert blobs.exists(row.sha256)


def test_a_file_left_behind_by_a_crash_is_found_by_tidy(
    world: World, blobs: Blobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, _ = send(world, blobs, tmp_path, b"bad")
    validate(world, FAULT)
    monkeypatch.setattr(orphans, "remove", lambda *_: 0)
    assert sweep(world.sessions, blobs, DAYS, LATE) == 1
    monkeypatch.undo()
    assert blobs.exists(row.sha256)
    (written,) = {moment for _, moment in blobs.stored()}
    assert orphans.tidy(world.sessions, blobs, written + timedelta(days=2)) == 1


def test_a_rejected_file_that_is_sent_again_is_there_until_the_next_sweep(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    row, _ = send(world, blobs, tmp_path, b"bad")
    validate(world, FAULT)
    sweep(world.sessions, blobs, DAYS, LATE)
    again, created = send(world, blobs, tmp_path, b"bad")
    assert (again.id, created) == (row.id, False)
    assert blobs.exists(row.sha256) and used(world).stored == 3
    assert sweep(world.sessions, blobs, DAYS, LATE) == 1
    assert not blobs.exists(row.sha256)
