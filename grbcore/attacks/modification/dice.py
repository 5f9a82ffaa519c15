"""DICE: delete internally, connect externally."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from grbcore.attacks.arguments import check_call
from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import Surrogate
from grbcore.attacks.modification.pairs import Pairs
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Modification
from grbcore.scenario import ModificationBudget


def predicted(frozen: Surrogate) -> Ints:
    """The surrogate's own labels of all nodes of the clean graph: (n,) int64."""
    with torch.no_grad():
        logits = frozen.model.propagate(frozen.graph.pattern, frozen.hidden)
    labels: Ints = logits.argmax(dim=1).cpu().numpy()
    return labels


@dataclass(frozen=True)
class DICE:
    """Removes edges between nodes of one label, adds edges between nodes of two, at random.

    A share ``delete`` of the budget is for edges to remove; where there are fewer, the rest is for
    edges to add.
    Source: Waniek et al., Hiding Individuals and Communities in a Social Network (2018); GRB,
    Appendix A.4.2.  GRB's code: true labels, test nodes' included, and at most as many pairs to
    add as there are targets.  Here: the surrogate's labels, and all allowed pairs.
    """

    delete: float = 0.6  # GRB's ratio_delete

    def __post_init__(self) -> None:
        if not (isinstance(self.delete, int | float) and 0 <= self.delete <= 1):
            raise ValueError(f"delete: found {self.delete!r}, allowed: 0 to 1")

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: ModificationBudget,
        rng: np.random.Generator,
    ) -> Modification:
        check_call(graph, targets, budget, ModificationBudget, rng)
        labels = predicted(Surrogate(surrogate(model), graph, targets))
        pairs = Pairs(graph, targets)
        low, high = pairs.ends(pairs.existing)
        internal = rng.permutation(pairs.existing[labels[low] == labels[high]])
        removed = internal[: int(self.delete * budget.flips)]
        added = pairs.draw_external(budget.flips - removed.shape[0], labels, rng)
        return pairs.modification(np.concatenate([removed, added]), "DICE", budget)
