"""Making graph-level models by the name of their architecture."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.models.drop import DropGINE
from grbcore.graphlevel.models.esan import ESAN
from grbcore.graphlevel.models.gine import GIN, GINE, Bag, MeanGINE
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.graphlevel.models.ppgn import PPGN
from grbcore.graphlevel.models.signnet import SignNet

#: Every graph-level architecture, from the least to the most expressive.
MODELS: Mapping[str, type[GraphLevelModel]] = {
    "Bag": Bag,
    "meanGINE": MeanGINE,
    "GIN": GIN,
    "GINE": GINE,
    "SignNet": SignNet,
    "DropGINE": DropGINE,
    "ESAN": ESAN,
    "PPGN": PPGN,
}


def build(
    architecture: str, shape: Shape, parameters: Mapping[str, int | float], *, seed: int
) -> GraphLevelModel:
    """A model with fresh weights, the same for the same seed; torch's generator stays as it was.

    Raises:
        KeyError: no such architecture.
        TypeError: the architecture has no such parameter, or lacks one.
    """
    if architecture not in MODELS:
        raise KeyError(f"found {architecture!r}, allowed: {', '.join(MODELS)}")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return MODELS[architecture](shape, **parameters)  # type: ignore[arg-type]


def runs_of(dataset: GraphDataset) -> int:
    """How often DropGINE runs: the mean number of nodes of a training graph, rounded."""
    sizes = [graph.n for graph in dataset.part("train")]
    return round(sum(sizes) / len(sizes))
