"""Arenas kept in memory while nothing that they depend on changes."""

from __future__ import annotations

from sqlalchemy.orm import Session

from api.arena_schemas import ArenaOut
from api.memory import Memory
from api.rankings import Rankings
from api.views.arena import Read, arena, read
from grbcore.catalog import Board
from grbcore.scenario import Difficulty, Side
from grbcore.store import arenas, clusters, queries
from grbcore.store.arenas import Frontier, Game
from grbcore.store.session import now
from grbcore.store.visibility import beyond

Key = tuple[object, ...]


class Arenas:
    """One side of a board's arena as everybody sees it, worked out once for all who ask for it.

    What it is made of, and the equilibrium, are kept for both sides.  Everything is computed after
    the session was closed: PostgreSQL ends a transaction that idles meanwhile.
    """

    def __init__(self, rankings: Rankings, most: int = 64, games: int = 8) -> None:
        self._rankings = rankings
        self._found: Memory[Key, ArenaOut] = Memory(most)
        self._games: Memory[Key, tuple[Read, Frontier | None]] = Memory(games)

    def get(self, session: Session, board: Board, side: Side, difficulty: Difficulty) -> ArenaOut:
        """The arena as it is now; the session's transaction may be over afterwards."""
        row = queries.board_row(session, board.id)
        stamp = (row.protocol, row.revision, row.changed_at) if row else None
        lapsed = beyond(session, board.id, None, now())
        known = clusters.found(session, board.id).stamp
        key = (board.id, stamp, lapsed, known, difficulty)

        def made() -> ArenaOut:
            found, frontier = self._games.get(key, played, session.close)
            session.close()
            return arena(found, frontier, side)

        def played() -> tuple[Read, Frontier | None]:
            found = self._read(session, board, difficulty)
            session.close()
            frontier = arenas.frontier(found.game) if isinstance(found.game, Game) else None
            return found, frontier

        return self._found.get((*key, side), made, session.close)

    def _read(self, session: Session, board: Board, difficulty: Difficulty) -> Read:
        with self._rankings.counts(board, session.close) as counts:
            row = queries.board_row(session, board.id)
            known = clusters.found(session, board.id)
            return read(session, board, row, known, difficulty, counts)
