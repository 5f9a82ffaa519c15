"""Blobs whose rows are gone: removed once, and never under a row that needs them."""

from __future__ import annotations

import os
import threading
from datetime import timedelta
from pathlib import Path
from typing import IO

import pytest
from sqlalchemy import update

from grbcore.store import orphans
from grbcore.store.blobs import Blobs, BlobsAway, forget_unused
from grbcore.store.deletion import delete_submission
from grbcore.store.session import now
from grbcore.store.tables import CellRow, Submission
from tests.store.world import World, at


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "blobs"


@pytest.fixture
def blobs(folder: Path) -> Blobs:
    return Blobs(folder.as_uri())


def age(folder: Path, sha256: str, *, days: float = 2) -> None:
    moment = (now() - timedelta(days=days)).timestamp()
    os.utime(folder / sha256[:2] / sha256, (moment, moment))


def delete(world: World, submission_id: str) -> frozenset[str]:
    with world.sessions.writing() as session:
        return delete_submission(
            session, submission_id, user_id=None, via="cli", reason="x", now=at(5)
        )


def test_a_deleted_entrys_file_and_hits_are_removed(world: World, blobs: Blobs) -> None:
    file, hits = blobs.put_bytes(b"file"), blobs.put_bytes(b"hits")
    entry = world.submit("defense", sha256=file)
    world.validate()
    world.work()
    with world.sessions.writing() as session:
        session.execute(update(CellRow).values(hits_sha256=hits))
    assert orphans.remove(world.sessions, blobs, delete(world, entry)) == 2
    assert not blobs.exists(file) and not blobs.exists(hits)


def test_a_file_that_another_entry_is_made_of_stays(world: World, blobs: Blobs) -> None:
    file = blobs.put_bytes(b"file")
    entry = world.submit("attack", sha256=file)
    world.submit("attack", sha256=file, user=world.another_user("bob"))
    assert orphans.remove(world.sessions, blobs, delete(world, entry)) == 0
    assert blobs.exists(file)


def test_hits_that_another_cell_has_stay(world: World, blobs: Blobs) -> None:
    hits = blobs.put_bytes(b"hits")
    first, second = world.ranked("defense"), world.ranked("defense")
    with world.sessions.writing() as session:
        session.execute(update(CellRow).values(hits_sha256=hits))
    orphans.remove(world.sessions, blobs, delete(world, first))
    assert blobs.exists(hits)
    orphans.remove(world.sessions, blobs, delete(world, second))
    assert not blobs.exists(hits)


def test_removing_twice_is_no_fault(world: World, blobs: Blobs) -> None:
    file = blobs.put_bytes(b"file")
    orphans.remove(world.sessions, blobs, {file})
    orphans.remove(world.sessions, blobs, {file})
    assert not blobs.exists(file)


def test_tidy_removes_what_no_row_names_and_is_older_than_a_day(
    world: World, blobs: Blobs, folder: Path
) -> None:
    kept, hits, old, young = (blobs.put_bytes(name) for name in (b"a", b"b", b"c", b"d"))
    world.ranked("defense")
    world.submit("attack", sha256=kept)
    with world.sessions.writing() as session:
        session.execute(update(CellRow).values(hits_sha256=hits))
    for sha256 in (kept, hits, old):
        age(folder, sha256)
    assert orphans.tidy(world.sessions, blobs, now()) == 1
    assert [blobs.exists(sha256) for sha256 in (kept, hits, old, young)] == [
        True,
        True,
        False,
        True,
    ]
    assert orphans.tidy(world.sessions, blobs, now()) == 0


def test_tidy_removes_what_who_was_killed_had_stored_in_part(
    world: World, blobs: Blobs, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(path: Path, content: IO[bytes]) -> None:
        path.write_bytes(content.read(2))
        raise KeyboardInterrupt

    monkeypatch.setattr("grbcore.store.blobs._write", half)
    monkeypatch.setattr(Path, "unlink", lambda path, missing_ok=False: None)
    with pytest.raises(KeyboardInterrupt):
        blobs.put_bytes(b"file")
    monkeypatch.undo()
    (left,) = (path for path in folder.rglob("*") if path.is_file())
    assert orphans.tidy(world.sessions, blobs, now()) == 0  # it may still be written
    os.utime(left, (0, 0))
    assert orphans.tidy(world.sessions, blobs, now()) == 1
    assert not left.exists()


def test_what_is_no_blob_is_left_alone(world: World, blobs: Blobs, folder: Path) -> None:
    (folder / "aa").mkdir()
    for name in ("probe", "aa/readme", f"aa/{'b' * 64}"):
        (folder / name).write_bytes(b"x")
        os.utime(folder / name, (0, 0))
    assert orphans.tidy(world.sessions, blobs, now()) == 0
    assert len([path for path in folder.rglob("*") if path.is_file()]) == 3


def test_a_file_that_was_removed_meanwhile_is_stored_again_by_who_names_it(
    world: World, blobs: Blobs
) -> None:
    """The upload finds its bytes there; before its row is written they are removed."""
    file = blobs.put_bytes(b"file")
    orphans.remove(world.sessions, blobs, {file})
    with world.sessions.writing() as session:
        orphans.keep(session, blobs, file, lambda: blobs.put_bytes(b"file"))
    assert blobs.exists(file)


def test_nothing_is_removed_while_somebody_is_about_to_name_it(world: World, blobs: Blobs) -> None:
    file = blobs.put_bytes(b"file")
    removed: list[int] = []
    remover = threading.Thread(
        target=lambda: removed.append(orphans.remove(world.sessions, blobs, {file}))
    )
    with world.sessions.writing() as session:
        orphans.keep(session, blobs, file, lambda: blobs.put_bytes(b"file"))
        remover.start()
        remover.join(0.3)
        assert remover.is_alive() and blobs.exists(file)
        session.add(
            Submission(
                board_id=world.board,
                user_id=world.user,
                side="attack",
                name="A",
                authors="A",
                family="RND",
                sha256=file,
                size=4,
                contents={},
                received_at=at(0),
            )
        )
    remover.join(20)
    assert removed == [0] and blobs.exists(file)


def test_a_workers_copy_is_forgotten_once_nothing_asked_for_it_for_a_day(tmp_path: Path) -> None:
    for sha256, days in (("a" * 64, 0.9), ("b" * 64, 1.1)):
        (tmp_path / sha256[:2]).mkdir()
        (tmp_path / sha256[:2] / sha256).write_bytes(b"x")
        age(tmp_path, sha256, days=days)
    assert forget_unused(tmp_path, now() - timedelta(days=1)) == 1
    assert [path.name for path in tmp_path.glob("*/*")] == ["a" * 64]
    assert forget_unused(tmp_path / "nothing", now()) == 0


def test_a_store_that_is_away_is_said_to_be(world: World, tmp_path: Path) -> None:
    blobs = Blobs((tmp_path / "gone").as_uri())
    file = blobs.put_bytes(b"file")
    (tmp_path / "gone" / file[:2] / file).unlink()
    (tmp_path / "gone" / file[:2] / file).mkdir()  # nothing that can be unlinked
    with pytest.raises(BlobsAway):
        orphans.remove(world.sessions, blobs, {file})
