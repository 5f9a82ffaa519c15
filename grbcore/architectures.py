"""The registered architectures: their parameters, tensor names and shapes, without torch.

A defense names one of these and brings the weights; nobody uploads code.  The engine's models
give the same names and shapes, and a test compares the two.  Shapes follow the closed formulas
that reproduce the parameter counts of GRB's Tables 6-10.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Shapes = dict[str, tuple[int, ...]]

Features = Literal["normalised", "raw"]

Width = Annotated[int, Field(ge=1, le=1024)]

MAX_PARAMETERS = 20_000_000


class Parameters(BaseModel):
    """What every architecture is told: the widths between the input and the output."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    hidden: Annotated[list[Width], Field(min_length=1, max_length=15)]
    layer_norm: bool = False


class HeadParameters(Parameters):
    """As `Parameters`, and the number of attention heads."""

    heads: Annotated[int, Field(ge=1, le=16)] = 4


class Architecture:
    """A registered architecture: a name, its parameters' type, and formulas for its tensors."""

    def __init__(
        self,
        name: str,
        parameters: type[Parameters],
        shapes: Callable[[Any, int, int], Shapes],
        work: Callable[[Any, int, int, int, int], int],
        *,
        stochastic: bool = False,
    ) -> None:
        self.name = name
        self.parameters = parameters
        self._shapes = shapes
        self._work = work
        self.stochastic = stochastic

    def shapes(self, parameters: Parameters, features: int, classes: int) -> Shapes:
        """Name and shape of every tensor of the state dict, for this input and output width."""
        return self._shapes(parameters, features, classes)

    def count(self, parameters: Parameters, features: int, classes: int) -> int:
        """Trainable parameters (running statistics of batch normalisation left out)."""
        shapes = self.shapes(parameters, features, classes)
        return sum(math.prod(s) for name, s in shapes.items() if not name.endswith(_BUFFERS))

    def work(
        self, parameters: Parameters, *, nodes: int, edges: int, features: int, classes: int
    ) -> int:
        """Multiplications of one prediction on a graph with this many nodes and stored edges."""
        return self._work(parameters, nodes, edges, features, classes)


_BUFFERS = (".running_mean", ".running_var", ".num_batches_tracked")


def _widths(parameters: Parameters, features: int, classes: int) -> list[int]:
    return [features, *parameters.hidden, classes]


def _linear(shapes: Shapes, name: str, inputs: int, outputs: int) -> None:
    shapes[f"{name}.weight"] = (outputs, inputs)
    shapes[f"{name}.bias"] = (outputs,)


def _norms(shapes: Shapes, parameters: Parameters, widths: list[int]) -> None:
    """Layer normalisation of the input and before every convolution but the last."""
    if parameters.layer_norm:
        for index, width in enumerate(widths):
            shapes[f"norms.{index}.weight"] = (width,)
            shapes[f"norms.{index}.bias"] = (width,)


def _gcn_shapes(parameters: Parameters, features: int, classes: int) -> Shapes:
    widths = _widths(parameters, features, classes)
    shapes: Shapes = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(widths)):
        _linear(shapes, f"convs.{index}", inputs, outputs)
    _norms(shapes, parameters, widths[:-2])
    return shapes


def _gcn_work(parameters: Parameters, nodes: int, edges: int, features: int, classes: int) -> int:
    widths = _widths(parameters, features, classes)
    pairs = itertools.pairwise(widths)
    return sum(nodes * inputs * outputs + (edges + nodes) * outputs for inputs, outputs in pairs)


def _gin_shapes(parameters: Parameters, features: int, classes: int) -> Shapes:
    widths = [features, *parameters.hidden]
    shapes: Shapes = {}
    for index, (inputs, outputs) in enumerate(itertools.pairwise(widths)):
        conv = f"convs.{index}"
        shapes[f"{conv}.eps"] = (1,)
        _linear(shapes, f"{conv}.linears.0", inputs, outputs)
        _linear(shapes, f"{conv}.linears.1", outputs, outputs)
        for name in ("weight", "bias", "running_mean", "running_var"):
            shapes[f"{conv}.batch_norm.{name}"] = (outputs,)
        shapes[f"{conv}.batch_norm.num_batches_tracked"] = ()
    last = widths[-1]
    _linear(shapes, "head.0", last, last)
    _linear(shapes, "head.1", last, classes)
    _norms(shapes, parameters, widths[:-1])
    return shapes


def _gin_work(parameters: Parameters, nodes: int, edges: int, features: int, classes: int) -> int:
    widths = [features, *parameters.hidden]
    last = widths[-1]
    total = nodes * last * (last + classes)
    for inputs, outputs in itertools.pairwise(widths):
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
    _norms(shapes, parameters, inputs[:-1])
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


#: Every registered architecture by name.
ARCHITECTURES: Mapping[str, Architecture] = {
    architecture.name: architecture
    for architecture in (
        Architecture("GCN", Parameters, _gcn_shapes, _gcn_work),
        Architecture("GAT", HeadParameters, _gat_shapes, _gat_work),
        Architecture("GIN", Parameters, _gin_shapes, _gin_work),
    )
}


def family(architecture: str, parameters: Parameters, adversarially_trained: bool = False) -> str:
    """The family that a defense belongs to: ``GCN``, ``GCN+LN``, ``GCN+LN+AT``."""
    name = architecture + ("+LN" if parameters.layer_norm else "")
    return name + ("+AT" if adversarially_trained else "")
