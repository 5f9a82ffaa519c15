"""The engine's models: one for each registered architecture.

Every model is a `Model` (`model.py`): ``embed`` works on each node alone, ``propagate`` mixes
nodes over the edges.  What several share stands in one abstract class each:

- `stack.Stack`: convolutions that each embed, then propagate (GAT, TAGCN, GraphSAGE).
- `layered.Layered`: one fixed sparse matrix, then a map of each node alone, layer by layer (GCN,
  GIN); gradient attacks visit only the rows of these that matter.
- `linear.LinearLayers`: GCN's weights; the defenses on it aggregate otherwise (GCN-SVD,
  GCN-Jaccard, GCNGuard).
- `perceptron.Perceptron`: all weights come before any edge (APPNP, GPRGNN, EvenNet, RUNG), or
  there are no edges (MLP, LogReg).

SGCN, R-GCN and Soft-Median-GDC stand alone; GATGuard is a GAT and GCN-Clip a GCN with one thing
more.  Parts of models: `layers` (weights, norms, dropout) and, for aggregating, `attention`,
`pooling`, `pagerank`, `similarity`, `low_rank`, and `places` for matrices that are not symmetric.
`LabelPropagation` has no weights, so it is in no file and on no board.

To add one: describe it in `grbcore.architectures`, write its module here, name it in `MODELS`
(`building.py`); `grbcore.testing.check_model` says whether it keeps the contract.
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
