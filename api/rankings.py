"""Rankings kept in memory for as long as their board does not change."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from sqlalchemy.orm import Session

from grbcore.catalog import Board
from grbcore.leaderboard import Leaderboard
from grbcore.scenario import Difficulty, Side
from grbcore.store.tables import BoardRow
from grbcore.store.views import View, standing

Key = tuple[object, ...]


class Rankings:
    """`standing` with a memory: one entry per board revision, protocol and question.

    The revision is raised in the transaction that changes a ranking, so an entry never goes stale;
    the least recently used of more than ``most`` are dropped.
    """

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._known: OrderedDict[Key, Leaderboard] = OrderedDict()
        self._lock = Lock()

    def get(
        self,
        session: Session,
        board: Board,
        row: BoardRow | None,
        *,
        view: View = "reference",
        side: Side,
        difficulty: Difficulty = "full",
    ) -> Leaderboard:
        """The ranking at the row's revision."""
        protocol = row.protocol if row else None
        stamp = (row.revision, row.changed_at) if row else None
        key = (board.id, protocol, stamp, view, side, difficulty)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        found = standing(session, board, protocol, view=view, side=side, difficulty=difficulty)
        with self._lock:
            self._known[key] = found
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return found

    def ranks(
        self, session: Session, board: Board, row: BoardRow | None, side: Side
    ) -> dict[str, int]:
        """Rank by id, at full in the reference view."""
        rows = self.get(session, board, row, side=side).rows
        return {row.id: row.rank for row in rows if row.rank is not None}
