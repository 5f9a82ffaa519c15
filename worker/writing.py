"""Steps that outlive a moment without the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime
from threading import Event

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.orm import Session

from grbcore.store.session import Sessions, now

log = logging.getLogger(__name__)

_AGAIN = (0.2, 1.0, 3.0, 8.0, 15.0)  # while the database is away; within one lease


def write(sessions: Sessions, stopping: Event, action: Callable[[Session, datetime], bool]) -> bool:
    """Run a step in one transaction; again where the database was away for a moment."""
    for pause in (*_AGAIN, None):
        try:
            with sessions.writing() as session:
                return action(session, now())
        except (OperationalError, InterfaceError) as error:
            if pause is None or stopping.is_set():
                raise
            log.warning("the database does not answer, again in %g s: %s", pause, error)
            time.sleep(pause)
    raise AssertionError("unreachable")
