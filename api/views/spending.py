"""What attacks use of their budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from api.spending_schemas import BudgetOut, SpentOut
from grbcore import catalog
from grbcore.catalog import Board
from grbcore.scenario import DIFFICULTIES, Budget, Difficulty
from grbcore.spending import Kind, mean, share, spent
from grbcore.store.tables import BoardRow, Submission


def budgets(board: Board, row: BoardRow | None, entry: Submission) -> dict[Difficulty, BudgetOut]:
    """What an attack uses at each difficulty that it carries; empty where it was not counted."""
    found = {}
    for difficulty in DIFFICULTIES:
        counts = _counts(entry, difficulty)
        if counts is not None:
            budget = budget_of(board, row, difficulty)
            kinds = [SpentOut(**asdict(one)) for one in spent(counts, budget)]
            found[difficulty] = BudgetOut(share=share(counts, budget), spent=kinds)
    return found


def used(entry: Submission, difficulty: Difficulty, budget: Budget) -> float | None:
    """The part of its budget that an attack uses at one difficulty; None: not known."""
    counts = _counts(entry, difficulty)
    return None if counts is None else share(counts, budget)


def means(entry: Submission, difficulty: Difficulty) -> dict[Kind, float] | None:
    """What an attack uses at one difficulty, as means over repeats; None: not known."""
    counts = _counts(entry, difficulty)
    return None if counts is None else {kind: mean(of) for kind, of in counts.items()}


def budget_of(board: Board, row: BoardRow | None, difficulty: Difficulty) -> Budget:
    """What an attacker may do on this host's data, or on the data as registered."""
    facts: Mapping[str, Any] = (row.facts if row else None) or {}
    return board.budget(difficulty, edges=facts.get("edges", catalog.dataset(board.dataset).edges))


def _counts(entry: Submission, difficulty: Difficulty) -> Mapping[Kind, Sequence[int]] | None:
    found = (entry.spent or {}).get(difficulty)
    return cast(Mapping[Kind, Sequence[int]] | None, found)
