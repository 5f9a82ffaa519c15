"""How far an attack moves the graph: degrees, and how alike neighbours are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from grbcore.graph import Graph
from grbcore.perturbation import Perturbation
from grbcore.spmm import product
from grbcore.visualise.figure import COLOURS, WIDE, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Values = NDArray[np.float64]


def degrees(graph: Graph) -> Values:
    """Neighbours of each node (n,) float64."""
    return graph.pattern.degrees.cpu().numpy().astype(np.float64)


def homophily(graph: Graph) -> Values:
    """How much each node looks like its neighbours: node-centric homophily, (n,) float64, -1..1.

    The cosine of a node's features and the sum of its neighbours', each divided by
    ``sqrt(d_j · d_i)``; 0 where either is zero, as at isolated nodes.
    Source: Chen et al., Understanding and Improving Graph Injection Attack by Promoting
    Unnoticeability (ICLR 2022), Definition 4.1.
    """
    with torch.no_grad():
        root = graph.pattern.degrees.to(graph.features.dtype).clamp(min=1).sqrt()
        weight = 1 / (root[graph.pattern.row] * root[graph.col])
        around = product(graph.pattern, weight, graph.features)
        cosine = torch.nn.functional.cosine_similarity(around, graph.features, dim=1)
    return cosine.cpu().numpy().astype(np.float64)


def ks_distance(one: Values, other: Values) -> float:
    """The largest gap between two empirical distribution functions, 0..1 (Kolmogorov, Smirnov)."""
    points = np.concatenate([one, other])
    first = np.searchsorted(np.sort(one), points, side="right") / len(one)
    second = np.searchsorted(np.sort(other), points, side="right") / len(other)
    return float(np.abs(first - second).max())


def attack_shift(graph: Graph, perturbation: Perturbation) -> Figure:
    """Degrees and homophily before and after an attack, with their Kolmogorov–Smirnov distance.

    Left: the share of nodes with at least so many neighbours.  Right: the distribution of
    node-centric homophily (`homophily`).  Injected nodes are counted after the attack.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    after = graph.apply(perturbation)
    figure, (left, right) = panels(2)
    before_degrees, after_degrees = degrees(graph), degrees(after)
    for label, values, colour, style in (
        ("before", before_degrees, COLOURS[0], "solid"),
        ("after", after_degrees, COLOURS[1], "dashed"),
    ):
        ordered = np.sort(values)
        share = 1 - np.arange(len(ordered)) / len(ordered)
        left.step(ordered, share, where="pre", color=colour, linestyle=style, label=label)
    if after_degrees.max(initial=0) > WIDE:
        left.set_xscale("symlog")
    left.set_yscale("log")
    left.set_xlabel("neighbours")
    left.set_ylabel("share of nodes with at least as many")
    left.set_title(f"degree, KS distance {ks_distance(before_degrees, after_degrees):.3f}")
    before, later = homophily(graph), homophily(after)
    lowest = min(before.min(initial=0.9), later.min(initial=0.9))
    edges = np.linspace(max(lowest - 0.01, -1.01), 1.01, 51)
    for label, values, colour, style in (
        ("before", before, COLOURS[0], "solid"),
        ("after", later, COLOURS[1], "dashed"),
    ):
        share, _ = np.histogram(values, edges)
        right.stairs(share / len(values), edges, color=colour, linestyle=style, label=label)
    right.set_xlabel("node-centric homophily")
    right.set_ylabel("share of nodes")
    right.set_title(f"homophily, KS distance {ks_distance(before, later):.3f}")
    for axes in (left, right):
        axes.legend(fontsize=8)
    return figure
