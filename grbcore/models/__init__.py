"""The engine's models: one for each registered architecture.

To add one: describe it in `grbcore.architectures`, write its module here, name it in `MODELS`;
`grbcore.testing.check_model` says whether it keeps the contract.
"""

from grbcore.models.building import MODELS, build, load, save
from grbcore.models.gat import GAT
from grbcore.models.gcn import GCN
from grbcore.models.gin import GIN
from grbcore.models.model import GraphModel, Model

__all__ = ["GAT", "GCN", "GIN", "MODELS", "GraphModel", "Model", "build", "load", "save"]
