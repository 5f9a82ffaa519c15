"""Rankings, and the answers made of them, kept in memory while their board does not change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from api.memory import Memory
from grbcore.catalog import Board
from grbcore.leaderboard import Leaderboard
from grbcore.scenario import SIDES, Difficulty, Side
from grbcore.store.session import now
from grbcore.store.tables import BoardRow
from grbcore.store.views import Scores, View, scores
from grbcore.store.visibility import Viewer, beyond

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The body of an answer, and its ETag."""

    body: bytes
    tag: str


class Rankings:
    """`scores` with a memory: one entry per board revision, protocol and view.

    The revision is raised in the transaction that changes a ranking, so an entry never goes stale.
    What a viewer sees beyond that is part of the key, so nobody is shown another's.
    Whatever many requests ask for at once is worked out once; who waits holds no connection to the
    database meanwhile.
    """

    def __init__(self, most: int = 64) -> None:
        self._scores: Memory[Key, Scores] = Memory(most)
        self._ordered: Memory[Key, Leaderboard] = Memory(8 * most)
        self._answers: Memory[Key, Answer] = Memory(8 * most)

    def get(
        self,
        session: Session,
        board: Board,
        row: BoardRow | None,
        *,
        view: View = "reference",
        side: Side,
        difficulty: Difficulty = "full",
        viewer: Viewer = None,
    ) -> Leaderboard:
        """The ranking at the row's revision, of all that the viewer sees."""
        at = now()
        protocol = row.protocol if row else None
        stamp = (row.revision, row.changed_at) if row else None
        # every cell is read once for both sides; of the references each side has its own
        sides = SIDES if view == "all" else (side,)
        key = (board.id, protocol, stamp, view, beyond(session, board.id, viewer, at))

        def measured() -> Scores:
            return scores(session, board, protocol, view=view, sides=sides, viewer=viewer, at=at)

        def in_order() -> Leaderboard:
            found = self._scores.get((*key, sides), measured, session.close)
            return found.ranking(side, difficulty)

        return self._ordered.get((*key, side, difficulty), in_order, session.close)

    def ranks(
        self,
        session: Session,
        board: Board,
        row: BoardRow | None,
        side: Side,
        viewer: Viewer = None,
    ) -> dict[str, int]:
        """Rank by id, at full in the reference view."""
        rows = self.get(session, board, row, side=side, viewer=viewer).rows
        return {row.id: row.rank for row in rows if row.rank is not None}

    def answer(self, session: Session, tag: str, make: Callable[[], Answer]) -> Answer:
        """The answer that has this tag; one that has another in the end is not kept."""
        found = self._answers.get((tag,), make, session.close)
        if found.tag != tag:
            self._answers.forget((tag,))
        return found
