"""What the engine asks of an attack."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Injection, Modification
from grbcore.scenario import InjectionBudget, ModificationBudget

Ints = NDArray[np.int64]


class InjectionAttack(Protocol):
    """An attack that injects nodes: its constructor says how, its call says what.

    It never sees test labels: where it needs labels it takes the surrogate's own predictions.
    """

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: InjectionBudget,
        rng: np.random.Generator,
    ) -> Injection:
        """The nodes to inject so that predictions on ``targets`` (t,) go wrong.

        ``model`` is the surrogate, None only for attacks that need none; it stays as it is.
        ``graph`` is the clean graph, its features normalised.  The same ``rng`` state gives the
        same injection.  With no targets, or a budget of no nodes or no edges, nothing is injected.

        Raises:
            ValueError: the attack needs a surrogate and got none.
        """
        ...


class ModificationAttack(Protocol):
    """An attack that flips edges: its constructor says how, its call says what.

    It never sees labels: where it needs labels it takes the surrogate's own predictions.
    """

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: ModificationBudget,
        rng: np.random.Generator,
    ) -> Modification:
        """The edges to add or remove so that predictions on ``targets`` (t,) go wrong.

        Each undirected pair stands once, has an end among the targets and no other rule to keep
        than the budget's.  ``model`` is the surrogate, None only for attacks that need none; it
        stays as it is.  The same ``rng`` state gives the same modification.  With no targets, or
        a budget of no flips, nothing is flipped.

        Raises:
            ValueError: the attack needs a surrogate and got none.
        """
        ...


def surrogate(model: GraphModel | None) -> GraphModel:
    """The surrogate, or a clear error.

    Raises:
        ValueError: there is none, or it is no model.
    """
    if model is None:
        raise ValueError(
            "model: found none, allowed: a surrogate, which this attack differentiates"
        )
    if not (callable(model) and hasattr(model, "embed") and hasattr(model, "propagate")):
        found = type(model).__name__
        raise ValueError(f"model: found {found}, allowed: a surrogate, such as models.load gives")
    return model
