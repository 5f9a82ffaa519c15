"""Message passing on many edits of one graph, computing only the nodes that an edit reaches."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_linear_bn_eval

from grbcore.graphlevel.batch import Dense
from grbcore.graphlevel.models.gine import Passing


@dataclass(frozen=True, eq=False)
class Edits:
    """C edits of one graph of n nodes, unpadded, and where they touch it."""

    graph: Dense  # B = 1: the graph itself
    edited: Dense  # B = C, with the palette of ``graph``
    nodes: Tensor  # (C, n) bool: nodes whose features differ
    ends: Tensor  # (C, n) bool: nodes with an edge that differs


@torch.no_grad()
def edited_outputs(model: Passing, edits: Edits) -> Tensor:
    """What ``model(edits.edited)`` gives (C, outputs), in evaluation mode.

    A layer's row of a node is that of the clean graph unless the edit is within reach, so only
    the others are computed: after layer l, those within l - 1 steps of what was touched.
    """
    edited, n = edits.edited, edits.nodes.shape[1]
    colours = model.edges[edited.palette].sum(-2)
    clean = edits.graph.nodes_by(model.nodes)[0]
    changed, neighbours = edits.nodes, edited.adjacency > 0
    degrees = edited.degrees()
    rows = torch.nonzero(changed.flatten()).flatten()
    mine = edited.nodes_by(model.nodes).flatten(0, 1)[rows]
    found: Tensor = model.heads[0](_means(clean, mine, rows, len(changed)))
    for place, (layer, norm) in enumerate(zip(model.layers, model.norms, strict=True)):
        first, last = _fused(layer, norm)
        # rows of all nodes of all edits: the clean ones first, then those that differ
        table = torch.cat([clean, mine])
        where = torch.arange(n).repeat(len(changed))
        where[rows] = n + torch.arange(len(rows))
        changed = changed | edits.ends | (neighbours & changed[:, None, :]).any(-1)
        rows = torch.nonzero(changed.flatten()).flatten()
        edit, node, other = torch.nonzero(neighbours & changed[..., None], as_tuple=True)
        receiver = torch.searchsorted(rows, edit * n + node)
        colour = colours[edited.kinds[edit, node, other]]
        sent = model.message(table[where[edit * n + other]], colour)
        total = torch.zeros(len(rows), table.shape[1], dtype=table.dtype)
        total.index_add_(0, receiver, sent)
        total = model.weighted(total, degrees.flatten(0, 1)[rows])
        mine = last(first(total.add_(table[where[rows]])).relu_()).relu_()
        clean = last(first(clean + model.gather(edits.graph, clean[None])[0]).relu()).relu()
        found = found + model.heads[place + 1](_means(clean, mine, rows, len(changed)))
    return found


def _means(clean: Tensor, mine: Tensor, rows: Tensor, edits: int) -> Tensor:
    """The mean over the nodes of each edit, from the clean rows (n, h) and those that differ."""
    n = len(clean)
    total = clean.sum(0).repeat(edits, 1)
    found: Tensor = total.index_add_(0, rows // n, mine - clean[rows % n]) / n
    return found


def _fused(layer: nn.Module, norm: nn.Module) -> tuple[nn.Module, nn.Module]:
    """Both linear maps of a layer with the batch norm behind each."""
    assert isinstance(layer, nn.Sequential) and isinstance(norm, nn.Sequential)
    one, own, _, other = layer
    after = norm[0]
    assert isinstance(one, nn.Linear) and isinstance(other, nn.Linear)
    assert isinstance(own, nn.BatchNorm1d) and isinstance(after, nn.BatchNorm1d)
    first, last = fuse_linear_bn_eval(one, own), fuse_linear_bn_eval(other, after)
    return first, last
