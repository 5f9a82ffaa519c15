"""GRB's arctan normalisation of features, and its inverse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FeatureTransform:
    """``f = 2/pi * arctan((x - mean) / std)`` with one mean and std for the whole matrix.

    Source: GRB, Section 4.1 (Feature Normalization).  Bijective, so a defense that was trained on
    raw features can have the board's features, injected rows included, transformed back.
    """

    mean: float
    std: float

    @staticmethod
    def fit(raw: NDArray[np.floating]) -> FeatureTransform:
        """Mean and population standard deviation over all entries of ``raw`` (n, d).

        Raises:
            ValueError: every entry is the same.
        """
        mean, std = float(np.mean(raw, dtype=np.float64)), float(np.std(raw, dtype=np.float64))
        if not std > 0:
            raise ValueError("features: found the same value everywhere, allowed: any spread")
        return FeatureTransform(mean, std)

    def normalise(self, raw: NDArray[np.floating]) -> Floats:
        """Raw features to the open range (-1, 1); any shape, float32."""
        scaled = (np.asarray(raw, np.float64) - self.mean) / self.std
        return (np.arctan(scaled) * (2 / np.pi)).astype(np.float32)

    def restore(self, normalised: Floats) -> Floats:
        """Normalised features back to raw ones; any shape, float32.

        Values are clipped to just inside (-1, 1), where the inverse is finite.
        """
        limit = 1 - 1e-7
        inside = np.clip(np.asarray(normalised, np.float64), -limit, limit)
        return (np.tan(inside * (np.pi / 2)) * self.std + self.mean).astype(np.float32)
