"""Datasets: the GRB four-file layout, splits, feature normalisation, the registry.  No torch."""

from grbcore.datasets.blind import load_any_blind, load_blind, prepare_blind
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.prepared import opened, opened_any, prepare, prepare_any
from grbcore.datasets.reading import DatasetError
from grbcore.datasets.registry import load, load_any, locate, present
from grbcore.datasets.splitting import Split, split
from grbcore.datasets.transform import FeatureTransform

__all__ = [
    "Dataset",
    "DatasetError",
    "FeatureTransform",
    "Split",
    "load",
    "load_any",
    "load_any_blind",
    "load_blind",
    "locate",
    "opened",
    "opened_any",
    "prepare",
    "prepare_any",
    "prepare_blind",
    "present",
    "split",
]
