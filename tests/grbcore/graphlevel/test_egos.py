"""The subgraphs of ESAN, beside a search from each root by hand."""

from __future__ import annotations

import math

import pytest
import torch

from grbcore.graphlevel.batch import Sparse, union
from grbcore.graphlevel.models.egos import egos
from tests.grbcore.graphlevel.samples import SHAPE, random_graphs


@pytest.mark.parametrize("hops", [0, 1, 2, 3])
@pytest.mark.parametrize("share", [0.2, 1.0])
def test_subgraphs_have_the_edges_within_reach_of_their_roots(hops: int, share: float) -> None:
    graphs = random_graphs(9, 3)
    batch = union(graphs, SHAPE.node_sizes, SHAPE.edge_sizes)
    noise = torch.rand(len(batch.owner), 2, generator=torch.Generator().manual_seed(4))
    found = egos(batch, noise, share=share, hops=hops)
    assert isinstance(found.structure, Sparse)

    wanted, first = [], 0
    for graph in graphs:
        roots = torch.argsort(noise[first : first + graph.n, 0])[: math.ceil(share * graph.n)]
        for root in roots.tolist():
            near = {root}
            for _ in range(hops):
                near |= {b for pair in graph.edges.T.tolist() for b in pair if near & set(pair)}
            kept = [
                (u, v, *values)
                for (u, v), values in zip(graph.edges.T.tolist(), graph.values, strict=True)
                if near >= {u, v}
            ]
            wanted.append((first, root, graph.n, sorted(kept)))
        first += graph.n

    start = 0
    sizes = found.structure.sizes.tolist()
    assert len(sizes) == len(wanted) == len(found.owner)
    for n, (first, root, nodes, kept) in zip(sizes, wanted, strict=True):
        rows = slice(start, start + n)
        assert n == nodes
        assert found.node[rows].tolist() == list(range(first, first + n))
        assert found.marks[rows, 0].nonzero().flatten().tolist() == [root]
        assert (found.structure.owner[rows] == found.structure.owner[start]).all()
        sender, receiver = found.structure.edges
        mine = (sender >= start) & (sender < start + n)
        own = [
            (u - start, v - start, *values.tolist())
            for u, v, values in zip(
                sender[mine].tolist(),
                receiver[mine].tolist(),
                found.structure.values[mine],
                strict=True,
            )
        ]
        assert sorted(edge for edge in own if edge[0] < edge[1]) == kept
        assert sorted((v, u, *values) for u, v, *values in own) == sorted(own)
        start += n
    assert start == len(found.node)
