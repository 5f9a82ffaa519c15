"""Real databases for tests: SQLite files and databases of a running Postgres."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from grbcore.store.migrate import upgrade
from grbcore.store.tables import Base

#: An address at which databases may be created.
SERVER = os.environ.get(
    "GRB_TEST_POSTGRES", "postgresql+psycopg://postgres@127.0.0.1:5432/postgres"
)


@contextmanager
def postgres(migrated: bool = True) -> Iterator[str]:
    """The address of a new database, which is dropped at the end."""
    name = f"grb_test_{uuid4().hex[:12]}"
    server = create_engine(SERVER, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
        # nothing here outlives the test, so no commit waits for the disk
        connection.execute(text(f"ALTER DATABASE {name} SET synchronous_commit TO off"))
    url = make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    try:
        if migrated:
            upgrade(url)
        yield url
    finally:
        with server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        server.dispose()


def empty(url: str) -> None:
    """Remove every row of a Postgres database."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            connection.execute(table.delete())
    engine.dispose()


def sqlite(folder: Path, template: Path) -> str:
    """The address of a new SQLite file, a copy of a migrated one."""
    path = folder / "grb.db"
    shutil.copyfile(template, path)
    return f"sqlite:///{path}"


def sqlite_template(path: Path) -> Path:
    """A migrated SQLite file that can be copied."""
    url = f"sqlite:///{path}"
    upgrade(url)
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return path
