"""Real databases for tests: SQLite files and databases of a running Postgres."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from sqlalchemy import create_engine, insert, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

from grbcore import catalog
from grbcore.store import boards
from grbcore.store.migrate import upgrade
from grbcore.store.tables import Base, BoardRow

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
    """Remove every row of a Postgres database, in one request."""
    tables = reversed(Base.metadata.sorted_tables)
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        connection.execute("; ".join(f'DELETE FROM "{table.name}"' for table in tables))


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


#: The rows of boards as `boards.sync` made them first, by where the data lies, the moment and what
#: boards there are: reading the data once more for each test of a process would find the same.
_BOARDS: dict[tuple[object, ...], list[dict[str, Any]]] = {}


def known_boards(session: Session, data_dir: Path | None, moment: datetime) -> None:
    """The boards of the catalog, as a service knows them that has just started."""
    if session.scalar(select(BoardRow.id).limit(1)) is not None:
        boards.sync(session, data_dir, moment)
        return
    key = (data_dir, os.environ.get("GRB_DATA_DIR"), moment, repr(catalog.boards()))
    if key not in _BOARDS:
        names = [column.key for column in BoardRow.__mapper__.column_attrs]
        rows = boards.sync(session, data_dir, moment)
        session.flush()
        _BOARDS[key] = [{name: getattr(row, name) for name in names} for row in rows]
        return
    session.execute(insert(BoardRow), _BOARDS[key])
