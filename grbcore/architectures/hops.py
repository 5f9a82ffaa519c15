"""APPNP, TAGCN and SGCN, which are told over how many hops they mix: tensors and work."""

from __future__ import annotations

import itertools
from typing import Annotated

from pydantic import Field

from grbcore.architectures.architecture import (
    Architecture,
    Parameters,
    Shapes,
    Width,
    linear,
    norms,
    widths,
)
from grbcore.architectures.floors import mlp_shapes, mlp_work

Hops = Annotated[int, Field(ge=1, le=20)]


class APPNPParameters(Parameters):
    """As `Parameters`, the steps of personalised PageRank and its probability of teleporting."""

    hops: Hops = 10
    alpha: Annotated[float, Field(ge=0, le=1)] = 0.01


class TAGCNParameters(Parameters):
    """As `Parameters`, and the highest power of the adjacency in each convolution."""

    hops: Hops = 2


class SGCNParameters(Parameters):
    """As `Parameters`, and the power of the adjacency in each convolution.

    The convolutions lie between the hidden layers, so there are two of these at least.
    """

    hidden: Annotated[list[Width], Field(min_length=2, max_length=15)]
    hops: Hops = 4


def _appnp_work(
    parameters: APPNPParameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    steps = parameters.hops * (edges + 2 * nodes) * classes
    return mlp_work(parameters, nodes, edges, features, classes) + steps


def _tagcn_shapes(parameters: TAGCNParameters, features: int, classes: int) -> Shapes:
    layers = widths(parameters, features, classes)
    shapes: Shapes = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(layers)):
        linear(shapes, f"convs.{index}", (parameters.hops + 1) * inputs, outputs)
    norms(shapes, parameters, layers[:-2])
    return shapes


def _tagcn_work(
    parameters: TAGCNParameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    hops = parameters.hops
    return sum(
        nodes * (hops + 1) * inputs * outputs + hops * (edges + nodes) * outputs
        for inputs, outputs in itertools.pairwise(widths(parameters, features, classes))
    )


def _sgcn_shapes(parameters: SGCNParameters, features: int, classes: int) -> Shapes:
    layers = widths(parameters, features, classes)
    shapes: Shapes = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(layers)):
        linear(shapes, f"convs.{index}", inputs, outputs)
    shapes["norm.weight"] = shapes["norm.bias"] = (features,)
    norms(shapes, parameters, layers[1:-2])
    return shapes


def _sgcn_work(
    parameters: SGCNParameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    mixed = sum(parameters.hidden[:-1])
    hops = parameters.hops * (edges + nodes) * mixed
    return mlp_work(parameters, nodes, edges, features, classes) + hops


APPNP = Architecture("APPNP", APPNPParameters, mlp_shapes, _appnp_work)
TAGCN = Architecture("TAGCN", TAGCNParameters, _tagcn_shapes, _tagcn_work)
SGCN = Architecture("SGCN", SGCNParameters, _sgcn_shapes, _sgcn_work)
