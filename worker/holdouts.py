"""Hold-outs, which a worker takes when nothing else waits."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy.exc import IntegrityError

from grbcore.store import holdout_queue
from grbcore.store.queue import Batch
from grbcore.store.session import Sessions, now
from worker.evaluation import Book

#: Before a board's id where its hold-outs alone are left to other workers.
OF = "hold-outs of "

#: Results of hold-outs go into cells of their own.
BOOK = Book(
    begin=holdout_queue.begin,
    finish=holdout_queue.finish,
    fail=holdout_queue.fail,
    retry=holdout_queue.retry,
    time_out=holdout_queue.time_out,
)


def claim(sessions: Sessions, avoided: Collection[str], takes: Collection[str]) -> Batch | None:
    """The hold-outs of one defense under a lease; None: none is due, or another was quicker."""
    excluding = {one.removeprefix(OF) for one in avoided}
    with sessions.reading() as session:
        if not holdout_queue.waits(session, now(), excluding=excluding, takes=takes):
            return None
    try:
        with sessions.writing() as session:
            return holdout_queue.claim(session, now(), excluding=excluding, takes=takes)
    except IntegrityError:
        return None
