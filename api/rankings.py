"""Rankings kept in memory while their board does not change, and what they are made of."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock

from sqlalchemy.orm import Session

from api.memory import Memory
from grbcore.catalog import Board
from grbcore.flags import Flag
from grbcore.leaderboard import Leaderboard, Row, ordered
from grbcore.metrics import Metric
from grbcore.scenario import SIDES, Difficulty, Side
from grbcore.store import queries
from grbcore.store.counts import Counts
from grbcore.store.flags import board_flags
from grbcore.store.session import now
from grbcore.store.tables import BoardRow
from grbcore.store.views import View, scores
from grbcore.store.visibility import Viewer, beyond

Key = tuple[object, ...]


class Rankings:
    """`scores` with a memory: one entry per board revision, protocol, view and side.

    The revision is raised in the transaction that changes a ranking, so an entry never goes stale.
    What a viewer sees beyond that is part of the key, so nobody is shown another's.
    Whatever many requests ask for at once is worked out once; who waits holds no connection to the
    database meanwhile.  Of a board that was ranked before, only the cells that came since are read.
    """

    def __init__(self, most: int = 64, boards: int = 16) -> None:
        self._rows: Memory[Key, list[Row]] = Memory(most)
        self._flags: Memory[Key, dict[str, tuple[Flag, ...]]] = Memory(most)
        self._ordered: Memory[Key, Leaderboard] = Memory(4 * most)
        self._boards = boards
        self._counts: OrderedDict[str, tuple[Lock, Counts]] = OrderedDict()
        self._lock = Lock()

    def get(
        self,
        session: Session,
        board: Board,
        row: BoardRow | None,
        *,
        view: View = "reference",
        side: Side,
        difficulty: Difficulty | None = None,
        metric: Metric = "weighted",
        viewer: Viewer = None,
    ) -> Leaderboard:
        """The ranking at the row's revision, of all that the viewer sees; unless said at what the
        board is ranked by."""
        at, chosen = now(), difficulty or board.ranked
        protocol = row.protocol if row else None
        stamp = (row.revision, row.changed_at) if row else None
        key = (board.id, protocol, stamp, view, side, beyond(session, board.id, viewer, at))

        def measured() -> list[Row]:
            lock, known = self._of(board)
            with _alone(lock, session.close) as waited:
                # who waited reads what holds by now
                now_row = queries.board_row(session, board.id) if waited else row
                return scores(
                    session,
                    board,
                    now_row.protocol if now_row else None,
                    view=view,
                    side=side,
                    known=known,
                    viewer=viewer,
                    at=at,
                )

        def in_order() -> Leaderboard:
            rows = self._rows.get(key, measured, session.close)
            return ordered(rows, side, chosen, metric, errors=board.errors)

        return self._ordered.get((*key, chosen, metric), in_order, session.close)

    def ranks(
        self,
        session: Session,
        board: Board,
        row: BoardRow | None,
        side: Side,
        viewer: Viewer = None,
    ) -> dict[str, int]:
        """Rank by id, at what the board is ranked by, in the reference view."""
        rows = self.get(session, board, row, side=side, viewer=viewer).rows
        return {row.id: row.rank for row in rows if row.rank is not None}

    def flags(
        self, session: Session, board: Board, row: BoardRow | None, viewer: Viewer = None
    ) -> Mapping[str, tuple[Flag, ...]]:
        """What is flagged of each entry that the viewer sees ranked, by its id."""
        if row is None:
            return {}
        stamp = (row.protocol, row.revision, row.changed_at)
        key = (board.id, *stamp, beyond(session, board.id, viewer, now()))

        def raised() -> dict[str, tuple[Flag, ...]]:
            rows = {
                side: self.get(session, board, row, side=side, viewer=viewer).rows for side in SIDES
            }
            lock, known = self._of(board)
            with _alone(lock, session.close):
                now_row = queries.board_row(session, board.id)
                return {} if now_row is None else board_flags(session, now_row, known, rows)

        return self._flags.get(key, raised, session.close)

    @contextmanager
    def counts(self, board: Board, release: Callable[[], object]) -> Iterator[Counts]:
        """The counts of a board for one thread at a time; who waits calls ``release`` first."""
        lock, known = self._of(board)
        with _alone(lock, release):
            yield known

    def _of(self, board: Board) -> tuple[Lock, Counts]:
        """The counts of a board, and the lock under which they are used."""
        with self._lock:
            if board.id not in self._counts:
                self._counts[board.id] = Lock(), Counts(board)
            self._counts.move_to_end(board.id)
            while len(self._counts) > self._boards:
                self._counts.popitem(last=False)
            return self._counts[board.id]


@contextmanager
def _alone(lock: Lock, release: Callable[[], object]) -> Iterator[bool]:
    """Hold the lock, and tell whether it was waited for; ``release`` is called before that."""
    waited = not lock.acquire(blocking=False)
    if waited:
        release()
        lock.acquire()
    try:
        yield waited
    finally:
        lock.release()
