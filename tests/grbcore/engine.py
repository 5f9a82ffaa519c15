"""Small models and budgets for tests of the engine."""

from __future__ import annotations

from collections.abc import Sequence

from grbcore.architectures import ARCHITECTURES, Parameters
from grbcore.graph import Graph
from grbcore.models import GraphModel, build
from grbcore.scenario import InjectionBudget
from grbcore.testing import toy_dataset

#: Every registered architecture: what tests run over all of them needs no row of its own.
NAMES = tuple(ARCHITECTURES)

TOY = toy_dataset()
TOY_GRAPH = Graph.from_dataset(TOY)


def small(name: str, *, hidden: Sequence[int] = (5, 4), layer_norm: bool = False) -> Parameters:
    """These hidden layers, where the architecture has any, and the defaults of everything else."""
    kind = ARCHITECTURES[name].parameters
    fields: dict[str, object] = {"layer_norm": layer_norm}
    if kind.model_fields["hidden"].is_required():
        fields["hidden"] = list(hidden)
    return kind.model_validate(fields)


def toy_model(name: str, *, layer_norm: bool = False, seed: int = 0) -> GraphModel:
    """An untrained small model for the toy dataset, in training mode."""
    parameters = small(name, layer_norm=layer_norm)
    return build(name, parameters, features=8, classes=TOY.classes, seed=seed)


def budget(nodes: int = 3, edges_per_node: int = 4) -> InjectionBudget:
    return InjectionBudget(nodes, edges_per_node, -0.5, 0.75)
