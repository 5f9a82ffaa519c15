"""Defenses built on GCN and GAT: their parameters, tensors and work."""

from __future__ import annotations

import itertools
from typing import Annotated

from pydantic import Field

from grbcore.architectures.architecture import (
    Architecture,
    HeadParameters,
    Parameters,
    Shapes,
    linear,
    norms,
    widths,
)
from grbcore.architectures.convolutional import GAT, GCN


class SampleParameters(Parameters):
    """As `Parameters`, and how many samples a prediction averages."""

    samples: Annotated[int, Field(ge=1, le=64)] = 20


class RankParameters(Parameters):
    """As `Parameters`, and the rank of what stands for the adjacency."""

    rank: Annotated[int, Field(ge=1, le=256)] = 50


class SimilarityParameters(Parameters):
    """As `Parameters`, and the similarity below which an edge is left out."""

    threshold: Annotated[float, Field(ge=0, le=1)] = 0.01


class QuantileParameters(Parameters):
    """As `Parameters`, and the share of training values beyond each limit of a feature."""

    quantile: Annotated[float, Field(ge=0, lt=0.5)] = 0.01


def _rgcn_shapes(parameters: SampleParameters, features: int, classes: int) -> Shapes:
    layers = widths(parameters, features, classes)
    shapes: Shapes = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(layers)):
        linear(shapes, f"convs.{index}.mean", inputs, outputs)
        linear(shapes, f"convs.{index}.variance", inputs, outputs)
    norms(shapes, parameters, layers[:-2])
    return shapes


def _rgcn_work(
    parameters: SampleParameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    return 2 * _plain(parameters, nodes, edges, features, classes) + (
        parameters.samples * nodes * classes
    )


def _plain(parameters: Parameters, nodes: int, edges: int, features: int, classes: int) -> int:
    return GCN.work(parameters, nodes=nodes, edges=edges, features=features, classes=classes)


def _svd_work(
    parameters: RankParameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    layers = widths(parameters, features, classes)
    rank = parameters.rank
    # Lanczos with twice as many vectors as wanted, restarted a few times.
    factors = 8 * rank * edges + 16 * nodes * rank * rank
    products = sum(
        nodes * inputs * outputs + 2 * nodes * rank * outputs
        for inputs, outputs in itertools.pairwise(layers)
    )
    return factors + products


def _guarded(shapes: Shapes) -> Shapes:
    return {**shapes, "guard.prune": (2,), "guard.memory": (1,)}


def _gcn_guard_shapes(parameters: Parameters, features: int, classes: int) -> Shapes:
    return _guarded(GCN.shapes(parameters, features, classes))


def _gcn_guard_work(
    parameters: Parameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    compared = edges * (features + sum(parameters.hidden))
    return compared + _plain(parameters, nodes, edges, features, classes)


def _gat_guard_shapes(parameters: HeadParameters, features: int, classes: int) -> Shapes:
    return _guarded(GAT.shapes(parameters, features, classes))


def _gat_guard_work(
    parameters: HeadParameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    compared = edges * (features + parameters.heads * sum(parameters.hidden))
    plain = GAT.work(parameters, nodes=nodes, edges=edges, features=features, classes=classes)
    return compared + plain


def _jaccard_work(
    parameters: Parameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    return (nodes + edges) * features + _plain(parameters, nodes, edges, features, classes)


def _clip_shapes(parameters: Parameters, features: int, classes: int) -> Shapes:
    shapes = GCN.shapes(parameters, features, classes)
    return {**shapes, "clip.low": (features,), "clip.high": (features,)}


RGCN = Architecture("R-GCN", SampleParameters, _rgcn_shapes, _rgcn_work, stochastic=True)
GCN_SVD = Architecture("GCN-SVD", RankParameters, GCN.shapes, _svd_work)
GCN_GUARD = Architecture("GCNGuard", Parameters, _gcn_guard_shapes, _gcn_guard_work)
GAT_GUARD = Architecture("GATGuard", HeadParameters, _gat_guard_shapes, _gat_guard_work)
GCN_JACCARD = Architecture("GCN-Jaccard", SimilarityParameters, GCN.shapes, _jaccard_work)
GCN_CLIP = Architecture("GCN-Clip", QuantileParameters, _clip_shapes, _plain)
