"""Message passing on many edits of one graph, computing only the nodes that an edit reaches."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

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
    """What ``model(edits.edited)`` gives (C, outputs), of a model that is `frozen`.

    A layer's row of a node is that of the clean graph unless the edit is within reach, so only
    the others are computed: after layer l, those within l - 1 steps of what was touched.
    """
    edited, n = edits.edited, edits.nodes.shape[1]
    colours = model.edges[edited.palette].sum(-2)
    clean = edits.graph.nodes_by(model.nodes)
    changed = edits.nodes | edits.ends if edited.by_degree else edits.nodes
    neighbours = edited.adjacency > 0
    degrees = edited.degrees()
    rows = torch.nonzero(changed.flatten()).flatten()
    mine = edited.nodes_by(model.nodes)[rows]
    found = _read(model.heads[0], clean, mine, rows, len(changed))
    for place, layer in enumerate(model.layers):
        assert isinstance(layer, nn.Sequential)
        first, _, last = layer
        # rows of all nodes of all edits: the clean ones first, then those that differ
        table = torch.cat([clean, mine])
        where = torch.arange(n).repeat(len(changed))
        where[rows] = n + torch.arange(len(rows))
        changed = changed | edits.ends | (neighbours & changed[:, None, :]).any(-1)
        rows = torch.nonzero(changed.flatten()).flatten()
        edit, node, other = torch.nonzero(neighbours & changed[..., None], as_tuple=True)
        sender, kind = where[edit * n + other], edited.kinds[edit, node, other]
        total = _sums(
            model, table, colours, sender, kind, torch.searchsorted(edit * n + node, rows)
        )
        total = model.weighted(total, degrees[rows])
        mine = last(first(total.add_(table[where[rows]])).relu_()).relu_()
        clean = last(first(clean + model.gather(edits.graph, clean)).relu()).relu()
        found = found + _read(model.heads[place + 1], clean, mine, rows, len(changed))
    return found


def _sums(
    model: Passing, table: Tensor, colours: Tensor, sender: Tensor, kind: Tensor, starts: Tensor
) -> Tensor:
    """The sums (r, h) of messages, those of receiver i from ``starts[i]`` (r,) on.

    What a sender says over one kind of edge is computed once, whoever hears it.
    """
    if not len(sender):
        return table.new_zeros(len(starts), table.shape[1])
    said = sender * len(colours) + kind
    used = torch.zeros(len(table) * len(colours), dtype=torch.bool)
    used[said] = True
    pairs = torch.nonzero(used).flatten()
    place = used.cumsum(0) - 1
    sent = model.message(table[pairs // len(colours)], colours[pairs % len(colours)])
    return F.embedding_bag(place[said], sent, starts, mode="sum")


def _read(head: nn.Module, clean: Tensor, mine: Tensor, rows: Tensor, edits: int) -> Tensor:
    """What a head gives each edit, from the clean rows (n, h) and those that differ."""
    assert isinstance(head, nn.Linear)
    n, own, other = len(clean), clean @ head.weight.T, mine @ head.weight.T
    total = own.sum(0).repeat(edits, 1)
    return total.index_add_(0, rows // n, other - own[rows % n]) / n + head.bias
