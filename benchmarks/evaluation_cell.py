"""Milliseconds per cell: one attack of twelve graphs (or the clean row) against one defense.

    python benchmarks/evaluation_cell.py [BOARD] [--threads 1]

Untrained weights: the time does not depend on them.  Three ways, interleaved in one process:
`first`, as a fresh evaluator child meets the pair, which builds the attacked graphs; `kept`, as it
meets the next defense, the graphs being kept; `whole`, a whole pass over each attacked graph.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch

from grbcore import catalog, datasets
from grbcore.architectures import ARCHITECTURES
from grbcore.attacks import RND
from grbcore.evaluate import attacked_graphs, predict, predictions
from grbcore.graph import Graph
from grbcore.models import build
from grbcore.scenario import DIFFICULTIES, InjectionBudget
from grbcore.seeds import generator


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("board", nargs="?", default="grb-cora/injection@1")
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--repeats", type=int, default=15)
    given = arguments.parse_args()
    torch.set_num_threads(given.threads)
    board = catalog.board(given.board)
    dataset = datasets.load(board.dataset)
    clean = Graph.from_dataset(dataset)
    attack = {}
    for difficulty in DIFFICULTIES:
        budget = board.budget(difficulty, edges=dataset.edges)
        assert isinstance(budget, InjectionBudget)
        targets = dataset.targets[difficulty]
        attack[difficulty] = tuple(
            RND()(None, clean, targets, budget=budget, rng=generator(board.id, difficulty, r))
            for r in range(board.repeats)
        )
    graphs = sum(len(repeats) for repeats in attack.values())
    print(f"{board.id}, {graphs} attacked graphs a cell, {given.threads} thread(s), ms per cell")
    print(f"{'defense':8} {'clean':>8} {'first':>8} {'kept':>8} {'whole':>8}   median (least)")
    for recipe in board.defenses:
        parameters = ARCHITECTURES[recipe.architecture].parameters.model_validate(recipe.parameters)
        model = build(
            recipe.architecture,
            parameters,
            features=int(dataset.features.shape[1]),
            classes=dataset.classes,
        ).eval()
        kept = {
            name: tuple(repeats)
            for name, repeats in attacked_graphs(
                dataset, clean, attack, features="normalised"
            ).items()
        }
        ways: dict[str, Callable[[], object]] = {
            "clean": lambda model=model: predictions(dataset, clean, model, None),
            "first": lambda model=model: predictions(
                dataset,
                clean,
                model,
                attacked_graphs(dataset, clean, attack, features="normalised"),
            ),
            "kept": lambda model=model, kept=kept: predictions(dataset, clean, model, kept),
            "whole": lambda model=model: [
                predict(model, clean, perturbation, dataset.targets[name])
                for name, repeats in attack.items()
                for perturbation in repeats
            ],
        }
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        with torch.inference_mode():
            for _ in range(given.repeats):
                for name, way in ways.items():
                    started = time.perf_counter()
                    way()
                    seconds[name].append(time.perf_counter() - started)
        row = " ".join(f"{1e3 * statistics.median(s):8.1f}" for s in seconds.values())
        least = " ".join(f"{1e3 * float(np.min(s)):.1f}" for s in seconds.values())
        print(f"{recipe.name:8} {row}   ({least})")


if __name__ == "__main__":
    main()
