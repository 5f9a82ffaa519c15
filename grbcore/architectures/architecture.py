"""What an architecture is: parameters, and formulas for its tensors and its work, without torch."""

from __future__ import annotations

import math
from collections.abc import Callable
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
        """Trainable parameters (buffers, such as running statistics, left out)."""
        return trained(self.shapes(parameters, features, classes))

    def work(
        self, parameters: Parameters, *, nodes: int, edges: int, features: int, classes: int
    ) -> int:
        """Multiplications of one prediction on a graph with this many nodes and stored edges."""
        return self._work(parameters, nodes, edges, features, classes)


#: How tensors end that are not trained.
_BUFFERS = (".running_mean", ".running_var", ".num_batches_tracked", "clip.low", "clip.high")


def trained(shapes: Shapes) -> int:
    """How many parameters tensors of these names and shapes have, buffers left out."""
    return sum(math.prod(s) for name, s in shapes.items() if not name.endswith(_BUFFERS))


def widths(parameters: Parameters, features: int, classes: int) -> list[int]:
    """The input's width, the hidden ones, the output's."""
    return [features, *parameters.hidden, classes]


def linear(shapes: Shapes, name: str, inputs: int, outputs: int) -> None:
    """Add the weight and bias of a linear layer."""
    shapes[f"{name}.weight"] = (outputs, inputs)
    shapes[f"{name}.bias"] = (outputs,)


def norms(shapes: Shapes, parameters: Parameters, widths: list[int]) -> None:
    """Add the layer normalisations, one for each of these widths, where there are any."""
    if parameters.layer_norm:
        for index, width in enumerate(widths):
            shapes[f"norms.{index}.weight"] = (width,)
            shapes[f"norms.{index}.bias"] = (width,)
