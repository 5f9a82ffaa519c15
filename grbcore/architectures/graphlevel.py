"""The registered architectures of whole graphs: their tensors and their work.

Formulas of the state dicts of `grbcore.graphlevel.models`; a test compares both.  Work counts
multiplications over all test graphs, in all passes.  Dropout has no tensors and no part in a
prediction, so it is no parameter here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from grbcore.architectures.architecture import Shapes, Width, linear, trained
from grbcore.architectures.scale import Scale

#: How often a model that draws random numbers predicts; what it says is the mean.
PASSES = 5

#: How many graphs are predicted together: a `PPGN` has a row for each pair of nodes.
AT_ONCE = 16

#: A number that is gathered takes as long as so many multiplications of a product of matrices:
#: measured 20 to 40, ESAN of 20 hops on IMDB-BINARY and MUTAG against GINE, one thread.
_GATHERED = 32

Layers = Annotated[int, Field(ge=1, le=16)]


class GraphParameters(BaseModel):
    """What every architecture of whole graphs is told: the width of its hidden layers."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    layer_norm: ClassVar[bool] = False  # none has any

    hidden: Width = 300


class LayeredParameters(GraphParameters):
    """As `GraphParameters`, and how many layers of message passing there are."""

    layers: Layers = 5


class DropParameters(LayeredParameters):
    """As `LayeredParameters`, and how many runs are averaged."""

    runs: Annotated[int, Field(ge=1, le=100)]


class EgoParameters(LayeredParameters):
    """As `LayeredParameters`, the share of nodes whose surroundings are seen, and how far."""

    hidden: Annotated[int, Field(ge=3, le=1024)] = 64
    share: Annotated[float, Field(gt=0, le=1)] = 0.2
    hops: Annotated[int, Field(ge=1, le=20)] = 3


class BlockParameters(GraphParameters):
    """As `GraphParameters`, and how many blocks of matrix products there are."""

    blocks: Layers = 5


class SignParameters(LayeredParameters):
    """As `LayeredParameters`, and what positions are made of."""

    hidden: Width = 95
    layers: Layers = 16
    eigenvectors: Annotated[int, Field(ge=1, le=100)]
    phi_layers: Annotated[int, Field(ge=2, le=16)] = 8
    phi_width: Annotated[int, Field(ge=1, le=64)] = 4
    last: Annotated[int, Field(ge=4, le=1024)] = 10


class GraphArchitecture:
    """A registered architecture of whole graphs; as `Architecture`, but for what it is told."""

    def __init__(
        self,
        name: str,
        parameters: type[GraphParameters],
        shapes: Callable[[Any, Scale], Shapes],
        work: Callable[[Any, Scale], int],
        *,
        stochastic: bool = False,
    ) -> None:
        self.name = name
        self.parameters = parameters
        self._shapes = shapes
        self._work = work
        self.stochastic = stochastic

    def shapes(self, parameters: GraphParameters, scale: Scale) -> Shapes:
        """Name and shape of every tensor of the state dict, on data of this scale."""
        return self._shapes(parameters, scale)

    def count(self, parameters: GraphParameters, scale: Scale) -> int:
        """Trainable parameters (running statistics left out)."""
        return trained(self.shapes(parameters, scale))

    def work(self, parameters: GraphParameters, scale: Scale) -> int:
        """Multiplications of all test graphs once, in every pass of a stochastic one."""
        return self._work(parameters, scale) * (PASSES if self.stochastic else 1)


def _tables(scale: Scale, nodes: int, edges: int) -> Shapes:
    return {"nodes": (scale.features, nodes), "edges": (scale.edge_features, edges)}


def _norm(shapes: Shapes, name: str, width: int) -> None:
    for part in ("weight", "bias", "running_mean", "running_var"):
        shapes[f"{name}.{part}"] = (width,)
    shapes[f"{name}.num_batches_tracked"] = ()


def _two(
    shapes: Shapes, name: str, inputs: int, hidden: int, outputs: int, *, norm: int = 1
) -> None:
    """Linear, batch norm, ReLU, linear; with ``norm`` 2 the batch norm is behind the ReLU."""
    linear(shapes, f"{name}.0", inputs, hidden)
    _norm(shapes, f"{name}.{norm}", hidden)
    linear(shapes, f"{name}.3", hidden, outputs)


def _bag_shapes(told: GraphParameters, scale: Scale) -> Shapes:
    h = told.hidden
    shapes = _tables(scale, h, h)
    _two(shapes, "each", h, h, h)
    _two(shapes, "readout", h, h, scale.outputs)
    return shapes


def _bag_work(told: GraphParameters, scale: Scale) -> int:
    return 2 * scale.nodes * told.hidden**2 + scale.graphs * told.hidden * (
        told.hidden + scale.outputs
    )


def _passing_shapes(told: LayeredParameters, scale: Scale) -> Shapes:
    h = told.hidden
    shapes = _tables(scale, h, h)
    for layer in range(told.layers):
        _two(shapes, f"layers.{layer}", h, h, h)
        _norm(shapes, f"norms.{layer}.0", h)
    for layer in range(told.layers + 1):
        linear(shapes, f"heads.{layer}", h, scale.outputs)
    return shapes


def _passing_work(told: LayeredParameters, scale: Scale) -> int:
    h = told.hidden
    each = scale.nodes * 2 * h * h + 2 * scale.edges * h
    return told.layers * each + (told.layers + 1) * scale.graphs * h * scale.outputs


def _drop_work(told: DropParameters, scale: Scale) -> int:
    return told.runs * _passing_work(told, scale)


def _ego_shapes(told: EgoParameters, scale: Scale) -> Shapes:
    h = told.hidden
    shapes = _tables(scale, h - 2, h)
    for part in ("own", "shared"):
        for layer in range(told.layers):
            _two(shapes, f"{part}.{layer}", h, h, h)
            _norm(shapes, f"{part}_norms.{layer}.0", h)
    linear(shapes, "readout.0", h, 2 * h)
    linear(shapes, "readout.3", 2 * h, scale.outputs)
    return shapes


def _ego_work(told: EgoParameters, scale: Scale) -> int:
    """As if every subgraph were its whole graph; and the search for them.

    Each hop looks from every root along every edge of the graphs that are predicted together.
    """
    roots = math.ceil(told.share * scale.nodes / max(scale.graphs, 1)) + 1
    together = min(AT_ONCE, scale.graphs)
    search = roots * together * (told.hops + 2) * 2 * scale.edges
    return (roots + 1) * _passing_work(told, scale) + _GATHERED * search


def _block_shapes(told: BlockParameters, scale: Scale) -> Shapes:
    h = told.hidden
    shapes = _tables(scale, h, h)
    widths = [1 + 2 * h, *[h] * told.blocks]
    for block, inputs in enumerate(widths[:-1]):
        linear(shapes, f"blocks.{block}.left", inputs, h)
        linear(shapes, f"blocks.{block}.right", inputs, h)
        linear(shapes, f"blocks.{block}.out", inputs + h, h)
        _norm(shapes, f"blocks.{block}.norm", h)
    for place, inputs in enumerate(widths):
        linear(shapes, f"extractors.{place}.trace", inputs, h)
        shapes[f"extractors.{place}.rest.weight"] = (h, inputs)
        shapes[f"extractors.{place}.more.weight"] = (h, h)
    linear(shapes, "after", h, h)
    linear(shapes, "readout", h, scale.outputs)
    return shapes


def _block_work(told: BlockParameters, scale: Scale) -> int:
    h = told.hidden
    widths = [1 + 2 * h, *[h] * (told.blocks - 1)]
    mean = math.ceil(scale.pairs / max(scale.nodes, 1))  # nodes of the graph that a pair is of
    return sum(scale.pairs * h * (3 * width + h + mean) for width in widths)


def _sign_shapes(told: SignParameters, scale: Scale) -> Shapes:
    h, k = told.hidden, told.eigenvectors
    shapes = _tables(scale, h, h)
    widths = [1, *[h] * (told.phi_layers - 1), told.phi_width]
    for layer, (inputs, outputs) in enumerate(pairwise(widths)):
        _two(shapes, f"phi.{layer}", inputs, h, outputs, norm=2)
    for layer in range(told.phi_layers - 1):
        _norm(shapes, f"phi_norms.{layer}.0", h)
    inner = [told.phi_width * k, *[h] * (told.phi_layers - 1), k]
    for layer, (inputs, outputs) in enumerate(pairwise(inner)):
        if layer:
            _norm(shapes, f"rho.{3 * layer - 1}", inputs)
        linear(shapes, f"rho.{3 * layer}", inputs, outputs)
    linear(shapes, "place", k, h)
    for layer in range(told.layers):
        outputs = h if layer < told.layers - 1 else told.last
        _two(shapes, f"layers.{layer}", h, h, outputs, norm=2)
    readout = [told.last, told.last // 2, told.last // 4, scale.outputs]
    for layer, (inputs, outputs) in enumerate(pairwise(readout)):
        linear(shapes, f"readout.{2 * layer}", inputs, outputs)
    return shapes


def _sign_work(told: SignParameters, scale: Scale) -> int:
    """The eigenvectors cost about 10·n³ of each graph."""
    h, k = told.hidden, told.eigenvectors
    mean = math.ceil(scale.pairs / max(scale.nodes, 1))
    phi = 2 * k * told.phi_layers * (scale.nodes * 2 * h * h + 2 * scale.edges * h)
    rho = scale.nodes * h * (told.phi_width * k + k + told.phi_layers * h)
    return phi + rho + _passing_work(told, scale) + 10 * scale.pairs * mean


#: Every registered architecture of whole graphs by name, the least expressive first.
GRAPH_ARCHITECTURES: Mapping[str, GraphArchitecture] = {
    architecture.name: architecture
    for architecture in (
        GraphArchitecture("Bag", GraphParameters, _bag_shapes, _bag_work),
        GraphArchitecture("meanGINE", LayeredParameters, _passing_shapes, _passing_work),
        GraphArchitecture("GIN", LayeredParameters, _passing_shapes, _passing_work),
        GraphArchitecture("GINE", LayeredParameters, _passing_shapes, _passing_work),
        GraphArchitecture("SignNet", SignParameters, _sign_shapes, _sign_work),
        GraphArchitecture("DropGINE", DropParameters, _passing_shapes, _drop_work, stochastic=True),
        GraphArchitecture("ESAN", EgoParameters, _ego_shapes, _ego_work, stochastic=True),
        GraphArchitecture("PPGN", BlockParameters, _block_shapes, _block_work),
    )
}
