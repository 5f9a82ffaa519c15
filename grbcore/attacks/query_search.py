"""QuerySearch: an attack that only asks, without a gradient or a surrogate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grbcore.attacks.arguments import check_call, share, whole
from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.queries import QueryBudget
from grbcore.attacks.topology import balanced
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class QuerySearch:
    """Random search over features and edges by the black box's logits alone.

    It starts from random corners of the feature range on a balanced topology.  Each round every
    injected node tries new values for a share of its features, or every other round another target
    for one of its edges; a node keeps what hurts the targets it is joined to, and the whole is kept
    if it hurts all targets more than before.  The share shrinks as queries are spent.
    Source: in the manner of Andriushchenko et al., Square Attack (ECCV 2020), corners and a
    shrinking share, and of Akhondzadeh et al., EvA (2025), search by queries.
    """

    queries: int = 200_000  # one query is one prediction of one node
    share: float = 0.5

    def __post_init__(self) -> None:
        whole(self, "queries")
        share(self, "share")

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: InjectionBudget,
        rng: np.random.Generator,
    ) -> Injection:
        """As every injection attack; ``model`` is asked ``queries`` times at most."""
        if model is None:
            raise ValueError("model: found none, allowed: a model, which this attack queries")
        oracle = QueryBudget(surrogate(model), self.queries)
        return self.search(oracle, graph, targets, budget=budget, rng=rng)

    def search(
        self,
        oracle: QueryBudget,
        graph: Graph,
        targets: Ints,
        *,
        budget: InjectionBudget,
        rng: np.random.Generator,
    ) -> Injection:
        """The injection found with what ``oracle`` has left, which is never overdrawn.

        Where it has too few for a look at the clean and at two attacked graphs, the start is given.
        """
        check_call(graph, targets, budget, InjectionBudget, rng)
        edges = balanced(targets, graph.nodes, budget=budget, rng=rng)
        if edges.shape[1] == 0:
            return Injection.empty(graph.features.shape[1])
        limits = np.array([budget.feature_min, budget.feature_max], np.float32)
        corners = rng.choice(limits, (budget.nodes, graph.features.shape[1]))
        now = Injection(corners, edges)
        size = targets.shape[0]
        if oracle.left < 3 * size:
            return now
        labels = oracle.labels(graph, targets)
        harm = _harm(oracle.logits(graph.apply(now), targets), labels)
        first = oracle.left
        turn = 0
        while oracle.left >= size:
            turn += 1
            if turn % 2:
                tried = _other_features(now, self.share * oracle.left / first, limits, rng)
            else:
                tried = _other_edges(now, targets, rng)
            harm_tried = _harm(oracle.logits(graph.apply(tried), targets), labels)
            better = _better(now, tried, targets, harm_tried - harm)
            if better.any() and not better.all() and oracle.left >= size:
                mixed = _mix(now, tried, better)
                harm_mixed = _harm(oracle.logits(graph.apply(mixed), targets), labels)
                if harm_mixed.sum() > harm_tried.sum():
                    tried, harm_tried = mixed, harm_mixed
            if harm_tried.sum() > harm.sum():
                now, harm = tried, harm_tried
        return now


def _harm(logits: Floats, labels: Ints) -> Floats:
    """By how much another class is ahead of each target's clean label, from -1 to 1: (t,)."""
    rows = np.arange(labels.shape[0])
    others = logits.copy()
    others[rows, labels] = -np.inf
    ahead: Floats = np.tanh(others.max(axis=1, initial=-np.inf) - logits[rows, labels])
    return ahead


def _other_features(
    now: Injection, share: float, limits: Floats, rng: np.random.Generator
) -> Injection:
    """A share of each node's features, one of them at least, at corners drawn anew."""
    shape = now.features.shape
    changed = rng.random(shape) < share
    changed[np.arange(shape[0]), rng.integers(0, shape[1], shape[0])] = True
    return Injection(np.where(changed, rng.choice(limits, shape), now.features), now.edges)


def _other_edges(now: Injection, targets: Ints, rng: np.random.Generator) -> Injection:
    """One edge of each node at another target, where there is one that it is not joined to."""
    hands = now.edges[1].reshape(now.nodes, -1).copy()
    drawn = targets[rng.integers(0, targets.shape[0], now.nodes)]
    free = ~(hands == drawn[:, None]).any(axis=1)
    column = rng.integers(0, hands.shape[1], now.nodes)
    hands[free, column[free]] = drawn[free]
    return Injection(now.features, np.stack([now.edges[0], hands.ravel()]))


def _better(now: Injection, tried: Injection, targets: Ints, gain: Floats) -> NDArray[np.bool_]:
    """Which nodes did more harm to the targets they are or were joined to: (k,) bool."""
    order = np.argsort(targets)
    places = [order[np.searchsorted(targets, one.edges[1], sorter=order)] for one in (now, tried)]
    hands = np.concatenate([place.reshape(now.nodes, -1) for place in places], axis=1)
    better: NDArray[np.bool_] = gain[hands].sum(axis=1) > 0
    return better


def _mix(now: Injection, tried: Injection, better: NDArray[np.bool_]) -> Injection:
    """Each node as it was tried where that was better, as it was before elsewhere."""
    features = np.where(better[:, None], tried.features, now.features)
    rows = np.repeat(better, now.edges.shape[1] // now.nodes)
    return Injection(features, np.where(rows, tried.edges, now.edges))
