"""A genetic search: no gradients, so a check on attacks that need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from grbcore.graphlevel.attacks.attack import Case, torch_rng
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.graphs import AttributedGraph, Ints
from grbcore.graphlevel.models.model import predict
from grbcore.graphlevel.random_changes import Values, absent_pairs

#: One change: ("flip", u, v, combination of values), ("node", i, feature, value) or
#: ("edge", place, feature, value).
Gene = tuple[str, int, int, int]


@dataclass(frozen=True, slots=True)
class Genetic:
    """Sets of changes that are crossed and mutated; the better half lives on.

    ``population`` sets of as many changes as the budget allows, for ``generations``.
    Source: after Dai et al., Adversarial Attack on Graph Structured Data (ICML 2018).
    """

    values: Values
    population: int = 64
    generations: int = 10
    mutation: float = 0.3

    def __call__(self, case: Case, *, rng: np.random.Generator) -> list[Changes]:
        """Changes of each graph; see `GraphAttack`."""
        return [self._one(case, g, rng) for g in range(len(case.graphs))]

    def _one(self, case: Case, g: int, rng: np.random.Generator) -> Changes:
        graph, label = case.graphs[g], torch.as_tensor(case.labels[g])
        size = case.budget.of(graph)
        genes = _genes(graph, self.values, attributes=case.budget.attributes)
        if not size or not genes:
            return Changes.empty()
        edges = self.values.of_an_edge()

        def fitness(people: Sequence[tuple[Gene, ...]]) -> NDArray[np.float64]:
            changed = [expressed(graph, person, edges) for person in people]
            outputs = predict(case.model, changed, rng=torch_rng(rng))
            found = case.target(outputs, label.expand(len(outputs)))
            return found.where(found.isfinite(), -torch.inf).double().numpy()

        def drawn() -> Gene:
            return genes[rng.integers(len(genes))]

        people: list[tuple[Gene, ...]] = [()]
        people += [tuple(drawn() for _ in range(size)) for _ in range(self.population - 1)]
        marks = fitness(people)
        for _ in range(self.generations):
            parents = [people[place] for place in np.argsort(-marks)[: self.population // 2]]
            children: list[tuple[Gene, ...]] = []
            while len(parents) + len(children) < self.population:
                one, other = (parents[rng.integers(len(parents))] for _ in range(2))
                pool = sorted({*one, *other})
                chosen = [pool[k] for k in rng.permutation(len(pool))[:size]]
                chosen += [drawn() for _ in range(size - len(chosen))]
                mutates = rng.random(size) < self.mutation
                children.append(
                    tuple(drawn() if m else gene for m, gene in zip(mutates, chosen, strict=True))
                )
            people = parents + children
            marks = fitness(people)
        return Changes.between(graph, expressed(graph, people[int(marks.argmax())], edges))


def _genes(graph: AttributedGraph, values: Values, *, attributes: bool) -> list[Gene]:
    combinations = len(values.of_an_edge())
    found: list[Gene] = [("flip", int(u), int(v), 0) for u, v in graph.edges.T]
    absent = absent_pairs(graph).T
    found += [("flip", int(u), int(v), c) for u, v in absent for c in range(combinations)]
    if attributes:
        for name, places, allowed in (
            ("node", graph.n, values.nodes),
            ("edge", graph.m, values.edges),
        ):
            for feature, options in enumerate(allowed):
                found += [(name, p, feature, value) for p in range(places) for value in options]
    return found


def expressed(graph: AttributedGraph, genes: Sequence[Gene], edges: Ints) -> AttributedGraph:
    """The graph with these changes: of a pair that is flipped twice the first flip counts."""
    nodes, values = graph.nodes.copy(), graph.values.copy()
    flipped: dict[tuple[int, int], int] = {}
    for name, a, b, c in genes:
        if name == "flip":
            flipped.setdefault((a, b), c)
        elif name == "node":
            nodes[a, b] = c
        else:
            values[a, b] = c
    there = {(int(u), int(v)) for u, v in graph.edges.T}
    keep = [(int(u), int(v)) not in flipped for u, v in graph.edges.T]
    added = {pair: edges[c] for pair, c in flipped.items() if pair not in there}
    if not added:
        return AttributedGraph.of(nodes, graph.edges[:, keep], values[keep])
    return AttributedGraph.of(
        nodes,
        np.concatenate([graph.edges[:, keep], np.array(list(added)).T], axis=1),
        np.concatenate([values[keep], np.stack(list(added.values()))]),
    )
