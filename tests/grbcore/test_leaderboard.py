"""Ranking: a pure function of cells, checked by hand, against the paper, and by its symmetries."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore.leaderboard import Arena, Leaderboard, rank
from grbcore.results import CLEAN, Cell
from grbcore.scenario import BUDGETS, MEAN, SIDES, Side
from tests.grbcore.tables import NAMES, table

#: The order by means differs from the printed one, which averages last, only in these swaps.
SWAPS = {
    "cora": [("R-GCN+AT", "GAT+AT")],
    "citeseer": [("R-GCN+AT", "SAGE+AT"), ("SGCN+LN", "R-GCN")],
    "flickr": [("GIN+AT", "SAGE")],
    "reddit": [],
    "aminer": [],
}


def cell(attack: str, defense: str, *counts: int, total: int = 100, **more: Sequence[int]) -> Cell:
    """A cell whose full difficulty has these counts; ``more`` are other difficulties."""
    correct = {"full": counts, **more} if counts else dict(more)
    return Cell(attack, defense, correct, dict.fromkeys(correct, total))  # type: ignore[arg-type]


def arena(attacks: str, defenses: str, repeats: int = 1, reference: int | None = None) -> Arena:
    """Entries named by single letters; the first ``reference`` of each side are counterparts."""
    ours, theirs = tuple(attacks), tuple(defenses)
    return Arena(repeats, ours, theirs, theirs[:reference], ours[:reference])


def order(leaderboard: Leaderboard) -> list[tuple[int | None, str]]:
    return [(row.rank, row.id) for row in leaderboard.rows]


def weighted(leaderboard: Leaderboard, name: str) -> float:
    row = next(row for row in leaderboard.rows if row.id == name)
    return row.metrics[leaderboard.difficulty].weighted.mean


@pytest.mark.parametrize("name", NAMES)
def test_defenses_of_the_paper_rank_as_printed_but_for_the_known_swaps(name: str) -> None:
    paper = table(name)
    attacks, defenses = tuple(paper.attacks[:-1]), tuple(paper.defenses)
    expected = list(defenses)
    for first, second in SWAPS[name]:
        at = expected.index(first)
        assert expected[at + 1] == second
        expected[at : at + 2] = [second, first]
    found = rank(Arena(1, attacks, defenses, defenses, attacks), paper.cells(), "defense")
    assert order(found) == list(enumerate(expected, start=1))


def test_attacks_of_citeseer_rank_as_printed() -> None:
    paper = table("citeseer")
    attacks, defenses = tuple(paper.attacks[:-1]), tuple(paper.defenses)
    found = rank(Arena(1, attacks, defenses, defenses, attacks), paper.cells(), "attack")
    assert order(found) == [*enumerate(attacks, start=1), (None, CLEAN)]


def test_a_defense_is_scored_over_the_attacks_and_the_clean_row() -> None:
    """0.2 under a, 0.6 under b, 0.9 clean: (36·0.2 + 9·0.6 + 4·0.9) / 49."""
    cells = [cell("a", "x", 20), cell("b", "x", 60), cell(CLEAN, "x", 90)]
    found = rank(arena("ab", "x"), cells, "defense")
    assert weighted(found, "x") == pytest.approx((36 * 0.2 + 9 * 0.6 + 4 * 0.9) / 49)
    assert found.rows[0].metrics["full"].n == 3


def test_an_attack_is_scored_over_the_defenses_alone() -> None:
    """0.2 against x and 0.6 against y: the highest counts most, (4·0.6 + 1·0.2) / 5."""
    cells = [cell("a", "x", 20), cell("a", "y", 60), cell(CLEAN, "x", 90), cell(CLEAN, "y", 90)]
    found = rank(arena("a", "xy"), cells, "attack")
    assert weighted(found, "a") == pytest.approx((4 * 0.6 + 0.2) / 5)
    assert found.rows[0].metrics["full"].n == 2


TWO_BY_TWO = [
    cell("a", "x", 20),
    cell("a", "y", 30),
    cell("b", "x", 60),
    cell("b", "y", 70),
    cell(CLEAN, "x", 80),
    cell(CLEAN, "y", 90),
]


def test_the_higher_defense_comes_first() -> None:
    assert order(rank(arena("ab", "xy"), TWO_BY_TWO, "defense")) == [(1, "y"), (2, "x")]


def test_the_stronger_attack_comes_first_and_the_clean_row_last_without_a_rank() -> None:
    found = rank(arena("ab", "xy"), TWO_BY_TWO, "attack")
    assert order(found) == [(1, "a"), (2, "b"), (None, CLEAN)]
    assert weighted(found, CLEAN) == pytest.approx((4 * 0.9 + 0.8) / 5)


def test_the_clean_row_stays_last_where_an_attack_raises_accuracy() -> None:
    cells = [cell("a", "x", 95), cell(CLEAN, "x", 80)]
    assert order(rank(arena("a", "x"), cells, "attack")) == [(1, "a"), (None, CLEAN)]


def test_a_defense_shows_its_clean_accuracy_without_a_deviation() -> None:
    (row,) = rank(
        arena("a", "x", 3), [cell("a", "x", 1, 2, 3), cell(CLEAN, "x", 90)], "defense"
    ).rows
    assert row.clean is not None
    assert (row.clean["full"].mean, row.clean["full"].std) == (0.9, None)


def test_a_single_repeat_is_used_in_every_draw() -> None:
    """a has 0.1, 0.3, 0.5, b is 0.2 in all: per draw the lowest is 0.1, 0.2, 0.2."""
    cells = [cell("a", "x", 10, 30, 50), cell("b", "x", 20), cell(CLEAN, "x", 90)]
    found = rank(arena("ab", "x", 3), cells, "defense")
    draws = [
        (36 * low + 9 * high + 4 * 0.9) / 49 for low, high in ((0.1, 0.2), (0.2, 0.3), (0.2, 0.5))
    ]
    assert weighted(found, "x") == pytest.approx(sum(draws) / 3)
    spread = found.rows[0].metrics["full"].weighted.std
    assert spread == pytest.approx(math.sqrt(sum((d - sum(draws) / 3) ** 2 for d in draws) / 3))


def test_repeats_of_different_attacks_form_one_draw() -> None:
    """a and b take turns at 0 and 1: in every draw the lowest is 0, though both means are 0.5."""
    cells = [cell("a", "x", 0, 100), cell("b", "x", 100, 0), cell(CLEAN, "x", 100)]
    found = rank(arena("ab", "x", 2), cells, "defense")
    assert weighted(found, "x") == pytest.approx((9 + 4) / 49)


def test_there_is_no_deviation_where_every_row_has_one_repeat() -> None:
    cells = [cell("a", "x", 10), cell(CLEAN, "x", 90)]
    (row,) = rank(arena("a", "x", 3), cells, "defense").rows
    assert row.metrics["full"].weighted.std is None


@pytest.mark.parametrize("counts", [(1, 2), (1, 2, 3, 4)])
def test_repeats_other_than_one_or_the_boards_are_refused(counts: tuple[int, ...]) -> None:
    cells = [cell("a", "x", *counts), cell(CLEAN, "x", 9)]
    with pytest.raises(ValueError, match=f"found {len(counts)}, allowed: 1 or 3"):
        rank(arena("a", "x", 3), cells, "defense")


def test_ties_share_a_rank_and_the_next_rank_is_skipped() -> None:
    counts = {"u": 50, "v": 70, "w": 50, "x": 20}
    cells = [cell("a", name, count) for name, count in counts.items()]
    cells += [cell(CLEAN, name, 90) for name in counts]
    found = order(rank(arena("a", "uvwx"), cells, "defense"))
    assert found == [(1, "v"), (2, "u"), (2, "w"), (4, "x")]


def test_an_entry_that_lacks_a_cell_has_no_rank_and_comes_last() -> None:
    cells = [c for c in TWO_BY_TWO if (c.attack, c.defense) != ("a", "y")]
    assert order(rank(arena("ab", "xy"), cells, "defense")) == [(1, "x"), (None, "y")]


def test_a_defense_without_its_clean_cell_has_no_rank() -> None:
    assert order(rank(arena("a", "x"), [cell("a", "x", 20)], "defense")) == [(None, "x")]


def test_an_attack_without_a_difficulty_is_no_counterpart_there() -> None:
    """b carries full only, so at easy x is scored over a and the clean row."""
    cells = [
        cell("a", "x", 20, easy=(40,)),
        cell("b", "x", 10),
        cell(CLEAN, "x", 90, easy=(80,)),
    ]
    (row,) = rank(arena("ab", "x"), cells, "defense", "easy").rows
    assert (row.rank, row.metrics["easy"].n, row.metrics["full"].n) == (1, 2, 3)
    assert row.metrics["easy"].weighted.mean == pytest.approx((4 * 0.4 + 0.8) / 5)


def test_an_attack_without_a_difficulty_has_no_rank_there() -> None:
    cells = [cell("a", "x", 20, easy=(40,)), cell("b", "x", 10), cell(CLEAN, "x", 90, easy=(80,))]
    found = rank(arena("ab", "x"), cells, "attack", "easy")
    assert order(found) == [(1, "a"), (None, "b"), (None, CLEAN)]


def test_a_difficulty_that_nobody_carries_leaves_the_clean_row_alone() -> None:
    cells = [cell("a", "x", 20), cell(CLEAN, "x", 90, hard=(80,))]
    (row,) = rank(arena("a", "x"), cells, "defense", "hard").rows
    assert (row.metrics["hard"].n, row.metrics["hard"].average.mean) == (1, 0.8)


def test_in_the_reference_view_an_upload_moves_nobody() -> None:
    cells = [*TWO_BY_TWO, cell("c", "x", 0), cell("c", "y", 0)]
    before = rank(arena("ab", "xy"), TWO_BY_TWO, "defense")
    after = rank(Arena(1, tuple("abc"), tuple("xy"), tuple("xy"), tuple("ab")), cells, "defense")
    assert before == after


def test_in_the_full_view_a_strong_upload_lowers_everybody() -> None:
    cells = [*TWO_BY_TWO, cell("c", "x", 0), cell("c", "y", 0)]
    before = rank(arena("ab", "xy"), TWO_BY_TWO, "defense")
    after = rank(arena("abc", "xy"), cells, "defense")
    assert all(weighted(after, name) < weighted(before, name) for name in "xy")


def test_an_empty_board_has_no_rows_but_the_clean_one() -> None:
    assert order(rank(arena("", ""), [], "defense")) == []
    assert order(rank(arena("", ""), [], "attack")) == [(None, CLEAN)]


@st.composite
def boards(draw: st.DrawFn) -> tuple[Arena, list[Cell]]:
    """Two or more entries on each side and every cell between them."""
    attacks = "abcde"[: draw(st.integers(1, 5))]
    defenses = "uvwxyz"[: draw(st.integers(1, 6))]
    repeats = draw(st.integers(1, 3))
    counts = st.integers(0, 50)
    cells = [cell(CLEAN, defense, draw(counts), total=50) for defense in defenses]
    for attack in attacks:
        size = draw(st.sampled_from([1, repeats]))
        for defense in defenses:
            values = draw(st.lists(counts, min_size=size, max_size=size))
            cells.append(cell(attack, defense, *values, total=50))
    return arena(attacks, defenses, repeats), cells


@given(boards(), st.sampled_from(SIDES), st.randoms(use_true_random=False))
def test_the_order_of_cells_does_not_matter(
    board: tuple[Arena, list[Cell]], side: Side, random
) -> None:
    where, cells = board
    shuffled = list(cells)
    random.shuffle(shuffled)
    assert rank(where, shuffled, side) == rank(where, cells, side)


@given(boards(), st.sampled_from(SIDES))
def test_cells_of_entries_that_are_not_ranked_change_nothing(
    board: tuple[Arena, list[Cell]], side: Side
) -> None:
    where, cells = board
    others = [cell("other", defense, 0, total=50) for defense in where.defenses]
    others += [cell(attack, "other", 0, total=50) for attack in (*where.attacks, CLEAN)]
    assert rank(where, [*cells, *others], side) == rank(where, cells, side)


@given(boards(), st.sampled_from(SIDES))
def test_every_entry_stands_once_and_ranks_follow_the_scores(
    board: tuple[Arena, list[Cell]], side: Side
) -> None:
    where, cells = board
    found = rank(where, cells, side)
    rows = found.rows if side == "defense" else found.rows[:-1]
    assert sorted(row.id for row in rows) == sorted(
        where.defenses if side == "defense" else where.attacks
    )
    scores = [row.metrics["full"].weighted.mean for row in rows]
    assert scores == sorted(scores, reverse=side == "defense")
    for row, value in zip(rows, scores, strict=True):
        better = sum(s > value if side == "defense" else s < value for s in scores)
        assert row.rank == better + 1


@given(boards(), st.randoms(use_true_random=False))
def test_new_names_change_nothing_but_the_names(board: tuple[Arena, list[Cell]], random) -> None:
    where, cells = board
    names = dict(
        zip(where.defenses, random.sample(where.defenses, len(where.defenses)), strict=True)
    )
    renamed = [Cell(c.attack, names[c.defense], c.correct, c.total) for c in cells]
    before = {row.id: row for row in rank(where, cells, "defense").rows}
    for row in rank(where, renamed, "defense").rows:
        old = before[next(a for a, b in names.items() if b == row.id)]
        assert (row.rank, row.metrics, row.clean) == (old.rank, old.metrics, old.clean)


def budgets(attack: str, defense: str, *counts: int) -> Cell:
    """A cell with one count of 100 for each budget."""
    return Cell(
        attack,
        defense,
        dict(zip(BUDGETS, ((count,) for count in counts), strict=True)),
        dict.fromkeys(BUDGETS, 100),
    )


def test_boards_of_budgets_rank_by_the_mean_of_weighted_over_them() -> None:
    """Weighted of two rows is (4·low + high) / 5: under a and clean, x has at each budget
    (4·0.9 + 1)/5 = 0.92, then 0.76, 0.60, 0.44 and 0.28, their mean 0.60; y always 0.56."""
    everybody = (("a",), ("x", "y"), ("x", "y"), ("a",))
    cells = [
        budgets(CLEAN, "x", *[100] * 5),
        budgets(CLEAN, "y", *[100] * 5),
        budgets("a", "x", 90, 70, 50, 30, 10),
        budgets("a", "y", *[45] * 5),
    ]
    arena = Arena(1, *everybody, difficulties=BUDGETS)
    found = rank(arena, cells, "defense", MEAN)
    assert order(found) == [(1, "x"), (2, "y")]
    assert math.isclose(weighted(found, "x"), 0.60)
    assert math.isclose(weighted(found, "y"), 0.56)
    assert order(rank(arena, cells, "defense", "5")) == [(1, "y"), (2, "x")]
    assert found.rows[0].clean is not None
    assert found.rows[0].clean[MEAN].mean == 1
    assert found.rows[0].worst[MEAN] == "a"


def test_a_budget_that_is_missing_leaves_no_mean() -> None:
    cell = Cell("a", "x", {"1": (1,)}, {"1": 2})
    arena = Arena(1, ("a",), ("x",), ("x",), ("a",), difficulties=BUDGETS)
    assert order(rank(arena, [cell], "attack", MEAN)) == [(None, "a"), (None, CLEAN)]
    assert order(rank(arena, [cell], "attack", "1")) == [(1, "a"), (None, CLEAN)]


def errors(attack: str, defense: str, value: float) -> Cell:
    return Cell(attack, defense, {}, {}, errors=dict.fromkeys(BUDGETS, (value,)))


def test_of_errors_a_defense_wants_few_and_an_attack_many() -> None:
    """Weighted counts the largest error of a defense most: (4·2 + 0.5)/5 = 1.7 of x."""
    cells = [
        errors(CLEAN, "x", 0.5),
        errors(CLEAN, "y", 1.0),
        errors("a", "x", 2.0),
        errors("a", "y", 1.5),
    ]
    everybody = (("a",), ("x", "y"), ("x", "y"), ("a",))
    arena = Arena(1, *everybody, difficulties=BUDGETS, errors=True)
    found = rank(arena, cells, "defense", MEAN)
    assert order(found) == [(1, "y"), (2, "x")]
    assert math.isclose(weighted(found, "x"), 1.7)
    assert found.rows[1].worst[MEAN] == "a"
    strongest = rank(arena, [*cells, errors("b", "x", 0.6), errors("b", "y", 1.1)], "attack", MEAN)
    assert order(strongest)[-1] == (None, CLEAN)
    assert weighted(strongest, "a") == (4 * 1.5 + 2.0) / 5
