"""How quickly small graphs are attacked: brute force of budget 1, and AdjPGD over many at once.

    python benchmarks/graph_level_speed.py [--data FOLDER] [--rounds 3]

MUTAG's test set, GINE of 300 columns and five layers, weights of seed 0 after one epoch, one
thread.  Medians of CPU seconds, which on a quiet machine are the seconds on the clock.  AdjPGD's
ratio is that of one graph after another to all together, each with its draws; the last row is
the ascent alone.
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

from grbcore.graphlevel import GraphBudget, load
from grbcore.graphlevel.attacks import AdjPGD, BruteForce, Case
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


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", default=None)
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    torch.set_num_threads(1)
    dataset = load("mutag", data_dir=given.data)
    model = create("GINE", dataset, seed=0)
    fit(model, dataset, replace(RECIPES["mutag"]["GINE"], epochs=1), seed=0)
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
    for name, climbing in (
        ("AdjPGD", AdjPGD(repeats=1)),
        ("AdjPGD, ascent alone", AdjPGD(repeats=1, samples=1)),
    ):

        def ascent(size: int, attack: AdjPGD = climbing) -> None:
            for start in range(0, len(graphs), size):
                part = slice(start, start + size)
                case = Case(model, graphs[part], labels[part], TARGET, GraphBudget(absolute=1))
                attack(case, rng=np.random.default_rng(0))

        together = median(lambda: ascent(len(graphs)), given.rounds)
        alone = median(lambda: ascent(1), given.rounds)
        print(f"| {name}, together | {together:.2f} | |")
        print(f"| {name}, one by one | {alone:.2f} | 5 times: {alone / together:.1f} |", flush=True)


if __name__ == "__main__":
    main()
