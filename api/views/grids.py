"""The matrix as rows of numbers: many cells in few bytes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from api import table_schemas
from api.rankings import Rankings
from api.views.parts import clean_head
from api.views.rankings import Span, matrix_heads
from grbcore.catalog import Board
from grbcore.columns import shares
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty
from grbcore.store import windows
from grbcore.store.tables import BoardRow
from grbcore.store.views import View

#: How a state is told; what is not there was never evaluated.
_LETTERS = {"done": "d", "running": "r", "queued": "q", "failed": "f", "dead": "x"}
STATES = {letter: state for state, letter in _LETTERS.items()}
_NOTHING = "-"

_DIGITS = 10  # so many that no number is rounded twice to another one on the page


def grid(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    *,
    view: View,
    difficulty: Difficulty,
    rows: Span,
    columns: Span,
) -> table_schemas.GridOut:
    """The cells of a window at one difficulty, as everybody sees them."""
    found = matrix_heads(session, rankings, board, row, view=view, difficulty=difficulty)
    attacks, defenses = [*rows.of(found.attacks), clean_head()], list(columns.of(found.defenses))
    shape = len(attacks), len(defenses)
    means, spreads = np.full((2, *shape), np.nan)
    states = np.full(shape, _NOTHING)
    ids: NDArray[np.object_] = np.full(shape, None, np.object_)
    if row is not None and row.protocol is not None and defenses:
        cells = windows.packed_window(
            session, row.id, row.protocol, [one.id for one in attacks], [one.id for one in defenses]
        )
        downwards = {one.id: place for place, one in enumerate(attacks)}
        across = {one.id: place for place, one in enumerate(defenses)}
        packed = []
        where: list[tuple[int, int]] = []
        for attack, defense, cell, state, counts in cells:
            at = downwards[attack or CLEAN], across[defense]
            ids[at], states[at] = cell, _LETTERS[state]
            if state == "done" and counts is not None:
                packed.append(counts)
                where.append(at)
        at_rows, at_columns = np.array(where, np.intp).reshape(-1, 2).T
        means[at_rows, at_columns], spreads[at_rows, at_columns] = shares(
            packed, difficulty, errors=board.errors
        )
    signed = -means if board.errors else means  # what is best for a defense is the largest
    return table_schemas.GridOut(
        board=board.id,
        revision=row.revision if row else 0,
        view=view,
        difficulty=difficulty,
        row=rows.first,
        column=columns.first,
        total_rows=len(found.attacks),
        total_columns=len(found.defenses),
        attacks=attacks,
        defenses=defenses,
        cells=ids.tolist(),
        states=["".join(line) for line in states.tolist()],
        means=_numbers(means),
        spreads=_numbers(spreads),
        best_attacks=_places(-signed[:-1].T, transposed=True),
        best_defenses=_places(signed),
    )


def accuracies_between(
    session: Session,
    board: Board,
    row: BoardRow | None,
    attacks: Sequence[str],
    defenses: Sequence[str],
    difficulty: Difficulty,
) -> dict[tuple[str, str], float]:
    """The mean accuracies, or errors, of the finished cells between these attacks (`CLEAN` perhaps
    among them) and defenses that carry the difficulty."""
    if row is None or row.protocol is None or not defenses:
        return {}
    cells = [
        (attack or CLEAN, defense, counts)
        for attack, defense, _, state, counts in windows.packed_window(
            session, row.id, row.protocol, attacks, defenses
        )
        if state == "done" and counts is not None
    ]
    packed = [counts for _, _, counts in cells]
    means, _ = shares(packed, difficulty, errors=board.errors)
    return {
        (attack, defense): mean
        for (attack, defense, _), mean in zip(cells, means.tolist(), strict=True)
        if not math.isnan(mean)
    }


def is_settled(found: table_schemas.GridOut) -> bool:
    """Whether nothing in this window changes before the board's revision does."""
    registered = all(head.state == "ranked" for head in (*found.attacks, *found.defenses))
    return registered and all(set(line) <= {_LETTERS["done"]} for line in found.states)


def _numbers(values: NDArray[np.float64]) -> list[list[float | None]]:
    known = values.round(_DIGITS).astype(object)
    known[np.isnan(values)] = None
    found: list[list[float | None]] = known.tolist()
    return found


def _places(values: NDArray[np.float64], *, transposed: bool = False) -> list[tuple[int, int]]:
    """Row and column of the largest of each line, shared firsts too."""
    if not values.size:
        return []
    known = np.where(np.isnan(values), -np.inf, values)
    first = (known == known.max(axis=1, keepdims=True)) & ~np.isnan(values)
    found = np.argwhere(first.T if transposed else first).tolist()
    return [(row, column) for row, column in found]
