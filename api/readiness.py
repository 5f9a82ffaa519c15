"""Which parts of the service do not answer."""

from __future__ import annotations

import logging

from sqlalchemy.exc import SQLAlchemyError

from api.deps import Service
from grbcore.store import migrate

log = logging.getLogger(__name__)


def missing(service: Service) -> list[str]:
    """Names of the parts that are not there: database, migrations, broker, blobs."""
    found = _database(service)
    if not service.waker.reachable():
        found.append("broker")
    try:
        service.blobs.check()
    except Exception as error:
        log.warning("the blob store does not answer: %s", error)
        found.append("blobs")
    return found


def _database(service: Service) -> list[str]:
    try:
        current = migrate.current(service.sessions.engine)
    except SQLAlchemyError as error:
        log.warning("the database does not answer: %s", error)
        return ["database"]
    return [] if current else ["migrations"]
