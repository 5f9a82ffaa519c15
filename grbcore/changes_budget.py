"""How much of each of many small graphs may change, checked by the referee."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grbcore.perturbation import GraphChanges, Ints
from grbcore.violations import MOST, Violation

Bools = NDArray[np.bool_]

#: The arrays of a perturbation with their rows, and what their pointers are called.
PARTS = {
    "flips": ("graph_ptr", 2),
    "node_changes": ("node_ptr", 3),
    "edge_changes": ("edge_ptr", 4),
}


@dataclass(frozen=True, slots=True, eq=False)
class GraphsShape:
    """What a budget needs to know of the test graphs; all of them lie one after another."""

    sizes: Ints  # (G,) nodes of each
    nodes: Ints  # (N, d) values of the nodes' features
    edge_ptr: Ints  # (G + 1,) where the edges of each lie
    edges: Ints  # (2, M), ids local to the graph, u < v, sorted
    values: Ints  # (M, e) values of the edges' features
    node_sizes: Ints  # (d,) how many values each feature has
    edge_sizes: Ints  # (e,)

    @property
    def graphs(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, slots=True)
class ChangesBudget:
    """At most ``changes`` flipped edges in each graph; with ``attributes`` new values count too.

    Counted on the discrete graphs: a new value that is the old one costs nothing, as do the
    features of added edges.  Without ``attributes`` there may be no other new values.  The same as
    `grbcore.graphlevel.GraphBudget`, of all graphs at once.  Source: the thesis, section 4.2.
    """

    changes: int
    attributes: bool = False

    def violations(
        self, found: GraphChanges, graphs: GraphsShape, place: str = "changes"
    ) -> list[Violation]:
        """Every rule that these changes break on these graphs; pure."""
        faults = _form(found, graphs, place)
        if faults:
            return faults
        owners = _owners(found)
        faults += _flips(found.flips, owners["flips"], graphs, f"{place}/flips")
        faults += _node_changes(found.node_changes, owners["node_changes"], graphs, place)
        faults += _edge_changes(found.edge_changes, owners["edge_changes"], graphs, place)
        if faults:
            return faults
        return self._spent(found, owners, graphs, place)

    def _spent(
        self, found: GraphChanges, owners: dict[str, Ints], graphs: GraphsShape, place: str
    ) -> list[Violation]:
        """Edges that are not there, and what is spent, of changes that are well formed."""
        node_cost, edge_new, was = _new(found, owners, graphs)
        edge_cost = edge_new & was
        width = int(graphs.sizes.max())
        named = _keys(owners["edge_changes"], found.edge_changes[:2], width)
        flipped = _keys(owners["flips"], found.flips, width)
        faults = []
        for index in np.flatnonzero(was == np.isin(named, flipped))[:MOST]:
            u, v = found.edge_changes[:2, index]
            text = f"nodes {u} and {v} of graph {owners['edge_changes'][index]}"
            allowed = "pairs that an edge joins after the flips"
            faults.append(
                Violation("edge-missing", f"{place}/edge_changes[{index}]", text, allowed)
            )
        if not self.attributes:
            for part, costs in (("node_changes", node_cost), ("edge_changes", edge_cost)):
                for index in np.flatnonzero(costs)[:MOST]:
                    text = f"a new value in graph {owners[part][index]}"
                    allowed = "flipped edges, and the features of added ones"
                    faults.append(Violation("attribute", f"{place}/{part}[{index}]", text, allowed))
        spent = np.bincount(owners["flips"], minlength=graphs.graphs)
        if self.attributes:
            for part, costs in (("node_changes", node_cost), ("edge_changes", edge_cost)):
                spent = spent + np.bincount(owners[part][costs], minlength=graphs.graphs)
        for graph in np.flatnonzero(spent > self.changes)[:MOST]:
            text, allowed = f"{spent[graph]} changes of graph {graph}", f"at most {self.changes}"
            faults.append(Violation("budget-changes", place, text, allowed))
        return faults


def counted(found: GraphChanges, graphs: GraphsShape) -> tuple[int, int, int]:
    """Of legal changes of all graphs together: edges added, edges removed, and new values of
    features that a budget counts."""
    owners = _owners(found)
    width = int(graphs.sizes.max())
    owner = np.repeat(np.arange(graphs.graphs), np.diff(graphs.edge_ptr))
    flipped = _keys(owners["flips"], found.flips, width)
    there = int(np.isin(flipped, _keys(owner, graphs.edges, width)).sum())
    nodes, edges, was = _new(found, owners, graphs)
    return len(flipped) - there, there, int(nodes.sum()) + int((edges & was).sum())


def effective(found: GraphChanges, graphs: GraphsShape) -> GraphChanges:
    """The same legal changes, without new values that are the old ones or an added edge's 0."""
    owners = _owners(found)
    node_new, edge_new, _ = _new(found, owners, graphs)
    kept = {"node_changes": node_new, "edge_changes": edge_new}
    parts = {}
    for part, new in kept.items():
        each = np.bincount(owners[part][new], minlength=graphs.graphs)
        parts[part] = getattr(found, part)[:, new]
        parts[PARTS[part][0]] = np.concatenate([[0], np.cumsum(each)]).astype(np.int64)
    return replace(found, **parts)


def _owners(found: GraphChanges) -> dict[str, Ints]:
    """The graph of each column of the parts, whose pointers are sound."""
    pointers = {part: getattr(found, pointer) for part, (pointer, _) in PARTS.items()}
    return {
        part: np.repeat(np.arange(len(pointer) - 1), np.diff(pointer))
        for part, pointer in pointers.items()
    }


def _new(
    found: GraphChanges, owners: dict[str, Ints], graphs: GraphsShape
) -> tuple[Bools, Bools, Bools]:
    """Which nodes' and edges' values are new, and which edges were there before the flips."""
    node, feature, value = found.node_changes
    first = np.cumsum(graphs.sizes) - graphs.sizes
    nodes = graphs.nodes[first[owners["node_changes"]] + node, feature] != value
    width = int(graphs.sizes.max())
    edge_owner = np.repeat(np.arange(graphs.graphs), np.diff(graphs.edge_ptr))
    old = _keys(edge_owner, graphs.edges, width)
    u, v, feature, value = found.edge_changes
    named = _keys(owners["edge_changes"], np.stack([u, v]), width)
    was = np.isin(named, old)
    before = np.zeros(len(value), np.int64)  # what an added edge has
    before[was] = graphs.values[np.searchsorted(old, named[was]), feature[was]]
    return nodes, before != value, was


def _keys(owner: Ints, pairs: Ints, width: int) -> Ints:
    """A number for each pair of a graph, ascending as graphs and their sorted edges are."""
    found: Ints = (owner * width + pairs[0]) * width + pairs[1]
    return found


def _form(found: GraphChanges, graphs: GraphsShape, place: str) -> list[Violation]:
    """Types, shapes and pointers."""
    faults = []
    for part, (pointer, rows) in PARTS.items():
        array, ptr = getattr(found, part), getattr(found, pointer)
        for name, one in ((pointer, ptr), (part, array)):
            if one.dtype != np.int64:
                faults.append(Violation("dtype", f"{place}/{name}", str(one.dtype), "int64"))
        if array.ndim != 2 or array.shape[0] != rows:
            shape, allowed = f"shape {tuple(array.shape)}", f"shape ({rows}, …)"
            faults.append(Violation("shape", f"{place}/{part}", shape, allowed))
            continue
        if ptr.shape != (graphs.graphs + 1,):
            allowed = f"shape ({graphs.graphs + 1},): one more than the test graphs"
            shape = f"shape {tuple(ptr.shape)}"
            faults.append(Violation("shape", f"{place}/{pointer}", shape, allowed))
            continue
        falls = np.flatnonzero(ptr[1:] < ptr[:-1])  # a difference may wrap around
        if ptr[0] != 0 or ptr[-1] != array.shape[1] or falls.size:
            text = f"{ptr[0]} to {ptr[-1]}" + (f", less at {falls[0] + 1}" if falls.size else "")
            allowed = f"0 to {array.shape[1]}, the columns of {part}, never less than before"
            faults.append(Violation("pointer", f"{place}/{pointer}", text, allowed))
    return faults


def _pairs(pairs: Ints, owner: Ints, graphs: GraphsShape, place: str) -> list[Violation]:
    """Ends in range, the lower one first."""
    faults = []
    sizes = graphs.sizes[owner]
    outside = ((pairs < 0) | (pairs >= sizes)).any(axis=0)
    for index in np.flatnonzero(outside)[:MOST]:
        node = next(int(end) for end in pairs[:, index] if not 0 <= end < sizes[index])
        text, allowed = f"node {node}", f"0..{sizes[index] - 1} in graph {owner[index]}"
        faults.append(Violation("node-range", f"{place}[{index}]", text, allowed))
    for index in np.flatnonzero(pairs[0] == pairs[1])[:MOST]:
        text = f"an edge from node {pairs[0, index]} to itself"
        faults.append(Violation("edge-self", f"{place}[{index}]", text, "no self-loops"))
    for index in np.flatnonzero(pairs[0] > pairs[1])[:MOST]:
        text = f"nodes {pairs[0, index]} and {pairs[1, index]}"
        faults.append(Violation("pair-order", f"{place}[{index}]", text, "the lower one first"))
    return faults


def _again(columns: Ints) -> NDArray[np.intp]:
    """Which columns are equal to one before them."""
    order = np.lexsort(columns[::-1])  # stable: the first of equal columns stays first
    same = (np.diff(columns[:, order], axis=1) == 0).all(axis=0)
    return np.sort(order[1:][same])


def _flips(flips: Ints, owner: Ints, graphs: GraphsShape, place: str) -> list[Violation]:
    faults = _pairs(flips, owner, graphs, place)
    for index in _again(np.stack([owner, *flips]))[:MOST]:
        text = f"nodes {flips[0, index]} and {flips[1, index]} of graph {owner[index]} again"
        allowed = "each undirected edge once"
        faults.append(Violation("edge-duplicate", f"{place}[{index}]", text, allowed))
    return faults


def _node_changes(changes: Ints, owner: Ints, graphs: GraphsShape, place: str) -> list[Violation]:
    place = f"{place}/node_changes"
    faults = []
    sizes = graphs.sizes[owner]
    for index in np.flatnonzero((changes[0] < 0) | (changes[0] >= sizes))[:MOST]:
        allowed = f"0..{sizes[index] - 1} in graph {owner[index]}"
        text = f"node {changes[0, index]}"
        faults.append(Violation("node-range", f"{place}[{index}]", text, allowed))
    faults += _values(changes[1:], graphs.node_sizes, place)
    return faults + _twice(np.stack([owner, *changes[:2]]), place)


def _edge_changes(changes: Ints, owner: Ints, graphs: GraphsShape, place: str) -> list[Violation]:
    place = f"{place}/edge_changes"
    faults = _pairs(changes[:2], owner, graphs, place)
    faults += _values(changes[2:], graphs.edge_sizes, place)
    return faults + _twice(np.stack([owner, *changes[:3]]), place)


def _values(changes: Ints, sizes: Ints, place: str) -> list[Violation]:
    """Features that there are, and values that they have."""
    faults = []
    feature, value = changes
    unknown = (feature < 0) | (feature >= len(sizes))
    for index in np.flatnonzero(unknown)[:MOST]:
        text, allowed = f"feature {feature[index]}", f"0..{len(sizes) - 1}"
        faults.append(Violation("feature-index", f"{place}[{index}]", text, allowed))
    most = np.append(sizes, 0)[np.where(unknown, -1, feature)]
    for index in np.flatnonzero(~unknown & ((value < 0) | (value >= most)))[:MOST]:
        text, allowed = f"value {value[index]}", f"0..{most[index] - 1}"
        faults.append(Violation("feature-value", f"{place}[{index}]", text, allowed))
    return faults


def _twice(columns: Ints, place: str) -> list[Violation]:
    return [
        Violation("change-duplicate", f"{place}[{index}]", "the same feature again", "each once")
        for index in _again(columns)[:MOST]
    ]
