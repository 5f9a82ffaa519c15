"""From a relaxed graph to the best of many discrete ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grbcore.graphlevel.attacks.attack import Case, torch_rng
from grbcore.graphlevel.batch import Dense, offsets
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.graphs import AttributedGraph, Ints
from grbcore.graphlevel.models.edits import Edits, edited_outputs
from grbcore.graphlevel.models.gine import Passing
from grbcore.graphlevel.models.model import GraphLevelModel, predict

Reals = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Draws that are evaluated together.
_AT_ONCE = 64

#: Of as many draws of one graph only what differs is computed; fewer are no edits but graphs.
_MANY = 24


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """Chances of a graph's parts, each drawn for itself.

    A feature is given by the chances of its values, rows of k, or by its values (rows,) int64,
    where they are certain.
    """

    graph: AttributedGraph  # the clean one
    edges: Reals  # (p,) of each pair u < v of `triu_indices`
    nodes: Sequence[NDArray[Any]]  # each feature's, rows: n nodes
    values: Sequence[NDArray[Any]]  # each feature's, rows: p pairs

    def draw(self, samples: int, rng: np.random.Generator, *, allowed: int | None = None) -> Draws:
        """Different graphs among ``samples`` draws, of ``allowed`` changes at most; clean first."""
        clean, pairs = self.graph, len(self.edges)
        there, before = _of_pairs(clean)
        present = np.concatenate([there[None], rng.random((samples, pairs)) < self.edges])
        nodes = _features(self.nodes, clean.nodes, samples, rng)
        values = _features(self.values, before, samples, rng)
        shown = np.where(present[..., None], values, -1)
        keys = np.concatenate([part.reshape(samples + 1, -1) for part in (nodes, shown)], axis=1)
        draws = Draws(clean, present, nodes, values)
        if allowed is None:
            return draws.of(_first_of_each(keys.astype(np.int16)))  # values are small
        within = np.flatnonzero(draws.cost() <= allowed)
        return draws.of(within[_first_of_each(keys[within].astype(np.int16))])


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Discrete graphs on one graph's nodes, a row for each."""

    clean: AttributedGraph
    present: Bools  # (s, p) which pairs u < v of `triu_indices` are edges
    nodes: Ints  # (s, n, d)
    values: Ints  # (s, p, e) what edges carry; elsewhere it means nothing

    def __len__(self) -> int:
        return len(self.present)

    def of(self, rows: slice | Ints) -> Draws:
        """Some of them."""
        return Draws(self.clean, self.present[rows], self.nodes[rows], self.values[rows])

    def graph(self, row: int) -> AttributedGraph:
        """One as a graph."""
        pairs = np.stack(np.triu_indices(self.clean.n, 1))[:, self.present[row]]
        return AttributedGraph(self.nodes[row], pairs, self.values[row][self.present[row]])

    def cost(self) -> Ints:
        """What `Changes.cost` counts in all (s,)."""
        flips, of_edges, of_nodes = self._changed()
        found: Ints = flips.sum(1) + of_edges.sum((1, 2)) + of_nodes.sum((1, 2))
        return found

    def edits(self, model: GraphLevelModel) -> Edits:
        """They as edits of the clean graph, for a model that looks only where they differ."""
        shape, (count, n) = model.shape, self.nodes.shape[:2]
        there, _ = _of_pairs(self.clean)
        carried = np.concatenate([self.clean.values, self.values[self.present]])
        codes = carried @ np.cumprod([1, *shape.edge_sizes])[:-1]
        _, first, kind = np.unique(codes, return_index=True, return_inverse=True)
        palette = carried[first] + offsets(shape.edge_sizes)
        kinds = np.zeros((count + 1, len(there)), np.int64)  # the clean graph's first
        kinds[0, there], kinds[1:][self.present] = kind[: self.clean.m], kind[self.clean.m :]
        present = np.concatenate([there[None], self.present])
        u, v = np.triu_indices(n, 1)
        adjacency = torch.zeros(count + 1, n, n)
        laid = torch.zeros(count + 1, n, n, dtype=torch.int64)
        for a, b in ((u, v), (v, u)):
            adjacency[:, a, b] = torch.from_numpy(present).float()
            laid[:, a, b] = torch.from_numpy(kinds)
        nodes = torch.from_numpy(
            np.concatenate([self.clean.nodes[None], self.nodes]) + offsets(shape.node_sizes)
        )
        sizes, mask = torch.full((count + 1,), n), torch.ones(count + 1, n, dtype=torch.bool)
        kinds_of = torch.from_numpy(palette)
        by_degree = shape.degrees > 0
        whole = Dense(sizes, mask, nodes, adjacency, laid, kinds_of, by_degree=by_degree)
        flips, of_edges, of_nodes = self._changed()
        row, pair = np.nonzero(flips | of_edges.any(-1))
        ends = np.zeros((count, n), bool)
        ends[row, u[pair]] = ends[row, v[pair]] = True
        touched = torch.from_numpy(of_nodes.any(-1))
        every = torch.arange(count + 1)
        return Edits(whole.of(every[:1]), whole.of(every[1:]), touched, torch.from_numpy(ends))

    def _changed(self) -> tuple[Bools, Bools, Bools]:
        """Flips (s, p), values that edges which stay change (s, p, e), and nodes' (s, n, d)."""
        there, before = _of_pairs(self.clean)
        stays = (self.present & there)[..., None]
        return (
            self.present != there,
            (self.values != before) & stays,
            self.nodes != self.clean.nodes,
        )


def best_sample(
    case: Case, distributions: Sequence[Distribution], *, samples: int, rng: np.random.Generator
) -> tuple[list[Changes], Reals]:
    """Of each graph's draws within the budget, and the graph itself, the one of highest target.

    Targets are the discrete model's own, which is `frozen`.  Draws that are the same count once.
    """
    drawn = [one.draw(samples, rng, allowed=case.budget.of(one.graph)) for one in distributions]
    changes, reached = [], []
    outputs = _outputs(case.model, drawn, rng)
    for draws, own, label in zip(drawn, outputs, case.labels, strict=True):
        found = case.target(own, torch.as_tensor(label).expand(len(own)))
        found = found.where(found.isfinite(), -torch.inf)
        place = int(found.argmax())
        changes.append(Changes.between(draws.clean, draws.graph(place)))
        reached.append(float(found[place]))
    return changes, np.array(reached)


@torch.no_grad()
def _outputs(
    model: GraphLevelModel, drawn: Sequence[Draws], rng: np.random.Generator
) -> list[Tensor]:
    """What the model says of each draw (s, outputs)."""
    few = list(range(len(drawn)))
    found: dict[int, Tensor] = {}
    if isinstance(model, Passing) and not model.noise_width:
        few = [g for g in few if len(drawn[g]) < _MANY]
        for g in sorted(set(range(len(drawn))) - set(few)):
            edits = [
                drawn[g].of(slice(start, start + _AT_ONCE)).edits(model)
                for start in range(0, len(drawn[g]), _AT_ONCE)
            ]
            found[g] = torch.cat([edited_outputs(model, part) for part in edits])
    graphs = [drawn[g].graph(row) for g in few for row in range(len(drawn[g]))]
    if graphs:
        outputs = predict(model, graphs, rng=torch_rng(rng), at_once=_AT_ONCE)
        parts = torch.split(outputs, [len(drawn[g]) for g in few])
        found |= dict(zip(few, parts, strict=True))
    return [found[g] for g in range(len(drawn))]


def _of_pairs(graph: AttributedGraph) -> tuple[Bools, Ints]:
    """Of each pair u < v whether it is an edge (p,), and what that carries (p, e), else 0."""
    n = graph.n
    u, v = graph.edges
    place = u * n - u * (u + 1) // 2 + v - u - 1
    there = np.zeros(n * (n - 1) // 2, bool)
    carried = np.zeros((len(there), graph.values.shape[1]), np.int64)
    there[place], carried[place] = True, graph.values
    return there, carried


def _features(
    parts: Sequence[NDArray[Any]], clean: Ints, samples: int, rng: np.random.Generator
) -> Ints:
    """Clean values first, then as many draws: (1 + samples, rows, features)."""
    found = np.empty((samples + 1, *clean.shape), np.int64)
    found[0] = clean
    for place, part in enumerate(parts):
        found[1:, :, place] = part if part.ndim == 1 else _draw(part, samples, rng)
    return found


def _draw(chances: Reals, samples: int, rng: np.random.Generator) -> Ints:
    """Values (samples, rows) with these chances (rows, k)."""
    ends = chances.cumsum(axis=1)
    drawn = rng.random((samples, len(chances), 1)) * ends[:, -1:]
    found: Ints = np.minimum((drawn >= ends).sum(axis=2), chances.shape[1] - 1)
    return found


def _first_of_each(keys: NDArray[np.int16]) -> Ints:
    """Where each different row stands first, ascending."""
    rows = np.ascontiguousarray(keys)
    _, first = np.unique(rows.view(np.dtype((np.void, rows[0].nbytes))), return_index=True)
    return np.sort(first)
