"""Datasets of one graph's nodes: the GRB four-file layout, splits, feature normalisation; and the
registry, which also has those of whole graphs.  No torch."""

from grbcore.datasets.blind import load_blind, prepare_blind
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.prepared import opened, prepare
from grbcore.datasets.registry import load, locate, present
from grbcore.datasets.splitting import Split, split
from grbcore.datasets.transform import FeatureTransform
from grbcore.folders import DatasetError

__all__ = [
    "Dataset",
    "DatasetError",
    "FeatureTransform",
    "Split",
    "load",
    "load_blind",
    "locate",
    "opened",
    "prepare",
    "prepare_blind",
    "present",
    "split",
]
