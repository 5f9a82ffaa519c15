"""AGIA: edges of injected nodes by the gradient too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from grbcore.attacks.arguments import check_call, positive, weight, whole
from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import Surrogate, sign_ascent
from grbcore.attacks.harmony import harmonious
from grbcore.attacks.topology import balanced
from grbcore.graph import Graph, join
from grbcore.models.model import GraphModel
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget


@dataclass(frozen=True)
class AGIA:
    """Adaptive graph injection: edges and features in turn, both by the surrogate's gradient.

    A balanced topology and features on it come first.  Then, ``rounds`` times, the weights of all
    candidate edges are moved along their gradient, each node keeps its best, and features are found
    anew.  The injection under which the surrogate loses most targets is taken, the first included.
    A node's candidates are at most ``candidates`` targets, drawn by chance, and those it has: time
    and memory are O(nodes x candidates).  ``harmony`` weighs the homophily of the injected nodes
    (HAO; the paper's weight is 1).
    Source: Chen et al., Understanding and Improving Graph Injection Attack by Promoting
    Unnoticeability (ICLR 2022), AGIA; two rounds of which the first is random, as in their code.
    Paper: edges raise the cross-entropy, a penalty on the sum of their weights keeps the budget.
    Here: they raise the tanh of the margin, which gains nothing from targets that are lost already
    (with cross-entropy edges leave the targets that still stand), and a projection keeps the
    budget, each node's weights being from 0 to 1 and of a sum within its limit.
    """

    steps: int = 1000
    step_size: float = 0.01
    rounds: int = 1
    edge_steps: int = 100
    edge_step_size: float = 0.1
    candidates: int = 1000
    harmony: float = 0.0

    def __post_init__(self) -> None:
        whole(self, "steps", "rounds", "edge_steps")
        whole(self, "candidates", least=1)
        positive(self, "step_size", "edge_step_size")
        weight(self, "harmony")

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: InjectionBudget,
        rng: np.random.Generator,
    ) -> Injection:
        check_call(graph, targets, budget, InjectionBudget, rng)
        frozen = Surrogate(surrogate(model), graph, targets)
        dimensions = graph.features.shape[1]
        edges = balanced(targets, graph.nodes, budget=budget, rng=rng)
        if edges.shape[1] == 0:
            return Injection.empty(dimensions)
        best, features = self._features(frozen, edges, budget, rng)
        chosen = features, edges
        for _ in range(self.rounds):
            pool = candidates(edges, targets, budget.nodes, self.candidates, rng=rng)
            edges = self._edges(frozen, pool, edges, features)
            harm, features = self._features(frozen, edges, budget, rng)
            if harm >= best:
                best, chosen = harm, (features, edges)
        return Injection(chosen[0].cpu().numpy(), chosen[1])

    def _features(
        self, frozen: Surrogate, edges: Ints, budget: InjectionBudget, rng: np.random.Generator
    ) -> tuple[float, Tensor]:
        """The share of targets lost with features found on these edges, and the features (k, d)."""
        graph, nodes = frozen.graph, budget.nodes
        logits = frozen.logits(nodes, edges)
        drawn = rng.standard_normal((nodes, graph.features.shape[1])) * abs(budget.feature_max) / 10
        features = sign_ascent(
            logits,
            frozen.labels,
            torch.tensor(drawn.astype(np.float32), device=graph.device),
            budget=budget,
            steps=self.steps,
            step_size=self.step_size,
            harmony=harmonious(self.harmony, graph, nodes, edges),
        )
        with torch.no_grad():
            lost = logits(features).argmax(dim=1) != frozen.labels
        return float(lost.float().mean()), features

    def _edges(self, frozen: Surrogate, pool: Ints, edges: Ints, features: Tensor) -> Ints:
        """The best edges (2, e) of the ``pool`` (k, c), as many for each node as it has now."""
        graph, (nodes, width) = frozen.graph, pool.shape
        sources = np.repeat(graph.nodes + np.arange(nodes), width)
        pattern = join(graph.pattern, nodes, np.stack([sources, pool.ravel()]))
        # The pool stands in order, so its entries are the rows of the injected nodes.
        places = torch.arange(int(pattern.rowptr[graph.nodes]), pattern.entries)
        places = places.to(graph.device)
        both = torch.cat([places, pattern.reverse[places]])
        ones = graph.features.new_ones(pattern.entries)
        with torch.no_grad():
            hidden = torch.cat([frozen.hidden, frozen.model.embed(features)])
        size = graph.nodes + nodes
        held = np.isin(sources * size + pool.ravel(), edges[0] * size + edges[1])
        weight = torch.tensor(held.reshape(nodes, width), device=graph.device).float()
        each = edges.shape[1] // nodes
        weight.requires_grad_()
        optimiser = torch.optim.Adam([weight], lr=self.edge_step_size, maximize=True)
        for _ in range(self.edge_steps):
            weighed = ones.scatter(0, both, weight.flatten().repeat(2))
            logits = frozen.model.propagate(pattern, hidden, weighed)[frozen.targets]
            (weight.grad,) = torch.autograd.grad(_lead(logits, frozen.labels), weight)
            optimiser.step()
            with torch.no_grad():
                weight.copy_(project(weight, each))
        kept = weight.detach().topk(each, dim=1).indices.sort(dim=1).values.cpu().numpy()
        sources = np.repeat(graph.nodes + np.arange(nodes), each)
        return np.stack([sources, np.take_along_axis(pool, kept, axis=1).ravel()])


def _lead(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean of the tanh by which another class leads the targets' labels."""
    own = logits.gather(1, labels[:, None])[:, 0]
    others = logits.scatter(1, labels[:, None], -torch.inf).amax(dim=1)
    return (others - own).tanh().mean()


def candidates(
    edges: Ints, targets: Ints, nodes: int, most: int, *, rng: np.random.Generator
) -> Ints:
    """For each injected node the targets it might be joined to, ascending: (k, c) int64.

    They are those it is joined to by ``edges`` (2, e), as many for each node, and others by chance.
    """
    held = edges[1].reshape(nodes, -1)
    more = max(0, min(most, targets.shape[0]) - held.shape[1])
    pool = np.empty((nodes, held.shape[1] + more), np.int64)
    for node in range(nodes):
        others = np.setdiff1d(targets, held[node], assume_unique=True)
        pool[node] = np.concatenate([held[node], rng.permutation(others)[:more]])
    return np.sort(pool, axis=1)


def project(weight: Tensor, limit: int) -> Tensor:
    """The nearest (k, c) whose rows have entries from 0 to 1 and a sum of at most ``limit``.

    A row whose sum is above it is lowered by one amount, found by bisection.
    """
    clipped = weight.clamp(0, 1)
    low = weight.new_zeros(weight.shape[0], 1)
    high = weight.amax(dim=1, keepdim=True).clamp(min=0)
    for _ in range(30):
        middle = (low + high) / 2
        above = (weight - middle).clamp(0, 1).sum(dim=1, keepdim=True) > limit
        low, high = torch.where(above, middle, low), torch.where(above, high, middle)
    over = clipped.sum(dim=1, keepdim=True) > limit
    return torch.where(over, (weight - high).clamp(0, 1), clipped)
