"""How quickly small graphs are attacked: brute force of budget 1, and AdjPGD over many at once.

    python benchmarks/graph_level_speed.py [--data FOLDER] [--rounds 3] [--epochs 1]

MUTAG's test set, GINE of 300 columns and five layers, weights of seed 0 after one epoch, one
thread.  Medians of CPU seconds, which on a quiet machine are the seconds on the clock.

AdjPGD is one run of 25 steps and 250 draws, of all graphs together beside graph by graph, which
is measured twice.  *A plain loop* is the attack as it is written down: on each graph alone 25
gradients of the model's surrogate, each projected, then all draws that fit the budget as one
batch.  *One graph a call* calls the library's attack on one graph after another: its draws that
are the same count once, and no gradient is computed twice at a point, so that what is left over
is what taking graphs together saves.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from workloads.clock import machine

from grbcore.graphlevel import AttributedGraph, GraphBudget, load
from grbcore.graphlevel.attacks import AdjPGD, BruteForce, Case
from grbcore.graphlevel.attacks.projection import project
from grbcore.graphlevel.attacks.spaces import Edges
from grbcore.graphlevel.models import predict
from grbcore.graphlevel.random_changes import Values
from grbcore.graphlevel.targets import Target
from grbcore.graphlevel.training import RECIPES, create, fit

TARGET = Target("binary")


def median(work: Callable[[], object], rounds: int) -> float:
    found = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return statistics.median(found)


def plain(case: Case, attack: AdjPGD, rng: np.random.Generator) -> list[float]:
    """AdjPGD on one graph after another as it is written down; the targets that are reached."""
    reached = []
    for g, graph in enumerate(case.graphs):
        alone = case.part([g])
        label, budget = torch.from_numpy(alone.labels), case.budget.of(graph)
        space = Edges.of(alone, rng)
        (relaxed,), clean = space.start, space.clean
        pairs = 1 - torch.eye(graph.n)
        for step in range(1, attack.steps + 1):
            leaf = relaxed.detach().requires_grad_()
            target = case.target(case.model(clean.with_adjacency(leaf)), label)
            (slope,) = torch.autograd.grad(target.sum(), leaf)
            rate = attack.rate * budget / step**0.5
            moved = relaxed + rate * (slope + slope.mT) * pairs
            relaxed = project(moved, clean.adjacency, torch.tensor([float(budget)]))
        u, v = np.triu_indices(graph.n, 1)
        chances, there = relaxed[0, u, v].numpy(), graph.adjacency()[u, v]
        carried = clean.palette[clean.kinds[0, u, v]].numpy()
        tried = [graph]
        for _ in range(attack.samples):
            drawn = rng.random(len(u)) < chances
            if (drawn != there).sum() <= budget:
                edges = np.stack([u[drawn], v[drawn]])
                tried.append(AttributedGraph(graph.nodes, edges, carried[drawn]))
        outputs = predict(case.model, tried, rng=torch.Generator())
        reached.append(float(case.target(outputs, label.expand(len(outputs))).max()))
    return reached


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", default=None)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--epochs", type=int, default=1)
    given = arguments.parse_args()
    torch.set_num_threads(1)
    dataset = load("mutag", data_dir=given.data)
    recipe = replace(RECIPES["mutag"]["GINE"], epochs=given.epochs)
    model = create("GINE", dataset, seed=0, recipe=recipe)
    fit(model, dataset, recipe, seed=0)
    graphs, labels = dataset.part("test"), dataset.labels_of("test")
    values = Values.of(dataset)
    print(machine(), flush=True)
    print("| work | CPU s | must hold |\n|---|---|---|")
    for attributes, limit in ((False, "10 s, aim 3 s"), (True, "40 s, aim 10 s")):
        budget = GraphBudget(absolute=1, attributes=attributes)
        attack = BruteForce(values)

        def force(attack: BruteForce = attack, budget: GraphBudget = budget) -> object:
            rng = np.random.default_rng(0)
            return attack.search(Case(model, graphs, labels, TARGET, budget), rng=rng)

        what = "edges and features" if attributes else "edges"
        print(f"| brute force, {what} | {median(force, given.rounds):.2f} | {limit} |", flush=True)
    case = Case(model, graphs, labels, TARGET, GraphBudget(absolute=1))
    for name, climbing in (
        ("AdjPGD", AdjPGD(repeats=1)),
        ("AdjPGD, ascent alone", AdjPGD(repeats=1, samples=1)),
    ):

        def together(attack: AdjPGD = climbing) -> object:
            return attack(case, rng=np.random.default_rng(0))

        def one_by_one(attack: AdjPGD = climbing) -> object:
            rng = np.random.default_rng(0)
            return [attack(case.part([g]), rng=rng) for g in range(len(graphs))]

        def loop(attack: AdjPGD = climbing) -> object:
            return plain(case, attack, np.random.default_rng(0))

        ours = median(together, given.rounds)
        print(f"| {name}, together | {ours:.2f} | |", flush=True)
        for how, work in (("one graph a call", one_by_one), ("a plain loop", loop)):
            taken = median(work, given.rounds)
            print(f"| {name}, {how} | {taken:.2f} | 5 times: {taken / ours:.1f} |", flush=True)


if __name__ == "__main__":
    main()
