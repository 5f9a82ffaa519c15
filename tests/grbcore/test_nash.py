"""The equilibrium of a board: the saddle points of GRB's tables, and its defining property."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from grbcore.nash import equilibrium
from tests.grbcore.tables import FOLDER


def game(board: str) -> tuple[list[str], list[str], np.ndarray]:
    """Attacks, defenses and the accuracies at full of a table of the paper, in percent."""
    told = json.loads((FOLDER / f"grb-{board}.json").read_text("utf-8"))
    attacks = [name for name in told["attacks_in_rank_order"] if name != "W/O Attack"]
    defenses = told["defenses_in_rank_order"]
    cells = [[told["cells"][a]["F"][d]["mean"] for d in defenses] for a in attacks]
    return attacks, defenses, np.array(cells)


@pytest.mark.parametrize(
    ("board", "attack", "defense", "value"),
    [
        ("cora", "TDGIA", "GAT+AT", 84.55),
        ("aminer", "TDGIA", "GAT+AT", 67.69),
        ("reddit", "TDGIA", "GIN+LN", 95.92),
    ],
)
def test_three_tables_of_the_paper_have_a_saddle_point(
    board: str, attack: str, defense: str, value: float
) -> None:
    attacks, defenses, cells = game(board)
    found = equilibrium(cells)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert [attacks[place] for place in np.flatnonzero(found.rows)] == [attack]
    assert [defenses[place] for place in np.flatnonzero(found.columns)] == [defense]


def test_on_flickr_both_sides_mix_two() -> None:
    attacks, defenses, cells = game("flickr")
    found = equilibrium(cells)
    rows = dict(zip(attacks, found.rows, strict=True))
    columns = dict(zip(defenses, found.columns, strict=True))
    assert found.value == pytest.approx(47.97, abs=0.005)
    assert {name: round(share, 2) for name, share in rows.items() if share} == {
        "SPEIT": 0.73,
        "FGSM": 0.27,
    }
    assert {name: round(share, 2) for name, share in columns.items() if share} == {
        "R-GCN+AT": 0.70,
        "GAT": 0.30,
    }


@given(
    st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
        lambda shape: arrays(np.float64, shape, elements=st.integers(0, 20).map(lambda n: n / 20))
    )
)
def test_neither_player_gains_by_playing_otherwise(payoff: np.ndarray) -> None:
    """Minimax theorem: the mixtures hold the other to the value, to the share that is left out."""
    found = equilibrium(payoff)
    assert found.rows.sum() == pytest.approx(1) and found.columns.sum() == pytest.approx(1)
    assert (found.rows >= 0).all() and (found.columns >= 0).all()
    assert (found.rows @ payoff).max() <= found.value + 0.01
    assert (payoff @ found.columns).min() >= found.value - 0.01


def test_of_several_equilibria_it_is_the_one_of_largest_entropy() -> None:
    """Rock, paper and scissors with paper twice: the two share what one would play."""
    two = np.array([[0, 1, 1, -1], [-1, 0, 0, 1], [-1, 0, 0, 1], [1, -1, -1, 0]], np.float64)
    np.testing.assert_allclose(equilibrium(two).rows, [1 / 3, 1 / 6, 1 / 6, 1 / 3], atol=1e-3)
    np.testing.assert_allclose(equilibrium(np.full((2, 3), 0.5)).columns, 1 / 3, atol=1e-6)


def test_a_game_of_nobody_is_refused() -> None:
    with pytest.raises(ValueError, match=r"allowed: \(m, n\) of finite numbers"):
        equilibrium(np.zeros((0, 3)))
    with pytest.raises(ValueError, match="finite"):
        equilibrium(np.array([[np.nan]]))
