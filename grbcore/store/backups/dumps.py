"""Copies of a database: SQLite by itself, Postgres by pg_dump and pg_restore."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy import inspect, text
from sqlalchemy.engine import URL, make_url

from grbcore.store.backups.places import BackupError
from grbcore.store.session import connect

#: Every blob that a row needs: files of entries that still have theirs, hits of results, snapshots,
#: files of hold-outs and their hits.
NEEDED = (
    "SELECT sha256 FROM submissions WHERE deleted_at IS NULL AND file_removed_at IS NULL "
    "UNION SELECT hits_sha256 FROM cells WHERE hits_sha256 IS NOT NULL "
    "UNION SELECT sha256 FROM snapshot_files WHERE replaced_at IS NULL "
    "UNION SELECT sha256 FROM holdout_attacks "
    "UNION SELECT hits_sha256 FROM holdout_cells WHERE hits_sha256 IS NOT NULL"
)
_REVISION = "SELECT version_num FROM alembic_version"

Kind = Literal["sqlite", "postgresql"]


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy of a database at one moment, and what belongs to it."""

    revision: str
    needed: list[str]  # blobs, in order


def kind_of(url: str) -> Kind:
    """Which of the two databases this is the address of."""
    return "sqlite" if make_url(url).get_backend_name() == "sqlite" else "postgresql"


def dump(url: str, to: Path) -> Copied:
    """Copy the database of a running service to the file ``to``, as it is at one moment.

    Raises:
        BackupError: pg_dump is missing or fails.
    """
    return _dump_sqlite(url, to) if kind_of(url) == "sqlite" else _dump_postgres(url, to)


def load(url: str, source: Path) -> None:
    """Put a copy into an empty database; as a whole, or nothing of it.

    Raises:
        BackupError: the database is not empty, or pg_restore is missing or fails.
    """
    require_empty(url)
    if kind_of(url) == "sqlite":
        target = _path(url)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}.restoring")
        shutil.copyfile(source, partial)
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(target)
        return
    options = ("--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges")
    _run("pg_restore", url, *options, str(source))


def require_empty(url: str) -> None:
    """Refuse to restore over anything.

    Raises:
        BackupError: there are tables.
    """
    if kind_of(url) == "sqlite":
        path = _path(url)
        left = [Path(f"{path}{end}") for end in ("", "-wal", "-shm")]
        found = [str(one) for one in left if one.exists()]
        if found:
            raise BackupError(
                f"database: found {', '.join(found)}, allowed: none; stop the service and move "
                "them away"
            )
        return
    engine = connect(url)
    try:
        tables = inspect(engine).get_table_names()
    finally:
        engine.dispose()
    if tables:
        raise BackupError(
            f"database: found {len(tables)} tables, allowed: an empty database; stop the service "
            "and make a new one (createdb), or drop its tables"
        )


def still_needed(url: str, digests: Iterable[str]) -> set[str]:
    """Those of these blobs that a row of the running service needs."""
    engine = connect(url)
    try:
        with engine.execution_options(grb_reading=True).connect() as connection:
            live = {row[0] for row in connection.execute(text(NEEDED))}
    finally:
        engine.dispose()
    return live & set(digests)


def _dump_sqlite(url: str, to: Path) -> Copied:
    """One reading transaction copies; writers go on meanwhile."""
    with closing(sqlite3.connect(_path(url), timeout=60)) as connection:
        connection.execute("VACUUM INTO ?", (str(to),))
    with closing(sqlite3.connect(f"{to.absolute().as_uri()}?immutable=1", uri=True)) as copy:
        (revision,) = copy.execute(_REVISION).fetchone()
        return Copied(revision, sorted(row[0] for row in copy.execute(NEEDED)))


def _dump_postgres(url: str, to: Path) -> Copied:
    """pg_dump and the list of blobs see the same snapshot."""
    engine = connect(url).execution_options(isolation_level="REPEATABLE READ")
    try:
        with engine.connect() as connection:
            # it waits while pg_dump works
            connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            snapshot = connection.execute(text("SELECT pg_export_snapshot()")).scalar_one()
            options = ("--format=custom", "--no-owner", "--no-privileges")
            _run("pg_dump", url, *options, f"--snapshot={snapshot}", f"--file={to}")
            revision = connection.execute(text(_REVISION)).scalar_one()
            return Copied(revision, sorted(row[0] for row in connection.execute(text(NEEDED))))
    finally:
        engine.dispose()


def _run(program: str, url: str, *arguments: str) -> None:
    """Run a program of Postgres; the password is in its environment, where nobody else reads it."""
    if shutil.which(program) is None:
        raise BackupError(
            f"{program}: found none, allowed: Postgres's own, at least as new as the server "
            "(Debian: apt-get install postgresql-client)"
        )
    address = make_url(url)
    environment = dict(os.environ)
    if address.password is not None:
        environment["PGPASSWORD"] = str(address.password)
    done = subprocess.run(
        [program, f"--dbname={_libpq(address)}", "--no-password", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        told = done.stderr.strip().splitlines() or [f"code {done.returncode}"]
        raise BackupError(f"{program}: found {told[0]}, allowed: a run without errors")


def _libpq(address: URL) -> str:
    plain = URL.create(
        "postgresql",
        username=address.username,
        host=address.host,
        port=address.port,
        database=address.database,
        query=address.query,
    )
    return plain.render_as_string(hide_password=False)


def _path(url: str) -> Path:
    return Path(str(make_url(url).database)).absolute()
