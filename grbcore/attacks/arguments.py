"""What an attack is told, refused with its name where it is out of its range."""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from grbcore.graph import Graph
from grbcore.scenario import InjectionBudget, ModificationBudget

Ints = NDArray[np.int64]

Kind = TypeVar("Kind", InjectionBudget, ModificationBudget)


def whole(attack: object, *names: str, least: int = 0) -> None:
    """Refuse fields that are no whole numbers of ``least`` or more.

    Raises:
        ValueError: the first such field.
    """
    for name in names:
        value = getattr(attack, name)
        legal = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not (legal and value >= least):
            raise ValueError(f"{name}: found {value!r}, allowed: {least} or more, a whole number")


def positive(attack: object, *names: str) -> None:
    """Refuse fields that are no finite numbers above 0.

    Raises:
        ValueError: the first such field.
    """
    for name in names:
        value = getattr(attack, name)
        if not (_number(value) and 0 < value < math.inf):
            raise ValueError(f"{name}: found {value!r}, allowed: a finite number above 0")


def weight(attack: object, name: str) -> None:
    """Refuse a field that is no finite number of 0 or more.

    Raises:
        ValueError: it is none.
    """
    value = getattr(attack, name)
    if not (_number(value) and 0 <= value < math.inf):
        raise ValueError(f"{name}: found {value!r}, allowed: 0 or more, a finite number")


def share(attack: object, name: str) -> None:
    """Refuse a field that is no number above 0 and at most 1.

    Raises:
        ValueError: it is none.
    """
    value = getattr(attack, name)
    if not (_number(value) and 0 < value <= 1):
        raise ValueError(f"{name}: found {value!r}, allowed: above 0, at most 1")


def check_call(
    graph: Graph, targets: Ints, budget: Kind, kind: type[Kind], rng: np.random.Generator
) -> None:
    """Refuse a call that no attack of this kind of budget can answer.

    Raises:
        ValueError: the budget is of the other scenario, or injects more nodes than the graph has;
            the targets are not distinct nodes of the graph, (t,) int64; a feature is not finite;
            there is no random stream.
    """
    if not isinstance(budget, kind):
        raise ValueError(f"budget: found {type(budget).__name__}, allowed: {kind.__name__}")
    if isinstance(budget, InjectionBudget) and budget.nodes > graph.nodes:
        allowed = f"at most {graph.nodes}, the nodes of the graph"
        raise ValueError(f"budget.nodes: found {budget.nodes}, allowed: {allowed}")
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng: found {type(rng).__name__}, allowed: a numpy.random.Generator")
    _check_targets(targets, graph.nodes)
    if not bool(torch.isfinite(graph.features).all()):
        raise ValueError("graph.features: found NaN or infinity, allowed: finite numbers")


def _check_targets(targets: Ints, nodes: int) -> None:
    allowed = f"distinct nodes 0..{nodes - 1}, an array (t,) of int64"
    if not isinstance(targets, np.ndarray):
        raise ValueError(f"targets: found {type(targets).__name__}, allowed: {allowed}")
    if targets.dtype != np.int64 or targets.ndim != 1:
        found = f"{targets.dtype} of shape {targets.shape}"
        raise ValueError(f"targets: found {found}, allowed: {allowed}")
    outside = targets[(targets < 0) | (targets >= nodes)]
    if outside.shape[0]:
        raise ValueError(f"targets: found node {outside[0]}, allowed: {allowed}")
    again = np.flatnonzero(np.bincount(targets, minlength=1) > 1)
    if again.shape[0]:
        raise ValueError(f"targets: found node {again[0]} twice, allowed: {allowed}")


def _number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
