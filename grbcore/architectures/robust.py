"""GPRGNN, EvenNet, RUNG and Soft-Median-GDC: their parameters, tensors and work."""

from __future__ import annotations

import itertools
from typing import Annotated

from pydantic import Field

from grbcore.architectures.architecture import (
    Architecture,
    Parameters,
    Shapes,
    linear,
    norms,
    widths,
)
from grbcore.architectures.floors import mlp_shapes, mlp_work
from grbcore.architectures.hops import Hops

Share = Annotated[float, Field(gt=0, lt=1)]
Positive = Annotated[float, Field(gt=0, le=1e6)]


class PolynomialParameters(Parameters):
    """As `Parameters`, the highest power of the adjacency, and the first coefficients' alpha."""

    hops: Hops = 10
    alpha: Share = 0.1


class RUNGParameters(Parameters):
    """As `Parameters`, the layers of aggregation, the penalty's gamma, and 1 / (1 + lambda)."""

    layers: Hops = 10
    gamma: Positive = 5.0
    smoothing: Share = 0.9


class SoftMedianParameters(Parameters):
    """As `Parameters`, teleport probability, neighbours of a node, temperature."""

    alpha: Annotated[float, Field(ge=0.05, lt=1)] = 0.15
    neighbours: Annotated[int, Field(ge=1, le=256)] = 64
    temperature: Positive = 1.0


def _gprgnn_shapes(parameters: PolynomialParameters, features: int, classes: int) -> Shapes:
    shapes = mlp_shapes(parameters, features, classes)
    return shapes | {"gammas": (parameters.hops + 1,)}


def _evennet_shapes(parameters: PolynomialParameters, features: int, classes: int) -> Shapes:
    shapes = mlp_shapes(parameters, features, classes)
    return shapes | {"gammas": (parameters.hops // 2 + 1,)}


def _polynomial_work(
    parameters: PolynomialParameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    spread = parameters.hops * (edges + nodes) * classes
    return mlp_work(parameters, nodes, edges, features, classes) + spread


def _rung_work(
    parameters: RUNGParameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    spread = parameters.layers * (2 * edges + nodes) * classes
    return mlp_work(parameters, nodes, edges, features, classes) + spread


def _soft_median_shapes(parameters: SoftMedianParameters, features: int, classes: int) -> Shapes:
    layers = widths(parameters, features, classes)
    shapes: Shapes = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(layers)):
        linear(shapes, f"convs.{index}", inputs, outputs)
    norms(shapes, parameters, layers[:-2])
    return shapes


def _soft_median_work(
    parameters: SoftMedianParameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    """Per layer a median, a distance and a product over the diffused neighbours."""
    entries = nodes * min(nodes, parameters.neighbours)
    outputs = widths(parameters, features, classes)[1:]
    return mlp_work(parameters, nodes, edges, features, classes) + 3 * entries * sum(outputs)


GPRGNN = Architecture("GPRGNN", PolynomialParameters, _gprgnn_shapes, _polynomial_work)
EVENNET = Architecture("EvenNet", PolynomialParameters, _evennet_shapes, _polynomial_work)
RUNG = Architecture("RUNG", RUNGParameters, mlp_shapes, _rung_work)
SOFT_MEDIAN_GDC = Architecture(
    "Soft-Median-GDC", SoftMedianParameters, _soft_median_shapes, _soft_median_work
)
