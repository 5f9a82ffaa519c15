"""The open arena as pure functions: GRB's form, the clone-robust one, influence, tau."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from grbcore.arena import (
    ALWAYS,
    Duel,
    cluster_ranks,
    growth,
    judge,
    kendall,
    masses_of,
    pooled,
)
from grbcore.metrics import per_repeat
from grbcore.scenario import Side

SIDES = st.sampled_from(["attack", "defense"])
SHARES = st.floats(0, 1, width=32)


def rows(least: int = 1) -> st.SearchStrategy[np.ndarray]:
    """(n, 2) accuracies."""
    return st.integers(least, 9).flatmap(lambda n: arrays(np.float64, (n, 2), elements=SHARES))


def duel(values: np.ndarray, clusters: list[int], side: Side, kin: list[int] | None = None) -> Duel:
    """Of (E, O, R) values; every entry a cluster of its own if no ``kin`` are told."""
    held = np.array(clusters)
    return Duel(
        side,
        values,
        np.array(kin if kin is not None else range(len(values))),
        held,
        masses_of(held),
    )


def test_growth_goes_through_the_sums_of_one_over_squares_in_straight_lines() -> None:
    """1, 1 + 1/4, 1 + 1/4 + 1/9; half of the second step is 1/8."""
    found = growth(np.array([0.0, 1.0, 1.5, 2.0, 3.0]))
    np.testing.assert_allclose(found, [0, 1, 1.125, 1.25, 1.25 + 1 / 9])


@given(rows(), SIDES)
def test_at_unit_masses_it_is_grb_s_weighted(values: np.ndarray, side: Side) -> None:
    expected = per_repeat(values, side)[0]
    np.testing.assert_allclose(pooled(values, np.ones(len(values)), side), expected, atol=1e-9)


@given(rows(), SIDES, st.integers(0, 8), st.integers(1, 60))
def test_copies_of_an_opponent_change_nothing(
    values: np.ndarray, side: Side, which: int, copies: int
) -> None:
    which %= len(values)
    more = np.concatenate([values, np.repeat(values[which : which + 1], copies, axis=0)])
    clusters = np.concatenate([np.arange(len(values)), np.full(copies, which)])
    before = pooled(values, np.ones(len(values)), side)
    np.testing.assert_allclose(pooled(more, masses_of(clusters), side), before, atol=1e-9)


@given(rows(), SIDES, st.integers(0, 8), st.floats(0, 1), st.data())
def test_no_accuracy_that_rises_lowers_the_score(
    values: np.ndarray, side: Side, which: int, by: float, data: st.DataObject
) -> None:
    masses = data.draw(arrays(np.float64, len(values), elements=st.floats(0.05, 1)))
    higher = values.copy()
    higher[which % len(values)] += by
    assert (pooled(higher, masses, side) >= pooled(values, masses, side) - 1e-12).all()


def test_two_copies_of_the_strongest_attack_weigh_as_one_here_and_five_fourths_in_grb_s() -> None:
    """One attack at 0.2, twice, and one at 0.8.  GRB: (1 + 1/4) 0.2 + 1/9 0.8 over 1 + 1/4 + 1/9.
    Clone-robust: 1 · 0.2 + 1/4 · 0.8 over 1 + 1/4, which is 0.32."""
    values = np.array([[0.2], [0.2], [0.8]])
    own = pooled(values, np.ones(3), "defense")
    assert own == pytest.approx((1.25 * 0.2 + 0.8 / 9) / (1.25 + 1 / 9))
    assert pooled(values, masses_of(np.array([0, 0, 1])), "defense") == pytest.approx(0.32)


@pytest.mark.parametrize("masses", [[0.0, 0.0], [1.0, -0.5], []])
def test_opponents_that_count_nothing_make_no_score(masses: list[float]) -> None:
    with pytest.raises(ValueError, match="allowed: one above 0, none below"):
        pooled(np.zeros((len(masses), 1)), np.array(masses), "attack")


def test_mute_opponents_count_nothing_unless_all_are_mute() -> None:
    clusters = np.array([0, 1, 1, 2])
    mute = np.array([False, True, True, False])
    assert masses_of(clusters, mute).tolist() == [1, 0, 0, 1]
    assert masses_of(clusters, np.ones(4, np.bool_)).tolist() == [1, 0.5, 0.5, 1]


def test_mute_members_take_no_share_of_their_cluster() -> None:
    """One that moves counts 1 beside two that don't, two of them half each."""
    clusters = np.array([0, 1, 1, 1, 2, 2, 2])
    mute = np.array([False, False, True, True, False, False, True])
    assert masses_of(clusters, mute).tolist() == [1, 1, 0, 0, 0.5, 0.5, 0]


def test_a_cluster_takes_one_place_whatever_its_size() -> None:
    """Three copies at 0.9, then 0.8, then 0.7: the last is third, not fifth."""
    scores = np.array([0.9, 0.9, 0.9, 0.8, 0.7])
    kin = np.array([0, 0, 0, 1, 2])
    assert cluster_ranks(scores, kin, "defense").tolist() == [1, 1, 1, 2, 3]
    assert cluster_ranks(scores, kin, "attack").tolist() == [3, 3, 3, 2, 1]


def test_a_weaker_member_stands_behind_whom_its_own_cluster_does_not_hide() -> None:
    scores = np.array([0.9, 0.5, 0.7])
    assert cluster_ranks(scores, np.array([0, 0, 1]), "defense").tolist() == [1, 2, 2]


def test_tau_counts_pairs_in_order_less_pairs_out_of_order() -> None:
    """Of the 6 pairs of four entries one is turned: (5 - 1) / 6; ties as Kendall has them."""
    assert kendall([1, 2, 3, 4], [1, 2, 4, 3]) == pytest.approx(4 / 6)
    assert kendall([1, 2, 3], [3, 2, 1]) == -1
    assert kendall([1, 1, 2], [1, 2, 3]) == pytest.approx(2 / np.sqrt(2 * 3))
    assert kendall([1, 1], [1, 2]) is None


def test_who_makes_a_rank_is_named_with_the_rank_without_it() -> None:
    """The third attack alone breaks the first defense, which would be first without it."""
    first = [[0.9], [0.9], [0.1]]
    second = [[0.8], [0.8], [0.8]]
    found = judge(duel(np.array([first, second]), [0, 1, 2], "defense"))
    assert found.robust.ranks.tolist() == [2, 1]
    influence = found.influences[0]
    assert influence is not None and (influence.cluster, influence.rank) == (2, 1)
    assert found.robust.tau == -1 and found.robust.fragile


def test_without_any_single_opponent_an_order_that_all_agree_on_stays() -> None:
    values = np.array([[[0.9], [0.8]], [[0.7], [0.6]], [[0.5], [0.4]]])
    found = judge(duel(values, [0, 1], "defense"))
    assert found.influences == (None, None, None)
    assert found.robust.tau == 1 and not found.robust.fragile


def test_the_clean_row_is_never_left_out() -> None:
    values = np.array([[[0.5], [0.9]], [[0.5], [0.8]]])
    found = judge(duel(values, [0, ALWAYS], "defense"))
    assert found.influences == (None, None)
    alone = judge(duel(values[:, 1:], [ALWAYS], "defense"))
    assert alone.robust.tau is None and not alone.robust.fragile


@given(st.integers(2, 6), st.integers(2, 7), SIDES, st.randoms(use_true_random=False))
def test_leaving_one_out_is_ranking_without_it(
    entries: int, opponents: int, side: Side, random: object
) -> None:
    """Beside the fast way of single opponents stands the plain one."""
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    values = rng.random((entries, opponents, 3))
    clusters = rng.integers(0, opponents, opponents)
    masses = masses_of(clusters)
    found = judge(Duel(side, values, np.arange(entries), clusters, masses))
    without = {}
    for name in np.unique(clusters):
        rest = clusters != name
        if rest.any():
            scores = pooled(values[:, rest], masses[rest], side).mean(axis=1)
            without[int(name)] = cluster_ranks(scores, np.arange(entries), side)
    for place, influence in enumerate(found.influences):
        moves = {
            name: abs(ranks[place] - found.robust.ranks[place]) for name, ranks in without.items()
        }
        most = max(moves.values(), default=0)
        if influence is None:
            assert most == 0
        else:
            assert moves[influence.cluster] == most > 0
            assert without[influence.cluster][place] == influence.rank


class TestSpam:
    """50 clones of the best attack, 50 of the worst, 20 immune defenses."""

    rng = np.random.default_rng(7)
    #: (attacks, defenses, R): the fifth defense is one that no attack moves
    before = np.concatenate([rng.uniform(0.3, 0.9, (6, 4, 3)), np.full((6, 1, 3), 0.62)], axis=1)
    clean = np.concatenate([before.max(axis=0)[:4] + 0.05, np.full((1, 3), 0.62)])
    still = 4

    def after(self) -> tuple[np.ndarray, np.ndarray]:
        scores = judge(self._attacks(self.before)).own.scores
        best, worst = int(np.argmin(scores)), int(np.argmax(scores))
        rows = [*range(6), *[best] * 50, *[worst] * 50]
        columns = [*range(5), *[self.still] * 20]
        return np.array(rows), np.array(columns)

    def _attacks(self, values: np.ndarray, rows: object = None, columns: object = None) -> Duel:
        rows = np.arange(len(values)) if rows is None else np.asarray(rows)
        columns = np.arange(values.shape[1]) if columns is None else np.asarray(columns)
        return Duel("attack", values, rows, columns, masses_of(columns, mute=columns == self.still))

    def _defenses(self, values: np.ndarray, rows: object = None, columns: object = None) -> Duel:
        rows = np.arange(len(values)) if rows is None else np.asarray(rows)
        columns = np.arange(values.shape[1]) if columns is None else np.asarray(columns)
        turned = np.concatenate([values, self.clean[columns][None]]).transpose(1, 0, 2)
        clusters = np.append(rows, ALWAYS)
        return Duel("defense", turned, columns, clusters, masses_of(clusters))

    @pytest.mark.parametrize("side", ["attack", "defense"])
    def test_the_clone_robust_ranks_stay_and_grb_s_change(self, side: Side) -> None:
        rows, columns = self.after()
        made = self._attacks if side == "attack" else self._defenses
        entries = 6 if side == "attack" else 5
        before = judge(made(self.before))
        after = judge(made(self.before[np.ix_(rows, columns)], rows, columns))
        assert after.robust.ranks[:entries].tolist() == before.robust.ranks.tolist()
        np.testing.assert_allclose(after.robust.scores[:entries], before.robust.scores, atol=1e-9)
        assert after.own.ranks[:entries].tolist() != before.own.ranks.tolist()
