"""Intervals of boards whose metric is an error: fewer are better, and none is cut off at 1."""

from __future__ import annotations

from math import sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from grbcore.intervals import Sampling, grouped, interval, paired, sample, spread, standing
from grbcore.intervals.hits import keep
from grbcore.scoring import score_errors

Errors = NDArray[np.float32]


def drawn(targets: int, repeats: int = 1, draws: int = 4000) -> Sampling:
    return sample(np.random.default_rng(0), targets=targets, repeats=repeats, draws=draws)


def halves(low: float, high: float, targets: int = 400) -> Errors:
    """(1, targets): the first half has one error, the others have another."""
    return np.repeat(np.array([low, high], np.float32), targets // 2)[None]


def test_with_one_repeat_it_is_the_interval_of_a_mean() -> None:
    """Half of 400 errors are 1.2 and half 1.6: 1.4 +- 1.96 x 0.2 / sqrt(400) = 1.4 +- 0.0196."""
    found = standing(["A"], lambda _: [[halves(1.2, 1.6)]], drawn(400), "attack", errors=True)
    place = found["A"].places["average"]
    assert (place.low, place.high) == pytest.approx((1.3804, 1.4196), abs=0.001)


def test_a_defense_of_errors_is_judged_by_its_highest_and_wants_them_low() -> None:
    """Worst cases of 0.9 and of 0.5, means of 0.5 both."""
    both = {"A": [halves(0.1, 0.1), halves(0.9, 0.9)], "B": [halves(0.5, 0.5), halves(0.5, 0.5)]}
    rows = {name: [hits] for name, hits in both.items()}
    found = standing(["A", "B"], rows.__getitem__, drawn(400), "defense", errors=True)
    worst = {name: one.places["worst"] for name, one in found.items()}
    assert {name: (place.low, place.high) for name, place in worst.items()} == {
        "A": pytest.approx((0.9, 0.9)),
        "B": pytest.approx((0.5, 0.5)),
    }
    assert {name: place.ranks for name, place in worst.items()} == {"A": (2, 2), "B": (1, 1)}
    assert [worst[name].first for name in "AB"] == [0.0, 1.0]


def test_an_attack_of_errors_breaks_whom_it_raises_by_more_than_chance() -> None:
    """By 1 everywhere; by 1 here and -1 there; and by -1, which helps."""
    clean = [halves(2, 2)] * 3
    attacked = [halves(3, 3), halves(3, 1), halves(1, 1)]
    hits = [attacked]
    found = standing(["A"], lambda _: hits, drawn(400), "attack", clean=[clean], errors=True)
    breaks = found["A"].breaks
    assert breaks is not None
    assert (breaks.broken, breaks.of) == (1, 3)


def test_a_difference_of_errors_is_paired_on_targets() -> None:
    """The second errs by 0.1 more on every target: no draw changes that, and the ranks agree."""
    first = halves(0.2, 1.8)
    (found,) = paired([[[first]], [[first + np.float32(0.1)]]], drawn(400), "attack")
    assert found.difference.mean[1] == pytest.approx(0.1)
    assert found.difference.low[1] == pytest.approx(found.difference.high[1], abs=1e-5)
    assert found.apart.all()
    assert found.p_value < 1e-6


def test_kept_errors_are_those_that_were_packed() -> None:
    """Of 6 targets at the distances 1 to 6, in standard deviations of 2: 0.5 to 3."""
    dataset = SimpleNamespace(labels=np.zeros(6), targets={"1": np.arange(6)})
    numbers = np.arange(1, 7, dtype=np.float32)
    means, total, packed = score_errors({"1": [numbers, -numbers]}, dataset, sigma=2.0)
    assert (means, total) == ({"1": (1.75, 1.75)}, {"1": 6})
    (kept,) = keep(packed, errors=True).values()
    assert (kept.targets, kept.counts.tolist()) == (6, [[0.5, 1.0, 1.5, 2.0, 2.5, 3.0]] * 2)
    with pytest.raises(ValueError, match="hits: found"):
        keep(packed)


def test_errors_of_many_targets_are_drawn_in_groups_with_the_same_spread() -> None:
    """20,000 errors of deviation 0.3: the standard error is 0.3 / sqrt(20,000)."""
    errors = np.random.default_rng(3).normal(5, 0.3, (1, 20_000)).astype(np.float32)
    sums = grouped(errors)
    assert sums.shape == (1, 512)
    assert sums.sum() == pytest.approx(errors.sum(), rel=1e-5)
    found = spread([sums], drawn(20_000), "attack")
    assert found.nodes[1].std() == pytest.approx(0.3 / sqrt(20_000), rel=0.12)
    low, high = interval(found)
    assert low[1] < float(errors.mean()) < high[1]
