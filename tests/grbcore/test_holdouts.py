"""Hold-outs: which there are, what budgets they have, and how results are put together."""

from __future__ import annotations

import pytest

from grbcore import catalog
from grbcore.holdouts import Measured, measured, planned, summaries
from grbcore.scenario import DIFFICULTIES, InjectionBudget, ModificationBudget

INJECTION, MODIFICATION = "digits/injection@1", "digits/modification@1"


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_nodes_are_scaled_and_what_each_may_do_is_not(difficulty) -> None:
    board = catalog.board(INJECTION)
    once = board.budget(difficulty)
    half, double = (board.at_budget(factor).budget(difficulty) for factor in (0.5, 2))
    assert isinstance(once, InjectionBudget)
    assert isinstance(half, InjectionBudget) and isinstance(double, InjectionBudget)
    assert (half.nodes, double.nodes) == ((once.nodes + 1) // 2, 2 * once.nodes)
    assert half.edges_per_node == double.edges_per_node == once.edges_per_node
    assert (double.feature_min, double.feature_max) == (once.feature_min, once.feature_max)


def test_flips_are_scaled_after_the_board_has_rounded_them() -> None:
    """5 % of 1,010 edges are 50 flips: 25 and 100; of 1,030 they are 51: 26 and 102."""
    board = catalog.board(MODIFICATION)
    for edges, wanted in ((1010, (25, 50, 100)), (1030, (26, 51, 102))):
        found = [board.at_budget(factor).budget("full", edges=edges) for factor in (0.5, 1, 2)]
        assert found == [ModificationBudget(flips) for flips in wanted]


def test_a_board_at_another_budget_is_no_other_board() -> None:
    board = catalog.board(INJECTION)
    double = board.at_budget(2)
    assert (double.id, double.protocol("0" * 64)) == (board.id, board.protocol("0" * 64))
    assert "factor" not in double.model_dump()


def test_references_are_made_at_three_budgets_and_other_families_at_one() -> None:
    board = catalog.board(INJECTION)
    families = {"RND", "FGSM", "PGD", "SPEIT", "TDGIA"}
    found = planned(board, {"RND", "FGSM", "Mine"}, families)
    budgets = [(one.recipe.name, one.factor) for one in found if one.kind == "budget"]
    assert budgets == [(name, factor) for name in ("RND", "FGSM") for factor in (0.5, 1.0, 2.0)]
    unseen = [(one.recipe.method, one.factor) for one in found if one.kind == "unseen"]
    assert unseen == [("AGIA", 1.0), ("QuerySearch", 1.0)]
    assert all(one.recipe.surrogate for one in found if one.kind == "unseen")
    assert {one.kind for one in planned(board, {"RND"}, families, unseen=False)} == {"budget"}


def test_budgets_are_compared_over_the_same_attacks() -> None:
    """B lacks double the budget and counts nowhere: 0.6, 0.5 and 0.2 are A's alone."""
    found = [
        Measured("A", "budget", 2.0, (0.1, 0.3)),
        Measured("A", "budget", 0.5, (0.6, 0.6)),
        Measured("A", "budget", 1.0, (0.5, 0.5)),
        Measured("B", "budget", 0.5, (0.9, 0.9)),
        Measured("B", "budget", 1.0, (0.9, 0.9)),
        Measured("C", "unseen", 1.0, (0.4,)),
        Measured("D", "unseen", 1.0, (0.2,)),
    ]
    rows = summaries(found)
    assert [(row.kind, row.factor, row.attacks) for row in rows] == [
        ("budget", 0.5, 1), ("budget", 1.0, 1), ("budget", 2.0, 1), ("unseen", 1.0, 2),
    ]  # fmt: skip
    assert [row.mean for row in rows] == pytest.approx([0.6, 0.5, 0.2, 0.3])
    assert (rows[3].worst, rows[3].worst_attack) == (0.2, "D")


def test_an_attack_without_a_difficulty_is_not_measured_there() -> None:
    one = measured("A", "budget", 1.0, {"full": [3, 5]}, {"full": 10}, "full")
    assert one is not None and one.accuracies == (0.3, 0.5)
    assert measured("A", "budget", 1.0, {"full": [3, 5]}, {"full": 10}, "easy") is None
