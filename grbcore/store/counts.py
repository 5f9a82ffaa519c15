"""The counts of a board's cells, read once and kept up to date as entries are registered.

Between two registered entries no result changes by itself: who is evaluated anew is registered
anew, and whatever else replaces results is a re-evaluation that is applied.  So of a board that is
known only the cells of entries registered since are read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from grbcore.catalog import Board
from grbcore.columns import Columns, places
from grbcore.results import CLEAN
from grbcore.scenario import Side
from grbcore.store.queries import applied, counted, strung
from grbcore.store.tables import Submission


class Counts:
    """The finished cells between registered entries of one board.  Used by one thread at a time."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._forget(())

    def _forget(self, stamp: tuple[Any, ...]) -> None:
        self._stamp = stamp
        self._registered: dict[str, datetime] = {}
        board = self._board
        self._cells = Columns((), (), board.repeats, board.difficulties, errors=board.errors)
        # attacks (defenses) whose cells against every registered entry are read
        self._rows: set[str] = set()
        self._columns: set[str] = set()

    def columns(
        self,
        session: Session,
        protocol: str,
        entries: Sequence[Submission],
        attacks: Collection[str],
        defenses: Collection[str],
    ) -> Columns:
        """Columns that hold the cells between these attacks, the row without one, and defenses.

        ``entries`` are those of the board now, in the transaction that the cells are read in.
        """
        try:
            self._follow(session, protocol, entries)
            self._complete(session, attacks, defenses)
        except BaseException:
            self._forget(())  # what was being read has holes
            raise
        return self._cells

    def _complete(
        self, session: Session, attacks: Collection[str], defenses: Collection[str]
    ) -> None:
        rows = [name for name in (CLEAN, *attacks) if name not in self._rows]
        columns = [name for name in defenses if name not in self._columns]
        if rows and columns:
            # an index has the cells of an attack side by side
            if len(columns) < len(rows) // 2:
                self._read(session, (), columns)
            else:
                self._read(session, rows, ())

    def _follow(self, session: Session, protocol: str, entries: Sequence[Submission]) -> None:
        """Read the cells of entries that were registered since the last time."""
        registered = {e.id: e.registered_at for e in entries if e.registered_at is not None}
        stamp = (protocol, *applied(session, self._board.id))
        gone = len(self._registered.keys() - registered.keys())
        if stamp != self._stamp or 2 * gone > len(registered):
            self._forget(stamp)
        fresh = [e for e in entries if e.registered_at != self._registered.get(e.id)]
        attacks = [entry.id for entry in fresh if entry.side == "attack"]
        defenses = [entry.id for entry in fresh if entry.side == "defense"]
        self._cells.admit(attacks, defenses)
        if self._rows or self._columns:
            self._read(session, attacks, defenses)
        self._registered = registered

    def _read(self, session: Session, attacks: Collection[str], defenses: Collection[str]) -> None:
        """Read every cell of these entries."""
        self._cells.clear(attacks, defenses)
        cells = counted(self._board.id, str(self._stamp[0]))
        if attacks:
            add(session, self._cells, cells, "attack", attacks)
        if defenses:
            add(session, self._cells, cells, "defense", defenses)
        self._rows.update(attacks)
        self._columns.update(defenses)


def add(
    session: Session,
    into: Columns,
    cells: ColumnElement[bool],
    side: Side = "attack",
    wanted: Collection[str] | None = None,
) -> None:
    """Read these finished cells, or those of ``wanted`` entries of a side, into columns.

    Of nearly all entries of a side every cell is read.
    """
    mine, other = into.attacks, into.defenses
    if side == "defense":
        mine, other = other, mine
    only = wanted if wanted is not None and 2 * len(wanted) < len(mine) else None
    names, there = "", places(other, ())
    for entry, listed, packed in strung(session, cells, side, only):
        if listed != names:  # most have cells with the same entries, in the same order
            names, there = listed, places(other, listed.split())
        here = np.broadcast_to(places(mine, [entry]), there.shape)
        into.put(*((here, there) if side == "attack" else (there, here)), packed)
