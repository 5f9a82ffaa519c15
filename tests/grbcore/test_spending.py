"""What attacks spend of their budget, against perturbations that are small enough to count."""

from __future__ import annotations

import numpy as np
import pytest

from grbcore import catalog
from grbcore.changes_budget import ChangesBudget
from grbcore.datasets import Dataset
from grbcore.perturbation import Injection, Modification
from grbcore.scenario import InjectionBudget, ModificationBudget
from grbcore.spending import Spent, share, spending, spent

#: A path 0 - 1 - 2 - 3 - 4 - 5.
PATH = Dataset.from_arrays(
    "path",
    np.array([[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]]),
    np.eye(6),
    np.array([0, 1, 0, 1, 0, 1]),
    train=np.array([0, 1]),
    val=np.array([2]),
    test=np.array([3, 4, 5]),
)


def test_an_injection_spends_nodes_and_the_edges_at_them() -> None:
    # nodes 6 and 7 are new; the edge between the two has both its ends at new nodes
    one = Injection(np.zeros((2, 6), np.float32), np.array([[6, 7, 6], [0, 1, 7]]))
    two = Injection(np.zeros((1, 6), np.float32), np.array([[6], [3]]))
    assert spending({"full": (one, two)}, PATH) == {
        "full": {"nodes": [2, 1], "edges": [3, 1], "ends": [4, 1]}
    }


def test_a_modification_spends_edges_that_it_adds_and_removes() -> None:
    # 1-2 and 3-2 are there, whichever end stands first; 0-2 and 3-0 are not
    flips = Modification(np.array([[1, 3, 0], [2, 2, 2]]))
    again = Modification(np.array([[3], [0]]))
    assert spending({"easy": (flips, again)}, PATH) == {
        "easy": {"added": [1, 1], "removed": [2, 0]}
    }
    assert spending({"full": (Modification.empty(),)}, PATH) == {
        "full": {"added": [0], "removed": [0]}
    }


INJECTION = InjectionBudget(nodes=4, edges_per_node=2, feature_min=0, feature_max=1)
COUNTS = {"nodes": [4, 2], "edges": [6, 3], "ends": [8, 4]}


def test_what_is_spent_stands_beside_what_is_allowed() -> None:
    assert spent(COUNTS, INJECTION) == [  # type: ignore[arg-type]
        Spent("nodes", 3.0, 4, 4),
        Spent("edges", 4.5, 6, None),
        Spent("ends", 6.0, 8, 8),
    ]
    assert spent({"added": [3, 5], "removed": [1, 0]}, ModificationBudget(10)) == [
        Spent("added", 4.0, 5, None),
        Spent("removed", 0.5, 1, None),
    ]


def test_the_share_is_of_the_edges_that_are_allowed() -> None:
    assert share(COUNTS, INJECTION) == pytest.approx(6 / 8)  # type: ignore[arg-type]
    assert share({"added": [3, 5], "removed": [1, 0]}, ModificationBudget(10)) == pytest.approx(
        0.45
    )
    assert share({"added": [0], "removed": [0]}, ModificationBudget(0)) is None


def test_of_whole_graphs_the_share_is_the_mean_over_them() -> None:
    """4 and 8 changes of 3 graphs of which each may have 4: 1/3 and 2/3."""
    counts = {"added": [1, 2], "removed": [3, 4], "values": [0, 2]}
    budget = ChangesBudget(4, attributes=True)
    assert share(counts, budget, graphs=3) == pytest.approx(1 / 2)  # type: ignore[arg-type]
    assert spent(counts, budget)[-1] == Spent("values", 1.0, 2, None)  # type: ignore[arg-type]


def test_where_no_value_may_change_none_is_told_of() -> None:
    counts = {"added": [1], "removed": [3], "values": [0]}
    told = spent(counts, ChangesBudget(4, attributes=False))  # type: ignore[arg-type]
    assert [one.kind for one in told] == ["added", "removed"]


def test_an_attack_within_a_boards_budget_spends_no_more_than_all_of_it() -> None:
    budget = catalog.board("digits/injection@1").budget("full")
    assert isinstance(budget, InjectionBudget)
    full = budget.nodes * budget.edges_per_node
    counts = {"nodes": [budget.nodes], "edges": [full], "ends": [full]}
    assert share(counts, budget) == 1.0  # type: ignore[arg-type]
