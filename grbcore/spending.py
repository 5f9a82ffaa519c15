"""How much of its budget an attack spends, counted from its perturbations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from grbcore.changes_budget import ChangesBudget, GraphsShape, counted
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.shape import shape_of_tests
from grbcore.perturbation import GraphChanges, Injection, Modification, Perturbation, of_nodes
from grbcore.scenario import Budget, Difficulty, InjectionBudget

#: What is counted, in the order in which it is told.  ``ends``: ends of edges at injected nodes,
#: which a board's limit of edges per node counts; ``values``: new ones of features of graphs.
Kind = Literal["nodes", "edges", "ends", "added", "removed", "values"]
KINDS: tuple[Kind, ...] = get_args(Kind)

#: Counts by difficulty and kind, one for each repeat.
Spending = Mapping[Difficulty, Mapping[Kind, Sequence[int]]]


@dataclass(frozen=True, slots=True)
class Spent:
    """Of one kind at one difficulty: the mean over repeats, the most in one, and what is allowed.

    ``allowed`` is None where the board limits nothing of this kind by itself.
    """

    kind: Kind
    mean: float
    most: int
    allowed: int | None


def spending(
    attack: Mapping[Difficulty, Sequence[Perturbation]], dataset: Dataset | GraphDataset
) -> dict[Difficulty, dict[Kind, list[int]]]:
    """What each perturbation of a valid attack changes, by difficulty and kind, per repeat.

    An injection has ``nodes``, ``edges`` and ``ends``; a modification the undirected edges that it
    has ``added`` to and ``removed`` from the graph of ``dataset``.  Of whole graphs they are those
    of all test graphs together, and ``values`` the new ones of features at a cost.
    """
    graphs = shape_of_tests(dataset) if isinstance(dataset, GraphDataset) else None
    found: dict[Difficulty, dict[Kind, list[int]]] = {}
    for difficulty, repeats in attack.items():
        every = [_counted(perturbation, dataset, graphs) for perturbation in repeats]
        found[difficulty] = {kind: [one[kind] for one in every] for kind in every[0]}
    return found


def _counted(
    perturbation: Perturbation, dataset: Dataset | GraphDataset, graphs: GraphsShape | None
) -> dict[Kind, int]:
    if isinstance(perturbation, GraphChanges) and graphs is not None:
        added, removed, values = counted(perturbation, graphs)
        return {"added": added, "removed": removed, "values": values}
    assert isinstance(dataset, Dataset)
    return _counts(of_nodes(perturbation), dataset)


def _counts(perturbation: Injection | Modification, dataset: Dataset) -> dict[Kind, int]:
    if isinstance(perturbation, Injection):
        edges = perturbation.edges
        return {
            "nodes": perturbation.nodes,
            "edges": int(edges.shape[1]),
            "ends": int((edges >= dataset.nodes).sum()),
        }
    there = _present(perturbation, dataset)
    return {"added": int((~there).sum()), "removed": int(there.sum())}


def _present(modification: Modification, dataset: Dataset) -> NDArray[np.bool_]:
    """Which of the flipped pairs are edges of the graph, (f,)."""
    found = np.zeros(modification.flips.shape[1], bool)
    for at, (one, other) in enumerate(modification.flips.T):
        row = dataset.indices[dataset.indptr[one] : dataset.indptr[one + 1]]  # sorted
        place = int(np.searchsorted(row, other))
        found[at] = place < len(row) and row[place] == other
    return found


def spent(counts: Mapping[Kind, Sequence[int]], budget: Budget | ChangesBudget) -> list[Spent]:
    """The counts of one difficulty beside its budget, in the order of `KINDS`.

    Without ``values`` where a budget has none to spend, so that there never are any.
    """
    allowed: dict[Kind, int] = {}
    fixed = isinstance(budget, ChangesBudget) and not budget.attributes
    if isinstance(budget, InjectionBudget):
        allowed = {"nodes": budget.nodes, "ends": budget.nodes * budget.edges_per_node}
    return [
        Spent(kind, mean(counts[kind]), max(counts[kind]), allowed.get(kind))
        for kind in KINDS
        if kind in counts and not (fixed and kind == "values")
    ]


def share(
    counts: Mapping[Kind, Sequence[int]], budget: Budget | ChangesBudget, *, graphs: int = 1
) -> float | None:
    """How much of its budget an attack spends at one difficulty, 0..1, a mean over repeats.

    On injection boards it is the ends of edges at injected nodes of all that its nodes may have,
    on modification boards the flips; of whole graphs, of which there are so many ``graphs`` to
    test, the mean over them of the changes.  None where nothing is allowed.
    """
    if isinstance(budget, ChangesBudget):
        most = budget.changes * graphs
        used = sum(map(mean, counts.values()))
    elif isinstance(budget, InjectionBudget):
        most, used = budget.nodes * budget.edges_per_node, mean(counts["ends"])
    else:
        most = budget.flips
        used = mean(counts["added"]) + mean(counts["removed"])
    return used / most if most else None


def mean(counts: Sequence[int]) -> float:
    """The mean over repeats."""
    return sum(counts) / len(counts)
