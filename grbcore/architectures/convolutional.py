"""GCN, GIN and GAT: their tensors and their work."""

from __future__ import annotations

import itertools

from grbcore.architectures.architecture import (
    Architecture,
    HeadParameters,
    Parameters,
    Shapes,
    linear,
    norms,
    widths,
)


def _gcn_shapes(parameters: Parameters, features: int, classes: int) -> Shapes:
    layers = widths(parameters, features, classes)
    shapes: Shapes = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(layers)):
        linear(shapes, f"convs.{index}", inputs, outputs)
    norms(shapes, parameters, layers[:-2])
    return shapes


def _gcn_work(parameters: Parameters, nodes: int, edges: int, features: int, classes: int) -> int:
    layers = widths(parameters, features, classes)
    pairs = itertools.pairwise(layers)
    return sum(nodes * inputs * outputs + (edges + nodes) * outputs for inputs, outputs in pairs)


def _gin_shapes(parameters: Parameters, features: int, classes: int) -> Shapes:
    layers = [features, *parameters.hidden]
    shapes: Shapes = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(layers)):
        conv = f"convs.{index}"
        shapes[f"{conv}.eps"] = (1,)
        linear(shapes, f"{conv}.linears.0", inputs, outputs)
        linear(shapes, f"{conv}.linears.1", outputs, outputs)
        for name in ("weight", "bias", "running_mean", "running_var"):
            shapes[f"{conv}.batch_norm.{name}"] = (outputs,)
        shapes[f"{conv}.batch_norm.num_batches_tracked"] = ()
    last = layers[-1]
    linear(shapes, "head.0", last, last)
    linear(shapes, "head.1", last, classes)
    norms(shapes, parameters, layers[:-1])
    return shapes


def _gin_work(parameters: Parameters, nodes: int, edges: int, features: int, classes: int) -> int:
    layers = [features, *parameters.hidden]
    last = layers[-1]
    total = nodes * last * (last + classes)
    for inputs, outputs in itertools.pairwise(layers):
        total += edges * min(inputs, outputs) + nodes * (inputs * outputs + outputs * outputs)
    return total


def _gat_shapes(parameters: HeadParameters, features: int, classes: int) -> Shapes:
    heads = parameters.heads
    inputs = [features, *(heads * width for width in parameters.hidden)]
    outputs = [*parameters.hidden, classes]
    shapes: Shapes = {}
    for index, (wide, width) in enumerate(zip(inputs, outputs, strict=True)):
        shapes[f"convs.{index}.weight"] = (heads * width, wide)
        shapes[f"convs.{index}.source"] = (heads, width)
        shapes[f"convs.{index}.destination"] = (heads, width)
        shapes[f"convs.{index}.bias"] = (heads * width,)
    norms(shapes, parameters, inputs[:-1])
    return shapes


def _gat_work(
    parameters: HeadParameters, nodes: int, edges: int, features: int, classes: int
) -> int:
    heads = parameters.heads
    inputs = [features, *(heads * width for width in parameters.hidden)]
    outputs = [*parameters.hidden, classes]
    return sum(
        nodes * wide * heads * width + (edges + nodes) * heads * (width + 4)
        for wide, width in zip(inputs, outputs, strict=True)
    )


GCN = Architecture("GCN", Parameters, _gcn_shapes, _gcn_work)
GAT = Architecture("GAT", HeadParameters, _gat_shapes, _gat_work)
GIN = Architecture("GIN", Parameters, _gin_shapes, _gin_work)
