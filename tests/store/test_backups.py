"""Backups of a service that runs, and what a restored one has; on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, text
from typer.testing import CliRunner, Result

from grbcore.cli.main import app
from grbcore.store import backups, holdout_queue, holdouts, tokens
from grbcore.store.backups import BackupError
from grbcore.store.backups.places import blob_path
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions, connect
from grbcore.store.tables import BoardRow, Submission
from tests.store import databases
from tests.store.moved import House, filled
from tests.store.test_holdouts import made as held_out
from tests.store.world import at


@pytest.fixture
def house(sessions: Sessions, tmp_path: Path) -> House:
    return House(sessions, tmp_path / "house")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def empty_url(store_url: str, tmp_path: Path) -> Iterator[str]:
    """The address of a database of the same kind, without tables."""
    if store_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'restored' / 'grb.db'}"
        return
    with databases.postgres(migrated=False) as url:
        yield url


def back_up(
    house: House, url: str, folder: Path, second: float = 0, **options: bool
) -> backups.Made:
    return backups.make(url, house.blobs, folder, at(second), **options)


def restored(url: str, folder: Path, to: Path, name: str | None = None) -> House:
    to.mkdir(exist_ok=True)
    backups.restore(url, Blobs((to / "blobs").as_uri()), folder, name)
    return House(Sessions(connect(url)), to)


def sha256(house: House, submission_id: str) -> str:
    with house.sessions.reading() as session:
        return session.get_one(Submission, submission_id).sha256


def test_a_restored_service_shows_what_was_there(
    house: House, store_url: str, folder: Path, empty_url: str, tmp_path: Path
) -> None:
    ids = filled(house)
    with house.sessions.writing() as session:
        token = tokens.issue(session, "ann", now=at(0))
    made = back_up(house, store_url, folder)
    assert (made.copied, made.lost) == (made.blobs, ())
    other = restored(empty_url, folder, tmp_path / "restored")
    assert other.seen() == house.seen()
    assert all(other.blobs.read(digest) for digest in made.backup.digests())
    with other.sessions.reading() as session:
        owner = tokens.verify(session, token)
        assert owner is not None and owner.name == "ann"
    other.validate()
    other.compute()
    assert other.state(ids["evaluating"]) == "ranked"
    other.sessions.engine.dispose()


def test_hold_outs_keep_their_files(
    house: House, store_url: str, folder: Path, empty_url: str, tmp_path: Path
) -> None:
    house.ranked("defense")
    found = held_out(tmp_path)
    with house.sessions.writing() as session:
        row = session.scalars(select(Submission)).one()
        row.holdouts_asked_at = at(0)
        protocol = session.get_one(BoardRow, row.board_id).protocol
        assert protocol is not None
        holdouts.place(
            session, house.blobs, row.board_id, found,
            protocol=protocol, user_id=None, via="cli", now=at(0),
        )  # fmt: skip
    with house.sessions.writing() as session:
        batch = holdout_queue.claim(session, at(0))
        assert batch is not None
        result = house.result("hold-out", "defense")
        assert holdout_queue.finish(session, batch.cells[0].id, batch.token, result, at(0))
    back_up(house, store_url, folder)
    other = restored(empty_url, folder, tmp_path / "restored")
    wanted = [*(one.sha256 for one in found), result.hits_sha256]
    assert all(other.blobs.exists(digest) for digest in wanted)
    other.sessions.engine.dispose()


def test_only_new_files_are_copied(house: House, store_url: str, folder: Path) -> None:
    house.ranked("defense")
    first = back_up(house, store_url, folder)
    house.ranked("attack")
    second = back_up(house, store_url, folder, 1)
    assert (first.copied, second.copied) == (2, 2)  # a file and its hits, each time
    assert back_up(house, store_url, folder, 2).copied == 0
    assert len(backups.backups(folder)) == 3


def test_any_of_the_backups_can_be_restored(
    house: House, store_url: str, folder: Path, empty_url: str, tmp_path: Path
) -> None:
    house.ranked("defense")
    first = back_up(house, store_url, folder)
    house.ranked("attack")
    back_up(house, store_url, folder, 1)
    other = restored(empty_url, folder, tmp_path / "restored", first.backup.name)
    assert len(other.states()) == 1
    other.sessions.engine.dispose()


def test_an_entry_deleted_while_the_backup_runs_is_not_in_it(
    house: House, store_url: str, folder: Path
) -> None:
    gone, kept = house.ranked("defense"), house.ranked("attack")
    lost = sha256(house, gone)

    def delete(done: int, total: int) -> None:
        house.change(gone, deleted_at=at(5), withdrawn_at=at(5))
        (house.folder / "blobs" / lost[:2] / lost).unlink(missing_ok=True)

    made = backups.make(store_url, house.blobs, folder, at(6), progress=delete)
    assert made.lost == ()
    digests = set(made.backup.digests())
    assert sha256(house, kept) in digests and lost not in digests


def test_a_file_that_the_service_lost_is_told_and_the_rest_is_kept(
    house: House, store_url: str, folder: Path, empty_url: str, tmp_path: Path
) -> None:
    lost = sha256(house, house.ranked("defense"))
    (house.folder / "blobs" / lost[:2] / lost).write_bytes(b"damaged")
    made = back_up(house, store_url, folder)
    assert made.lost == made.backup.account().lost == (lost,)
    done = backups.restore(empty_url, Blobs((tmp_path / "b").as_uri()), folder)
    assert (done.blobs, done.lost) == (1, (lost,))


def test_a_damaged_copy_is_found_and_mended(house: House, store_url: str, folder: Path) -> None:
    digest = sha256(house, house.ranked("defense"))
    back_up(house, store_url, folder)
    blob_path(folder, digest).write_bytes(b"damaged")
    assert back_up(house, store_url, folder, 1).copied == 0
    assert back_up(house, store_url, folder, 2, verify=True).copied == 1


def test_old_backups_go_with_the_files_that_only_they_have(
    house: House, store_url: str, folder: Path
) -> None:
    entry = house.ranked("defense")
    digest = sha256(house, entry)
    house.ranked("attack")
    back_up(house, store_url, folder)
    house.change(entry, deleted_at=at(5), withdrawn_at=at(5))
    newest = back_up(house, store_url, folder, 1)
    assert backups.prune(folder, 1) == (1, 1)
    assert [one.name for one in backups.backups(folder)] == [newest.backup.name]
    assert not blob_path(folder, digest).exists()
    assert all(blob_path(folder, one).exists() for one in newest.backup.digests())


def test_nothing_is_restored_over_a_database(house: House, store_url: str, folder: Path) -> None:
    house.ranked("defense")
    back_up(house, store_url, folder)
    with pytest.raises(BackupError, match=r"database: found .*, allowed: .*stop the service"):
        backups.restore(store_url, house.blobs, folder)


def test_a_damaged_database_is_not_restored(
    house: House, store_url: str, folder: Path, empty_url: str
) -> None:
    made = back_up(house, store_url, folder)
    with made.backup.database.open("r+b") as file:
        file.seek(100)
        file.write(b"damaged")
    with pytest.raises(BackupError, match="found bytes of SHA-256"):
        backups.restore(empty_url, house.blobs, folder)


def test_a_backup_of_a_newer_version_is_not_restored(
    house: House, store_url: str, folder: Path, empty_url: str
) -> None:
    with house.sessions.engine.begin() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    back_up(house, store_url, folder)
    with house.sessions.engine.begin() as connection:  # other tests use this database
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{found}'"))
    with pytest.raises(BackupError, match="found tables of revision 9999, allowed: at most"):
        backups.restore(empty_url, house.blobs, folder)


def test_a_backup_of_the_other_database_is_not_restored(
    house: House, store_url: str, folder: Path, postgres_url: str, tmp_path: Path
) -> None:
    back_up(house, store_url, folder)
    other = postgres_url if store_url.startswith("sqlite") else f"sqlite:///{tmp_path / 'x.db'}"
    with pytest.raises(BackupError, match="grb board export and import"):
        backups.restore(other, house.blobs, folder)


def test_one_backup_at_a_time(house: House, store_url: str, folder: Path) -> None:
    def another(done: int, total: int) -> None:
        with pytest.raises(BackupError, match="another backup that runs"):
            back_up(house, store_url, folder, 1)

    backups.make(store_url, house.blobs, folder, at(0), progress=another)
    assert len(backups.backups(folder)) == 1


def test_what_a_killed_backup_left_is_cleared(house: House, store_url: str, folder: Path) -> None:
    (folder / ".20260101T000000.000000Z.partial").mkdir(parents=True)
    back_up(house, store_url, folder)
    assert [path.name for path in folder.glob(".*.partial")] == []


def test_the_folder_is_for_its_owner_alone(house: House, store_url: str, folder: Path) -> None:
    back_up(house, store_url, folder)
    assert folder.stat().st_mode & 0o077 == 0


# the commands


def admin(url: str, house: House, *arguments: str, **environment: str) -> Result:
    settings = {
        "GRB_DATABASE_URL": url,
        "GRB_VAR_DIR": str(house.folder / "var"),
        "GRB_BLOB_URL": (house.folder / "blobs").as_uri(),
        **environment,
    }
    return CliRunner().invoke(app, ["admin", *arguments], env=settings)


def test_the_commands_back_up_and_restore(
    house: House, store_url: str, folder: Path, empty_url: str
) -> None:
    house.ranked("defense")
    done = admin(store_url, house, "backup", str(folder), "--keep", "7")
    assert done.exit_code == 0, done.output
    assert "the database and 2 files, 2 new" in done.output.replace("\n", " ")
    assert "0 older backups" in done.output
    done = admin(empty_url, house, "restore", str(folder))
    assert done.exit_code == 0, done.output
    assert "is restored: the database and 2 files" in done.output
    engine = connect(empty_url)
    with Sessions(engine).reading() as session:
        assert len(session.scalars(select(Submission)).all()) == 1
    engine.dispose()


def test_a_lost_file_makes_the_command_fail(house: House, store_url: str, folder: Path) -> None:
    lost = sha256(house, house.ranked("defense"))
    (house.folder / "blobs" / lost[:2] / lost).unlink()
    done = admin(store_url, house, "backup", str(folder))
    assert done.exit_code == 1
    assert lost in done.stderr and "1 files are missing or damaged" in done.stderr


def test_without_pg_dump_the_words_say_what_to_install(
    house: House, postgres_url: str, folder: Path, tmp_path: Path
) -> None:
    done = admin(postgres_url, house, "backup", str(folder), PATH=str(tmp_path))
    assert done.exit_code == 1
    assert "pg_dump: found none, allowed: " in str(done.exception)
    assert "postgresql-client" in str(done.exception)
    assert [path.name for path in folder.iterdir()] == [".lock"]
