"""FLIP: edges of the least, or the most, central nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from grbcore.attacks.arguments import check_call
from grbcore.attacks.attack import Ints
from grbcore.attacks.modification.centrality import CENTRALITIES
from grbcore.attacks.modification.pairs import Pairs
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Modification
from grbcore.scenario import ModificationBudget

_ORDERS = ("ascending", "descending")


@dataclass(frozen=True)
class FLIP:
    """Removes edges node by node, in the order of centrality; needs no surrogate.

    ``ascending``: the edges of the least central node first, among them those to the least central
    neighbours; ``descending``: the reverse.  Ties are broken by chance.
    Source: GRB, Appendix A.4.2, after the baselines of Bojchevski and Günnemann (ICML 2019).
    Paper: by degree, ascending.  GRB's code: descending by the sum over both ends, and an edge
    between two targets is removed and then added again.  Here: both orders, each edge once.
    """

    centrality: Literal["degree", "betweenness", "eigenvector"] = "degree"
    order: Literal["ascending", "descending"] = "ascending"

    def __post_init__(self) -> None:
        if self.centrality not in CENTRALITIES:
            listed = ", ".join(CENTRALITIES)
            raise ValueError(f"centrality: found {self.centrality!r}, allowed: {listed}")
        if self.order not in _ORDERS:
            raise ValueError(f"order: found {self.order!r}, allowed: {', '.join(_ORDERS)}")

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
        pairs = Pairs(graph, targets)
        edges = rng.permutation(pairs.existing)
        if budget.flips == 0 or edges.shape[0] == 0:
            return Modification.empty()
        central = CENTRALITIES[self.centrality](graph.pattern, rng)
        # A node's place in the order: equal centralities in random order.
        chance = rng.permutation(graph.nodes)
        key = central if self.order == "ascending" else -central
        place = np.empty(graph.nodes, np.int64)
        place[np.lexsort((chance, key))] = np.arange(graph.nodes)
        first, second = np.sort(place[pairs.ends(edges)], axis=0)
        chosen = edges[np.lexsort((second, first))[: budget.flips]]
        return pairs.modification(chosen, "FLIP", budget)
