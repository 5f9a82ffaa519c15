"""The engine's models: one for each registered architecture.

To add one: describe it in `grbcore.architectures`, write its module here, name it in `MODELS`;
`grbcore.testing.check_model` says whether it keeps the contract.
"""

from grbcore.models.appnp import APPNP
from grbcore.models.building import MODELS, build, load, save
from grbcore.models.clip import GCNClip
from grbcore.models.creating import create
from grbcore.models.gat import GAT
from grbcore.models.gcn import GCN
from grbcore.models.gin import GIN
from grbcore.models.guard import GATGuard, GCNGuard
from grbcore.models.jaccard import GCNJaccard
from grbcore.models.label_propagation import LabelPropagation
from grbcore.models.mlp import MLP, LogReg
from grbcore.models.model import GraphModel, Model
from grbcore.models.polynomial import GPRGNN, EvenNet
from grbcore.models.rgcn import RGCN
from grbcore.models.rung import RUNG
from grbcore.models.sage import GraphSAGE
from grbcore.models.sgcn import SGCN
from grbcore.models.soft_median import SoftMedianGDC
from grbcore.models.svd import GCNSVD
from grbcore.models.tagcn import TAGCN

__all__ = [
    "APPNP",
    "GAT",
    "GCN",
    "GCNSVD",
    "GIN",
    "GPRGNN",
    "MLP",
    "MODELS",
    "RGCN",
    "RUNG",
    "SGCN",
    "TAGCN",
    "EvenNet",
    "GATGuard",
    "GCNClip",
    "GCNGuard",
    "GCNJaccard",
    "GraphModel",
    "GraphSAGE",
    "LabelPropagation",
    "LogReg",
    "Model",
    "SoftMedianGDC",
    "build",
    "create",
    "load",
    "save",
]
