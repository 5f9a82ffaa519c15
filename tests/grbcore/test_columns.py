"""Columns rank as `rank` does, to the last bit."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grbcore.columns import Columns, cell_of, columns, pack, rank_columns, shares
from grbcore.leaderboard import Arena, rank
from grbcore.results import CLEAN, Cell
from grbcore.scenario import BUDGETS, DIFFICULTIES, MEAN, SIDES, Difficulty, Side, scale_with

T = TypeVar("T")


def board(
    seed: int,
    attacks: int,
    defenses: int,
    repeats: int,
    scale: tuple[Difficulty, ...] = DIFFICULTIES,
    errors: bool = False,
) -> tuple[Arena, list[Cell]]:
    """A board with gaps: attacks that carry some difficulties, single repeats, missing cells.

    On a board of budgets every attack carries them all.  Cells of errors hold means of any size.
    """
    rng = random.Random(seed)
    ours = [f"a{number}" for number in range(attacks)]
    theirs = [f"d{number}" for number in range(defenses)]
    gaps = rng.random() < 0.5
    cells = []
    for attack in (CLEAN, *ours):
        whole = attack == CLEAN or scale == BUDGETS
        carried = scale if whole else _some(rng, scale)
        kept = 1 if attack == CLEAN or rng.random() < 0.2 else repeats
        for defense in (*theirs, "gone"):
            if gaps and rng.random() < 0.03:
                continue
            total = dict.fromkeys(carried, rng.choice([7, 100, 268]))
            if errors:
                means = {d: tuple(rng.expovariate(1) for _ in range(kept)) for d in carried}
                cells.append(Cell(attack, defense, {}, total, errors=means))
                continue
            counts = {d: tuple(rng.randint(0, total[d]) for _ in range(kept)) for d in carried}
            cells.append(Cell(attack, defense, counts, total))
    arena = Arena(
        repeats,
        tuple(ours),
        tuple(theirs),
        _some(rng, theirs),
        tuple(rng.sample(ours, len(ours))),
        scale,
        errors,
    )
    return arena, cells


def _some(rng: random.Random, items: Sequence[T]) -> tuple[T, ...]:
    return tuple(item for item in items if rng.random() < 0.8)


@given(
    seed=st.integers(0, 10**6),
    attacks=st.integers(0, 12),
    defenses=st.integers(0, 12),
    repeats=st.sampled_from([1, 2, 3, 8, 10, 20]),
    side=st.sampled_from(SIDES),
    difficulty=st.sampled_from((*DIFFICULTIES, *BUDGETS, MEAN)),
    errors=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_columns_rank_as_rank_does_bit_by_bit(
    seed: int,
    attacks: int,
    defenses: int,
    repeats: int,
    side: Side,
    difficulty: Difficulty,
    errors: bool,
) -> None:
    scale = scale_with(difficulty)
    arena, cells = board(seed, attacks, defenses, repeats, scale, errors)
    found = rank_columns(arena, columns(arena, cells), side, difficulty)
    assert found == rank(arena, cells, side, difficulty)


@pytest.mark.parametrize("side", SIDES)
def test_a_wide_board_ranks_the_same(side: Side) -> None:
    """Long sums are where the order of adding would show."""
    arena, cells = board(1, 60, 90, 3)
    assert rank_columns(arena, columns(arena, cells), side) == rank(arena, cells, side)


@given(st.integers(1, 3), st.integers(0, 9))
def test_packed_counts_unpack_to_what_they_were(repeats: int, seed: int) -> None:
    rng = random.Random(seed)
    for scale in (DIFFICULTIES, BUDGETS):
        total = {name: rng.randint(1, 9) for name in scale}
        correct = {name: tuple(rng.randint(0, 9) for _ in range(repeats)) for name in scale}
        assert cell_of("a", "x", pack(correct, total), scale) == Cell("a", "x", correct, total)
        errors = {name: tuple(rng.expovariate(1) for _ in range(repeats)) for name in scale}
        packed = pack({}, total, errors)
        found = cell_of("a", "x", packed, scale, errors=True)
        assert found == Cell("a", "x", {}, total, errors=errors)


def test_packed_errors_tell_their_mean_and_spread_over_repeats() -> None:
    """Of 0.5 and 1.5 the mean is 1 and the spread 0.5; one repeat has none."""
    several, one = dict.fromkeys(BUDGETS, (0.5, 1.5)), dict.fromkeys(BUDGETS, (2.5,))
    total = dict.fromkeys(BUDGETS, 9)
    packed = [pack({}, total, errors) for errors in (several, one)]
    means, spreads = shares(packed, "3", errors=True)
    assert means.tolist() == [1.0, 2.5]
    assert spreads[0] == 0.5
    assert np.isnan(spreads[1])
    cells = Columns(["a"], ["x", "y"], 2, BUDGETS, errors=True)
    for defense, found in zip("xy", packed, strict=True):
        cells.add(["a"], [defense], found)
    assert cells.means(np.array([0, 0]), np.array([0, 1]), "3").tolist() == [1.0, 2.5]


def test_the_last_of_two_cells_of_a_pair_counts() -> None:
    arena = Arena(1, ("a",), ("x",), ("x",), ("a",))
    cells = [Cell("a", "x", {"full": (count,)}, {"full": 10}) for count in (3, 7)]
    found = rank_columns(arena, columns(arena, cells), "attack")
    assert found.rows[0].metrics["full"].weighted.mean == 0.7


def test_neither_one_repeat_nor_the_boards_is_an_error() -> None:
    found = Columns(["a"], ["x"], 3, DIFFICULTIES)
    with pytest.raises(ValueError, match="repeats: found 2, allowed: 1 or 3"):
        found.add(["a"], ["x"], pack({"full": (1, 2)}, {"full": 10}))


def test_packed_counts_are_int32_of_targets_and_repeats() -> None:
    """Easy is absent, medium has one repeat of two; little endian."""
    packed = pack({"medium": (5,), "full": (1, 2)}, {"medium": 9, "full": 10})
    numbers = [int.from_bytes(packed[i : i + 4], "little", signed=True) for i in range(0, 48, 4)]
    assert numbers == [-1, -1, -1, 9, 5, -1, -1, -1, -1, 10, 1, 2]
