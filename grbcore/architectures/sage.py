"""GraphSAGE with max-pooling: its tensors and its work."""

from __future__ import annotations

import itertools

from grbcore.architectures.architecture import (
    Architecture,
    Parameters,
    Shapes,
    linear,
    norms,
    widths,
)

# One comparison of the pooling takes as long as this many multiplications of a sparse product.
_COMPARISON = 30


def _shapes(parameters: Parameters, features: int, classes: int) -> Shapes:
    layers = widths(parameters, features, classes)
    shapes: Shapes = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(layers)):
        linear(shapes, f"convs.{index}.pool", inputs, inputs)
        linear(shapes, f"convs.{index}.own", inputs, outputs)
        linear(shapes, f"convs.{index}.neighbours", inputs, outputs)
    norms(shapes, parameters, layers[:-2])
    return shapes


def _work(parameters: Parameters, nodes: int, edges: int, features: int, classes: int) -> int:
    return sum(
        nodes * inputs * (inputs + 2 * outputs) + _COMPARISON * edges * inputs
        for inputs, outputs in itertools.pairwise(widths(parameters, features, classes))
    )


GraphSAGE = Architecture("GraphSAGE", Parameters, _shapes, _work)
