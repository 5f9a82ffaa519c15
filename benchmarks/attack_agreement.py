"""Do FGSM and PGD end at the same point?  Their agreement per target on one shared topology.

    python benchmarks/attack_agreement.py [BOARD ...] [--seeds 3]

Prints the shares of which docs/attack-agreement.md keeps the main ones, accuracies in percent.  For
each seed: a surrogate GCN, a GCN that is trained apart from it, one balanced topology at full, and
on it FGSM's features (from zero) and PGD's (from its random start).  Agreement is the share of
targets for which the second GCN predicts the same class under both.  PGD from a second start and
another topology show what else there is.
"""

from __future__ import annotations

import argparse
import os
import platform
from pathlib import Path

import numpy as np
import torch

from grbcore import catalog, datasets
from grbcore.architectures import Parameters
from grbcore.attacks import FGSM, PGD, balanced, optimise_features
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.evaluate import predict
from grbcore.graph import Graph
from grbcore.models import GraphModel, build
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget
from grbcore.seeds import derive_seed, generator
from grbcore.training import fit

STEPS, STEP_SIZE = 1000, 0.01  # GRB, Table 12


def gcn(dataset: Dataset, seed: int) -> GraphModel:
    width = int(dataset.features.shape[1])
    parameters = Parameters(hidden=[64, 64, 64])
    model = build("GCN", parameters, features=width, classes=dataset.classes, seed=seed)
    fit(model, dataset, seed=seed)
    return model


def measure(board: Board, dataset: Dataset, seed: int) -> dict[str, float]:
    """Accuracies, agreements and the mean distance of features, for one seed."""
    graph, targets = Graph.from_dataset(dataset), dataset.targets["full"]
    budget = board.budget("full")
    assert isinstance(budget, InjectionBudget)
    surrogate = gcn(dataset, derive_seed("surrogate", seed))
    defense = gcn(dataset, derive_seed("defense", seed))
    rng = generator("agreement", board.id, seed)
    width = int(dataset.features.shape[1])
    shared, other = (balanced(targets, graph.nodes, budget=budget, rng=rng) for _ in range(2))
    zeros = FGSM().start(budget, width, rng)
    starts = {
        "FGSM": (shared, zeros),
        "PGD": (shared, PGD().start(budget, width, rng)),
        "PGD again": (shared, PGD().start(budget, width, rng)),
        "FGSM elsewhere": (other, zeros),
    }
    features, found = {}, {}
    for name, (edges, start) in starts.items():
        features[name] = optimise_features(
            surrogate,
            graph,
            targets,
            edges,
            start,
            budget=budget,
            steps=STEPS,
            step_size=STEP_SIZE,
        )
        found[name] = predict(defense, graph, Injection(features[name], edges), targets)
    labels = dataset.labels[targets]

    def agreement(one: str, two: str) -> float:
        return float((found[one] == found[two]).mean())

    return {
        "clean": float((predict(defense, graph, None, targets) == labels).mean()),
        "FGSM": float((found["FGSM"] == labels).mean()),
        "PGD": float((found["PGD"] == labels).mean()),
        "agreement": agreement("FGSM", "PGD"),
        "agreement of two PGD": agreement("PGD", "PGD again"),
        "agreement over topologies": agreement("FGSM", "FGSM elsewhere"),
        "distance": float(np.abs(features["FGSM"] - features["PGD"]).mean()),
    }


def cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("boards", nargs="*", default=["grb-cora/injection", "digits/injection"])
    arguments.add_argument("--seeds", type=int, default=3)
    given = arguments.parse_args()
    torch.set_num_threads(1)
    print(f"{cpu()}, {os.cpu_count()} cores, 1 thread, torch {torch.__version__}\n")
    heading: list[str] | None = None
    for name in given.boards:
        board = catalog.board(name)
        dataset = datasets.load(board.dataset)
        for seed in range(given.seeds):
            row = measure(board, dataset, seed)
            if heading is None:
                heading = ["board", "seed", *row]
                print(f"| {' | '.join(heading)} |\n|{'---|' * len(heading)}")
            values = " | ".join(f"{value:.4f}" for value in row.values())
            print(f"| {board.id} | {seed} | {values} |", flush=True)


if __name__ == "__main__":
    main()
