"""Which half of the targets is public, and when the public number moves."""

from __future__ import annotations

import hashlib
import hmac

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore import datasets
from grbcore.ladder import climbing, climbs, half, halves, ladder

SEED = "5e" * 32


def targets(*sizes: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Easy, medium and hard of these sizes, and their union; ids are spread."""
    nodes = np.random.default_rng(seed).permutation(10 * sum(sizes) + 1)[: sum(sizes)]
    parts = np.split(nodes.astype(np.int64), np.cumsum(sizes)[:-1])
    found = {d: np.sort(one) for d, one in zip(("easy", "medium", "hard"), parts, strict=True)}
    return {**found, "full": np.sort(nodes.astype(np.int64))}


@given(st.tuples(*[st.integers(0, 30)] * 3).filter(any), st.text("0123456789abcdef", min_size=1))
def test_every_difficulty_is_halved_and_a_node_is_public_everywhere_or_nowhere(
    sizes: tuple[int, int, int], seed: str
) -> None:
    of = targets(*sizes)
    found = halves(of, seed)
    public = {d: set(of[d][found[d]].tolist()) for d in of}
    for name, size in zip(("easy", "medium", "hard"), sizes, strict=True):
        assert found[name].shape == (size,)
        assert len(public[name]) in (size // 2, -(-size // 2))
    assert public["full"] == public["easy"] | public["medium"] | public["hard"]


def test_the_half_is_that_of_the_lowest_keyed_hashes() -> None:
    """So whoever knows the seed can say which it is, with any program."""
    of = targets(10, 20, 30)
    found = halves(of, SEED)
    for name in ("easy", "medium", "hard"):
        hashed = [
            hmac.new(SEED.encode(), int(node).to_bytes(8, "little"), hashlib.sha256).digest()
            for node in of[name]
        ]
        middle = sorted(hashed)[len(hashed) // 2]
        assert found[name].tolist() == [one < middle for one in hashed]


def test_another_seed_draws_another_half() -> None:
    of = targets(40, 40, 40)
    same = halves(of, SEED)["full"] == halves(of, "00" * 32)["full"]
    assert 30 < same.sum() < 90  # of 120; by chance 60


def test_targets_of_no_other_difficulty_are_halved_too() -> None:
    of = {"full": np.arange(100, dtype=np.int64)}
    assert halves(of, SEED)["full"].sum() == 50  # type: ignore[arg-type]


def test_half_a_dataset_has_half_its_targets_and_all_else() -> None:
    digits = datasets.load("digits")
    masks = halves(digits.targets, SEED)
    public = half(digits, masks)
    rest = half(digits, {name: ~mask for name, mask in masks.items()})
    for name, every in digits.targets.items():
        both = np.concatenate([public.targets[name], rest.targets[name]])
        assert np.array_equal(np.sort(both), every)
    assert public.features is digits.features and public.digest == digits.digest


def test_the_number_moves_by_more_than_the_step_only() -> None:
    """By hand, at 0.01: 0.704 shows as 0.70; 0.71 is no more than 0.70 and a step; 0.716 is."""
    scores = [0.704, 0.71, 0.716, 0.60, 0.729, 0.731]
    assert ladder(scores, 0.01, "defense") == pytest.approx([0.70, 0.70, 0.72, 0.72, 0.72, 0.73])
    assert climbs(scores, 0.01, "defense") == (True, False, True, False, False, True)
    assert ladder([0.5, 0.995], 0.06, "defense") == pytest.approx([0.48, 1.0])  # not 1.02
    assert ladder([0.4, 0.395, 0.38], 0.01, "attack") == pytest.approx([0.4, 0.4, 0.38])


@given(st.lists(st.integers(0, 1000), min_size=1), st.sampled_from([0.005, 0.01]))
def test_the_number_never_falls_and_luck_below_a_step_is_not_shown(
    right: list[int], step: float
) -> None:
    scores = [one / 1000 for one in right]
    found = ladder(scores, step, "defense")
    assert list(found) == sorted(found)
    assert all(best >= max(scores[: at + 1]) - 1.5 * step - 1e-6 for at, best in enumerate(found))
    assert all(abs(one / step - round(one / step)) < 1e-6 for one in found)
    mirrored = ladder([1 - one for one in scores], step, "attack")
    assert mirrored == pytest.approx([1 - one for one in found], abs=step + 1e-9)


def test_each_group_climbs_alone() -> None:
    scores = {"a": 0.5, "b": 0.9, "c": 0.503, "d": 0.6, "e": 0.1}
    groups = {"a": "ann", "b": "bob", "c": "ann", "d": "ann"}
    found = climbing(scores, groups, 0.01, "defense")
    assert found.best == {"b", "d"}
    assert found.numbers == pytest.approx({"a": 0.5, "b": 0.9, "c": 0.5, "d": 0.6})
