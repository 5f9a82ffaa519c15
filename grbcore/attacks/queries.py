"""Limited queries: a model as a black box that answers so many times and no more."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from grbcore.graph import Graph
from grbcore.models.model import GraphModel, check_width

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


class QueriesExhausted(RuntimeError):
    """More was asked than the budget of queries allows; nothing was answered or charged."""


class QueryBudget:
    """A model that only answers: logits or labels, no gradients, no weights, ``limit`` queries.

    One query is one prediction of one node, so that a single pass over many nodes does not pass for
    a single question; a node that is asked about again is charged again.
    Source: GRB, Section 3.1, rule 1: attackers "have limited chances to query the model".
    """

    def __init__(self, model: GraphModel, limit: int) -> None:
        """Take ``model`` as it is now, in evaluation mode; it stays as it is.

        Raises:
            ValueError: the limit is negative or not whole.
        """
        if not isinstance(limit, int | np.integer) or limit < 0:
            raise ValueError(f"limit: found {limit!r}, allowed: 0 and above, a whole number")
        self._limit, self._spent = limit, 0
        self._answer = _black_box(model)

    @property
    def limit(self) -> int:
        return self._limit

    @property
    def spent(self) -> int:
        return self._spent

    @property
    def left(self) -> int:
        return self._limit - self._spent

    def logits(self, graph: Graph, nodes: Ints) -> Floats:
        """Logits (m, c) float32 of ``nodes`` (m,) of this graph, for m queries.

        Raises:
            QueriesExhausted: fewer than m are left.
        """
        asked = int(nodes.shape[0])
        if asked > self.left:
            raise QueriesExhausted(
                f"queries: found {asked} more, allowed: {self.left} more of {self._limit}"
            )
        self._spent += asked
        return self._answer(graph, nodes)

    def labels(self, graph: Graph, nodes: Ints) -> Ints:
        """Predicted classes (m,) int64 of ``nodes`` (m,) of this graph, for m queries.

        Raises:
            QueriesExhausted: fewer than m are left.
        """
        labels: Ints = self.logits(graph, nodes).argmax(axis=1)
        return labels


def _black_box(model: GraphModel) -> Callable[[Graph, Ints], Floats]:
    """The model's answers; the model itself is out of reach of who asks."""
    frozen = copy.deepcopy(model).eval()

    def answer(graph: Graph, nodes: Ints) -> Floats:
        check_width(frozen, graph.features)
        with torch.no_grad():
            logits: Floats = frozen(graph)[torch.tensor(nodes)].cpu().numpy()
        return logits

    return answer
