"""Brute force: every change of budget 1 is tried, the best one kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from grbcore.graphlevel.attacks.attack import Case, torch_rng
from grbcore.graphlevel.batch import Dense, Sparse, offsets
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.graphs import AttributedGraph, Ints
from grbcore.graphlevel.models.edits import Edits, edited_outputs
from grbcore.graphlevel.models.frozen import frozen
from grbcore.graphlevel.models.gine import Passing
from grbcore.graphlevel.models.model import GraphLevelModel
from grbcore.graphlevel.random_changes import Values, absent_pairs


@dataclass(frozen=True, slots=True)
class Search:
    """What brute force found for one graph."""

    changes: Changes
    target: float  # of the changed graph
    tried: int  # how many changes were evaluated


@dataclass(frozen=True, slots=True)
class BruteForce:
    """Tries every change of budget 1 on the model, ``at_once`` together.

    An evaluation oracle is enough: no gradients.  With m edges on n nodes, F combinations of an
    edge's values, f values of edges and g of nodes in total it tries m + F·(n(n-1)/2 - m) changes
    of edges, and with attributes f·m + g·n more, the old values among them.
    Paper: F_e·n(n-1)/2 - m, which lacks brackets.  Where nothing beats the clean graph, nothing is
    changed.  Source: the thesis, section 4.3.2.
    """

    values: Values
    at_once: int = 128

    def __call__(self, case: Case, *, rng: np.random.Generator) -> list[Changes]:
        """Changes of each graph; see `GraphAttack`."""
        return [search.changes for search in self.search(case, rng=rng)]

    @torch.no_grad()
    def search(self, case: Case, *, rng: np.random.Generator) -> list[Search]:
        """The best change of each graph, its target and how many were tried.

        Raises:
            ValueError: the budget is no absolute 1.
        """
        if case.budget.absolute != 1:
            raise ValueError(f"budget: found {case.budget}, allowed: an absolute budget of 1")
        case, noise = replace(case, model=frozen(case.model)), torch_rng(rng)
        return [self._one(case, g, noise) for g in range(len(case.graphs))]

    def _one(self, case: Case, g: int, noise: torch.Generator) -> Search:
        model, graph, target = case.model, case.graphs[g], case.target
        label = torch.tensor([case.labels[g]])
        tried = candidates(graph, self.values, attributes=case.budget.attributes)
        clean = model.batch([graph])
        assert isinstance(clean, Sparse)
        best = float(target(model(clean, model.draw(graph.n, noise)), label))
        base = _with_palette(clean, model, graph, self.values)
        chosen: int | None = None
        for start in range(0, len(tried), self.at_once):
            edits = _edits(base, tried.part(start, start + self.at_once), model)
            if isinstance(model, Passing) and not model.noise_width:
                outputs = edited_outputs(model, edits)
            else:
                count = len(edits.nodes) * graph.n
                outputs = model(edits.edited.sparse(), model.draw(count, noise))
            reached = target(outputs, label.expand(len(outputs)))
            value, place = reached.where(reached.isfinite(), -torch.inf).max(0)
            if float(value) > best:
                best, chosen = float(value), start + int(place)
        changes = Changes.empty() if chosen is None else tried.changes(chosen)
        return Search(changes, best, len(tried))


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Changes of budget 1, one a row, edges' before nodes'."""

    pairs: Ints  # (p, 2): u < v
    there: NDArray[np.bool_]  # (p,): whether the edge is there afterwards
    before: NDArray[np.bool_]  # (p,): and before
    carried: Ints  # (p, e): its values afterwards
    node: Ints  # (q, 3): node, feature, new value

    def __len__(self) -> int:
        return len(self.pairs) + len(self.node)

    def part(self, start: int, end: int) -> Candidates:
        """Those from ``start`` to before ``end``."""
        pairs, nodes = slice(start, end), slice(max(start - len(self.pairs), 0), None)
        nodes = slice(nodes.start, max(end - len(self.pairs), 0))
        return Candidates(
            self.pairs[pairs],
            self.there[pairs],
            self.before[pairs],
            self.carried[pairs],
            self.node[nodes],
        )

    def changes(self, place: int) -> Changes:
        """The candidate of this place."""
        empty = Changes.empty()
        if place >= len(self.pairs):
            return Changes(
                empty.flips, self.node[place - len(self.pairs)][:, None], empty.edge_changes
            )
        pair = self.pairs[place][:, None]
        flips = pair if self.there[place] != self.before[place] else empty.flips
        if not self.there[place]:
            return Changes(flips, empty.node_changes, empty.edge_changes)
        carried = self.carried[place]
        ends = np.repeat(pair, len(carried), axis=1)
        return Changes(
            flips, empty.node_changes, np.stack([*ends, np.arange(len(carried)), carried])
        )


def candidates(graph: AttributedGraph, values: Values, *, attributes: bool) -> Candidates:
    """Every change of budget 1; with ``attributes`` those to the old value, too."""
    edges, absent, any_edge = graph.edges.T, absent_pairs(graph).T, values.of_an_edge()
    pairs = [edges, np.repeat(absent, len(any_edge), axis=0)]
    there = [np.zeros(len(edges), bool), np.ones(len(absent) * len(any_edge), bool)]
    carried = [graph.values, np.tile(any_edge, (len(absent), 1))]
    node = np.zeros((0, 3), np.int64)
    if attributes:
        for feature, allowed in enumerate(values.edges):
            changed = np.repeat(graph.values, len(allowed), axis=0)
            changed[:, feature] = np.tile(allowed, graph.m)
            pairs.append(np.repeat(edges, len(allowed), axis=0))
            there.append(np.ones(len(changed), bool))
            carried.append(changed)
        options = [(f, value) for f, allowed in enumerate(values.nodes) for value in allowed]
        ids = np.repeat(np.arange(graph.n), len(options))
        node = np.column_stack([ids, np.tile(np.array(options), (graph.n, 1))])
    every = np.concatenate(pairs)
    before = graph.adjacency()[every[:, 0], every[:, 1]]
    return Candidates(every, np.concatenate(there), before, np.concatenate(carried), node)


def _with_palette(
    clean: Sparse, model: GraphLevelModel, graph: AttributedGraph, values: Values
) -> Dense:
    """The graph alone, dense, its palette every kind of edges that a candidate may have."""
    own = np.concatenate([graph.values, values.of_an_edge()])
    for feature, allowed in enumerate(values.edges):
        changed = np.repeat(graph.values, len(allowed), axis=0)
        changed[:, feature] = np.tile(allowed, graph.m)
        own = np.concatenate([own, changed])
    palette = torch.from_numpy(np.unique(own, axis=0) + offsets(model.shape.edge_sizes))
    dense = clean.dense()
    if not len(dense.palette):
        return replace(dense, palette=palette)
    places = (dense.palette[:, None] == palette).all(-1).int().argmax(1)
    return replace(dense, kinds=places[dense.kinds], palette=palette)


def _edits(base: Dense, tried: Candidates, model: GraphLevelModel) -> Edits:
    """The candidates as a batch, edges' before nodes'."""
    edges, total, nodes = len(tried.pairs), len(tried), base.mask.shape[1]
    adjacency = base.adjacency.repeat(total, 1, 1)
    kinds = base.kinds.repeat(total, 1, 1)
    features = base.nodes.repeat(total, 1, 1)
    ends, touched = (
        torch.zeros(total, nodes, dtype=torch.bool),
        torch.zeros(total, nodes, dtype=torch.bool),
    )
    u, v = torch.from_numpy(tried.pairs).unbind(1)
    row = torch.arange(edges)
    there = torch.from_numpy(tried.there)
    carried = torch.from_numpy(tried.carried + offsets(model.shape.edge_sizes))
    kind = (carried[:, None] == base.palette).all(-1).int().argmax(1)
    for a, b in ((u, v), (v, u)):
        adjacency[row, a, b] = there.float()
        kinds[row, a, b] = kind
        ends[row, a] = True
    node, feature, value = torch.from_numpy(tried.node).unbind(1)
    row = torch.arange(edges, total)
    starts = torch.from_numpy(offsets(model.shape.node_sizes))
    features[row, node, feature] = value + starts[feature]
    touched[row, node] = True
    edited = replace(
        base,
        sizes=base.sizes.expand(total),
        mask=base.mask.expand(total, -1),
        nodes=features,
        adjacency=adjacency,
        kinds=kinds,
    )
    return Edits(base, edited, touched, ends)
