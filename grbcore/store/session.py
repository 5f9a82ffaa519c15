"""Engines and sessions: SQLite or Postgres, one writing transaction at a time on SQLite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session, sessionmaker


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def connect(url: str) -> Engine:
    """An engine for this database address.

    SQLite runs in WAL mode with a busy timeout of 10 s, and each writing transaction takes the
    write lock at once (``BEGIN IMMEDIATE``), so that none fails half-way for a lock.  No error and
    no line of a log repeats the values of a statement: they may be secrets.
    """
    address = make_url(url)
    if address.get_backend_name() == "postgresql" and address.get_driver_name() == "psycopg2":
        address = address.set(drivername="postgresql+psycopg")
    if address.get_backend_name() == "sqlite":
        return _sqlite(create_engine(address, hide_parameters=True, connect_args={"timeout": 10}))
    return create_engine(
        address,
        hide_parameters=True,
        pool_pre_ping=True,
        pool_size=_KEPT_CONNECTIONS,
        max_overflow=_KEPT_CONNECTIONS,
        connect_args=_POSTGRES,
    )


#: Connections stay open once made, up to as many as requests are answered at once: making one
#: takes Postgres longer than an answer.  Whoever uses fewer at once opens fewer.
_KEPT_CONNECTIONS = 20


#: A process that is stopped, or a host that is gone, in mid-transaction gives its locks back; who
#: waits for a lock waits longer than that, and nobody waits for ever.
_POSTGRES = {
    "options": "-c idle_in_transaction_session_timeout=30s -c lock_timeout=45s",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,  # ms that something sent may stay without an acknowledgement
}


def _sqlite(engine: Engine) -> Engine:
    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # SQLAlchemy's "begin" event below decides
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA busy_timeout=10000")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reading = connection.get_execution_options().get("grb_reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


class Sessions:
    """Hands out sessions; the two kinds are the only places that begin and commit."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._write = sessionmaker(engine, expire_on_commit=False)
        reading = engine.execution_options(grb_reading=True)
        if engine.dialect.name == "postgresql":
            reading = reading.execution_options(isolation_level="REPEATABLE READ")
        self._read = sessionmaker(reading, expire_on_commit=False)

    def after_writing(self, call: Callable[[], object]) -> None:
        """Have this called whenever something was committed here."""
        event.listen(self._write, "after_commit", lambda _session: call())

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction that commits at the end, or rolls back on any error."""
        with self._write() as session, session.begin():
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """One consistent view for reading; nothing is committed."""
        with self._read() as session:
            yield session
