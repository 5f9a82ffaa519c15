"""What may take part in training beside the model and the optimiser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Ints


@dataclass(frozen=True, slots=True)
class Epoch:
    """How one epoch went."""

    number: int  # from 1
    of: int  # that there may be
    loss: float  # of the training nodes, before the step
    val_accuracy: float  # 0..1, after the step, on the clean graph
    val_loss: float


class Callback(Protocol):
    """Takes part in each epoch.  A subclass says what it does; what it leaves out does nothing.

    A callback keeps nothing from one epoch to the next that changes the result: all that it draws
    comes from its own seed and the epoch, so that a run that goes on from a checkpoint ends as one
    that was never interrupted.  Whatever it raises ends the training and reaches the caller.
    """

    @property
    def warm_up(self) -> int:
        """How many epochs it lets pass; the best epoch is looked for only after them."""
        return 0

    def lesson(self, epoch: int, model: GraphModel, graph: Graph, nodes: Ints) -> Graph:
        """The graph to learn from in this epoch (from 1), before the step.

        ``nodes`` (m,) of ``graph`` are those whose loss counts; they keep their ids, and new nodes
        come last.  The model may be differentiated but stays as it is.
        """
        return graph

    def told(self, epoch: Epoch) -> None:
        """After each epoch: how it went."""
        return
