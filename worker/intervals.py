"""Keeps the intervals of boards up to date, in a process of low priority beside evaluation."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from datetime import timedelta
from threading import Event

from sqlalchemy.exc import DBAPIError, IntegrityError

from grbcore import catalog
from grbcore.settings import Settings
from grbcore.store import intervals
from grbcore.store.session import Sessions, now
from grbcore.store.views import View

log = logging.getLogger(__name__)

#: So often it is looked for boards that changed; seconds.
POLL = 5.0

_COMMAND = (sys.executable, "-m", "worker.interval_job")
_SLICE = 0.5  # seconds until a stop is noticed
_TAIL = 2000  # characters of what a failed one wrote


class Intervals:
    """Looks for boards whose intervals are due and has them computed, one view at a time."""

    def __init__(self, settings: Settings, sessions: Sessions, owner: str, stopping: Event) -> None:
        self._settings = settings
        self._sessions = sessions
        self._owner = owner
        self._stopping = stopping
        self._renewed = now()  # when the turn was taken or renewed

    def look(self, _slept: bool = False) -> None:
        """Compute whatever is due, until there is nothing or the worker stops."""
        with self._sessions.reading() as session:
            found = intervals.due(session, now())
        known = catalog.boards()
        for board_id, view in found:
            if board_id not in known:
                continue  # another version of the service has it
            if self._stopping.is_set():
                return
            if self._take(board_id, view):
                self._compute(board_id, view)

    def _take(self, board_id: str, view: View) -> bool:
        self._renewed = now()
        try:
            with self._sessions.writing() as session:
                return intervals.take_turn(session, board_id, view, self._owner, self._renewed)
        except IntegrityError:
            return False  # another was quicker

    def _compute(self, board_id: str, view: View) -> None:
        wait = timedelta()
        try:
            if not self._run(board_id, view):
                wait = intervals.RESPITE
        finally:
            with self._sessions.writing() as session:
                intervals.end_turn(session, board_id, view, self._owner, now() + wait)

    def _run(self, board_id: str, view: View) -> bool:
        """Whether the process did its work, or was ended: the worker stops, or lost its turn."""
        asked = {
            "database_url": self._settings.database_url,
            "blob_url": self._settings.blob_url,
            "board": board_id,
            "view": view,
        }
        # a thread for each slice; more of them in each would only wait for each other
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        child = subprocess.Popen(
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
        )
        given: str | None = json.dumps(asked)
        ended = False
        while True:
            try:
                _, wrote = child.communicate(given, timeout=_SLICE)
                break
            except subprocess.TimeoutExpired:
                given = None
                if self._stopping.is_set() or not self._holds(board_id, view):
                    child.kill()
                    ended = True
        if child.returncode != 0 and not ended:
            log.error("intervals of %s, %s: %s", board_id, view, wrote[-_TAIL:].strip())
        return child.returncode == 0 or ended

    def _holds(self, board_id: str, view: View) -> bool:
        """Whether the turn is still this worker's; while the database is away, until it ends."""
        moment = now()
        if moment < self._renewed + intervals.TURN / 10:
            return True
        try:
            with self._sessions.writing() as session:
                held = intervals.renew_turn(session, board_id, view, self._owner, moment)
        except DBAPIError as error:
            log.warning("the turn of %s, %s was not renewed: %s", board_id, view, error)
            return moment < self._renewed + intervals.TURN
        self._renewed = moment
        if not held:
            log.warning("the intervals of %s, %s are another worker's now", board_id, view)
        return held
