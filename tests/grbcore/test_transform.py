"""The normalisation of features, and its inverse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore.datasets import FeatureTransform


def test_the_normalisation_is_the_papers() -> None:
    """Mean 1, deviation 1: 0 → 2/π·arctan(-1) = -1/2, 1 → 0, 2 → 1/2."""
    transform = FeatureTransform.fit(np.array([[0.0, 2.0], [2.0, 0.0]]))
    assert (transform.mean, transform.std) == (1.0, 1.0)
    assert transform.normalise(np.array([0.0, 1.0, 2.0])) == pytest.approx([-0.5, 0.0, 0.5])


def test_features_without_spread_are_refused() -> None:
    with pytest.raises(ValueError, match="the same value everywhere"):
        FeatureTransform.fit(np.ones((3, 2)))


@given(st.floats(-5, 5), st.floats(0.01, 100), st.lists(st.floats(-4, 4), min_size=1))
def test_the_inverse_restores_the_raw_features(mean: float, std: float, units: list[float]) -> None:
    transform = FeatureTransform(mean, std)
    raw = np.array(units, np.float32) * np.float32(std) + np.float32(mean)
    assert transform.restore(transform.normalise(raw)) == pytest.approx(raw, abs=1e-5 * (1 + std))


@given(st.lists(st.floats(-1, 1, width=32), min_size=1))
def test_the_inverse_is_finite_on_the_whole_closed_range(values: list[float]) -> None:
    restored = FeatureTransform(0.0, 1.0).restore(np.array(values, np.float32))
    assert restored.dtype == np.float32
    assert np.isfinite(restored).all()


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, unique=True))
def test_the_normalisation_keeps_the_order(values: list[float]) -> None:
    ordered = np.sort(np.array(values))
    normalised = FeatureTransform(0.5, 2.0).normalise(ordered)
    assert (np.diff(normalised) >= 0).all()
    assert (np.abs(normalised) <= 1).all()
