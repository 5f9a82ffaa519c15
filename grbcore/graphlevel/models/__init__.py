"""Graph-level models of growing expressiveness.

`Bag` (nodes only) < `MeanGINE` < `GIN`, `GINE` (1-WL) < `SignNet`, `DropGINE`, `ESAN` < `PPGN`.
"""

from grbcore.graphlevel.models.building import MODELS, build, runs_of
from grbcore.graphlevel.models.drop import DropGINE
from grbcore.graphlevel.models.esan import ESAN
from grbcore.graphlevel.models.gine import GIN, GINE, Bag, MeanGINE
from grbcore.graphlevel.models.model import GraphLevelModel, Shape, predict
from grbcore.graphlevel.models.ppgn import PPGN
from grbcore.graphlevel.models.signnet import SignNet

__all__ = [
    "ESAN",
    "GIN",
    "GINE",
    "MODELS",
    "PPGN",
    "Bag",
    "DropGINE",
    "GraphLevelModel",
    "MeanGINE",
    "Shape",
    "SignNet",
    "build",
    "predict",
    "runs_of",
]
