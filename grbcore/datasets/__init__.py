"""Datasets: the GRB four-file layout, splits, feature normalisation, the registry.  No torch."""

from grbcore.datasets.dataset import Dataset
from grbcore.datasets.transform import FeatureTransform

__all__ = ["Dataset", "FeatureTransform"]
