"""What an attack does to one small graph, and what that costs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grbcore.graphlevel.graphs import AttributedGraph, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Flipped edges and new values of features; ids are those of the graph.

    A change of an edge's feature names an edge of the graph that stays, at a cost, or one that is
    added, for free; an added edge whose value is not told has value 0.
    """

    flips: Ints  # (2, f) int64, u < v, each pair once
    node_changes: Ints  # (3, a) int64: node, feature, new value
    edge_changes: Ints  # (4, b) int64: u, v, feature, new value; u < v

    @staticmethod
    def empty() -> Changes:
        """The perturbation that changes nothing."""
        return Changes(*(np.zeros((rows, 0), np.int64) for rows in (2, 3, 4)))

    def apply(self, graph: AttributedGraph) -> AttributedGraph:
        """The perturbed graph.

        Raises:
            ValueError: a pair, node or feature is not the graph's, or stands twice.
        """
        _check(self, graph)
        flipped = self.flips[0] * graph.n + self.flips[1]
        old = graph.keys()
        keys = np.concatenate([old[~np.isin(old, flipped)], flipped[~np.isin(flipped, old)]])
        values = np.zeros((len(keys), graph.values.shape[1]), np.int64)
        stays = ~np.isin(old, flipped)
        values[: stays.sum()] = graph.values[stays]
        nodes = graph.nodes.copy()
        node, feature, value = self.node_changes
        nodes[node, feature] = value
        u, v, feature, value = self.edge_changes
        order = np.argsort(keys)
        named = u * graph.n + v
        place = np.searchsorted(keys[order], named)
        if not np.isin(named, keys).all():
            raise ValueError("edge_changes: found a pair that is no edge, allowed: edges that stay")
        values[order[place], feature] = value
        return AttributedGraph.of(nodes, np.stack([keys // graph.n, keys % graph.n]), values)

    @staticmethod
    def between(clean: AttributedGraph, other: AttributedGraph) -> Changes:
        """What turns ``clean`` into ``other``, a graph of the same nodes.

        Raises:
            ValueError: the nodes or the features of both differ in number.
        """
        if clean.nodes.shape != other.nodes.shape or clean.values.shape[1] != other.values.shape[1]:
            raise ValueError("other: found other nodes or features, allowed: those of the graph")
        before, after = clean.keys(), other.keys()
        flipped = np.setxor1d(before, after)
        node, feature = np.nonzero(clean.nodes != other.nodes)
        held = np.full((len(after), clean.values.shape[1]), -1, np.int64)
        held[np.isin(after, before)] = clean.values[np.isin(before, after)]
        edge, column = np.nonzero(held != other.values)
        return Changes(
            np.stack([flipped // clean.n, flipped % clean.n]),
            np.stack([node, feature, other.nodes[node, feature]]),
            np.stack([*other.edges[:, edge], column, other.values[edge, column]]),
        )

    def cost(self, graph: AttributedGraph) -> tuple[int, int]:
        """How many edges are flipped, and how many values of features change at a cost.

        Counted on the discrete graphs: a new value that is the old one costs nothing, as do the
        features of added edges.  Source: the thesis, equations 4.2 and 4.3.
        """
        other = self.apply(graph)
        before, after = graph.keys(), other.keys()
        kept = graph.values[np.isin(before, after)] != other.values[np.isin(after, before)]
        changed = int((graph.nodes != other.nodes).sum()) + int(kept.sum())
        return len(np.setxor1d(before, after)), changed


def _check(changes: Changes, graph: AttributedGraph) -> None:
    parts = {"flips": 2, "node_changes": 3, "edge_changes": 4}
    for name, rows in parts.items():
        part = getattr(changes, name)
        if part.ndim != 2 or len(part) != rows:
            raise ValueError(f"{name}: found shape {part.shape}, allowed: ({rows}, …)")
    for name, pairs in (("flips", changes.flips), ("edge_changes", changes.edge_changes[:2])):
        u, v = pairs
        if not bool(((u >= 0) & (u < v) & (v < graph.n)).all()):
            raise ValueError(f"{name}: found a pair outside, allowed: 0 <= u < v < {graph.n}")
    limits = (
        ("node_changes", changes.node_changes, (graph.n, graph.nodes.shape[1])),
        ("edge_changes", changes.edge_changes[1:], (graph.n, graph.values.shape[1])),
    )
    for name, part, (ids, features) in limits:
        if not bool(((part[0] >= 0) & (part[0] < ids)).all()):
            raise ValueError(f"{name}: found a node outside, allowed: 0..{ids - 1}")
        if not bool(((part[1] >= 0) & (part[1] < features)).all()):
            raise ValueError(f"{name}: found a feature outside, allowed: 0..{features - 1}")
    places = (
        ("flips", changes.flips),
        ("node_changes", changes.node_changes[:2]),
        ("edge_changes", changes.edge_changes[:3]),
    )
    for name, part in places:
        if np.unique(part, axis=1).shape[1] != part.shape[1]:
            raise ValueError(f"{name}: found a place twice, allowed: each once")


def pack(all_changes: Sequence[Changes]) -> dict[str, Ints]:
    """The perturbations of G graphs as the arrays of a file.

    ``graph_ptr``, ``node_ptr``, ``edge_ptr`` (G+1,) say where the ``flips`` (2, F), the
    ``node_changes`` (3, A) and the ``edge_changes`` (4, B) of each graph lie.
    """
    found = {}
    for part, pointer in PARTS.items():
        arrays = [getattr(changes, part) for changes in all_changes]
        found[pointer] = np.cumsum([0, *(array.shape[1] for array in arrays)]).astype(np.int64)
        found[part] = np.concatenate([getattr(Changes.empty(), part), *arrays], axis=1)
    return found


def unpack(arrays: dict[str, Ints]) -> list[Changes]:
    """The perturbation of each graph, from the arrays that `pack` gives.

    Raises:
        ValueError: pointers don't fit their arrays, or one another.
    """
    graphs = max(len(arrays["graph_ptr"]) - 1, 0)
    split: dict[str, list[Ints]] = {}
    for part, pointer in PARTS.items():
        ptr, array = arrays[pointer], arrays[part]
        ends = len(ptr) == graphs + 1 and ptr[0] == 0 and ptr[-1] == array.shape[1]
        if not (ends and bool((ptr[1:] >= ptr[:-1]).all())):
            raise ValueError(
                f"{pointer}: found pointers that don't fit, allowed: {graphs + 1} of them, "
                f"ascending from 0 to {array.shape[1]}"
            )
        split[part] = [array[:, a:b] for a, b in itertools.pairwise(ptr)]
    return [Changes(*parts) for parts in zip(*split.values(), strict=True)]


#: The parts of a perturbation, and what their pointers are called.
PARTS = {"flips": "graph_ptr", "node_changes": "node_ptr", "edge_changes": "edge_ptr"}
