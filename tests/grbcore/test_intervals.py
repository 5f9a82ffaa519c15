"""Intervals of scores and ranks: against closed forms, and on boards whose truth is known."""

from __future__ import annotations

from math import gamma, pi, sqrt

import numpy as np
import pytest
from scipy import stats

from benchmarks.interval_coverage import KINDS, covered, covered_at_the_mean
from grbcore.intervals import (
    Counts,
    Sampling,
    Spread,
    difference,
    grouped,
    holm,
    interval,
    paired,
    rank_sets,
    sample,
    spread,
    standing,
    together,
    wilcoxon,
)
from grbcore.intervals.deviations import _sorted
from grbcore.intervals.hits import keep
from grbcore.intervals.quantiles import t_quantile
from grbcore.scoring import pack

Z = 1.96


def hits(*counts: int, targets: int) -> Counts:
    """(R, targets): in each repeat the first so many targets are hit."""
    return np.array([np.arange(targets) < count for count in counts], np.uint8)


def drawn(targets: int, repeats: int, draws: int = 4000, seed: int = 0) -> Sampling:
    rng = np.random.default_rng(seed)
    return sample(rng, targets=targets, repeats=repeats, draws=draws)


def test_with_one_repeat_it_is_the_binomial_interval() -> None:
    """300 of 400: 0.75 +- 1.96 sqrt(0.75 0.25 / 400) = 0.75 +- 0.0424."""
    found = spread([hits(300, targets=400)], drawn(400, 1), "attack")
    low, high = interval(found)
    assert found.mean[1] == 0.75
    assert (low[1], high[1]) == pytest.approx((0.7076, 0.7924), abs=0.003)
    assert not found.repeats.any()


def test_where_only_repeats_differ_it_is_students_interval() -> None:
    """Repeats of 1, 1, 0, 0, every target alike: s = 1/sqrt(3), t(3) = 3.182: 0.5 +- 0.919."""
    found = spread([hits(9, 9, 0, 0, targets=9)], drawn(9, 4, draws=20_000), "attack")
    half = 3.182446 / sqrt(3) / sqrt(4)
    low, high = interval(found)
    assert (low[1], high[1]) == pytest.approx((0.5 - half, 0.5 + half), rel=0.05)


def test_many_targets_are_drawn_in_groups_with_the_same_spread() -> None:
    """10,000 of 20,000 at random: standard error sqrt(0.25 / 20,000) = 0.003536."""
    right = np.random.default_rng(3).permutation(20_000) < 10_000
    counts = grouped(right[None])
    assert counts.shape == (1, 512)
    assert counts.sum() == 10_000
    found = spread([counts], drawn(20_000, 1), "attack")
    assert found.nodes[1].std() == pytest.approx(0.003536, rel=0.12)


def test_kept_hits_are_those_that_were_packed() -> None:
    right = np.random.default_rng(4).random((3, 100)) < 0.5
    (found,) = keep(pack({"full": right})).values()
    assert (found.targets, found.counts.tolist()) == (100, right.tolist())


@pytest.mark.parametrize("count", [1, 2, 3, 7, 13, 31, 32, 33, 50])
def test_rows_are_sorted_however_many_there_are(count: int) -> None:
    rows = np.random.default_rng(count).random((count, 2, 30)).astype(np.float32)
    assert (_sorted(rows.copy()) == np.sort(rows, axis=0)).all()


def test_each_metric_is_computed_anew_in_each_draw() -> None:
    """Two rows that are right on opposite halves: Avg is 0.5 in every draw, the worst is below."""
    rows = [hits(200, targets=400), 1 - hits(200, targets=400)]
    found = spread(rows, drawn(400, 1), "defense")
    assert np.abs(found.nodes[1]).max() < 1e-5
    # of share x and 1 - x the lower: standard deviation sqrt(1 - 2/pi) sqrt(0.25/400) = 0.01507
    assert found.nodes[3].std() == pytest.approx(0.01507, rel=0.1)


def test_a_row_with_one_repeat_stands_in_all_of_them() -> None:
    rows = [hits(50, 60, 70, targets=100), hits(90, targets=100)]
    found = spread(rows, drawn(100, 3), "defense")
    assert found.values[1] == pytest.approx([0.7, 0.75, 0.8])
    with pytest.raises(ValueError, match=r"hits: found \(2, 100\), allowed: \(1 or 3, 100\)"):
        spread([hits(1, 2, targets=100)], drawn(100, 3), "defense")


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [
        (1, 12.7062),
        (2, 4.30265),
        (3, 3.18245),
        (4, 2.77645),
        (5, 2.57058),
        (9, 2.26216),
        (10, 2.22814),
        (30, 2.04227),
        (60, 2.00030),
        (120, 1.97993),
        (np.inf, 1.95996),
    ],
)
def test_quantiles_of_t_are_those_of_the_tables(freedom: float, expected: float) -> None:
    assert t_quantile(np.array([freedom])) == pytest.approx([expected], rel=1e-5)


@pytest.mark.parametrize("freedom", [1.02, 1.5, 2.37, 3.3, 6.5, 17.2, 46.8, 200.5])
def test_between_the_tables_quantiles_leave_a_fortieth_above(freedom: float) -> None:
    """Simpson's rule over the density of t, from 0 to the quantile: 0.975 - 0.5."""
    (end,) = t_quantile(np.array([freedom]))
    places = np.linspace(0, end, 20_001)
    density = (1 + places**2 / freedom) ** (-(freedom + 1) / 2)
    density *= gamma((freedom + 1) / 2) / gamma(freedom / 2) / sqrt(pi * freedom)
    thirds = density[0] + 4 * density[1::2].sum() + 2 * density[2:-1:2].sum() + density[-1]
    assert thirds * places[1] / 3 == pytest.approx(0.475, rel=1e-8)


def entries(*shares: float, targets: int = 1000, seed: int = 1) -> Spread:
    """Entries with independent hits of these shares, one repeat; by Avg."""
    rng = np.random.default_rng(seed)
    sampling = drawn(targets, 1, draws=1000)
    rows = [rng.permutation(targets) < share * targets for share in shares]
    found = [spread([row[None].astype(np.uint8)], sampling, "defense") for row in rows]
    return together(found)[:, 1]


def test_what_lies_far_apart_has_one_rank_each() -> None:
    found = rank_sets(entries(0.2, 0.9, 0.5), "defense")
    assert list(zip(found.best, found.last, strict=True)) == [(3, 3), (1, 1), (2, 2)]
    assert found.first.tolist() == [0, 1, 0]
    assert found.group.tolist() == [3, 1, 2]
    lower_is_stronger = rank_sets(entries(0.2, 0.9, 0.5), "attack")
    assert lower_is_stronger.best.tolist() == [1, 3, 2]


def test_what_lies_close_may_change_places_and_is_one_group() -> None:
    """0.60 and 0.61 of 1,000: the difference of 0.01 is half its standard error of 0.022."""
    found = rank_sets(entries(0.60, 0.61, 0.2), "defense")
    assert list(zip(found.best, found.last, strict=True)) == [(1, 2), (1, 2), (3, 3)]
    assert found.group.tolist() == [1, 1, 2]
    # normal with mean 0.01 and deviation 0.0218: P(above 0) = 0.677
    assert found.first[1] == pytest.approx(0.677, abs=0.06)


def test_clones_share_their_ranks_and_the_first_place() -> None:
    one = entries(0.6, 0.3)
    clones = Spread(
        one.values[[0, 0, 1]], one.nodes[[0, 0, 1]], one.repeats[[0, 0, 1]], one.student
    )
    found = rank_sets(clones, "defense")
    assert list(zip(found.best, found.last, strict=True)) == [(1, 2), (1, 2), (3, 3)]
    assert found.first.tolist() == [0.5, 0.5, 0]


def test_a_difference_is_paired_on_targets() -> None:
    """The second misses 20 of the 300 of 400 that the first hits: 0.05 with standard error
    sqrt(0.05 0.95 / 400) = 0.0109, less than half of what independent targets would give."""
    sampling = drawn(400, 1)
    first = spread([hits(300, targets=400)], sampling, "defense")
    second = spread([hits(280, targets=400)], sampling, "defense")
    found = difference(first, second)
    assert found.mean[1] == pytest.approx(0.05)
    assert found.high[1] - found.low[1] == pytest.approx(2 * Z * 0.0109, rel=0.08)


def test_wilcoxon_with_one_repeat_is_mcnemars_test() -> None:
    """12 against 3 targets: chi squared (12 - 3)^2 / 15 = 5.4, p = 0.0201."""
    differences = np.array([1.0] * 12 + [-1.0] * 3 + [0.0] * 50)
    assert wilcoxon(differences) == pytest.approx(0.0201, abs=1e-4)
    assert wilcoxon(np.zeros(5)) == 1.0


def test_wilcoxon_agrees_with_scipy() -> None:
    differences = np.random.default_rng(2).integers(-3, 5, 80) / 3
    peer = stats.wilcoxon(differences, method="asymptotic", correction=False)
    assert wilcoxon(differences) == pytest.approx(peer.pvalue, rel=1e-9)


def test_holm_multiplies_by_how_many_are_left() -> None:
    """0.01 x 3, 0.03 x 2, and 0.04 x 1 not below the one before."""
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])


def test_of_several_pairs_who_differs_must_pass_the_corrected_test_too() -> None:
    """295 of the first's 300 of 400: chi squared 5, p = 0.0253, twice that with another pair.  Of
    400 targets with 5 differences, 1 or more are drawn in over 97.5 %: the interval is above 0."""
    first, second = [hits(300, targets=400)], [hits(295, targets=400)]
    (alone,) = paired([[second], [first]], drawn(400, 1), "defense")
    assert (alone.difference.mean[1], alone.p_value) == pytest.approx((0.0125, 0.0253), abs=1e-4)
    assert alone.difference.low[1] > 0 and alone.apart.all()
    one, other = paired([[second], [first], [second]], drawn(400, 1), "defense")
    assert (one.p_value, other.p_value) == pytest.approx((0.0507, 1), abs=1e-4)
    assert one.difference.low[1] > 0 and not one.apart.any() and not other.apart.any()


def test_an_attack_breaks_whom_it_lowers_by_more_than_chance() -> None:
    """From 320 of 400 to 240 surely; to 318 hardly; of 400 targets another 2 only."""
    clean = [hits(320, targets=400), hits(320, targets=400)]
    attacked = [hits(240, targets=400), hits(318, targets=400)]
    # the two that change are offset by two others that it helps
    attacked[1][0, 320:321] = 1
    found = standing(["A"], lambda _: [attacked], drawn(400, 1), "attack", clean=[clean])
    assert found["A"].breaks is not None
    assert (found["A"].breaks.broken, found["A"].breaks.of) == (1, 2)
    assert not found["A"].repeated


def test_the_same_seed_gives_the_same_whoever_else_is_ranked() -> None:
    rows = {"A": [[hits(60, 70, 75, targets=100)]], "B": [[hits(50, 50, 60, targets=100)]]}
    both = standing(["A", "B"], rows.__getitem__, drawn(100, 3, draws=200), "defense")
    alone = standing(["A"], rows.__getitem__, drawn(100, 3, draws=200), "defense")
    for metric, place in alone["A"].places.items():
        assert (place.low, place.high) == (
            both["A"].places[metric].low,
            both["A"].places[metric].high,
        )


def test_an_entry_without_a_score_is_left_out() -> None:
    rows: dict[str, list[list[Counts]]] = {"A": [[hits(60, targets=100)]], "B": []}
    found = standing(["A", "B"], rows.__getitem__, drawn(100, 1, draws=50), "defense")
    assert list(found) == ["A"]


def test_at_the_mean_over_budgets_a_draw_of_targets_holds_for_all_of_them() -> None:
    """The same hits at five budgets say no more than at one: 300 of 400 is 0.75 +- 0.0424.  And
    where each target is hit at one of two budgets, the mean is a half whoever is drawn."""
    alike = [[hits(300, targets=400)]] * 5
    halves = [[hits(200, targets=400)], [1 - hits(200, targets=400)]]
    rows = {"A": alike, "B": halves}
    found = standing(["A", "B"], rows.__getitem__, drawn(400, 1), "attack")
    one, other = (found[name].places["average"] for name in rows)
    assert (one.low, one.high) == pytest.approx((0.7076, 0.7924), abs=0.003)
    assert (other.low, other.high) == pytest.approx((0.5, 0.5), abs=1e-6)


def test_at_the_mean_repeats_that_offset_each_other_leave_nothing_to_chance() -> None:
    """Repeat r is one at every budget: all and none at the first, none and all at the second."""
    rows = [[hits(9, 0, targets=9)], [hits(0, 9, targets=9)]]
    found = standing(["A"], lambda _: rows, drawn(9, 2), "attack")["A"]
    assert found.repeated
    assert (found.places["average"].low, found.places["average"].high) == (0.5, 0.5)


def test_at_the_mean_an_attack_breaks_whom_it_lowers_over_all_budgets() -> None:
    """From 320 of 400 to 316 at each of five budgets: of other targets each time, 20 in all."""
    clean = [[hits(320, targets=400)]] * 5
    lowered = []
    for budget in range(5):
        left = hits(320, targets=400)
        left[0, 4 * budget : 4 * budget + 4] = 0
        lowered.append([left])
    found = standing(["A"], lambda _: lowered, drawn(400, 1), "attack", clean=clean)["A"].breaks
    assert found is not None and (found.broken, found.of) == (1, 1)


def test_intervals_cover_on_boards_whose_truth_is_known() -> None:
    """The short form of benchmarks/interval_coverage.py: 200 boards of 6 entries, a wide band."""
    found = covered(KINDS[1], 3, "defense", boards=200, draws=250, true_boards=400, seed=11)
    assert 0.90 <= found["average"] <= 0.995
    assert 0.90 <= found["weighted"] <= 0.995
    assert found["ranks"] >= 0.95


def test_intervals_of_the_mean_over_budgets_cover_on_small_boards() -> None:
    """As on MUTAG: 19 graphs, five budgets, three attacks of three repeats and the clean row."""
    found = covered_at_the_mean(boards=300, seed=5)
    assert 0.90 <= found["average"] <= 0.995
    assert 0.90 <= found["weighted"] <= 0.995
