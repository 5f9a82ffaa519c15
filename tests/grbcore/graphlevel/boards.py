"""A board on small graphs, for tests: its data, attacks and defenses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grbcore.catalog import Board
from grbcore.graphlevel.dataset import GraphDataset, GraphSplit
from grbcore.graphlevel.loading import make
from grbcore.graphlevel.shape import together
from grbcore.perturbation import GraphChanges
from grbcore.scenario import BUDGETS, Difficulty, Scenario
from tests.grbcore.graphlevel.samples import SHAPE, random_graphs, small_dataset
from tests.grbcore.graphlevel.test_changes_budget import some

DATASET = replace(small_dataset(), digest="0" * 64)


def board(scenario: Scenario = "attributes") -> Board:
    return Board(dataset="small", scenario=scenario, title="Small", repeats=3)


def numbers() -> GraphDataset:
    """The same graphs with a number each to predict: edges for each node."""
    found = random_graphs(24, 5)
    ids = np.arange(24)
    return make(
        "small",
        "regression",
        found,
        np.array([graph.m / graph.n for graph in found]),
        node_sizes=SHAPE.node_sizes,
        edge_sizes=SHAPE.edge_sizes,
        split=GraphSplit(ids[:12], ids[12:18], ids[18:]),
    )


def within(budget: int, seed: int) -> GraphChanges:
    """Random changes of each test graph that cost at most so many."""
    rng = np.random.default_rng(seed)
    found = []
    for graph in DATASET.part("test"):
        one = some(rng, graph)
        while sum(one.cost(graph)) > budget:
            one = some(rng, graph)
        found.append(one)
    return together(found)


def attack(seed: int = 0, repeats: int = 3) -> dict[Difficulty, tuple[GraphChanges, ...]]:
    """Random changes at every budget."""
    return {
        name: tuple(within(int(name), 10 * seed + repeat) for repeat in range(repeats))
        for name in BUDGETS
    }
