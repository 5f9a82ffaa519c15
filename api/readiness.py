"""Which parts of the service do not answer."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import SQLAlchemyError

from api.deps import Service
from grbcore.store.session import Sessions

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"


def missing(service: Service) -> list[str]:
    """Names of the parts that are not there: database, migrations, broker, blobs."""
    found = _database(service.sessions)
    if not service.waker.reachable():
        found.append("broker")
    try:
        service.blobs.check()
    except Exception as error:
        log.warning("the blob store does not answer: %s", error)
        found.append("blobs")
    return found


def _database(sessions: Sessions) -> list[str]:
    try:
        with sessions.reading() as session:
            current = MigrationContext.configure(session.connection()).get_current_heads()
    except SQLAlchemyError as error:
        log.warning("the database does not answer: %s", error)
        return ["database"]
    return [] if set(current) == _wanted() else ["migrations"]


@cache
def _wanted() -> set[str]:
    """The newest revision among the migrations that belong to this code."""
    return set(ScriptDirectory(str(MIGRATIONS)).get_heads())
