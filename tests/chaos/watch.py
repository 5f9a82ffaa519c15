"""Whether anything waits while a worker that could do it is idle."""

from __future__ import annotations

import threading
import time

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from grbcore.store.queue import claimable_cell, claimable_validation
from grbcore.store.session import Sessions, now
from grbcore.store.tables import CellRow, Submission, WorkerRow
from tests.chaos.entries import BOARD
from tests.chaos.fleet import Fleet


class Watch(threading.Thread):
    """Looks at the queue again and again, and keeps the longest wait of a cell or a submission.

    Something waits while it may be claimed, or while it is leased to a worker that is dead or
    stopped.  Its wait begins anew whenever no worker that fits is idle.  While the database is
    away the clock goes on.
    """

    def __init__(self, sessions: Sessions, fleet: Fleet, pause: float) -> None:
        super().__init__(name="watch", daemon=True)
        self.longest = 0.0
        self.samples = 0
        self._sessions = sessions
        self._fleet = fleet
        self._pause = pause
        self._since: dict[str, float] = {}
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(self._pause):
            try:
                self._look()
            except SQLAlchemyError:
                continue

    def end(self) -> None:
        self._ended.set()
        self.join()

    def _look(self) -> None:
        able = {str(pid) for pid in self._fleet.able().values()}
        with self._sessions.reading() as session:
            leases = session.execute(
                select(CellRow.lease_owner, CellRow.id).where(CellRow.state == "running")
            ).all()
            leases += session.execute(
                select(Submission.lease_owner, Submission.id).where(
                    Submission.state == "validating"
                )
            ).all()
            unfit = {
                row.id.split("/")[1]
                for row in session.scalars(select(WorkerRow))
                if BOARD in row.avoided and row.stopped_at is None
            }
            busy = {owner.split("/")[1] for owner, _ in leases if owner is not None}
            waiting: set[str] = set()
            if able - busy - unfit:
                waiting |= {*session.scalars(select(CellRow.id).where(claimable_cell(now())))}
                waiting |= {
                    *session.scalars(select(Submission.id).where(claimable_validation(now())))
                }
                waiting |= {key for owner, key in leases if owner.split("/")[1] not in able}
        moment = time.monotonic()
        self._since = {key: self._since.get(key, moment) for key in waiting}
        self.samples += 1
        waits = [moment - since for since in self._since.values()]
        self.longest = max(self.longest, *waits, 0.0)
