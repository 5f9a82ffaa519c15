"""NEA: flips that spoil what a low-rank embedding of the graph can hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grbcore.attacks.arguments import check_call, whole
from grbcore.attacks.attack import Ints
from grbcore.attacks.modification.pairs import Floats, Pairs
from grbcore.attacks.modification.spectral import candidates, scores
from grbcore.attacks.modification.spectrum import Spectrum
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Modification
from grbcore.scenario import ModificationBudget


@dataclass(frozen=True)
class NEA:
    """The network embedding attack: raises DeepWalk's loss, by first-order eigenvalues.

    The loss is ``sqrt(sum f(l)^2)`` over the eigenvalues beyond the ``dimension`` largest
    ``f(l)^2``, with ``f(l) = l + l^2 + ... + l^window``: what an embedding of this dimension can't
    hold.  Weighed are all edges at targets and ``additions`` random absent pairs; needs no
    surrogate.
    Source: Bojchevski and Günnemann, Adversarial Attacks on Node Embeddings via Graph Poisoning
    (ICML 2019), Section 4.  Paper: all eigenpairs, dense.  Here: the ``rank`` largest, by a sparse
    solver; what is beyond is taken to stay.
    """

    dimension: int = 32
    window: int = 5
    rank: int = 256
    additions: int = 20_000

    def __post_init__(self) -> None:
        whole(self, "dimension", "window", least=1)
        whole(self, "rank", "additions")
        if not 0 < self.dimension < self.rank:
            allowed = f"1 to below rank, {self.rank}"
            raise ValueError(f"dimension: found {self.dimension}, allowed: {allowed}")

    def loss(self, values: Floats) -> Floats:
        """The loss of an embedding for eigenvalues (p, k): (p,)."""
        walks = sum(values**power for power in range(1, self.window + 1))
        squares = np.sort(np.square(walks), axis=1)
        kept = max(squares.shape[1] - self.dimension, 0)
        result: Floats = np.sqrt(squares[:, :kept].sum(axis=1))
        return result

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
        if budget.flips == 0 or pairs.size == 0:
            return Modification.empty()
        numbers = rng.permutation(candidates(pairs, self.additions, rng))
        spectrum = Spectrum(graph.pattern, self.rank, "algebraic")
        losses = scores(spectrum, pairs, numbers, self.loss)
        best = np.argsort(-losses, kind="stable")[: budget.flips]
        return pairs.modification(numbers[best], "NEA", budget)
