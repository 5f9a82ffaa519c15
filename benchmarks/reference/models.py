"""GCN, GIN and GAT on the tensors of our models, so that both sides compute the same logits."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.models import Model
from reference.sparse import symmetric, to_coo


class Reference(nn.Module):
    """A model that takes features and an adjacency that `prepare` made."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.parts = nn.ModuleDict(dict(model.named_children()))
        self.heads = getattr(model, "heads", 1)
        self.rate = 0.5

    def norm(self, index: int, hidden: Tensor) -> Tensor:
        norms: Any = self.parts["norms"]
        return norms[index](hidden) if index < len(norms) else hidden

    def drop(self, hidden: Tensor) -> Tensor:
        return F.dropout(hidden, self.rate, self.training)


class GCN(Reference):
    def prepare(self, adjacency: sp.spmatrix) -> Tensor:
        return to_coo(symmetric(adjacency))

    def forward(self, features: Tensor, adjacency: Tensor) -> Tensor:
        convs: Any = self.parts["convs"]
        hidden = features
        for index, conv in enumerate(convs):
            hidden = torch.sparse.mm(adjacency, conv(self.norm(index, hidden)))
            if index + 1 < len(convs):
                hidden = self.drop(F.relu(hidden))
        return hidden


class GIN(Reference):
    def prepare(self, adjacency: sp.spmatrix) -> Tensor:
        return to_coo(adjacency)

    def forward(self, features: Tensor, adjacency: Tensor) -> Tensor:
        convs: Any = self.parts["convs"]
        head: Any = self.parts["head"]
        hidden = features
        for index, conv in enumerate(convs):
            hidden = self.norm(index, hidden)
            hidden = torch.sparse.mm(adjacency, hidden) + (1 + conv.eps) * hidden
            hidden = conv.linears[1](F.relu(conv.linears[0](hidden)))
            hidden = self.drop(F.relu(conv.batch_norm(hidden)))
        return head[1](self.drop(F.relu(head[0](hidden))))


class GAT(Reference):
    def prepare(self, adjacency: sp.spmatrix) -> sp.spmatrix:
        return adjacency

    def forward(self, features: Tensor, adjacency: sp.spmatrix) -> Tensor:
        convs: Any = self.parts["convs"]
        size = adjacency.shape[0]
        looped = sp.coo_matrix(adjacency)  # the edges are read from scipy at each pass
        row = torch.from_numpy(np.concatenate([looped.row, np.arange(size)]).astype(np.int64))
        col = torch.from_numpy(np.concatenate([looped.col, np.arange(size)]).astype(np.int64))
        hidden = features
        for index, conv in enumerate(convs):
            hidden = self.norm(index, hidden)
            sent = F.linear(hidden, conv.weight).view(size, self.heads, -1)
            scores = (sent * conv.source).sum(-1)[col] + (sent * conv.destination).sum(-1)[row]
            scores = F.leaky_relu(scores, 0.2)
            shift = scores.new_full((size, self.heads), -torch.inf)
            places = row[:, None].expand_as(scores)
            shift = shift.scatter_reduce(0, places, scores.detach(), "amax")
            weights = (scores - shift[row]).exp()
            total = weights.new_zeros(size, self.heads).index_add(0, row, weights)
            weights = weights / total[row]
            messages = sent[col] * weights[:, :, None]
            hidden = torch.zeros_like(sent).index_add(0, row, messages)
            hidden = hidden.flatten(1) + conv.bias
            if index + 1 < len(convs):
                hidden = self.drop(F.elu(hidden))
        return hidden.view(size, self.heads, -1).mean(1)


def reference(model: Model) -> Reference:
    """The plain model on the very same parameters."""
    kinds: dict[str, type[Reference]] = {"GCN": GCN, "GIN": GIN, "GAT": GAT}
    return kinds[type(model).__name__](model).train(model.training)
