"""MLP and logistic regression, which see no edges: what a graph must add to."""

from __future__ import annotations

import itertools

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


class NoHiddenParameters(Parameters):
    """As `Parameters`, of an architecture without hidden layers."""

    hidden: list[Width] = Field(default_factory=list, max_length=0)


def mlp_shapes(parameters: Parameters, features: int, classes: int) -> Shapes:
    """Linear layers, each with a norm before it where there are norms."""
    layers = widths(parameters, features, classes)
    shapes: Shapes = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(layers)):
        linear(shapes, f"linears.{index}", inputs, outputs)
    norms(shapes, parameters, layers[:-1])
    return shapes


def mlp_work(parameters: Parameters, nodes: int, _edges: int, features: int, classes: int) -> int:
    """The products of the linear layers."""
    pairs = itertools.pairwise(widths(parameters, features, classes))
    return sum(nodes * inputs * outputs for inputs, outputs in pairs)


MLP = Architecture("MLP", Parameters, mlp_shapes, mlp_work)
LogReg = Architecture("LogReg", NoHiddenParameters, mlp_shapes, mlp_work)
