"""From a relaxed graph to the best of many discrete ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from grbcore.graphlevel.attacks.attack import Case, torch_rng
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.graphs import AttributedGraph, Ints
from grbcore.graphlevel.models.model import predict

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """Chances of a graph's parts, each drawn for itself."""

    graph: AttributedGraph  # the clean one
    edges: Reals  # (p,) of each pair u < v of `triu_indices`
    nodes: Sequence[Reals]  # (n, k) of each feature's values, or the values themselves (n, 1)
    values: Sequence[Reals]  # (p, k) of each feature's values

    def draw(self, samples: int, rng: np.random.Generator) -> list[AttributedGraph]:
        """Different graphs among ``samples`` draws."""
        present = rng.random((samples, len(self.edges))) < self.edges
        nodes = np.stack([_draw(chances, samples, rng) for chances in self.nodes], axis=2)
        values = np.stack([_draw(chances, samples, rng) for chances in self.values], axis=2)
        u, v = np.triu_indices(self.graph.n, 1)
        shown = np.where(present[..., None], values, -1)
        keys = np.concatenate([nodes.reshape(samples, -1), shown.reshape(samples, -1)], axis=1)
        _, first = np.unique(keys.astype(np.int16), axis=0, return_index=True)  # small values
        return [
            AttributedGraph(nodes[s], np.stack([u, v])[:, present[s]], values[s][present[s]])
            for s in first
        ]


def best_sample(
    case: Case, distributions: Sequence[Distribution], *, samples: int, rng: np.random.Generator
) -> tuple[list[Changes], Reals]:
    """Of each graph's draws within the budget, and the graph itself, the one of highest target.

    Targets are the model's own, on its sparse form.  Draws that are the same count once.
    """
    tried: list[AttributedGraph] = []
    ends = []
    for distribution in distributions:
        clean = distribution.graph
        drawn = distribution.draw(samples, rng)
        allowed = case.budget.of(clean)
        tried += [clean, *(graph for graph in drawn if _cost(clean, graph) <= allowed)]
        ends.append(len(tried))
    outputs = predict(case.model, tried, rng=torch_rng(rng), at_once=64)
    changes, reached = [], []
    for end, start, distribution, label in zip(
        ends, [0, *ends[:-1]], distributions, case.labels, strict=True
    ):
        own = outputs[start:end]
        given = torch.as_tensor(label).expand(len(own))
        found = case.target(own, given)
        found = found.where(found.isfinite(), -torch.inf)
        place = int(found.argmax())
        changes.append(Changes.between(distribution.graph, tried[start + place]))
        reached.append(float(found[place]))
    return changes, np.array(reached)


def _draw(chances: Reals, samples: int, rng: np.random.Generator) -> Ints:
    """Values (samples, rows) with these chances (rows, k)."""
    ends = chances.cumsum(axis=1)
    drawn = rng.random((samples, len(chances), 1)) * ends[:, -1:]
    found: Ints = np.minimum((drawn >= ends).sum(axis=2), chances.shape[1] - 1)
    return found


def _cost(clean: AttributedGraph, other: AttributedGraph) -> int:
    """What `Changes.cost` counts in all, from the two graphs."""
    before, after = clean.keys(), other.keys()
    kept = np.intersect1d(before, after, assume_unique=True, return_indices=True)
    values = int((clean.values[kept[1]] != other.values[kept[2]]).sum())
    flips = len(before) + len(after) - 2 * len(kept[0])
    return flips + values + int((clean.nodes != other.nodes).sum())
