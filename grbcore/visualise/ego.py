"""The neighbourhood of a target in an attacked graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grbcore.graph import Graph
from grbcore.perturbation import Injection, Perturbation
from grbcore.visualise.figure import COLOURS, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BLUE, _ORANGE, _GREEN = COLOURS[:3]


def ego_net(
    graph: Graph, perturbation: Perturbation, target: int, *, hops: int = 1, most: int = 80
) -> Figure:
    """The attacked graph around ``target``: who is within ``hops``, and what the attack changed.

    The target stands in the middle, its neighbours on rings around it, one for each hop.
    Injected nodes are squares; edges that the attack added are dashed, those that it removed
    dotted.  Of more than ``most`` nodes the nearest are drawn, injected ones first; the title
    says so.

    Raises:
        ValueError: ``target`` is no node of ``graph``, or ``hops`` or ``most`` is below 1.
        MissingExtra: matplotlib is not installed.
    """
    for name, value in (("hops", hops), ("most", most)):
        if value < 1:
            raise ValueError(f"{name}: found {value}, allowed: 1 or more")
    if not 0 <= target < graph.nodes:
        raise ValueError(f"target: found {target}, allowed: 0..{graph.nodes - 1}")
    after = graph.apply(perturbation)
    rings = _rings(_neighbours(graph, after), target, hops)
    total = sum(map(len, rings))
    order = [node for ring in rings for node in sorted(ring, key=lambda n: (n < graph.nodes, n))]
    drawn = set(order[:most])
    places = _places([[node for node in order if node in ring & drawn] for ring in rings])
    before_edges, after_edges = _edges(graph, drawn), _edges(after, drawn)
    figure, (axes,) = panels(1, width=5.5, height=5.0)
    for label, edges, style, colour in (
        ("edge", before_edges & after_edges, "solid", "0.6"),
        ("added edge", after_edges - before_edges, "dashed", _ORANGE),
        ("removed edge", before_edges - after_edges, "dotted", "black"),
    ):
        for place, (one, other) in enumerate(sorted(edges)):
            (x, y), (u, v) = places[one], places[other]
            # matplotlib leaves labels that begin with _ out of the legend
            name_once = label if place == 0 else "_"
            axes.plot([x, u], [y, v], linestyle=style, color=colour, linewidth=1, label=name_once)
    groups = (
        ("node", [n for n in drawn if n < graph.nodes and n != target], "o", _BLUE, 45),
        ("injected node", [n for n in drawn if n >= graph.nodes], "s", _ORANGE, 60),
        ("target", [target], "*", _GREEN, 220),
    )
    for label, nodes, marker, colour, size in groups:
        if nodes:
            x, y = np.array([places[node] for node in sorted(nodes)]).T
            axes.scatter(x, y, marker=marker, color=colour, s=size, zorder=3, label=label)
    limited = "" if total <= most else f", {most} of {total} nodes"
    kind = "injection" if isinstance(perturbation, Injection) else "modification"
    hops_word = "hop" if hops == 1 else "hops"
    axes.set_title(f"node {target} after the {kind}: {hops} {hops_word}{limited}")
    axes.set_axis_off()
    axes.set_aspect("equal")
    figure.legend(loc="outside lower center", ncols=3, fontsize=8)
    return figure


Neighbours = dict[int, set[int]]


def _neighbours(*graphs: Graph) -> Neighbours:
    """Who is joined to whom in any of the graphs."""
    found: Neighbours = {}
    for graph in graphs:
        for row, col in zip(graph.pattern.row.tolist(), graph.col.tolist(), strict=True):
            found.setdefault(row, set()).add(col)
    return found


def _rings(neighbours: Neighbours, target: int, hops: int) -> list[set[int]]:
    """Who is 0, 1, … hops away, in the clean or the attacked graph."""
    rings, seen = [{target}], {target}
    for _ in range(hops):
        ring = set[int]().union(*(neighbours.get(node, set()) for node in rings[-1])) - seen
        rings.append(ring)
        seen |= ring
    return rings


def _places(rings: list[list[int]]) -> dict[int, tuple[float, float]]:
    found = {}
    for radius, ring in enumerate(rings):
        angles = np.linspace(0, 2 * np.pi, len(ring), endpoint=False) + 0.3 * radius
        for node, angle in zip(ring, angles, strict=True):
            found[node] = (float(radius * np.cos(angle)), float(radius * np.sin(angle)))
    return found


def _edges(graph: Graph, drawn: set[int]) -> set[tuple[int, int]]:
    pairs = zip(graph.pattern.row.tolist(), graph.col.tolist(), strict=True)
    return {(row, col) for row, col in pairs if row < col and row in drawn and col in drawn}
