"""What attacks use of their budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from api.spending_schemas import BudgetOut, SpentOut
from grbcore import catalog
from grbcore.catalog import Board
from grbcore.changes_budget import ChangesBudget
from grbcore.scenario import GRAPH_SCENARIOS, Budget, Difficulty, parts_of
from grbcore.spending import Kind, share, spent
from grbcore.store.tables import BoardRow, Submission


@dataclass(frozen=True, slots=True)
class Allowed:
    """What an attacker may do at each of some difficulties, on data of so many test graphs."""

    budgets: Mapping[Difficulty, Budget | ChangesBudget]
    graphs: int


def allowed(board: Board, row: BoardRow | None, difficulty: Difficulty) -> Allowed:
    """What an attacker may do on this host's data, or on the data as registered; at the mean over
    budgets, at each of them."""
    registered = catalog.dataset(board.dataset)
    facts: Mapping[str, Any] = (row.facts if row else None) or {}
    parts = parts_of(difficulty)
    if board.scenario in GRAPH_SCENARIOS:
        graphs = facts.get("graphs", registered.graphs)
        return Allowed({part: board.changes(part) for part in parts}, graphs)
    edges = facts.get("edges", registered.edges)
    return Allowed({part: board.budget(part, edges=edges) for part in parts}, 1)


def budgets(board: Board, row: BoardRow | None, entry: Submission) -> dict[Difficulty, BudgetOut]:
    """What an attack uses at each difficulty that it carries; empty where it was not counted."""
    found = {}
    for difficulty in board.difficulties:
        counts = _counts(entry, difficulty)
        if counts is not None:
            may = allowed(board, row, difficulty)
            kinds = [SpentOut(**asdict(one)) for one in spent(counts, may.budgets[difficulty])]
            part = share(counts, may.budgets[difficulty], graphs=may.graphs)
            found[difficulty] = BudgetOut(share=part, spent=kinds)
    return found


def used(entry: Submission, may: Allowed) -> float | None:
    """The part of its budget that an attack uses, in the mean of several; None: not known."""
    found = []
    for difficulty, budget in may.budgets.items():
        counts = _counts(entry, difficulty)
        part = None if counts is None else share(counts, budget, graphs=may.graphs)
        if part is None:
            return None
        found.append(part)
    return sum(found) / len(found)


def means(entry: Submission, may: Allowed) -> dict[Kind, float] | None:
    """What an attack uses, as means over repeats, and over budgets where these are several; None:
    not known."""
    known = []
    for difficulty, budget in may.budgets.items():
        counts = _counts(entry, difficulty)
        if counts is None:
            return None
        known.append({one.kind: one.mean for one in spent(counts, budget)})
    return {kind: sum(one[kind] for one in known) / len(known) for kind in known[0]}


def _counts(entry: Submission, difficulty: Difficulty) -> Mapping[Kind, Sequence[int]] | None:
    found = (entry.spent or {}).get(difficulty)
    return cast(Mapping[Kind, Sequence[int]] | None, found)
