"""When a batch makes way between two of its cells: to what is more urgent, and to other users."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime

from sqlalchemy.orm import Session

from grbcore.store.queue import NEW, Batch, pending
from grbcore.store.turns import TURN, end_turn
from worker.patience import Stopwatch


class Turn:
    """The turn of one batch, which begins now.

    What is run again, or held out, makes way at once to all that is as urgent as ``urgent``.  A new
    submission makes way to other users' new work after ``seconds``; what is left of it waits until
    it is that user's turn again.  ``avoided`` tells which boards and protocols this worker leaves
    alone, ``takes`` which needs it serves.
    """

    def __init__(
        self,
        batch: Batch,
        urgent: int,
        *,
        avoided: Callable[[], Collection[str]],
        takes: Collection[str],
        seconds: float = TURN,
    ) -> None:
        self._batch, self._urgent = batch, urgent
        self._avoided, self._takes = avoided, takes
        self._seconds, self._watch = seconds, Stopwatch()

    def is_over(self, session: Session, now: datetime) -> bool:
        """Whether something waits that this batch makes way to."""
        new = self._batch.priority == NEW
        if new and self._watch.passed() < self._seconds:
            return False
        waits = pending(
            session,
            now,
            excluding=self._avoided(),
            takes=self._takes,
            priority=self._urgent,
            beside=self._batch.newcomer_id if new else None,
        )
        if new and waits:
            end_turn(session, self._batch.newcomer_id, now)
        return waits
