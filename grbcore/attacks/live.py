"""Live rows: a gradient step over the few rows that injected features change and targets see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from grbcore.block import Block, block, neighbours
from grbcore.models.layered import Layered
from grbcore.spmm import Pattern


class Live:
    """A model's logits of targets as a function of some nodes' embedded features, all else fixed.

    In layer l only rows within l edges of those nodes change, and only rows within L - l edges of
    a target count; what the others add to them is computed once.  The same logits and gradients
    as a whole pass, up to rounding.
    """

    def __init__(
        self, model: Layered, pattern: Pattern, hidden: Tensor, nodes: Tensor, targets: Tensor
    ) -> None:
        """``hidden`` (n, h) is what `Layered.embed` gives, its rows of ``nodes`` being zero.

        ``nodes`` (k,) are distinct ids, ``targets`` (t,) ids; ``model`` is in evaluation mode.
        """
        self._model = model
        with torch.no_grad():
            self._layers, logits = _plan(model, pattern, hidden, nodes, targets)
            self._logits = _kept(logits, targets, self._layers[-1].rows)

    def __call__(self, fresh: Tensor) -> Tensor:
        """Logits (t, c) of the targets for the nodes' embedded features ``fresh`` (k, h)."""
        hidden = fresh
        for index, layer in enumerate(self._layers):
            aggregated = layer.block.times(hidden, layer.constant)
            hidden = self._model.update(index, aggregated, _Moved(layer, hidden, fresh))
        return self._logits.with_moving(hidden)


@dataclass(frozen=True, eq=False)
class _Kept:
    """Rows of which some move: their fixed values, and where the moving ones come from and go."""

    values: Tensor  # (m, h)
    into: Tensor
    source: Tensor

    def with_moving(self, moving: Tensor) -> Tensor:
        return self.values.index_copy(0, self.into, moving[self.source])


@dataclass(frozen=True, eq=False)
class _Layer:
    rows: Tensor  # (m,) ids of the live rows
    block: Block  # from the live rows of the layer before to these
    constant: Tensor  # (m, h): what all other rows add
    hidden: _Kept | None  # `Own.hidden` and `Own.first` of the live rows, where they are read
    first: _Kept | None


@dataclass(frozen=True, eq=False)
class _Moved:
    """`Own` of the live rows."""

    layer: _Layer
    before: Tensor
    fresh: Tensor

    @cached_property
    def hidden(self) -> Tensor:
        assert self.layer.hidden is not None
        return self.layer.hidden.with_moving(self.before)

    @cached_property
    def first(self) -> Tensor:
        assert self.layer.first is not None
        return self.layer.first.with_moving(self.fresh)


class _Noting:
    """`Own` of all nodes, which remembers what was read."""

    def __init__(self, hidden: Tensor, first: Tensor) -> None:
        self._hidden, self._first = hidden, first
        self.read: set[str] = set()

    @property
    def hidden(self) -> Tensor:
        self.read.add("hidden")
        return self._hidden

    @property
    def first(self) -> Tensor:
        self.read.add("first")
        return self._first


def _plan(
    model: Layered, pattern: Pattern, hidden: Tensor, nodes: Tensor, targets: Tensor
) -> tuple[list[_Layer], Tensor]:
    """The layers, and the logits (n, c) of all nodes whose rows do not move."""
    aggregation = model.aggregation(pattern)
    fields = list(_fields(aggregation.pattern, targets, model.hops))[::-1]
    first = hidden
    layers = []
    before = nodes
    for index, field in enumerate(fields):
        reached = neighbours(aggregation.pattern, before).index_fill_(0, before, True)
        rows = (reached & field).nonzero()[:, 0]
        aggregated = aggregation.times(hidden)
        constant = aggregated[rows]
        own = _Noting(hidden, first)
        following = model.update(index, aggregated, own)
        layers.append(
            _Layer(
                rows,
                block(
                    aggregation.pattern,
                    aggregation.values,
                    rows,
                    before,
                    transposed=aggregation.transposed,
                ),
                constant,
                _kept(hidden, rows, before) if "hidden" in own.read else None,
                _kept(first, rows, nodes) if "first" in own.read else None,
            )
        )
        hidden = following.index_fill_(0, rows, 0)
        del own, aggregated, following
        before = rows
    return layers, hidden


def _fields(pattern: Pattern, targets: Tensor, hops: int) -> Iterator[Tensor]:
    """Which rows the targets see, from the last layer to the first: (n,) bool each."""
    field = torch.zeros(pattern.size, dtype=torch.bool, device=targets.device)
    field[targets] = True
    for _ in range(hops):
        yield field
        field = field | neighbours(pattern, field.nonzero()[:, 0])


def _kept(values: Tensor, rows: Tensor, moving: Tensor) -> _Kept:
    place = _places(moving, values.shape[0])[rows]
    into = (place >= 0).nonzero()[:, 0]
    return _Kept(values[rows], into, place[into])


def _places(nodes: Tensor, size: int) -> Tensor:
    """Where each of ``size`` nodes stands among ``nodes``, -1 where it does not: (size,) int64."""
    place = torch.full((size,), -1, dtype=torch.int64, device=nodes.device)
    place[nodes] = torch.arange(nodes.shape[0], device=nodes.device)
    return place
